"""Ranking against published cases, showdowns of real hands and the full five-card count."""

import json
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from phevaluator import evaluate_cards

from poker.cards import DECK, cards_text, parse_cards
from poker.naming import hand_name
from poker.ranking import Category, category_of, rank

DATA = Path(__file__).parent / "data" / "poker"
CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (DATA / "eval_cases.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case_has_its_winners_and_classes(case: dict[str, Any]) -> None:
    strengths = [rank(parse_cards(hand)) for hand in case["hands"]]
    assert [category_of(strength) for strength in strengths] == case["category"]
    best = max(strengths)
    assert [at for at, strength in enumerate(strengths) if strength == best] == case["winners"]


def test_there_are_298_cases() -> None:
    assert len(CASES) == 298


@cache
def five_card_hands() -> dict[int, tuple[int, int]]:
    """Return, for each strength of the 2,598,960 hands, how many have it and a peer's rank.

    Hands that a peer ranks differently although their strength is the same fail here.
    """
    found: dict[int, tuple[int, int]] = {}
    for cards in combinations(DECK, 5):
        strength, peer = rank(cards), evaluate_cards(*cards)
        count, same = found.get(strength, (0, peer))
        assert same == peer, cards_text(cards)
        found[strength] = count + 1, peer
    return found


def five_card_strengths() -> Counter[int]:
    return Counter({strength: count for strength, (count, _) in five_card_hands().items()})


def test_all_five_card_hands_are_in_the_order_of_an_independent_evaluator_eng_084() -> None:
    peers = [peer for _, (_, peer) in sorted(five_card_hands().items())]
    # There the best hand is number 1: the order is exactly reversed, and nothing is left out.
    assert peers == list(range(7_462, 0, -1))


def test_all_five_card_hands_fall_into_the_published_classes_eng_080() -> None:
    expected = json.loads((DATA / "category_counts.json").read_text())
    strengths = five_card_strengths()
    hands: Counter[str] = Counter()
    for strength, count in strengths.items():
        royal = hand_name(strength) == "Royal flush"
        hands["royal_flush" if royal else category_of(strength).value] += count
    assert hands == expected["five_cards"]
    assert sum(hands.values()) == 2_598_960
    distinct = {name.value: 0 for name in Category} | Counter(
        category_of(strength).value for strength in strengths
    )
    assert distinct | {"total": len(strengths)} == expected["five_cards_distinct"]
