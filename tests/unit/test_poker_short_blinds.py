"""Blinds that a stack cannot cover (SPEC ENG-027, ENG-064..066)."""

from collections.abc import Mapping

import pytest

from poker.actions import ActionKind, RaiseRange
from poker.errors import Reason
from poker.events import BlindPost, BlindsPosted, TurnStarted
from poker.hand import Hand
from tests.support.scripted_hands import check_down, legal_of, nets, play, table

BIG_BLIND_WINS = {3: "AsAh", 1: "7c2d", 2: "8c3d"}
BOARD = "KsQd9h5s4c"


def heads_up(stacks: Mapping[int, int], winner: int = 1) -> Hand:
    holes = {winner: "AsAh", 3 - winner: "7c2d"}
    return table(stacks, button=1, holes=holes, board=BOARD)


def prompts(hand: Hand) -> list[int]:
    return [event.seat for event in hand.events if isinstance(event, TurnStarted)]


def pots(hand: Hand) -> list[int]:
    assert hand.result is not None
    return [pot.chips for pot in hand.result.pots]


def returned(hand: Hand) -> tuple[tuple[int, int], ...]:
    assert hand.result is not None
    return hand.result.returned


def test_blind_that_takes_the_stack_is_posted_all_in_eng_027() -> None:
    hand = table({1: 10_000, 2: 20, 3: 40}, button=1)
    posts = next(event.posts for event in hand.events if isinstance(event, BlindsPosted))
    assert posts == (BlindPost(2, 20, all_in=True), BlindPost(3, 40, all_in=True))


def test_everyone_else_still_calls_the_full_big_blind_eng_064() -> None:
    hand = table({1: 10_000, 2: 10_000, 3: 40, 4: 10_000}, button=1)
    legal = legal_of(hand, 4)
    assert legal.to_call_chips == 100
    assert legal.raises == RaiseRange(ActionKind.RAISE, 200, 200, 10_000)


def test_chips_beyond_a_short_big_blind_go_back_or_to_a_side_pot_eng_064() -> None:
    hand = table({1: 10_000, 2: 10_000, 3: 40}, button=1, holes=BIG_BLIND_WINS, board=BOARD)
    play(hand, "1 call", "2 fold")
    assert returned(hand) == ((1, 50),)
    assert hand.result is not None
    assert [(pot.chips, pot.winners) for pot in hand.result.pots] == [
        (120, ((3, 120),)),
        (20, ((1, 20),)),
    ]
    assert nets(hand) == {1: -30, 2: -50, 3: 80}


@pytest.mark.parametrize("post", [1, 40, 50])
def test_heads_up_short_big_blind_covered_by_the_small_leaves_no_decision_eng_065(
    post: int,
) -> None:
    hand = heads_up({1: 10_000, 2: post})
    assert hand.result is not None
    assert prompts(hand) == []
    assert returned(hand) == (((1, 50 - post),) if post < 50 else ())
    assert pots(hand) == [2 * post]


def test_heads_up_short_big_blind_above_the_small_is_called_in_full_eng_065() -> None:
    hand = heads_up({1: 10_000, 2: 70}, winner=2)
    legal = legal_of(hand, 1)
    assert (legal.can_fold, legal.to_call_chips, legal.raises) == (True, 50, None)
    assert legal.no_raise_reason is Reason.NO_OPPONENT_CAN_CALL
    play(hand, "1 call")
    assert (returned(hand), pots(hand)) == (((1, 30),), [140])
    assert nets(hand) == {1: -70, 2: 70}


def test_heads_up_big_blind_of_exactly_one_blind_can_be_called_only_eng_065() -> None:
    hand = heads_up({1: 10_000, 2: 100})
    legal = legal_of(hand, 1)
    assert (legal.can_fold, legal.to_call_chips, legal.raises) == (True, 50, None)


def test_heads_up_short_small_blind_leaves_no_decision_eng_066() -> None:
    hand = heads_up({1: 30, 2: 10_000})
    assert prompts(hand) == []
    assert (returned(hand), pots(hand)) == (((2, 70),), [60])


def test_heads_up_small_blind_with_ten_left_calls_all_in_or_folds_eng_066() -> None:
    hand = heads_up({1: 60, 2: 10_000})
    legal = legal_of(hand, 1)
    assert (legal.can_fold, legal.to_call_chips, legal.call_all_in) == (True, 10, True)
    assert legal.raises is None
    play(hand, "1 call")
    assert prompts(hand) == [1]
    assert (returned(hand), pots(hand)) == (((2, 40),), [120])


def test_small_blind_that_covers_the_short_big_blind_is_not_asked_after_folds() -> None:
    hand = play(table({1: 10_000, 2: 10_000, 3: 40}, button=1), "1 fold")
    assert prompts(hand) == [1]
    assert returned(hand) == ((2, 10),)


def test_both_blinds_short_still_cost_a_full_big_blind() -> None:
    hand = table({1: 10_000, 2: 20, 3: 40, 4: 10_000}, button=1)
    play(hand, "4 call", "1 call")
    assert [pot.chips for pot in hand.snapshot().pots] == [80, 60, 120]
    assert check_down(hand).result is not None


def test_big_blind_is_not_asked_when_everyone_else_is_all_in_for_less() -> None:
    hand = play(table({1: 30, 2: 20, 3: 10_000}, button=1), "1 call")
    assert prompts(hand) == [1]
    assert returned(hand) == ((3, 70),)
