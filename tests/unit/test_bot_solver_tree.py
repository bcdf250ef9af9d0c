"""Betting trees offer legal, whole bets and pay what was put in."""

import pytest

from services.bot.solver.errors import SolverError
from services.bot.solver.sizes import (
    FOLD,
    PASS,
    StreetSizes,
    after,
    opening,
    raise_tos,
)
from services.bot.solver.tree import DEALT, FOLDED, SHOWDOWN, Start, Tree, grow, play

HALF_AND_POT = StreetSizes((0.5, 1.0), (1.0,), max_raises=3, all_in_pots=2.0)


def tree(pot: int, behind: int, sizes: StreetSizes = HALF_AND_POT) -> Tree:
    return grow([Start(opening(pot, behind, 10), pot)], sizes, {}, river=True)


def test_bets_are_whole_shares_of_the_pot() -> None:
    assert raise_tos(opening(101, 1000, 10), HALF_AND_POT) == [50, 101]


def test_raises_are_shares_of_the_pot_after_the_call() -> None:
    bet = after(opening(100, 1000, 10), 50)
    assert raise_tos(bet, HALF_AND_POT) == [250]


def test_raise_is_at_least_the_last_one() -> None:
    small = StreetSizes((0.5,), (0.1,))
    assert raise_tos(after(opening(100, 1000, 10), 80), small) == [160]


def test_bet_is_at_least_a_big_blind() -> None:
    assert raise_tos(opening(4, 1000, 10), StreetSizes((0.5,), ()))[0] == 10


def test_large_bet_becomes_all_in() -> None:
    assert raise_tos(opening(100, 140, 10), HALF_AND_POT) == [50, 140]


def test_all_in_below_the_least_raise_is_offered() -> None:
    assert raise_tos(after(opening(100, 70, 10), 50), HALF_AND_POT) == [70]


def test_no_raise_beyond_the_cap_but_an_inserted_one() -> None:
    capped = StreetSizes((0.5,), (1.0,), max_raises=1)
    bet = after(opening(100, 1000, 10), 50)
    assert raise_tos(bet, capped) == []
    assert raise_tos(bet, capped, (333,)) == [333]


def test_inserted_size_replaces_a_planned_one_close_to_it() -> None:
    assert raise_tos(opening(100, 1000, 10), HALF_AND_POT, (52,)) == [52, 100]
    assert raise_tos(opening(100, 1000, 10), HALF_AND_POT, (75,)) == [50, 75, 100]


def test_inserted_size_is_moved_to_legal_chips() -> None:
    assert raise_tos(opening(100, 300, 10), StreetSizes((), (), all_in_pots=0), (3, 900)) == [
        10,
        300,
    ]


def test_showdown_pays_half_the_pot_and_the_bet() -> None:
    found = tree(100, 1000)
    called = found.child(found.child(0, 100), PASS)
    assert found.nodes[called].kind == SHOWDOWN
    assert found.nodes[called].win == 150
    folded = found.child(found.child(0, 100), FOLD)
    assert found.nodes[folded].kind == FOLDED
    assert found.nodes[folded].player == 1
    assert found.nodes[folded].win == 50


def test_all_in_call_on_the_turn_is_dealt_out() -> None:
    found = grow([Start(opening(100, 60, 10), 100)], HALF_AND_POT, {}, river=False)
    called = found.child(found.child(0, 60), PASS)
    assert found.nodes[called].kind == DEALT


def test_children_come_after_their_parents_side_by_side() -> None:
    found = tree(100, 1000)
    for at, node in enumerate(found.nodes):
        for index in range(len(node.moves)):
            child = found.nodes[node.first + index]
            assert node.first > at
            assert child.slots[1 - node.player] == node.slots[1 - node.player]


def test_tree_starts_in_the_middle_of_a_street() -> None:
    bets = play(opening(100, 1000, 10), (PASS, 75))
    assert (bets.player, bets.to_call, bets.least_raise, bets.raises) == (0, 75, 75, 1)


@pytest.mark.parametrize("history", [(FOLD,), (PASS, PASS), (75, PASS), (5,), (2000,), (75, 100)])
def test_history_without_a_decision_after_it_is_refused(history: tuple[int, ...]) -> None:
    with pytest.raises(SolverError):
        play(opening(100, 1000, 10), history)
