"""The quota for void hands (HU-073): off as the page is written, exact where it is on."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest
import sqlalchemy as sa

from services.common.database import reading
from services.gateway.lifecycle import Lifecycle
from services.gateway.networks import network_of
from services.gateway.store.schema import VISITS, VOIDS
from tests.support.gateways import Guest, House, Json, Seat, open_house

SIT_DOWN = {"ruleset": "hu_river", "buy_in": 10_000}
VOIDING = {"void_match", "void_hand"}


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url, lifecycle=Lifecycle(void_quota=3)) as house:
        yield house


def consequence(guest: Guest) -> str:
    problem = guest.refused("/v1/matches", SIT_DOWN, status=409, problem="active-match")
    assert guest.get("/v1/lobby")["resume"]["consequence"] == problem["consequence"]
    return str(problem["consequence"])


def reason(seat: Seat) -> Json:
    return dict(seat.guest.get(seat.path("summary"))["summary"])


def count(house: House, table: sa.Table) -> int:
    with reading(house.sql_engine) as connection:
        query = sa.select(sa.func.count()).select_from(table)
        return int(connection.execute(query).scalar_one())


def abandon(guest: Guest, times: int) -> Seat:
    """Leave a match in its first hand so often; return the seat of the match after."""
    seat = guest.sit_down(supersede=True)
    for _ in range(times):
        seat = guest.sit_down(supersede=True)
    return seat


def test_without_a_quota_nobody_counts_hu_073(database_url: str) -> None:
    with open_house(database_url) as house:
        guest = house.guest()
        for _ in range(6):
            abandon(guest, 1)
            assert consequence(guest) == "void_match"
        assert count(house, VOIDS) == count(house, VISITS) == 0


def test_the_fourth_void_in_a_day_is_played_by_the_ai_even_from_move_0_hu_073(
    house: House,
) -> None:
    guest = house.guest()
    seat = abandon(guest, 3)
    assert consequence(guest) == "ai_decides"
    guest.sit_down(supersede=True)
    result = reason(seat)
    assert (result["reason"], result["hands"], result["ai_decided"]) == ("superseded", 1, 1)


@pytest.mark.parametrize("row", ["b", "c", "e", "f"])
def test_every_row_that_voids_is_counted_and_then_played_hu_073(house: House, row: str) -> None:
    guest = house.guest()
    abandon(guest, 1)
    for expected in ("void", "ai"):
        seat = guest.sit_down(supersede=True)
        if row in "ef":
            seat.act("fold")
            seat.next_hand()
        if row in "cf":
            seat.take_free()
        assert (consequence(guest) in VOIDING) is (expected == "void")
    assert count(house, VOIDS) == 3


def test_the_quota_is_a_rolling_day_hu_073(house: House) -> None:
    guest = house.guest()
    abandon(guest, 3)
    house.clock.advance(hours=23, minutes=59)
    guest.get("/v1/lobby")
    assert consequence(guest) == "ai_decides"
    house.clock.advance(minutes=1)
    seat = guest.sit_down()
    assert consequence(guest) == "void_match"
    assert seat.state["match"]["hands"] == 0


def test_expired_matches_are_counted_like_superseded_ones_hu_073(house: House) -> None:
    guest = house.guest()
    for _ in range(3):
        guest.sit_down()
        house.clock.advance(hours=24)
        house.run(house.gateway.sweeper.sweep())
    assert count(house, VOIDS) == 1, "the sweep forgets those of more than a day ago"
    assert house.guest().get("/v1/lobby")["resume"] is None


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        ("203.0.113.7", "203.0.113.200", True),
        ("203.0.113.7", "203.0.114.7", False),
        ("2001:db8:0:1200::1", "2001:db8:0:12ff::9", True),
        ("2001:db8:0:1200::1", "2001:db8:0:1300::1", False),
        ("::ffff:203.0.113.7", "203.0.113.9", True),
    ],
)
def test_a_network_shares_its_quota_hu_073(
    house: House, first: str, second: str, shared: bool
) -> None:
    abandon(house.guest(address=first), 3)
    other = house.guest(address=second)
    other.sit_down()
    assert consequence(other) == ("ai_decides" if shared else "void_match")


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("203.0.113.7", "203.0.113.0/24"),
        ("2001:db8:0:12ff::9", "2001:db8:0:1200::/56"),
        ("::ffff:203.0.113.7", "203.0.113.0/24"),
        ("fe80::1%eth0", "fe80::/56"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_a_network_is_a_24_or_a_56(host: str, network: str) -> None:
    assert network_of(host) == network


def test_a_void_that_the_network_caused_is_not_charged_hu_073(house: House) -> None:
    """The process dies before the first snapshot leaves: the player never saw the hand."""
    guest = house.guest()

    async def lose_the_answer() -> None:
        raise KeyboardInterrupt

    for number in range(5):
        house.dealer.first_button = 2
        house.river.before = lose_the_answer
        with pytest.raises(KeyboardInterrupt):
            house.run(guest.posting("/v1/matches", {**SIT_DOWN, "supersede": True}, f"k{number}"))
        house.river.before = None
    assert count(house, VOIDS) == 0
    assert consequence(guest) == "void_match"


def test_a_snapshot_that_was_read_later_counts_as_delivered_hu_073(house: House) -> None:
    guest = house.guest()

    async def lose_the_answer() -> None:
        raise KeyboardInterrupt

    house.dealer.first_button = 2
    house.river.before = lose_the_answer
    with pytest.raises(KeyboardInterrupt):
        house.run(guest.posting("/v1/matches", SIT_DOWN, "key"))
    house.river.before = None
    resume = guest.get("/v1/lobby")["resume"]
    guest.get(f"/v1/tables/{resume['table_id']}")
    guest.sit_down(supersede=True)
    assert count(house, VOIDS) == 1


def test_voids_at_the_same_moment_do_not_exceed_the_networks_quota_hu_073(house: House) -> None:
    guests = [house.guest() for _ in range(6)]
    for guest in guests:
        guest.sit_down()

    async def leave_together() -> list[httpx.Response]:
        body = {**SIT_DOWN, "supersede": True}
        return await asyncio.gather(
            *(guest.posting("/v1/matches", body, "leave") for guest in guests)
        )

    assert {response.status_code for response in house.run(leave_together())} == {201}
    assert count(house, VOIDS) == 3


def test_told_a_void_one_is_not_given_to_the_ai_unasked_hu_073(house: House) -> None:
    """Another person of the network used up the quota in between."""
    ana, ben = house.guest("Ana"), house.guest("Ben")
    abandon(ben, 2)
    ana.sit_down()
    told = consequence(ana)
    assert told == "void_match"
    ben.sit_down(supersede=True)
    order = {**SIT_DOWN, "supersede": True, "consequence": told}
    problem = ana.refused("/v1/matches", order, status=409, problem="active-match")
    assert problem["consequence"] == "ai_decides"
