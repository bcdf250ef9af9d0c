"""The next hand follows one hand: however often it is asked for, it is dealt once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from services.common.database import reading
from services.gateway.store.schema import HANDS, MATCHES
from tests.support.gateways import House, Seat, open_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def hands_dealt(house: House) -> int:
    with reading(house.sql_engine) as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(HANDS)).scalar_one())


def left_with(house: House, chips: int) -> None:
    """Give the player a stack with which the blind alone decides the next hand."""
    with house.sql_engine.begin() as connection:
        connection.execute(sa.update(MATCHES).values(stack_chips=chips))


def test_a_double_click_never_deals_twice(house: House) -> None:
    """With 30 chips in the big blind the next hand is over when it is dealt."""
    seat = house.guest().sit_down(3_000)
    seat.act("fold")
    left_with(house, 30)
    after = seat.refresh()["hand"]["no"]
    body = {"after_hand_no": after}
    first = seat.guest.post(seat.path("next-hand"), body, key="one")
    assert first["snapshot"]["hand"]["no"] == after + 1
    assert first["snapshot"]["hand"]["over"]
    problem = seat.guest.post(seat.path("next-hand"), body, key="two", status=409)
    kind = problem["type"].rsplit("/", 1)[-1]
    busted = first["snapshot"]["match"]["state"] == "busted"
    assert kind == ("match-busted" if busted else "stale-turn")
    assert hands_dealt(house) == 2


def test_two_clicks_at_once_deal_one_hand(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    seat.act("fold")
    left_with(house, 30)

    async def both() -> list[httpx.Response]:
        path, body = seat.path("next-hand"), {"after_hand_no": 1}
        return await asyncio.gather(*(seat.guest.posting(path, body, key) for key in "ab"))

    statuses = sorted(response.status_code for response in house.run(both()))
    assert statuses == [200, 409]
    assert hands_dealt(house) == 2


@pytest.mark.parametrize("number", [2, 10**9])
def test_a_hand_that_was_not_played_is_not_followed(house: House, seat: Seat, number: int) -> None:
    seat.act("fold")
    path = seat.path("next-hand")
    seat.guest.refused(path, {"after_hand_no": number}, status=409, problem="stale-turn")
    assert hands_dealt(house) == 1


@pytest.mark.parametrize("number", [0, -1, "1", 1.5, True])
def test_a_number_that_is_none_is_invalid(seat: Seat, number: Any) -> None:  # noqa: ANN401
    path = seat.path("next-hand")
    seat.guest.refused(path, {"after_hand_no": number}, status=422, problem="request-invalid")
