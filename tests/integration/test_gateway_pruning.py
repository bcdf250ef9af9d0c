"""What a sweep deletes: keys, sessions, claims, and event logs where that is wished."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa

from services.common.database import reading
from services.gateway.lifecycle import Lifecycle
from services.gateway.store.pruning import KEEP_KEYS
from services.gateway.store.schema import CLAIMS, EVENTS, IDEMPOTENCY, SESSIONS
from services.gateway.sweeper import Swept
from tests.support.gateways import House, Seat, open_house

DAY = timedelta(hours=24)
MOMENT = timedelta(microseconds=1)


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def sweep(house: House) -> Swept:
    return house.run(house.gateway.sweeper.sweep())


def count(house: House, table: sa.Table) -> int:
    with reading(house.sql_engine) as connection:
        query = sa.select(sa.func.count()).select_from(table)
        return int(connection.execute(query).scalar_one())


def test_old_keys_and_sessions_are_deleted_and_young_ones_stay(house: House, seat: Seat) -> None:
    seat.act("fold")
    assert count(house, IDEMPOTENCY) == 2
    house.clock.now += KEEP_KEYS
    sweep(house)
    assert count(house, IDEMPOTENCY) == 2
    house.clock.now += MOMENT
    assert sweep(house).pruned == 2
    assert count(house, IDEMPOTENCY) == 0
    assert count(house, SESSIONS) == 1
    house.clock.now += timedelta(days=366)
    sweep(house)
    assert count(house, SESSIONS) == 0


def test_deleting_is_bounded_too(house: House, seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.gateway.sweeper.BATCH", 3)
    for _ in range(3):
        seat.act("fold") if seat.state["turn"]["seat"] == 1 else seat.play_out()
        seat.next_hand()
        seat.play_out()
        seat.next_hand()
    house.clock.now += KEEP_KEYS + MOMENT
    left = count(house, IDEMPOTENCY)
    while left:
        found = sweep(house)
        now_left = count(house, IDEMPOTENCY)
        assert left - now_left == min(3, left)
        assert found.pruned >= left - now_left
        left = now_left


def test_claims_of_ended_matches_are_cleared_away(house: House, seat: Seat) -> None:
    house.clock.now += DAY
    sweep(house)
    sweep(house)
    assert seat.match()["state"] == "void"
    assert count(house, CLAIMS) == 0


def test_event_logs_are_kept_unless_a_retention_is_set(house: House, seat: Seat) -> None:
    seat.act("fold")
    seat.do("settle")
    events = count(house, EVENTS)
    house.clock.now += timedelta(days=4_000)
    sweep(house)
    assert count(house, EVENTS) == events


def test_trimmed_logs_are_told_again_from_the_hands(database_url: str) -> None:
    lifecycle = Lifecycle(keep_events=timedelta(days=30))
    with open_house(database_url, lifecycle=lifecycle) as house:
        seat = house.guest("Ana").sit_down()
        seat.play_out()
        hand_id = seat.state["hand"]["id"]
        seat.do("settle")
        record = seat.guest.get(f"/v1/hands/{hand_id}")
        row = seat.guest.get(seat.path("hands"))
        house.clock.now += timedelta(days=30) - MOMENT
        sweep(house)
        assert seat.guest.get(f"/v1/hands/{hand_id}") == record
        house.clock.now += MOMENT
        sweep(house)
        assert count(house, EVENTS) == 0
        again = seat.guest.get(f"/v1/hands/{hand_id}")
        assert [(item["type"], item["data"]) for item in again["events"]] == [
            (item["type"], item["data"]) for item in record["events"]
        ]
        assert seat.guest.get(seat.path("hands")) == row
        page = seat.guest.get(f"/v1/tables/{seat.table_id}/events", status=410)
        assert page["type"].endswith("/events-trimmed")
