from itertools import combinations, pairwise

import pytest

from poker.cards import DECK, cards_text, parse_cards
from poker.errors import MalformedError, Reason
from poker.naming import hand_name
from poker.ranking import CATEGORIES, Category, best_five, category, category_of, rank, ranks_of


def strength(text: str) -> int:
    return rank(parse_cards(text))


NINE_EXAMPLES = [
    ("9sTsJsQsKs", Category.STRAIGHT_FLUSH),
    ("8s8h8d8cKs", Category.QUADS),
    ("5s5h5dJsJh", Category.FULL_HOUSE),
    ("2h6h9hJhAh", Category.FLUSH),
    ("6s7h8d9cTs", Category.STRAIGHT),
    ("QsQhQd4c9s", Category.TRIPS),
    ("7s7h3d3cAs", Category.TWO_PAIR),
    ("TsThAd8c2s", Category.PAIR),
    ("AsJh9d6c3s", Category.HIGH_CARD),
]


@pytest.mark.parametrize(("cards", "expected"), NINE_EXAMPLES)
def test_the_nine_examples_classify_as_printed_eng_080(cards: str, expected: Category) -> None:
    assert category(parse_cards(cards)) is expected


def test_each_class_beats_the_next_eng_080() -> None:
    strengths = [strength(cards) for cards, _ in NINE_EXAMPLES]
    assert all(higher > lower for higher, lower in pairwise(strengths))
    assert [category_of(value) for value in reversed(strengths)] == list(CATEGORIES)


def test_royal_flush_is_the_highest_straight_flush_eng_080() -> None:
    royal = strength("TsJsQsKsAs")
    assert category_of(royal) is Category.STRAIGHT_FLUSH
    assert royal > strength("9hThJhQhKh")


@pytest.mark.parametrize(
    ("holes", "best"),
    [
        ("AsKs", "AsKsQsJsTs"),  # both
        ("As2d", "AsKhQsJsTs"),  # one
        ("2d3d", "KhQsJsTs9h"),  # none: the board plays
    ],
)
def test_any_five_of_seven_play_eng_081(holes: str, best: str) -> None:
    board = "QsJsTs9hKh" if holes != "AsKs" else "QsJsTs2h3d"
    assert cards_text(best_five(parse_cards(holes + board))) == best


def test_suits_have_no_rank_eng_082() -> None:
    assert strength("2s6s9sJsAs") == strength("2c6c9cJcAc")


@pytest.mark.parametrize("suits", ["".join(suits) for suits in combinations("cdhs", 3)])
def test_three_of_a_rank_are_trips_in_whatever_suits_eng_082(suits: str) -> None:
    trips = "".join(f"8{suit}" for suit in suits)
    assert category(parse_cards(trips + "AsKhQdTc")) is Category.TRIPS
    assert category(parse_cards(trips + "AsAh")) is Category.FULL_HOUSE


@pytest.mark.parametrize("suits", ["".join(suits) for suits in combinations("cdhs", 2)])
def test_two_of_a_rank_are_a_pair_in_whatever_suits_eng_082(suits: str) -> None:
    pair = "".join(f"8{suit}" for suit in suits)
    assert category(parse_cards(pair + "AsKhQdTc2h")) is Category.PAIR
    assert category(parse_cards(pair + "AsAh3d")) is Category.TWO_PAIR


def test_wheel_is_the_lowest_straight_eng_083() -> None:
    wheel = strength("As2h3d4c5s")
    assert category_of(wheel) is Category.STRAIGHT
    assert strength("2h3d4c5s6h") > wheel > strength("AsAhAdKcQs")


def test_straight_does_not_wrap_past_the_king_eng_083() -> None:
    assert category(parse_cards("QsKhAd2c3s")) is Category.HIGH_CARD


def test_steel_wheel_is_the_lowest_straight_flush_eng_083() -> None:
    assert strength("2s3s4s5s6s") > strength("As2s3s4s5s") > strength("KsKhKdKcAs")


def test_kicker_decides_two_pair_eng_084() -> None:
    board = "As7h7d2c2s"
    assert strength("AhKd" + board) > strength("AcQd" + board)
    assert cards_text(best_five(parse_cards("AhKd" + board))) == "AhAs7h7dKd"


def test_counterfeited_pairs_split_eng_084() -> None:
    board = "KsKhQdQcAs"
    assert strength("5s5h" + board) == strength("4s4h" + board)


def test_board_straight_splits_among_all_eng_084() -> None:
    board = "TsJhQdKcAs"
    assert strength("2c3c" + board) == strength("AhAd" + board)


def test_two_trips_make_a_full_house() -> None:
    assert ranks_of(strength("AsAhAdKcKsKh2d")) == (12, 12, 12, 11, 11)


def test_best_of_three_pairs_takes_the_highest_kicker() -> None:
    assert ranks_of(strength("8s8c7d7c5h5d6h")) == (6, 6, 5, 5, 4)


def test_quads_take_the_kicker_from_a_pair_or_trips() -> None:
    assert ranks_of(strength("3s3h3d3cAsAhAd")) == (1, 1, 1, 1, 12)


def test_flush_of_seven_suited_cards_takes_the_top_five() -> None:
    assert cards_text(best_five(parse_cards("2h3h5h7h9hJhAh"))) == "AhJh9h7h5h"


def test_straight_flush_beats_a_higher_flush_in_the_same_suit() -> None:
    assert cards_text(best_five(parse_cards("4h5h6h7h8hAhKh"))) == "8h7h6h5h4h"


def test_higher_straight_outside_the_flush_suit_does_not_count() -> None:
    assert category(parse_cards("4h5h6h7s8sAhKh")) is Category.FLUSH


def test_winning_five_prefers_earlier_cards_of_a_rank_eng_085() -> None:
    assert cards_text(best_five(parse_cards("KsKhKd7c7s7h2d"))) == "KsKhKd7c7s"


@pytest.mark.parametrize("count", [0, 1, 4, 8, 52])
def test_other_numbers_of_cards_are_refused(count: int) -> None:
    with pytest.raises(MalformedError) as refused:
        rank(DECK[:count])
    assert refused.value.reason is Reason.INVALID_HAND
    assert refused.value.facts == {"cards": count}


@pytest.mark.parametrize("cards", ["AsAsKhQd2c", "AsAsAsAsAs", "2c2c2c2c2c2c2c"])
def test_a_card_twice_is_refused(cards: str) -> None:
    with pytest.raises(MalformedError) as refused:
        rank(parse_cards(cards))
    assert refused.value.reason is Reason.DUPLICATE_CARD


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("TsJsQsKsAs", "Royal flush"),
        ("9sTsJsQsKs", "Straight flush, king high"),
        ("As2s3s4s5s", "Straight flush, five high"),
        ("6s6h6d6cKs", "Four of a kind, sixes"),
        ("5s5h5dJsJh", "Full house, fives full of jacks"),
        ("2h6h9hJhAh", "Flush, ace high"),
        ("As2h3d4c5s", "Straight, five high"),
        ("QsQhQd4c9s", "Three of a kind, queens"),
        ("AsAh8c8dKd", "Two pair, aces and eights"),
        ("2s2hAd8cTs", "Pair of deuces"),
        ("KsJh9d6c3s", "High card, king"),
    ],
)
def test_hands_have_english_names(cards: str, name: str) -> None:
    assert hand_name(strength(cards)) == name
