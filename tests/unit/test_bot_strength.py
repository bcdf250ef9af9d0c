"""The compiled strength of seven cards is that of the rules, and orders hands as others do."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from phevaluator import evaluate_cards

from poker.cards import Card, parse_cards
from poker.ranking import rank
from services.bot.combos import COMBOS
from services.bot.strength import seven, strengths


def strength(cards: list[int]) -> int:
    return seven(np.array(cards, dtype=np.int64))


def of(text: str) -> int:
    return strength([int(card) for card in parse_cards(text)])


def test_random_hands_stand_in_the_order_of_an_independent_evaluator() -> None:
    rng = Random(1)
    hands = [rng.sample(range(52), 7) for _ in range(4000)]
    ours = [strength(hand) for hand in hands]
    theirs = [-evaluate_cards(*hand) for hand in hands]
    order = sorted(range(len(hands)), key=theirs.__getitem__)
    for weaker, stronger in pairwise(order):
        assert (ours[weaker] < ours[stronger]) == (theirs[weaker] < theirs[stronger])
        assert ours[weaker] <= ours[stronger]


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("As2s3s4s5sKdQd", "AcAdAhAsKcKdKh"),
        ("AcAdAhKcKdKhQs", "AsKsQsTs2s3d4d"),
        ("5c4d3h2sAsKdQd", "AcAdAhKsQd9h7c"),
        ("6c5d4h3s2s9dTd", "5c4d3h2sAsKdQd"),
        ("AcAdKhKsQd3h2c", "AcAdKhKsJdJh2c"),
    ],
)
def test_known_hands_stand_in_order(stronger: str, weaker: str) -> None:
    assert of(stronger) > of(weaker)


def test_a_third_pair_counts_as_a_kicker_only() -> None:
    assert of("AcAdKhKsQd3h2c") == of("AcAdKhKsQdQh2c")


def test_strength_of_every_combo_is_that_of_the_rules() -> None:
    chosen = np.random.default_rng(5)
    boards = [chosen.choice(52, 5, replace=False).tolist() for _ in range(6)]
    # A straight flush, quads, a full house and a wheel on the board.
    boards += [[8, 12, 16, 20, 24], [0, 1, 2, 3, 51], [0, 1, 2, 4, 5], [48, 0, 5, 10, 15]]
    found = strengths(np.array(boards, dtype=np.int64))
    for board, row in zip(boards, found, strict=True):
        cards = [Card(int(card)) for card in board]
        for combo, strength in zip(COMBOS, row, strict=True):
            alive = not set(combo) & set(cards)
            assert strength == (rank((*cards, *map(Card, combo))) if alive else -1)
