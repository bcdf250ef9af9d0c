"""The gateway on PostgreSQL, and its outbox on its way to Kafka."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from services.common.database import reading
from services.common.eventlog import outbox
from services.common.eventlog.kafka import KafkaSink, KafkaSource
from services.common.eventlog.port import Event
from services.gateway.app import Relaying
from tests.support.gateways import House, Seat, open_house, passive, whimsical

ARRIVE_SECONDS = 60.0


@pytest.fixture
def house(postgres_url: str) -> Iterator[House]:
    with open_house(postgres_url) as house:
        yield house


def test_a_match_is_played_topped_up_and_settled(house: House) -> None:
    house.river.choose = whimsical(3)
    seat = house.guest("Ana").sit_down(3_000)
    for _ in range(8):
        match = seat.play_out()
        if not match["can_next_hand"]:
            break
        if match["can_top_up"]:
            seat.do("top-up")
        seat.next_hand()
    seat.play_out()
    match = seat.match()
    assert match["result_chips"] == match["stack"] - match["total_buy_in"]
    assert seat.do("settle")["summary"]["net_chips"] == match["result_chips"]
    assert seat.guest.get("/v1/matches")["items"][0]["state"] == "settled"


def test_many_clicks_on_one_turn_are_one_action(house: House) -> None:
    seat = house.guest("Ana").sit_down()
    order = seat.order("call")

    async def click_everywhere() -> list[httpx.Response]:
        clicks = [seat.guest.posting(seat.actions, order, f"key-{number}") for number in range(6)]
        return await asyncio.gather(*clicks)

    statuses = [response.status_code for response in house.run(click_everywhere())]
    assert sorted(statuses) == [200, 409, 409, 409, 409, 409]


def test_replicas_drive_one_table_together(house: House) -> None:
    seat = house.guest("Ana").sit_down()

    async def die() -> None:
        raise KeyboardInterrupt

    house.river.before = die
    with pytest.raises(KeyboardInterrupt):
        house.run(seat.guest.posting(seat.actions, seat.order("call"), "key"))
    house.river.before, house.river.choose = None, passive

    async def drive_together() -> set[int]:
        replicas = [house.assemble() for _ in range(4)]
        scenes = await asyncio.gather(
            *(replica.driver.drive(seat.table_id) for replica in replicas)
        )
        return {scene.table.version for scene in scenes}

    assert house.run(drive_together()) == {seat.refresh()["version"]}


def test_two_people_sit_down_at_the_same_time(house: House) -> None:
    guests = [house.guest(name) for name in ("Ana", "Ben", "Cy")]
    body = {"ruleset": "hu_river", "buy_in": 10_000}

    async def sit_down_together() -> list[httpx.Response]:
        wishes = [
            guest.posting("/v1/matches", body, f"{twice}") for guest in guests for twice in "ab"
        ]
        return await asyncio.gather(*wishes)

    statuses = [response.status_code for response in house.run(sit_down_together())]
    assert sorted(statuses) == [201, 201, 201, 409, 409, 409]


def test_the_outbox_reaches_kafka_in_order(
    kafka_bootstrap: str, kafka_topic: str, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with open_house(url) as house:
        seat = house.guest("Ana").sit_down()
        relay = Relaying(house.sql_engine, KafkaSink(kafka_bootstrap, kafka_topic))
        relay.start()
        source = KafkaSource(kafka_bootstrap, seat.match_id, kafka_topic)
        try:
            seat.act("fold")
            seat.do("settle")
            arrived = await_events(source, seat, expected(house))
        finally:
            source.close()
            relay.close()
        assert arrived == expected(house)


def expected(house: House) -> list[Event]:
    with reading(house.sql_engine) as connection:
        return [event for _, event in outbox.read_after(connection, 0, 100)]


def await_events(source: KafkaSource, seat: Seat, wanted: list[Event]) -> list[Event]:
    """Poll until as many events of this match have come, or the time is up."""
    arrived: list[Event] = []
    give_up = time.monotonic() + ARRIVE_SECONDS
    while len(arrived) < len(wanted) and time.monotonic() < give_up:
        for delivery in source.poll(100, 0.5):
            record = delivery.record
            if isinstance(record, Event) and record.key == seat.match_id:
                arrived.append(record)
    return arrived
