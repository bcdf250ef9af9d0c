"""Numbered feeds and tickets, on every database."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from services.common.database import reading
from services.gateway.identity import token_hash
from services.gateway.store import feeds, tickets
from services.gateway.store.feeds import TrimmedError
from services.gateway.store.schema import EVENTS, SESSIONS, TICKETS
from services.gateway.store.tickets import Admission
from tests.support.gateways import NOON, Guest, House, Seat, open_house

SOON = NOON + timedelta(seconds=30)


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


def seqs(house: House, seat: Seat, after: int, limit: int = 100) -> list[int]:
    with reading(house.sql_engine) as connection:
        return [item.seq for item in feeds.table_events(connection, seat.table_id, after, limit)]


def test_a_tables_feed_is_its_log_without_gaps(house: House) -> None:
    seat = house.guest().sit_down()
    seat.play_out()
    last = seat.guest.get(f"/v1/tables/{seat.table_id}/events")["last_seq"]
    assert seqs(house, seat, 0) == list(range(1, last + 1))
    assert seqs(house, seat, 3, 2) == [4, 5]
    assert seqs(house, seat, last) == []


def test_a_trimmed_log_and_a_number_never_given_are_told(house: House) -> None:
    seat = house.guest().sit_down()
    seat.play_out()
    last = seqs(house, seat, 0)[-1]
    with house.sql_engine.begin() as connection:
        connection.execute(sa.delete(EVENTS).where(EVENTS.c.seq <= 4))
    assert seqs(house, seat, 4) == list(range(5, last + 1))
    for after in (0, 3, last + 1, 10**15):
        with pytest.raises(TrimmedError):
            seqs(house, seat, after)
    with house.sql_engine.begin() as connection:
        connection.execute(sa.delete(EVENTS))
    assert seqs(house, seat, last) == []
    with pytest.raises(TrimmedError):
        seqs(house, seat, last - 1)


def test_trimmed_events_are_refused_as_gone(house: House) -> None:
    seat = house.guest().sit_down()
    with house.sql_engine.begin() as connection:
        connection.execute(sa.delete(EVENTS).where(EVENTS.c.seq <= 2))
    path = f"/v1/tables/{seat.table_id}/events?since="
    for since, accept in (("1", "application/json"), ("0", "text/event-stream")):
        response = seat.guest.send("GET", path + since, headers={"Accept": accept})
        assert response.status_code == 410
        assert response.json()["type"].endswith("/v1/problems/events-trimmed")
    assert seat.guest.get(path + "2")["items"][0]["seq"] == 3


def lobby(house: House, guest: Guest, after: int, limit: int = 100) -> list[tuple[int, str | None]]:
    with reading(house.sql_engine) as connection:
        news = feeds.lobby_events(connection, guest.user["id"], after, limit)
        return [(item.seq, item.reason) for item in news]


def test_a_lobby_numbers_beginnings_and_ends(house: House) -> None:
    guest = house.guest()
    assert lobby(house, guest, 0) == []
    for _ in range(3):
        seat = guest.sit_down()
        house.clock.advance(minutes=1)
        seat.play_out()
        seat.do("settle")
        house.clock.advance(minutes=1)
    house.guest().sit_down()
    guest.sit_down()
    everything = [
        (1, None),
        (2, "settled"),
        (3, None),
        (4, "settled"),
        (5, None),
        (6, "settled"),
        (7, None),
    ]
    for after in range(8):
        assert lobby(house, guest, after) == everything[after:]
        assert lobby(house, guest, after, 2) == everything[after:][:2]
    with reading(house.sql_engine) as connection:
        assert feeds.lobby_seq(connection, guest.user["id"]) == 7
    with pytest.raises(TrimmedError):
        lobby(house, guest, 8)


def admission(house: House) -> Admission:
    guest = house.guest()
    token = guest.http.cookies["riverboat_session"]
    found = house.run(house.gateway.identity.authenticate(token))
    assert found is not None
    return Admission(found[0], token_hash(token))


def test_a_ticket_lets_in_once(house: House) -> None:
    who = admission(house)
    with house.sql_engine.begin() as connection:
        tickets.issue(connection, "hash", who, SOON, NOON)

    def redeem(_: int) -> Admission | None:
        with house.sql_engine.begin() as connection:
            return tickets.redeem(connection, "hash", NOON)

    with ThreadPoolExecutor(6) as pool:
        found = [item for item in pool.map(redeem, range(6)) if item is not None]
    assert found == [who]


def test_a_ticket_ends_with_its_time_and_with_its_session(house: House) -> None:
    who = admission(house)
    with house.sql_engine.begin() as connection:
        tickets.issue(connection, "late", who, SOON, NOON)
        tickets.issue(connection, "orphan", who, SOON, NOON)
        assert tickets.redeem(connection, "late", SOON) is None
        connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.token_hash == who.session_hash))
        assert tickets.redeem(connection, "orphan", NOON) is None


def test_tickets_that_ran_out_are_swept_away(house: House) -> None:
    who = admission(house)
    with house.sql_engine.begin() as connection:
        tickets.issue(connection, "old", who, SOON, NOON)
        tickets.issue(connection, "new", who, SOON + timedelta(seconds=30), SOON)
        left = connection.execute(sa.select(TICKETS.c.ticket_hash)).scalars().all()
    assert left == ["new"]
