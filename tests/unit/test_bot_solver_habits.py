"""Answers to a player who partly plays by habit: exact best responses, and soundness beside it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from services.bot.combos import COMBOS, combo_index
from services.bot.solver import (
    FOLD,
    PASS,
    Habits,
    Sizes,
    SolverError,
    StreetSizes,
    Subgame,
    solve,
)
from services.bot.solver.habits import ranks_on
from services.bot.strength import strengths
from tests.unit.test_bot_solver_solution import cards, drawn, worth

RIVER, TURN = "2c7d9hKs3d", "2c7d9hKs"
SHOVE = StreetSizes((), (), max_raises=1, all_in_pots=100.0)
BETS = StreetSizes((0.5, 1.0), (1.0,), max_raises=2, all_in_pots=0.0)
Found = NDArray[np.float64]


def calls(river: bool, raises: int, price: float, ranks: NDArray[np.float32]) -> Found:
    """Check and call, whatever happens."""
    return np.tile([[0.0], [1.0], [0.0]], (1, 1, len(ranks)))


def folds_the_worse_half(
    river: bool,
    raises: int,
    price: float,
    ranks: NDArray[np.float32],
) -> Found:
    folds = (ranks > 0.5) & (price > 0.0)
    return np.stack([folds, ~folds, np.zeros_like(folds)])[np.newaxis].astype(np.float64)


def game(board: str, sizes: StreetSizes, habits: Habits | None, behind: int = 100) -> Subgame:
    both = Sizes(sizes, sizes)
    return Subgame(cards(board), 100, behind, drawn(4), both, habits=habits)


def always(plays: object, share: float = 1.0) -> Habits:
    return Habits(1, np.full((1, len(COMBOS)), share, np.float32), plays)  # type: ignore[arg-type]


def test_a_habit_of_no_weight_changes_nothing() -> None:
    for board in (RIVER, TURN):
        with_it = solve(game(board, BETS, always(calls, 0.0)), 6)
        without = solve(game(board, BETS, None), 6)
        assert with_it.strategy(0).tobytes() == without.strategy(0).tobytes()
        assert with_it.values(0, 0) == pytest.approx(without.values(0, 0), abs=1e-3)


def equities(theirs: NDArray[np.float32], board: tuple[int, ...]) -> Found:
    """Return how often each combo beats a range on a whole board."""
    ranked = strengths(np.array([board]))[0]
    found = np.full(len(COMBOS), np.nan)
    for combo, held in enumerate(COMBOS):
        if set(held) & set(board):
            continue
        apart = np.array([not set(held) & set(other) for other in COMBOS])
        met = np.where(apart & (ranked >= 0), theirs, 0.0)
        wins = met[ranked < ranked[combo]].sum() + 0.5 * met[ranked == ranked[combo]].sum()
        found[combo] = wins / met.sum()
    return found


def test_against_a_caller_every_hand_ahead_is_bet_and_none_is_bluffed() -> None:
    solution = solve(game(RIVER, SHOVE, always(calls)), 200)
    chance = equities(solution.reach(0)[1], cards(RIVER))
    bet = solution.strategy(0)[solution.moves(0).index(100)]
    held = solution.reach(0)[0] > 0
    assert bet[held & (chance > 0.51)].min() > 0.98
    assert bet[held & (chance < 0.49)].max() < 0.02
    best = np.maximum(100 * chance, 300 * chance - 100)
    assert solution.values(0, 0)[held] == pytest.approx(best[held], abs=0.5)


def test_on_a_turn_every_river_is_answered_as_well() -> None:
    solution = solve(game(TURN, SHOVE, always(calls)), 60)
    node = solution.node((PASS, PASS))
    for card in cards("3dAh6s"):
        chance = equities(solution.river_ranges(node, card)[1], (*cards(TURN), card))
        best = np.maximum(100 * chance, 300 * chance - 100)
        held = solution.river_ranges(node, card)[0] > 0
        assert solution.river_values(node, card, 0)[held] == pytest.approx(best[held], abs=1.5)


def test_habits_on_a_river_look_at_the_ranks_of_that_river() -> None:
    """Where all is habit, a river below a turn is worth what it is worth by itself."""
    habits = always(folds_the_worse_half)
    solution = solve(game(TURN, SHOVE, habits), 150)
    node = solution.node((PASS, PASS))
    for card in cards("3dAh9s"):
        ranges = solution.river_ranges(node, card)
        alone = Subgame((*cards(TURN), card), 100, 100, ranges, Sizes(SHOVE, SHOVE), habits=habits)
        found, held = solution.river_values(node, card, 0), ranges[0] > 0
        assert found[held] == pytest.approx(solve(alone, 400).values(0, 0)[held], abs=2.0)


def test_two_ways_that_are_one_are_as_one() -> None:
    def both(river: bool, raises: int, price: float, ranks: NDArray[np.float32]) -> Found:
        return np.concatenate([folds_the_worse_half(river, raises, price, ranks)] * 2)

    for board in (RIVER, TURN):
        one = solve(game(board, BETS, always(folds_the_worse_half, 0.8), 300), 12)
        halves = Habits(1, np.full((2, len(COMBOS)), 0.4, np.float32), both)
        two = solve(game(board, BETS, halves, 300), 12)
        assert two.values(0, 0) == pytest.approx(one.values(0, 0), abs=0.1)
        assert two.by_habit(0).sum(axis=0) == pytest.approx(one.by_habit(0)[0], abs=1e-7)


def test_a_bluff_pays_against_who_folds_the_worse_half() -> None:
    solution = solve(game(RIVER, SHOVE, always(folds_the_worse_half)), 100)
    bet = solution.move_values(0)[solution.moves(0).index(100)]
    held = solution.reach(0)[0] > 0
    # Nothing is below: a half folds and pays 100, a half calls and wins 100.
    ranked = strengths(np.array([cards(RIVER)]))[0]
    worst = np.flatnonzero(held)[np.argsort(ranked[held])[:5]]
    assert bet[worst] == pytest.approx(0.0, abs=8.0)
    node = solution.node((100,))
    folded = solution.by_habit(solution.child(node, FOLD))[0]
    called = solution.by_habit(solution.child(node, PASS))[0]
    whole = solution.by_habit(node)[0]
    assert folded + called == pytest.approx(whole, abs=1e-7)
    ranks = ranks_on(cards(RIVER), ())[1][0]
    assert called[(ranks > 0.52)].max() == 0.0
    assert folded[(ranks < 0.48)].max() == 0.0


def test_who_plays_well_beside_a_habit_is_answered_too() -> None:
    """Half a caller: more is won than from sound play alone, less than from a caller."""
    shares = (0.0, 0.5, 1.0)
    won = [worth(solve(game(RIVER, BETS, always(calls, s), 300), 300), 0) for s in shares]
    assert won[0] < won[1] < won[2]


def test_a_reach_is_what_is_played_well_and_by_habit() -> None:
    for board in (RIVER, TURN):
        solution = solve(game(board, BETS, always(calls, 0.25), 300), 10)
        node = solution.node((PASS,))
        bet = max(solution.moves(node))
        begun, after = solution.reach(0)[1], solution.reach(solution.child(node, bet))[1]
        assert solution.by_habit(0)[0] == pytest.approx(0.25 * begun, rel=1e-5)
        assert solution.by_habit(solution.child(node, bet)).max() == 0.0
        likely = solution.likely(solution.child(node, bet), 1)
        assert after == pytest.approx(0.75 * begun * likely, rel=1e-4, abs=1e-9)


def test_ranks_are_the_share_of_all_hands_that_are_better() -> None:
    board = cards("Ks9s4d2c3h")
    ranks = ranks_on(board, ())[1][0]
    best, tie, air = (combo_index(*cards(hand)) for hand in ("6s5s", "6d5d", "7h6d"))
    assert ranks[best] == ranks[tie] < 0.01
    assert ranks[air] > 0.9
    turn, rivers = ranks_on(board[:4], tuple(c for c in range(52) if c not in board[:4]))
    assert rivers.shape == (48, len(COMBOS))
    draw, air = (combo_index(*cards(hand)) for hand in ("Qs7s", "Qh7d"))
    assert turn[combo_index(*cards("KhKd"))] < 0.05 < turn[draw] < turn[air]
    alive = np.array([not set(combo) & set(board) for combo in COMBOS])
    assert ranks[alive].mean() == pytest.approx(0.5, abs=1e-3)
    alive = np.array([not set(combo) & set(board[:4]) for combo in COMBOS])
    assert turn[alive].mean() == pytest.approx(0.5, abs=1e-3)
    assert turn[alive].min() < 0.01
    assert turn[alive].max() > 0.99


@pytest.mark.parametrize(
    "habits",
    [
        Habits(2, np.zeros((1, len(COMBOS)), np.float32), calls),
        Habits(1, np.zeros((1, 7), np.float32), calls),
        Habits(1, np.full((2, len(COMBOS)), 0.6, np.float32), calls),
        Habits(1, np.full((1, len(COMBOS)), -0.1, np.float32), calls),
    ],
)
def test_wrong_habits_are_refused(habits: Habits) -> None:
    with pytest.raises(SolverError, match="habits"):
        solve(game(RIVER, SHOVE, habits), 1)


def test_what_habits_give_away_is_not_called_exploitable() -> None:
    with pytest.raises(SolverError, match="habits"):
        solve(game(RIVER, SHOVE, always(calls)), 1).exploitability()
