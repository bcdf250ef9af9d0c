"""Ranking against published cases, showdowns of real hands and the full five-card count."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from poker.cards import DECK, parse_cards
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


def test_all_five_card_hands_fall_into_the_published_classes_eng_080() -> None:
    expected = json.loads((DATA / "category_counts.json").read_text())
    strengths = Counter(map(rank, combinations(DECK, 5)))
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
