"""Board tables: who beats whom now and over the cards to come."""

from itertools import combinations, pairwise
from random import Random

import pytest

from poker.cards import DECK, Card, parse_cards
from poker.ranking import rank
from services.bot.board import board_table, equity, quantiles
from services.bot.combos import COMBOS, Weights, combo_index, without_cards


def cards(text: str) -> tuple[int, ...]:
    return tuple(map(int, parse_cards(text)))


def combo(text: str) -> int:
    return combo_index(*cards(text))


def only(*texts: str) -> Weights:
    weights = [0.0] * len(COMBOS)
    for text in texts:
        weights[combo(text)] = 1.0
    return weights


def exact_equity(mine: str, theirs: str, board: str) -> float:
    """By the rules library, over every runout."""
    own, other, known = parse_cards(mine), parse_cards(theirs), parse_cards(board)
    unseen = [card for card in DECK if card not in (*own, *other, *known)]
    results = []
    for rest in combinations(unseen, 5 - len(known)):
        difference = rank((*own, *known, *rest)) - rank((*other, *known, *rest))
        results.append(0.5 if difference == 0 else float(difference > 0))
    return sum(results) / len(results)


def test_values_order_hands_as_the_rules_do() -> None:
    rng = Random(7)
    for _ in range(20):
        board = tuple(rng.sample(DECK, 5))
        (runout,) = board_table(tuple(map(int, board))).runouts
        ranked = {
            index: rank((*board, Card(first), Card(second)))
            for index, (first, second) in enumerate(COMBOS)
            if runout.values[index]
        }
        assert len(ranked) == 1081
        sample = rng.sample(sorted(ranked), 100)
        for one, two in pairwise(sample):
            by_rules = (ranked[one] > ranked[two]) - (ranked[one] < ranked[two])
            by_table = (runout.values[one] < runout.values[two]) - (
                runout.values[one] > runout.values[two]
            )
            assert by_rules == by_table


@pytest.mark.parametrize(
    ("mine", "theirs", "board"),
    [
        ("AsAd", "KsKd", "Kc7h2d5s"),
        ("9s8s", "AdAc", "7s6s2h3c"),
        ("AsKd", "AdKs", "2c3c4c5h"),
        ("AsKd", "7d7s", "Ah7c2d9sTs"),
        ("AsKd", "QdJs", "ThJhQhKhAh"),
    ],
)
def test_turn_and_river_equities_are_exact(mine: str, theirs: str, board: str) -> None:
    table = board_table(cards(board))
    assert equity(table, combo(mine), [only(theirs)]) == pytest.approx(
        exact_equity(mine, theirs, board), abs=1e-9
    )


@pytest.mark.parametrize(
    ("own", "board", "exact"),
    [
        ("QsJs", "Ks9s4d", 0.70995),
        ("7c7d", "Ks9s4d", 0.59790),
        ("AhTd", "Ks9s4d", 0.49994),
        ("8h7h", "Ts9c2d", 0.47192),
    ],
)
def test_flop_equities_are_close_to_exact(own: str, board: str, exact: float) -> None:
    # Exact figures by enumeration of all 1,070,190 runouts and opponents.
    table = board_table(cards(board))
    field = without_cards([1.0] * len(COMBOS), cards(own + board))
    assert len(table.runouts) == 98
    assert equity(table, combo(own), [field]) == pytest.approx(exact, abs=0.02)


def test_the_nuts_win_everything_against_any_number() -> None:
    table = board_table(cards("AsKsQsJs2d"))
    field = without_cards([1.0] * len(COMBOS), cards("AsKsQsJs2dTs3c"))
    assert equity(table, combo("Ts3c"), [field, field, field]) == 1.0


def test_a_board_that_plays_is_a_tie() -> None:
    table = board_table(cards("AsKsQsJsTs"))
    assert equity(table, combo("2c2d"), [only("3c3d")]) == 0.5


def test_strength_counts_draws_and_made_does_not() -> None:
    table = board_table(cards("Ks9s4d"))
    assert table.strength[combo("QsJs")] > table.made[combo("QsJs")] + 0.2
    assert table.strength[combo("KcKd")] == pytest.approx(table.made[combo("KcKd")], abs=0.1)


def test_places_run_from_the_worst_to_the_best_of_a_range() -> None:
    table = board_table(cards("Ks9s4d7c2h"))
    weights = only("KcKd", "AcAd", "QcJd", "3c3d")
    places = quantiles(table, weights)
    assert [places[combo(text)] for text in ("QcJd", "3c3d", "AcAd", "KcKd")] == [
        0.125,
        0.375,
        0.625,
        0.875,
    ]
