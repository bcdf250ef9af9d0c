"""The 1,326 combos and their 169 types."""

from collections import Counter

from poker.cards import parse_cards
from services.bot.combos import (
    COMBOS,
    TYPE_NAMES,
    TYPE_OF_COMBO,
    TYPE_SIZES,
    combo_index,
    type_of,
    without_cards,
)


def test_every_pair_of_cards_is_one_combo() -> None:
    assert len(COMBOS) == len(set(COMBOS)) == 1326
    for index, (first, second) in enumerate(COMBOS):
        assert combo_index(first, second) == combo_index(second, first) == index


def test_types_have_the_names_and_sizes_of_the_chart() -> None:
    examples = {"AsAd": "AA", "AsKs": "AKs", "KdAs": "AKo", "2c7h": "72o", "7h2h": "72s"}
    for text, name in examples.items():
        assert TYPE_NAMES[type_of(*parse_cards(text))] == name
    assert Counter(TYPE_OF_COMBO) == dict(enumerate(TYPE_SIZES))
    assert Counter(TYPE_SIZES) == {6: 13, 4: 78, 12: 78}


def test_dead_cards_leave_a_range() -> None:
    dead = parse_cards("AsKd")
    live = without_cards([1.0] * len(COMBOS), dead)
    assert sum(live) == 50 * 49 / 2
    assert all(
        not weight or not {*combo} & {*dead} for weight, combo in zip(live, COMBOS, strict=True)
    )


def test_a_range_of_dead_combos_alone_becomes_any_two_cards() -> None:
    ace_king = [0.0] * len(COMBOS)
    ace_king[combo_index(*parse_cards("AsKd"))] = 1.0
    assert sum(without_cards(ace_king, parse_cards("As"))) == 51 * 50 / 2
