"""The compiled strength of seven cards orders hands as the rules do."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from phevaluator import evaluate_cards

from poker.cards import parse_cards
from services.bot.blueprint.strength import seven


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
