"""A short ordeal of the ledger; ``make chaos-ledger`` is the long one."""

import os
import random
import subprocess
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest
import sqlalchemy as sa

from services.common.database import open_engine
from services.common.eventlog import outbox
from tests.simulation.ledger_chaos import EXIT_UNAVAILABLE
from tests.simulation.ledger_echo import Echo, Raw
from tests.simulation.ledger_poison import Poison
from tests.simulation.ledger_site import LedgerSite, Victim
from tests.support.played_matches import Season

REPO = Path(__file__).resolve().parents[2]
DRAWN_SEED = random.SystemRandom().randrange(10**6)


@pytest.mark.kafka
@pytest.mark.postgres
def test_every_chip_is_right_whoever_dies() -> None:
    """In a process of its own, as clients of brokers that die leave sockets behind."""
    options = ["--seed", str(DRAWN_SEED), "--hands", "800", "--kills", "6", "--poison", "0.03"]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.simulation.ledger_chaos", *options],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    if done.returncode == EXIT_UNAVAILABLE and os.environ.get("CI") != "true":
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr


def test_the_neighbour_gets_rid_of_all_its_junk_however_few_events_there_are(
    tmp_path: Path,
) -> None:
    gateway = open_engine(f"sqlite:///{tmp_path}/outbox.sqlite3")
    match = next(iter(Season(1, 20, 2).matches()))
    with gateway.begin() as connection:
        outbox.create_tables(connection)
        outbox.append(connection, match)
        relayed = {"name": "kafka", "position": len(match), "holder": "", "held_until_us": 0}
        connection.execute(sa.insert(outbox.RELAYS).values(relayed))
    junk: list[Raw] = [(b"key", b"junk %d" % number, []) for number in range(5)]
    echo = Echo(gateway, "nowhere", Poison(junk=list(junk)), 0.0, seed=1)
    added = echo.next()
    assert echo.position == len(match)
    assert echo.next() == []
    assert not echo.done
    echo.finish()
    while not echo.done:
        added += echo.next()
    assert sorted(added) == junk
    gateway.dispose()


@pytest.mark.parametrize(
    ("started_at", "gave_up", "excused"),
    [(10.0, True, True), (10.0, False, False), (30.0, True, False)],
    ids=["found no database at its start", "ended in the outage", "ended long after the outage"],
)
def test_only_a_ledger_that_started_into_an_outage_may_end(
    tmp_path: Path, started_at: float, *, gave_up: bool, excused: bool
) -> None:
    site = LedgerSite(MagicMock(), MagicMock(), "", "", tmp_path, database_back_at=20.0)
    starts: list[str] = []
    victim = Victim(
        "consumer", lambda: None, lambda: starts.append("again"), lambda: False, lambda: gave_up
    )
    victim.started_at, site.victims[:] = started_at, [victim]
    if excused:
        site.tend()
        assert starts == ["again"]
    else:
        with pytest.raises(AssertionError, match="a consumer ended by itself"):
            site.tend()
