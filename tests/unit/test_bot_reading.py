"""Ranges read from public actions."""

from poker.cards import parse_cards
from poker.hand import Hand
from services.bot.combos import COMBOS, Weights, combo_index
from services.bot.history import steps
from services.bot.reading import read_ranges
from tests.support.river import heads_up, view_of, with_cards
from tests.support.scripted_hands import play, table


def weight(weights: Weights, text: str) -> float:
    return weights[combo_index(*parse_cards(text))]


def ratio(weights: Weights, better: str, worse: str) -> float:
    return weight(weights, better) / weight(weights, worse)


def test_before_any_action_everything_is_possible() -> None:
    assert set(read_ranges(heads_up(10_000))[2]) == {1.0}


def test_each_raise_makes_good_hands_likelier() -> None:
    opened = heads_up(10_000, "1 raise 250")
    reraised = heads_up(10_000, "1 raise 250", "2 raise 900")
    again = heads_up(10_000, "1 raise 250", "2 raise 900", "1 raise 2200")
    once = ratio(read_ranges(opened)[1], "AsAd", "7s2d")
    twice = ratio(read_ranges(again)[1], "AsAd", "7s2d")
    assert 1.0 < once < twice
    assert ratio(read_ranges(reraised)[2], "AsAd", "9s5d") > 5.0


def test_a_call_is_neither_the_best_nor_the_worst() -> None:
    called = heads_up(10_000, "1 raise 250", "2 call")
    weights = read_ranges(called)[2]
    assert weight(weights, "KsTs") > weight(weights, "AsAd")
    assert weight(weights, "KsTs") > weight(weights, "7s2d")


def test_a_bet_is_read_as_strength_or_a_bluff() -> None:
    hand = table({1: 10_000, 2: 10_000}, button=1, board="Ks9s4d2c3h")
    view = view_of(play(hand, "1 raise 250", "2 call", "2 bet 400"))
    weights = read_ranges(view)[2]
    called = read_ranges(view_of(play(_same(), "1 raise 250", "2 call", "2 check")))[2]
    assert ratio(weights, "KhTh", "Ad8c") > ratio(called, "KhTh", "Ad8c")
    assert ratio(weights, "6c5c", "Ad8c") > ratio(called, "6c5c", "Ad8c")


def _same() -> Hand:
    return table({1: 10_000, 2: 10_000}, button=1, board="Ks9s4d2c3h")


def test_board_cards_are_in_nobodys_range() -> None:
    hand = table({1: 10_000, 2: 10_000}, button=1, board="Ks9s4d2c3h")
    view = view_of(play(hand, "1 call", "2 check"))
    for weights in read_ranges(view).values():
        assert sum(weights) > 0
        for combo, share in zip(COMBOS, weights, strict=True):
            assert not share or not set(combo) & set(view.board)


def test_own_cards_change_no_reading() -> None:
    view = heads_up(10_000, "1 raise 250", "2 raise 900")
    assert read_ranges(with_cards(view, "AsAd")) == read_ranges(with_cards(view, "7s2d"))


def test_folded_seats_have_no_range() -> None:
    stacks = dict.fromkeys((1, 2, 3, 4), 5_000)
    view = view_of(play(table(stacks, button=1), "4 fold", "1 raise 250"))
    assert sorted(read_ranges(view)) == [1, 2, 3]


def test_a_war_of_minimum_raises_reads_in_time_and_leaves_a_range() -> None:
    hand = table({1: 10**7, 2: 10**7}, button=1)
    for _ in range(400):
        assert hand.legal is not None
        assert hand.legal.raises is not None
        play(hand, f"{hand.legal.seat} raise {hand.legal.raises.min_to_chips}")
    for weights in read_ranges(view_of(hand)).values():
        assert sum(weights) > 0.0


def test_steps_say_what_each_action_faced() -> None:
    stacks = {1: 10_000, 2: 10_000, 3: 3_000}
    view = view_of(play(table(stacks, button=1), "1 raise 300", "2 fold", "3 raise 900"))
    opened, folded, reraised = steps(view)
    assert (opened.pot_chips, opened.to_call_chips, opened.raises, opened.behind) == (
        150,
        100,
        0,
        2,
    )
    assert (folded.to_call_chips, folded.raises, folded.opponents) == (250, 1, 2)
    assert (reraised.pot_chips, reraised.to_call_chips, reraised.raises) == (450, 200, 1)
    assert (reraised.effective_chips, reraised.opponents) == (3_000, 1)
    assert reraised.price == 200 / 250
    assert reraised.pot_fraction == 600 / 650
