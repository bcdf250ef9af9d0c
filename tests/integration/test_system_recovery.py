"""A match survives the death of any service, and of the whole system."""

import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.player import Json, MatchSeat, Player, careful
from tests.support.system import System, running_system


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    with running_system(tmp_path_factory.mktemp("home"), RATE_LIMITS="off") as system:
        yield system


@pytest.fixture
def seat(system: System) -> Iterator[MatchSeat]:
    with Player(system.base_url) as player:
        player.join()
        seat = player.sit_down()
        while seat.legal is None:
            seat.next_hand()
        yield seat


def what_i_hold(state: Json) -> tuple[str, list[str], list[str], int]:
    """The hand, the board and my cards, and how far the match is."""
    mine = next(entry["cards"] for entry in state["seats"] if entry["you"])
    return state["hand"]["id"], state["hand"]["board"], mine, state["version"]


def plays_on(seat: MatchSeat) -> None:
    """The hand can be finished and another one dealt, without a chip gained or lost."""
    ended = seat.finish_hand(careful, random.Random(7))
    assert sum(result["net"] for result in ended["results"]) == 0
    if seat.state["match"]["can_next_hand"]:
        seat.next_hand()


@pytest.mark.parametrize("service", ["engine", "bot", "gateway", "ledger"])
def test_the_hand_goes_on_with_the_same_cards_after_a_service_is_killed(
    system: System, seat: MatchSeat, service: str
) -> None:
    before = what_i_hold(seat.state)
    system.kill(service)
    assert what_i_hold(seat.refresh()) == before
    plays_on(seat)


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_the_hand_goes_on_after_a_clean_restart(
    system: System, seat: MatchSeat, signum: int
) -> None:
    before = what_i_hold(seat.state)
    assert system.stop(signum) == 0
    system.start()
    assert what_i_hold(seat.refresh()) == before
    plays_on(seat)


def test_the_hand_goes_on_after_everything_is_killed_at_once(
    system: System, seat: MatchSeat
) -> None:
    before = what_i_hold(seat.state)
    system.stop(signal.SIGKILL)
    system.start()
    assert what_i_hold(seat.refresh()) == before
    plays_on(seat)


def test_a_second_system_in_the_same_home_is_refused(system: System, tmp_path: Path) -> None:
    del tmp_path
    second = System(system.home)
    with pytest.raises(AssertionError, match="another Riverboat is running"):
        second.start()
    assert second.process is not None
    with second.process as process:
        assert process.wait(timeout=30) == 1
