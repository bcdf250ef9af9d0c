"""The lobby says where the open match stands, so that its page need not open the table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.gateways import House, Json, open_house, shoving, stacked_deck


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


def told(resume: Json) -> tuple[str, bool, str]:
    return resume["state"], resume["your_turn"], resume["consequence"]


def test_a_hand_in_play_and_the_time_between_hands(house: House) -> None:
    guest = house.guest("Ana")
    seat = guest.sit_down()
    assert told(guest.get("/v1/lobby")["resume"]) == ("in_hand", True, "void_match")
    seat.play_out()
    assert told(guest.get("/v1/lobby")["resume"]) == ("between_hands", False, "settle")


def test_a_player_without_chips_is_told_so_and_can_only_settle_hu_016(house: House) -> None:
    house.river.choose = shoving
    house.dealer.decks.append(stacked_deck("7c2d", "AsAh", "AcKd9s5h3c"))
    guest = house.guest("Ana")
    seat = guest.sit_down(3_000)
    while seat.legal is not None:
        seat.take_free()
    resume = guest.get("/v1/lobby")["resume"]
    assert told(resume) == ("busted", False, "settle")
    assert resume["match_id"] == seat.match_id
    seat.do("settle")
    assert guest.get("/v1/lobby")["resume"] is None
