"""The table of SPEC 1.2, row by row, for both ways to be gone: a day away, and another table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from poker.actions import Action
from poker.view import HandView
from proto.events.v1 import events_pb2 as pb
from tests.support.gateways import House, Seat, open_house, passive, published

DAY = timedelta(hours=24)


@dataclass(frozen=True)
class Row:
    """How a match is left: finished hands, moves in it, moves in the open hand (None: no hand).

    ``voids`` and ``ai`` count hands of that end; ``state`` is the match's.
    """

    name: str
    finished: int
    moves: int
    open_moves: int | None
    state: str
    hands: int
    voids: int
    ai: int


ROWS = [
    Row("a", 1, 1, None, "settled", 1, 0, 0),
    Row("b", 0, 0, 0, "void", 0, 1, 0),
    Row("c, one move", 0, 1, 1, "void", 0, 1, 0),
    Row("c, three moves", 0, 3, 3, "void", 0, 1, 0),
    Row("d, the fourth move", 0, 4, 4, "settled", 1, 0, 1),
    Row("e, few moves", 1, 1, 0, "settled", 1, 1, 0),
    Row("e, many moves", 1, 5, 0, "settled", 1, 1, 0),
    Row("f, one move", 1, 2, 1, "settled", 1, 1, 0),
    Row("f, three moves", 1, 3, 2, "settled", 1, 1, 0),
    Row("g, the fourth move", 1, 4, 3, "settled", 2, 0, 1),
]


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


def minimal(view: HandView) -> Action:
    """Bet the least instead of checking: then a hand has many moves."""
    legal = view.legal
    assert legal is not None
    if legal.can_check and legal.raises is not None:
        return Action(legal.seat, legal.raises.kind, legal.raises.min_to_chips)
    return passive(view)


def left_as(house: House, row: Row) -> Seat:
    """Play a match up to where the row leaves it."""
    seat = house.guest("Ana").sit_down()
    house.river.choose = minimal
    before = row.moves - (row.open_moves or 0)
    for _ in range(row.finished):
        for _ in range(before - 1):
            seat.take_free()
        seat.act("fold")
    house.river.choose = minimal if row.open_moves and row.open_moves > 3 else passive
    if row.open_moves is not None:
        if row.finished:
            seat.next_hand()
        for _ in range(row.open_moves):
            seat.take_free()
        assert seat.legal is not None
    house.river.choose = passive
    return seat


def stay_away(house: House, seat: Seat) -> str:
    _ = seat
    house.clock.now += DAY
    assert house.run(house.gateway.sweeper.sweep()).ended == 1
    return "expired"


def start_another(house: House, seat: Seat) -> str:
    _ = house
    seat.guest.sit_down(supersede=True)
    return "superseded"


@pytest.mark.parametrize("leave", [stay_away, start_another])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_leaving_does_what_the_table_says_hu_063_hu_064_hu_065_hu_068(
    house: House, row: Row, leave: Callable[[House, Seat], str]
) -> None:
    seat = left_as(house, row)
    before = seat.match()
    cause = leave(house, seat)
    after = seat.match()
    summary = seat.guest.get(seat.path("summary"))["summary"]
    assert after["state"] == row.state
    assert summary["reason"] == ("void" if row.state == "void" else cause)
    assert (summary["hands"], summary["ai_decided"]) == (row.hands, row.ai)
    told = [m for m in published(house) if getattr(m, "match_id", "") == seat.match_id]
    assert sum(isinstance(message, pb.HandVoided) for message in told) == row.voids
    assert sum(isinstance(message, pb.HandSettled) for message in told) == row.hands
    assert sum(isinstance(message, pb.MatchSettled) for message in told) == 1
    if not row.ai:
        kept = ("stack", "result_chips", "hands", "total_buy_in")
        assert [after[name] for name in kept] == [before[name] for name in kept]
    assert after["result_chips"] == after["stack"] - after["total_buy_in"]


@pytest.mark.parametrize("leave", [stay_away, start_another])
def test_row_h_a_hand_that_runs_out_by_itself_is_finished_hu_064(
    house: House, leave: Callable[[House, Seat], str]
) -> None:
    """All-in on the first move: River's call, still due when the player was gone, ends it."""
    seat = house.guest("Ana").sit_down()

    async def die() -> None:
        raise KeyboardInterrupt

    house.river.before = die
    with pytest.raises(KeyboardInterrupt):
        house.run(seat.guest.posting(seat.actions, seat.order("raise", 10_000), "key"))
    house.river.before = None
    if leave is stay_away:
        # The call comes first; then nobody owes anything, and a day passes.
        house.clock.now += DAY
        house.run(house.gateway.sweeper.sweep())
    cause = leave(house, seat)
    summary = seat.guest.get(seat.path("summary"))["summary"]
    assert (summary["hands"], summary["ai_decided"], summary["reason"]) == (1, 0, cause)
