"""When short all-ins reopen the betting (SPEC ENG-060..063)."""

import pytest

from poker.actions import ActionKind, RaiseRange
from poker.errors import IllegalActionError, Reason
from poker.hand import Hand
from poker.setup import HandRules, ReopenRule
from tests.support.scripted_hands import legal_of, move, play, table

A, B, C, D = 1, 2, 4, 3


def three_handed(b_stack: int) -> Hand:
    """Flop of a limped pot; A (seat 1) first, then B (seat 2, short), then C (seat 3)."""
    stacks = {1: 10_000, 2: b_stack + 100, 3: 10_000}
    return play(table(stacks, button=3), "3 call", "1 call", "2 check")


def four_handed(b_stack: int, c_stack: int, rule: ReopenRule = ReopenRule.CUMULATIVE) -> Hand:
    """Flop of a limped pot; A (1), B (2, short), D (3) and C (4, short) in turn."""
    stacks = {A: 10_000, B: b_stack + 100, D: 10_000, C: c_stack + 100}
    hand = table(stacks, button=4, rules=HandRules(50, 100, reopen_rule=rule))
    return play(hand, "3 call", "4 call", "1 call", "2 check")


def assert_closed(hand: Hand, seat: int, to_call: int) -> None:
    legal = legal_of(hand, seat)
    assert (legal.can_fold, legal.to_call_chips, legal.raises) == (True, to_call, None)
    assert legal.no_raise_reason is Reason.NOT_REOPENED
    with pytest.raises(IllegalActionError) as refusal:
        hand.act(move(f"{seat} raise {hand.snapshot().pot_total_chips}"))
    assert refusal.value.reason is Reason.NOT_REOPENED
    assert refusal.value.facts == {"to_call_chips": to_call}


def assert_may_raise(hand: Hand, seat: int, to_call: int, least: int) -> None:
    legal = legal_of(hand, seat)
    assert legal.to_call_chips == to_call
    assert legal.raises is not None
    assert (legal.raises.kind, legal.raises.min_to_chips) == (ActionKind.RAISE, least)


def test_short_all_in_does_not_reopen_eng_060() -> None:
    hand = play(three_handed(150), "1 bet 100", "2 raise 150")
    assert_may_raise(hand, 3, to_call=150, least=250)  # C has not acted yet
    play(hand, "3 call")
    assert_closed(hand, 1, to_call=50)


def test_short_opening_all_in_does_not_reopen_eng_061() -> None:
    hand = play(three_handed(60), "1 check", "2 bet 60")
    assert_may_raise(hand, 3, to_call=60, least=160)
    play(hand, "3 call")
    assert_closed(hand, 1, to_call=60)


def test_minimum_after_short_all_ins_adds_the_last_full_raise_eng_062() -> None:
    hand = play(three_handed(150), "1 bet 100", "2 raise 150")
    assert legal_of(hand, 3).raises == RaiseRange(ActionKind.RAISE, 250, 250, 9_900)


def test_short_all_ins_that_add_up_to_a_full_raise_reopen_eng_063() -> None:
    hand = play(four_handed(150, 210), "1 bet 100", "2 raise 150", "3 call", "4 raise 210")
    assert_may_raise(hand, A, to_call=110, least=310)


def test_short_all_ins_that_add_up_to_exactly_a_full_raise_reopen_eng_063() -> None:
    hand = play(four_handed(150, 200), "1 bet 100", "2 raise 150", "3 call", "4 raise 200")
    assert_may_raise(hand, A, to_call=100, least=300)


def test_short_all_ins_one_chip_below_a_full_raise_do_not_reopen_eng_063() -> None:
    hand = play(four_handed(150, 199), "1 bet 100", "2 raise 150", "3 call", "4 raise 199")
    assert_closed(hand, A, to_call=99)


def test_player_who_called_in_between_counts_from_their_own_call_eng_063() -> None:
    hand = play(four_handed(150, 210), "1 bet 100", "2 raise 150", "3 call", "4 raise 210")
    assert_closed(play(hand, "1 call"), D, to_call=60)


def test_full_raise_over_short_all_ins_reopens_for_all_eng_063() -> None:
    hand = play(four_handed(150, 210), "1 bet 100", "2 raise 150", "3 call", "4 raise 210")
    play(hand, "1 raise 400")
    assert_may_raise(hand, D, to_call=250, least=590)


def test_single_rule_needs_one_full_raise_eng_063() -> None:
    hand = four_handed(150, 210, ReopenRule.SINGLE)
    play(hand, "1 bet 100", "2 raise 150", "3 call", "4 raise 210")
    assert_closed(hand, A, to_call=110)


def test_short_opening_all_ins_add_up_too_eng_063() -> None:
    hand = play(four_handed(60, 130), "1 check", "2 bet 60", "3 call", "4 raise 130")
    assert_may_raise(hand, A, to_call=130, least=230)


def test_short_opening_all_ins_do_not_add_up_under_the_single_rule_eng_063() -> None:
    hand = four_handed(60, 130, ReopenRule.SINGLE)
    play(hand, "1 check", "2 bet 60", "3 call", "4 raise 130")
    assert_closed(hand, A, to_call=130)


@pytest.mark.parametrize("rule", ReopenRule)
def test_all_in_that_is_a_full_raise_reopens(rule: ReopenRule) -> None:
    hand = play(four_handed(200, 5_000, rule), "1 bet 100", "2 raise 200", "3 call", "4 call")
    assert_may_raise(hand, A, to_call=100, least=300)


def test_full_all_in_does_not_count_for_who_called_it() -> None:
    # 16 was a full raise and seat 4 called it; 19 is short, and only the 3 on top count.
    hand = table({1: 19, 2: 200, 3: 16, 4: 200}, button=4, rules=HandRules(1, 2))
    play(hand, "3 raise 16", "4 call", "1 raise 19", "2 call")
    assert_closed(hand, 4, to_call=3)


def test_limper_may_not_raise_a_short_all_in_of_the_big_blind() -> None:
    hand = table({1: 10_000, 2: 10_000, 3: 150}, button=1)
    play(hand, "1 call", "2 call", "3 raise 150")
    assert_closed(hand, 1, to_call=50)


def test_closing_does_not_outlive_the_round() -> None:
    hand = play(three_handed(150), "1 bet 100", "2 raise 150", "3 call", "1 call")
    assert legal_of(hand, 1).raises == RaiseRange(ActionKind.BET, 100, 100, 9_750)
