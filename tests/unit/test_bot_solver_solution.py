"""Solved subgames: known equilibria, exact payoffs, convergence and the gadget."""

import time
from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from poker.cards import Card, parse_cards
from poker.ranking import rank
from services.bot.combos import COMBOS, combo_index
from services.bot.solver import (
    FOLD,
    PASS,
    Gadget,
    Sizes,
    Solution,
    SolverError,
    StreetSizes,
    Subgame,
    plan,
    solve,
)
from services.bot.solver.build import masses

Range = NDArray[np.float32]

POT_BET = StreetSizes((1.0,), (), max_raises=1, all_in_pots=0.0)


def strength(*held: Iterable[int]) -> int:
    return rank(tuple(Card(card) for some in held for card in some))


def cards(text: str) -> tuple[int, ...]:
    return tuple(int(card) for card in parse_cards(text))


def holding(*hands: str, weights: Iterable[float] = ()) -> Range:
    found = np.zeros(len(COMBOS), np.float32)
    for hand, weight in zip(hands, tuple(weights) or (1.0,) * len(hands), strict=True):
        one, two = cards(hand)
        found[combo_index(one, two)] = weight
    return found


def drawn(seed: int) -> tuple[Range, Range]:
    chosen = np.random.default_rng(seed)
    one, two = chosen.random((2, len(COMBOS))).astype(np.float32) ** 3
    return np.where(one < 0.02, 0, one), np.where(two < 0.02, 0, two)


def game(board: str, spr: float, seed: int) -> Subgame:
    pot, behind = 1000, max(1, round(1000 * spr))
    chosen = plan(cards(board), pot, behind, 20)
    return Subgame(cards(board), pot, behind, drawn(seed), chosen.sizes, big_blind_chips=20)


def worth(solution: Solution, player: int) -> float:
    """Return a player's mean value at the root over all deals."""
    ranges = solution.reach(0)
    met = ranges[player] * masses(ranges[1 - player])
    return float(met @ solution.values(0, player) / met.sum())


def polarised() -> Subgame:
    """The caller beats the bluffs and loses to the nuts; no card is shared."""
    nuts, bluffs = ("AcAd", "AhAs"), ("4c5d", "4d5h")
    bettor = holding(*nuts, *bluffs)
    caller = holding("KcKd", "KhKs", "QcQd", "QhQs")
    return Subgame(cards("2c2d2h7s9s"), 100, 100, (bettor, caller), Sizes(POT_BET, POT_BET))


def test_polarised_range_bluffs_half_as_often_as_it_bets_for_value() -> None:
    solution = solve(polarised(), 2000)
    bet = solution.strategy(0)[solution.moves(0).index(100)]
    for nuts in ("AcAd", "AhAs"):
        assert bet[combo_index(*cards(nuts))] == pytest.approx(1.0, abs=0.02)
    bluffs = [bet[combo_index(*cards(hand))] for hand in ("4c5d", "4d5h")]
    assert sum(bluffs) == pytest.approx(1.0, abs=0.03)


def test_bluff_catchers_call_a_pot_bet_half_the_time() -> None:
    solution = solve(polarised(), 2000)
    node = solution.node((100,))
    calls = solution.strategy(node)[solution.moves(node).index(PASS)]
    caught = [calls[combo_index(*cards(hand))] for hand in ("KcKd", "KhKs", "QcQd", "QhQs")]
    assert sum(caught) / 4 == pytest.approx(0.5, abs=0.02)
    # Bets 3 of 4 combos and wins the pot whenever it bets: 75 of 100.
    assert worth(solution, 0) == pytest.approx(75, abs=0.5)


def test_values_of_both_players_share_the_pot() -> None:
    for board, spr in (("2c7d9hKs3d", 3.0), ("2c7d9hKs", 2.0)):
        solution = solve(game(board, spr, 3), 12)
        assert worth(solution, 0) + worth(solution, 1) == pytest.approx(1000, rel=1e-4)


def test_more_iterations_leave_less_to_exploit() -> None:
    river = game("2c7d9hKs3d", 4.0, 1)
    gains = [solve(river, count).exploitability() for count in (5, 25, 125)]
    assert gains[0] > 2 * gains[1] > 4 * gains[2] > 0


@pytest.mark.parametrize("spr", [0.3, 1.0, 5.0, 20.0])
def test_planned_river_is_nearly_unexploitable(spr: float) -> None:
    river = game("2c7d9hKs3d", spr, 7)
    count = plan(river.board, 1000, river.behind_chips, 20).iterations
    assert solve(river, count).exploitability() <= 0.003


@pytest.mark.parametrize("spr", [0.3, 2.0, 5.0])
def test_planned_turn_is_hard_to_exploit(spr: float) -> None:
    turn = game("2c7d9hKd", spr, 8)
    count = plan(turn.board, 1000, turn.behind_chips, 20).iterations
    assert solve(turn, count).exploitability() <= 0.02


def test_same_subgame_has_the_same_solution_bit_for_bit() -> None:
    for board in ("2c7d9hKs3d", "2c7d9hKs"):
        one, two = (solve(game(board, 3.0, 2), 8) for _ in range(2))
        assert one.strategy(0).tobytes() == two.strategy(0).tobytes()
        assert one.values(0, 1).tobytes() == two.values(0, 1).tobytes()


def checked_down(board: str, ranges: tuple[Range, Range]) -> Solution:
    """Solve a game in which nobody can bet."""
    none = StreetSizes((), (), max_raises=0, all_in_pots=0.0)
    return solve(Subgame(cards(board), 100, 500, ranges, Sizes(none, none)), 1)


def equity(board: str, mine: str, theirs: Range) -> float:
    """Return the equity of a hand by enumerating hands and rivers."""
    hand, shown = cards(mine), cards(board)
    won = met = 0.0
    for combo, weight in zip(COMBOS, theirs, strict=True):
        if weight == 0 or set(combo) & {*hand, *shown}:
            continue
        used = {*hand, *combo, *shown}
        rivers = [[card] for card in range(52) if card not in used]
        for river in rivers if len(shown) == 4 else [[]]:
            one, two = strength(shown, river, hand), strength(shown, river, combo)
            won += (
                float(weight)
                / (len(rivers) if len(shown) == 4 else 1)
                * (1.0 if one > two else 0.5 if one == two else 0.0)
            )
        met += float(weight)
    return won / met


@pytest.mark.parametrize("board", ["2c7d9hKs3d", "2c7d9hKs"])
def test_checked_down_hands_win_their_exact_equity(board: str) -> None:
    rivals = ("AcAd", "KcKd", "7c7h", "8cTc", "QdJd", "9c8d", "2s2h", "KhQh", "AdKd")
    theirs = holding(*rivals, weights=range(1, 10))
    hands = ("AcKd", "9s8s", "QdJh", "KcKh", "Td8d", "AhAs", "5d4d")
    solution = checked_down(board, (holding(*hands), theirs))
    values = solution.values(0, 0)
    for hand in hands:
        found = values[combo_index(*cards(hand))]
        assert found == pytest.approx(100 * equity(board, hand, theirs), abs=1e-3)


def test_all_in_on_the_turn_runs_out_every_river() -> None:
    shove = StreetSizes((9.0,), (), max_raises=1, all_in_pots=9.0)
    ranges = holding("AcKd", "8s8h"), holding("QdJd", "KhQh", "7c7h")
    solution = solve(Subgame(cards("2c7d9hKs"), 100, 50, ranges, Sizes(shove, shove)), 20)
    called = solution.node((50, PASS))
    assert solution.kind(called) == "dealt"
    weights = solution.reach(called)[1]
    for hand in ("AcKd", "8s8h"):
        found = solution.values(called, 0)[combo_index(*cards(hand))]
        assert found == pytest.approx(200 * equity("2c7d9hKs", hand, weights), abs=0.01)


def test_folding_is_worth_nothing_and_strategies_are_distributions() -> None:
    solution = solve(game("2c7d9hKs3d", 3.0, 4), 30)
    node = solution.child(0, max(solution.moves(0)))
    moves = solution.moves(node)
    assert np.abs(solution.move_values(node)[moves.index(FOLD)]).max() < 0.01
    assert solution.strategy(node).sum(axis=0) == pytest.approx(1.0, abs=1e-5)


def test_value_at_a_node_is_the_mean_of_its_moves() -> None:
    solution = solve(game("2c7d9hKs", 2.0, 4), 6)
    mean = (solution.strategy(0) * solution.move_values(0)).sum(axis=0)
    assert mean == pytest.approx(solution.values(0, 0), abs=0.1)


def test_value_before_the_river_is_the_mean_over_the_rivers() -> None:
    solution = solve(game("2c7d9hKs", 2.0, 6), 6)
    node = solution.node((PASS, PASS))
    one, two = cards("AcQd")
    combo, before = combo_index(one, two), masses(solution.reach(node)[1])
    total = 0.0
    for card in range(52):
        if card not in {*cards("2c7d9hKs"), one, two}:
            met = masses(solution.river_ranges(node, card)[1])
            total += solution.river_values(node, card, 0)[combo] * met[combo] / 44
    assert total / before[combo] == pytest.approx(solution.values(node, 0)[combo], abs=0.5)


def test_inserted_bet_is_in_the_tree() -> None:
    base = game("2c7d9hKs3d", 3.0, 4)
    inserted = {(): (617,), (617,): (1500,)}
    river = Subgame(base.board, 1000, 3000, base.ranges, base.sizes, inserted=inserted)
    solution = solve(river, 5)
    assert 617 in solution.moves(0)
    assert 1500 in solution.moves(solution.child(0, 617))


def test_subgame_in_the_middle_of_a_street_values_what_is_to_come() -> None:
    base = game("2c7d9hKs3d", 1.0, 4)
    river = Subgame(base.board, 1000, 1000, base.ranges, base.sizes, history=(PASS, 700))
    solution = solve(river, 100)
    assert solution.player(0) == 0
    assert solution.pot_chips(0) == 1700
    assert worth(solution, 0) + worth(solution, 1) == pytest.approx(1700, rel=1e-4)
    assert np.abs(solution.move_values(0)[0]).max() < 0.01


def test_gadget_gives_no_combo_more_than_its_alternative() -> None:
    whole = solve(game("2c7d9hKs3d", 3.0, 9), 300)
    bet = max(whole.moves(0)[:-1])
    node = whole.child(0, bet)
    allowed = whole.values(node, 0)
    again = Subgame(
        whole.subgame.board,
        1000,
        3000,
        whole.reach(node),
        whole.subgame.sizes,
        history=(bet,),
        gadget=Gadget(0, allowed),
        big_blind_chips=20,
    )
    best = solve(again, 300).best_response(0)
    weights = whole.reach(node)[0]
    excess = np.maximum(best - allowed, 0.0)
    assert float(weights @ excess / weights.sum()) < 0.01 * whole.pot_chips(node)


def test_released_solution_still_answers_but_is_not_measured() -> None:
    solution = solve(game("2c7d9hKs", 2.0, 1), 2)
    before = solution.river_values(solution.node((PASS, PASS)), 1, 1)
    solution.release()
    after = solution.river_values(solution.node((PASS, PASS)), 1, 1)
    assert before.tobytes() == after.tobytes()
    assert solution.strategy(0).shape == (len(solution.moves(0)), len(COMBOS))
    with pytest.raises(SolverError):
        solution.exploitability()


def test_solving_stops_at_its_deadline() -> None:
    solution = solve(game("2c7d9hKs", 3.0, 1), 1000, stop_at=time.monotonic())
    assert 1 <= solution.iterations < 1000


@pytest.mark.parametrize(
    ("board", "pot", "behind", "ranges"),
    [
        ("2c7d9h", 100, 100, drawn(1)),
        ("2c7d9hKs3d", 0, 100, drawn(1)),
        ("2c7d9hKs3d", 100, 0, drawn(1)),
        ("2c7d9hKs3d", 100, 100, (holding("2c3c"), holding("AcAd"))),
    ],
)
def test_impossible_subgame_is_refused(
    board: str, pot: int, behind: int, ranges: tuple[Range, Range]
) -> None:
    wrong = Subgame(cards(board), pot, behind, ranges, Sizes(POT_BET, POT_BET))
    with pytest.raises(SolverError):
        solve(wrong, 1)
