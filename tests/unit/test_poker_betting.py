"""What a seat may do on its turn, and what a size may be (SPEC ENG-040..055)."""

from dataclasses import replace

import pytest

from poker.actions import Action, ActionKind, RaiseRange
from poker.errors import IllegalActionError, Reason
from poker.events import ActionTaken
from poker.hand import Hand
from poker.setup import HandRules
from tests.support.scripted_hands import FIFTY_HUNDRED, legal_of, move, play, table

DEEP = {1: 10_000, 2: 10_000, 3: 10_000}


def refused(hand: Hand, text: str) -> IllegalActionError:
    before = (hand.snapshot(), hand.events, hand.actions)
    with pytest.raises(IllegalActionError) as refusal:
        hand.act(move(text))
    assert (hand.snapshot(), hand.events, hand.actions) == before
    return refusal.value


def heads_up(
    *moves: str, stacks: tuple[int, int] = (10_000, 10_000), rules: HandRules = FIFTY_HUNDRED
) -> Hand:
    return play(table({1: stacks[0], 2: stacks[1]}, button=1, rules=rules), *moves)


def flop(stacks: dict[int, int] | None = None) -> Hand:
    """Three-handed limped pot: seat 1 small blind, 2 big blind, 3 button."""
    return play(table(stacks or DEEP, button=3), "3 call", "1 call", "2 check")


def test_check_is_legal_only_without_a_bet_to_match_eng_040() -> None:
    hand = heads_up()
    assert not legal_of(hand, 1).can_check
    refusal = refused(hand, "1 check")
    assert refusal.reason is Reason.MUST_CALL_OR_FOLD
    assert refusal.facts == {"to_call_chips": 50, "min_to_chips": 200, "max_to_chips": 10_000}
    assert legal_of(play(hand, "1 call"), 2).can_check


def test_call_pays_the_difference_eng_041() -> None:
    hand = heads_up("1 raise 300")
    assert legal_of(hand, 2).to_call_chips == 200
    taken = hand.act(move("2 call"))[0]
    assert taken == ActionTaken(2, ActionKind.CALL, to_chips=300, added_chips=200, all_in=False)


def test_call_for_less_takes_the_whole_stack_eng_041() -> None:
    hand = play(flop({1: 10_000, 2: 140, 3: 10_000}), "1 bet 300")
    legal = legal_of(hand, 2)
    assert (legal.to_call_chips, legal.call_all_in) == (40, True)
    taken = hand.act(move("2 call"))[0]
    assert taken == ActionTaken(2, ActionKind.CALL, to_chips=40, added_chips=40, all_in=True)


def test_call_without_a_bet_is_refused_eng_041() -> None:
    refusal = refused(heads_up("1 call"), "2 call")
    assert refusal.reason is Reason.NOTHING_TO_CALL


def test_first_chips_after_the_flop_are_a_bet_eng_042() -> None:
    hand = flop()
    assert legal_of(hand, 1).raises == RaiseRange(ActionKind.BET, 100, 100, 9_900)
    assert refused(hand, "1 raise 200").reason is Reason.NO_BET_TO_RAISE
    play(hand, "1 bet 100")
    assert refused(hand, "2 bet 300").reason is Reason.BET_ALREADY_MADE


def test_before_the_flop_every_increase_is_a_raise_eng_042() -> None:
    hand = heads_up("1 call")
    assert refused(hand, "2 bet 300").reason is Reason.BET_ALREADY_MADE
    assert legal_of(hand, 2).raises == RaiseRange(ActionKind.RAISE, 200, 200, 10_000)


def test_raise_to_counts_what_is_already_in_eng_042() -> None:
    taken = heads_up().act(move("1 raise 300"))[0]
    assert taken == ActionTaken(1, ActionKind.RAISE, to_chips=300, added_chips=250, all_in=False)


def test_fold_leaves_the_chips_in_the_pot_eng_043() -> None:
    hand = play(flop(), "1 bet 300", "2 fold")
    assert hand.snapshot().pot_total_chips == 600
    assert hand.snapshot().seats[1].put_in_chips == 100


def test_fold_with_nothing_to_call_is_refused_by_default_eng_044() -> None:
    hand = heads_up("1 call")
    assert not legal_of(hand, 2).can_fold
    assert refused(hand, "2 fold").reason is Reason.NOTHING_TO_CALL


def test_fold_with_nothing_to_call_is_a_table_option_eng_044() -> None:
    hand = heads_up("1 call", rules=replace(FIFTY_HUNDRED, allow_fold_when_check_available=True))
    assert legal_of(hand, 2).can_fold
    assert play(hand, "2 fold").result is not None


@pytest.mark.parametrize("moves", [["1 raise 10000"], ["1 raise 300", "2 raise 10000"]])
def test_all_in_is_a_flag_on_a_call_bet_or_raise_eng_045(moves: list[str]) -> None:
    hand = heads_up(*moves)
    assert hand.snapshot().actions[-1].all_in
    assert legal_of(play(hand), hand.snapshot().seats[len(moves) % 2].seat).call_all_in


def test_any_stack_can_call_any_bet_eng_048() -> None:
    hand = heads_up("1 raise 10000", stacks=(10_000, 101))
    assert legal_of(hand, 2).to_call_chips == 1
    assert play(hand, "2 call").result is not None


def test_opening_bet_is_at_least_one_big_blind_eng_050() -> None:
    refusal = refused(flop(), "1 bet 99")
    assert refusal.reason is Reason.BELOW_MINIMUM
    assert refusal.facts == {"to_call_chips": 0, "min_to_chips": 100, "max_to_chips": 9_900}


def test_short_stack_may_open_for_all_of_it_eng_050() -> None:
    hand = flop({1: 160, 2: 10_000, 3: 10_000})
    assert legal_of(hand, 1).raises == RaiseRange(ActionKind.BET, 60, 100, 60)
    assert refused(hand, "1 bet 59").reason is Reason.BELOW_MINIMUM
    assert hand.act(move("1 bet 60"))[0] == ActionTaken(1, ActionKind.BET, 60, 60, all_in=True)


@pytest.mark.parametrize(
    ("blinds", "raises", "least"),
    [
        ((50, 100), [], 200),
        ((50, 100), [300], 500),
        ((50, 100), [300, 500], 700),
        ((10, 20), [60], 100),
        ((50, 100), [300, 900], 1_500),
    ],
)
def test_minimum_raise_is_the_last_full_raise_eng_051(
    blinds: tuple[int, int], raises: list[int], least: int
) -> None:
    hand = table({1: 10_000, 2: 10_000}, button=1, rules=HandRules(*blinds))
    play(hand, *(f"{1 + at % 2} raise {to}" for at, to in enumerate(raises)))
    seat = 1 + len(raises) % 2
    raises_open = legal_of(hand, seat).raises
    assert raises_open is not None
    assert raises_open.min_to_chips == least
    assert refused(hand, f"{seat} raise {least - 1}").reason is Reason.BELOW_MINIMUM
    play(hand, f"{seat} raise {least}")


def test_minimum_raise_of_a_flop_bet_is_twice_it_eng_051() -> None:
    legal = legal_of(play(flop(), "1 bet 300"), 2)
    assert legal.raises == RaiseRange(ActionKind.RAISE, 600, 600, 9_900)


def test_minimum_starts_again_from_one_big_blind_each_round_eng_051() -> None:
    hand = heads_up("1 raise 900", "2 call")
    assert legal_of(hand, 2).raises == RaiseRange(ActionKind.BET, 100, 100, 9_100)


def test_raise_to_the_bet_itself_is_below_the_minimum() -> None:
    assert refused(heads_up(), "1 raise 100").reason is Reason.BELOW_MINIMUM
    assert refused(heads_up(), "1 raise 1").reason is Reason.BELOW_MINIMUM


def test_all_in_may_be_smaller_than_the_minimum_eng_052() -> None:
    hand = table({1: 10_000, 2: 10_000, 3: 160}, button=3)
    assert legal_of(hand, 3).raises == RaiseRange(ActionKind.RAISE, 160, 200, 160)
    for to_chips in (101, 159):
        assert refused(hand, f"3 raise {to_chips}").reason is Reason.BELOW_MINIMUM
    assert refused(hand, "3 raise 161").reason is Reason.ABOVE_STACK
    play(hand, "3 raise 160")


def test_maximum_is_the_whole_stack_not_the_opponents_eng_053() -> None:
    hand = heads_up(stacks=(10_000, 3_000))
    raises = legal_of(hand, 1).raises
    assert raises is not None
    assert raises.max_to_chips == 10_000
    play(hand, "1 raise 10000", "2 call")
    assert hand.result is not None
    assert hand.result.returned == ((1, 7_000),)


def test_no_raise_when_the_opponent_is_all_in_eng_054() -> None:
    hand = heads_up("1 raise 10000", stacks=(10_000, 12_000))
    legal = legal_of(hand, 2)
    assert (legal.to_call_chips, legal.raises) == (9_900, None)
    assert legal.no_raise_reason is Reason.NO_OPPONENT_CAN_CALL
    refusal = refused(hand, "2 raise 12000")
    assert refusal.reason is Reason.NO_OPPONENT_CAN_CALL
    assert refusal.facts == {"to_call_chips": 9_900}


@pytest.mark.parametrize(("behind", "least"), [(300, None), (500, None), (501, 1_000)], ids=str)
def test_raise_needs_an_opponent_with_more_than_the_bet_eng_054(
    behind: int, least: int | None
) -> None:
    # Flop: A (seat 1) is all-in for 500, C (seat 2) acts, B (seat 3) is behind.
    hand = play(flop({1: 600, 2: 5_100, 3: behind + 100}), "1 bet 500")
    legal = legal_of(hand, 2)
    assert legal.can_fold
    assert legal.to_call_chips == 500
    assert (legal.raises.min_to_chips if legal.raises else None) == least


def test_folded_opponent_with_chips_cannot_call_eng_054() -> None:
    hand = play(flop({1: 600, 2: 10_000, 3: 10_000}), "1 bet 500", "2 fold")
    assert legal_of(hand, 3).no_raise_reason is Reason.NO_OPPONENT_CAN_CALL


def test_raise_nobody_can_call_is_a_table_option() -> None:
    rules = replace(FIFTY_HUNDRED, allow_raise_when_none_can_call=True)
    hand = heads_up("1 raise 500", stacks=(500, 12_000), rules=rules)
    assert legal_of(hand, 2).raises == RaiseRange(ActionKind.RAISE, 900, 900, 12_000)
    play(hand, "2 raise 12000")
    assert hand.result is not None
    assert hand.result.returned == ((2, 11_500),)


def test_stack_that_cannot_exceed_the_bet_may_not_raise_eng_055() -> None:
    hand = table({1: 10_000, 2: 10_000, 3: 60}, button=3)
    legal = legal_of(hand, 3)
    assert (legal.to_call_chips, legal.call_all_in, legal.raises) == (60, True, None)
    assert legal.no_raise_reason is Reason.STACK_TOO_SHORT
    assert refused(hand, "3 raise 60").reason is Reason.STACK_TOO_SHORT


@pytest.mark.parametrize(("stack", "may_raise"), [(99, False), (100, False), (101, True)])
def test_stack_must_exceed_the_bet_to_raise_eng_055(stack: int, may_raise: bool) -> None:
    legal = legal_of(table({1: 10_000, 2: 10_000, 3: stack}, button=3), 3)
    assert (legal.raises is not None) == may_raise
    assert (legal.no_raise_reason is Reason.STACK_TOO_SHORT) != may_raise


def test_stack_of_sixty_on_the_button_heads_up_calls_ten_or_folds_eng_055() -> None:
    legal = legal_of(heads_up(stacks=(60, 10_000)), 1)
    assert (legal.to_call_chips, legal.call_all_in, legal.raises) == (10, True, None)


def test_acting_out_of_turn_is_refused() -> None:
    refusal = refused(heads_up(), "2 call")
    assert refusal.reason is Reason.NOT_YOUR_TURN
    assert refusal.facts == {"turn_seat": 1}


def test_acting_after_the_end_is_refused() -> None:
    assert refused(heads_up("1 fold"), "1 fold").reason is Reason.HAND_OVER


def test_every_chip_between_the_bounds_is_legal() -> None:
    hand = heads_up(stacks=(400, 400))
    for to_chips in range(200, 401):
        hand.copy().act(Action(1, ActionKind.RAISE, to_chips))
