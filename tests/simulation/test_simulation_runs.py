"""Short runs of the simulation; ``make sim`` plays long ones.

One seed is always the same, so that what worked once is tried again; one is drawn anew, and
printed with the command that plays it again.
"""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy.engine import Connection

from services.common.eventlog import outbox
from services.common.eventlog.port import Event
from services.gateway.store import idempotency
from tests.simulation.points import SCENARIOS, Fault
from tests.simulation.processes import Crowd, Site, play
from tests.simulation.run import (
    FailedRunError,
    Outcome,
    Place,
    Plan,
    Visit,
    simulate,
    visit_points,
)
from tests.support.postgres import PostgresServer

FIXED_SEED = 7
DRAWN_SEED = random.SystemRandom().randrange(10**6)


@pytest.fixture
def place(database_url: str, tmp_path: Path) -> Place:
    return Place(database_url, f"sqlite:///{tmp_path}/ledger.sqlite3")


@pytest.fixture
def small(tmp_path: Path) -> Place:
    return Place(f"sqlite:///{tmp_path}/tables.sqlite3", f"sqlite:///{tmp_path}/ledger.sqlite3")


def has_seen_trouble(outcome: Outcome) -> bool:
    counts = outcome.counts
    return counts["act 200"] > 0 and counts["asked again"] > 0 and counts["transfers audited"] > 0


@pytest.mark.parametrize("seed", [FIXED_SEED, DRAWN_SEED], ids=["fixed", "drawn"])
def test_no_move_is_lost_or_doubled_while_everything_breaks(place: Place, seed: int) -> None:
    outcome = simulate(Plan(seed, matches=8, clients=5), place)
    assert has_seen_trouble(outcome)
    assert outcome.counts["kills"] > 0
    assert outcome.counts["cuts"] > 0


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_command_may_fail_at_any_of_its_points(place: Place, scenario: str, fault: Fault) -> None:
    """Here a few points, other ones each time; ``make sim`` visits all of them."""
    step = 11 if place.tables_url.startswith("sqlite") else 31
    outcome = visit_points(Visit(DRAWN_SEED, scenario, fault, 1 + DRAWN_SEED % step, step), place)
    assert outcome.counts[f"points visited ({fault})"] > 0


def test_gateways_that_are_killed_for_real_lose_nothing_on_sqlite(tmp_path: Path) -> None:
    crowd = Crowd(DRAWN_SEED, matches=5, clients=5, mean_points=800)
    site = Site(crowd, tmp_path, f"sqlite:///{tmp_path}/tables.sqlite3", gateways=1)
    outcome = play(crowd, site, f"sqlite:///{tmp_path}/ledger.sqlite3")
    assert outcome.counts["gateways killed"] > 0


def test_two_gateways_take_turns_on_a_postgresql_that_is_restarted(
    postgres_process: PostgresServer, tmp_path: Path
) -> None:
    crowd = Crowd(DRAWN_SEED, matches=20, clients=20)
    site = Site(crowd, tmp_path, postgres_process.url, gateways=2, server=postgres_process)
    outcome = play(crowd, site, f"sqlite:///{tmp_path}/ledger.sqlite3")
    assert outcome.counts["gateways killed"] > 0
    assert outcome.counts["database restarts"] > 0


def test_a_seed_plays_the_same_run_again_in_another_process(tmp_path: Path) -> None:
    def trace_of(name: str) -> str:
        file = tmp_path / name
        command = [sys.executable, "-m", "tests.simulation", "--seed", "3", "--only", "matches"]
        size = ["--matches", "4", "--clients", "3", "--trace", str(file)]
        subprocess.run([*command, *size], check=True, cwd=Path(__file__).parents[2])
        return file.read_text()

    assert trace_of("first") == trace_of("second")


def test_a_gateway_without_receipts_is_found_out(
    small: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "mark_done", lambda *_: None)
    with pytest.raises(FailedRunError, match=f"seed {FIXED_SEED}"):
        simulate(Plan(FIXED_SEED, matches=30, clients=5), small)


def test_a_gateway_that_forgets_an_event_is_found_out(
    small: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = outbox.append

    def forgetful(connection: Connection, events: tuple[Event, ...]) -> None:
        append(
            connection, [event for event in events if not event.type.endswith("hand.settled.v1")]
        )

    monkeypatch.setattr(outbox, "append", forgetful)
    with pytest.raises(FailedRunError):
        simulate(Plan(FIXED_SEED, matches=3, clients=2), small)
