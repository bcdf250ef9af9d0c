"""From a request to the board: the ledger knows by itself whose line it is, and the trace."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import Engine

from services.common.database import open_engine, reading
from services.common.eventlog import outbox
from services.common.eventlog.port import Event
from services.common.tracing import is_traceparent
from services.gateway.store.users import ERASED_NAME
from services.ledger.audit import audit
from services.ledger.leaderboard import Scope, Section, read_page
from services.ledger.store import apply_events, upgrade
from tests.support.gateways import Guest, House, open_house
from tests.support.people import account, register, sign_in

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


@pytest.fixture
def ledger_engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    upgrade(engine)
    yield engine
    engine.dispose()


def told(house: House) -> list[Event]:
    with reading(house.sql_engine) as connection:
        return [event for _, event in outbox.read_after(connection, 0, 100_000)]


def board(house: House, ledger: Engine) -> list[tuple[str, str, int]]:
    """Let the ledger read everything again; return names, kinds and hands of its board."""
    with ledger.begin() as connection:
        apply_events(connection, told(house))
    assert audit(ledger).findings == []
    with reading(ledger) as connection:
        page = read_page(connection, Scope("hu_river"), Section.QUALIFYING, 10, None)
    return [(row.display_name, row.kind, row.tally.hands) for row in page.rows]


def play(guest: Guest, hands: int) -> None:
    seat = guest.sit_down()
    for number in range(hands):
        if number:
            seat.next_hand()
        while seat.legal is not None:
            seat.act("fold" if seat.legal["can_fold"] else "check")
    seat.do("settle")


def test_the_ledger_s_board_follows_renames_upgrades_and_erasure(
    house: House, ledger_engine: Engine
) -> None:
    guest = house.guest("Otter")
    play(guest, 2)
    assert board(house, ledger_engine) == [("Otter", "guest", 2)]
    guest.send("PATCH", "/v1/me", json={"display_name": "Lutra"})
    assert board(house, ledger_engine) == [("Lutra", "guest", 2)]
    register(guest)
    assert board(house, ledger_engine) == [("ana_p", "account", 2)]
    assert guest.send("DELETE", "/v1/me").status_code == 204
    assert board(house, ledger_engine) == [(ERASED_NAME, "account", 2)]


def test_the_ledger_adds_a_merged_guest_s_results_to_the_account_s_line(
    house: House, ledger_engine: Engine
) -> None:
    play(account(house), 1)
    guest = house.guest("Otter")
    play(guest, 2)
    seat = guest.sit_down()  # stays open over the merge
    assert sorted(board(house, ledger_engine)) == [("Otter", "guest", 2), ("ana_p", "account", 1)]
    offer = sign_in(guest)["merge_offer"]
    guest.post("/v1/me/merge-guest", {"guest_token": offer["guest_token"]})
    assert board(house, ledger_engine) == [("ana_p", "account", 3)]
    seat.refresh()
    seat.play_out()
    seat.do("settle")
    assert board(house, ledger_engine) == [("ana_p", "account", 4)]


def test_a_ledger_that_reads_everything_at_once_comes_to_the_same(
    house: House, ledger_engine: Engine
) -> None:
    account(house)
    guest = house.guest("Otter")
    play(guest, 2)
    offer = sign_in(guest)["merge_offer"]
    guest.post("/v1/me/merge-guest", {"guest_token": offer["guest_token"]})
    play(guest, 1)
    guest.send("DELETE", "/v1/me")
    assert board(house, ledger_engine) == [(ERASED_NAME, "account", 3)]


def test_events_carry_the_trace_of_the_request_that_caused_them(house: House) -> None:
    guest = house.guest()
    guest.http.headers["traceparent"] = TRACE
    play(guest, 1)
    guest.send("PATCH", "/v1/me", json={"display_name": "Lutra"})
    # Nobody records here, so nobody who is told of it needs to.
    assert {event.traceparent for event in told(house)} == {TRACE[:-2] + "00"}


@pytest.mark.parametrize(
    "header",
    [None, "", "nonsense", TRACE.upper(), f"ff{TRACE[2:]}", f"00-{'0' * 32}-{TRACE[36:]}"],
)
def test_a_request_without_a_valid_trace_begins_one(house: House, header: str | None) -> None:
    guest = house.guest()
    if header is not None:
        guest.http.headers["traceparent"] = header
    guest.send("PATCH", "/v1/me", json={"display_name": "Lutra"})
    guest.send("PATCH", "/v1/me", json={"display_name": "Otter"})
    traces = [event.traceparent for event in told(house)]
    assert all(trace is not None and is_traceparent(trace) for trace in traces)
    assert len(set(traces)) == 2
    assert TRACE not in traces
