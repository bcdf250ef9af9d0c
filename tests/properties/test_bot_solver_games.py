"""Whatever the stacks, sizes, boards and ranges: solutions are sound."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from services.bot.combos import COMBOS
from services.bot.solver import (
    FOLD,
    PASS,
    Sizes,
    Solution,
    StreetSizes,
    Subgame,
    budget_iterations,
    plan,
    solve,
)
from services.bot.solver.build import masses
from services.bot.solver.sizes import after, can_raise, least_raise_to, opening, raise_tos

sizes = st.builds(
    StreetSizes,
    bets=st.lists(st.floats(0.01, 3.0), max_size=3).map(tuple),
    raises=st.lists(st.floats(0.01, 3.0), max_size=2).map(tuple),
    max_raises=st.integers(0, 4),
    all_in_pots=st.floats(0.0, 300.0),
)
chips = st.integers(1, 100_000)


def drawn(seed: int, share: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return two ranges with about a share of the combos, at least some hundred in each."""
    chosen = np.random.default_rng(seed)
    shares = chosen.random((2, len(COMBOS))).astype(np.float32)
    one, two = np.where(chosen.random((2, len(COMBOS))) < share, shares + 0.01, 0)
    return one.astype(np.float32), two.astype(np.float32)


@st.composite
def rivers(draw: st.DrawFn) -> Subgame:
    board = draw(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
    ranges = drawn(draw(st.integers(0, 10_000)), draw(st.floats(0.2, 1.0)))
    street = draw(sizes)
    return Subgame(
        tuple(board),
        draw(chips),
        draw(chips),
        ranges,
        Sizes(street, street),
        big_blind_chips=draw(st.integers(1, 200)),
    )


def worth(solution: Solution, player: int) -> float:
    ranges = solution.reach(0)
    met = ranges[player] * masses(ranges[1 - player])
    return float(met @ solution.values(0, player) / met.sum())


@settings(max_examples=40, deadline=None)
@given(rivers())
def test_values_share_the_pot_and_strategies_are_distributions(game: Subgame) -> None:
    solution = solve(game, 3)
    shared = worth(solution, 0) + worth(solution, 1)
    # Single precision loses millionths of the stakes, which may be far above the pot.
    lost = 1e-3 * game.pot_chips + 1e-6 * game.behind_chips
    assert shared == pytest.approx(game.pot_chips, abs=lost)
    gain = solution.exploitability()
    assert -1e-4 * (1 + game.behind_chips / game.pot_chips) <= gain < np.inf
    nodes = [0]
    while nodes:
        node = nodes.pop()
        if solution.kind(node) != "decision":
            continue
        strategy = solution.strategy(node)
        assert strategy.min() >= 0
        assert strategy.sum(axis=0) == pytest.approx(1.0, abs=1e-5)
        assert np.isfinite(solution.move_values(node)).all()
        nodes += [solution.child(node, move) for move in solution.moves(node)]


@settings(max_examples=200, deadline=None)
@given(sizes, chips, chips, st.integers(1, 500), st.lists(st.integers(0, 30), max_size=8))
def test_every_raise_on_offer_is_legal(
    street: StreetSizes, pot: int, behind: int, big_blind: int, choices: list[int]
) -> None:
    bets = opening(pot, behind, big_blind)
    for choice in choices:
        offered = raise_tos(bets, street)
        assert offered == sorted(set(offered))
        assert all(least_raise_to(bets) <= to <= behind for to in offered)
        assert bool(offered) <= can_raise(bets)
        if not offered:
            return
        bets = after(bets, offered[choice % len(offered)])
        assert max(bets.put) <= behind


@settings(max_examples=100, deadline=None)
@given(st.integers(4, 5), chips, chips, st.integers(1, 500))
def test_any_pot_and_stack_has_a_plan_that_fits_the_time(
    shown: int, pot: int, behind: int, big_blind: int
) -> None:
    board = tuple(range(0, 3 * shown, 3))
    chosen = plan(board, pot, behind, big_blind)
    even = np.ones(len(COMBOS), np.float32)
    game = Subgame(board, pot, behind, (even, even), chosen.sizes, big_blind_chips=big_blind)
    assert 20 <= chosen.iterations <= budget_iterations(game)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 1000), st.floats(0.01, 50.0))
def test_turns_are_zero_sum_at_any_depth(seed: int, spr: float) -> None:
    street = StreetSizes((0.75,), (1.0,), 1, 0.0)
    behind = max(1, round(100 * spr))
    game = Subgame((0, 13, 26, 39), 100, behind, drawn(seed, 0.3), Sizes(street, street))
    solution = solve(game, 2)
    assert worth(solution, 0) + worth(solution, 1) == pytest.approx(100, rel=1e-3)
    for move in solution.moves(0):
        node = solution.child(0, move)
        assert move != FOLD
        if move == PASS:
            assert solution.player(node) == 1
