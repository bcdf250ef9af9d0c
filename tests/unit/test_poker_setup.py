"""Setups and actions that make no sense are refused before anything happens."""

from dataclasses import replace

import pytest

from poker.actions import Action, ActionKind
from poker.cards import DECK
from poker.errors import MalformedError, Reason
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from tests.support.scripted_hands import table

SETUP = HandSetup("h", HandRules(50, 100), (SeatStack(1, 500), SeatStack(2, 500)), 1, DECK)


def reason_of(setup: HandSetup) -> Reason:
    with pytest.raises(MalformedError) as refused:
        Hand(setup)
    return refused.value.reason


def seated(*seats: tuple[object, object]) -> HandSetup:
    sitting = tuple(SeatStack(seat, stack) for seat, stack in seats)  # type: ignore[arg-type]
    return replace(SETUP, seats=sitting)


@pytest.mark.parametrize("count", [0, 1, 10])
def test_two_to_nine_players_eng_002(count: int) -> None:
    setup = seated(*((seat, 500) for seat in range(1, count + 1)))
    assert reason_of(setup) is Reason.INVALID_SEATS


@pytest.mark.parametrize("seats", [(0, 1), (1, 11), (1, 1), (2, 1), (1, True), (1.0, 2), ("1", 2)])
def test_seats_are_ascending_numbers_1_to_10(seats: tuple[object, object]) -> None:
    assert reason_of(seated((seats[0], 500), (seats[1], 500))) is Reason.INVALID_SEATS


@pytest.mark.parametrize("stack", [0, -1, 10**12 + 1, 12.5, 100.0, "100", None, True])
def test_stacks_are_whole_chips_eng_006(stack: object) -> None:
    assert reason_of(seated((1, 500), (2, stack))) is Reason.INVALID_STACK


@pytest.mark.parametrize(
    "blinds",
    [(0, 100), (101, 100), (-50, 100), (50, 10**12 + 1), (50.0, 100), (50, "100"), (True, 2)],
)
def test_blinds_are_whole_chips_small_up_to_big(blinds: tuple[object, object]) -> None:
    rules = HandRules(*blinds)  # type: ignore[arg-type]
    assert reason_of(replace(SETUP, rules=rules)) is Reason.INVALID_BLINDS


def test_reopen_rule_is_one_of_two() -> None:
    rules = HandRules(50, 100, reopen_rule="cumulative")  # type: ignore[arg-type]
    assert reason_of(replace(SETUP, rules=rules)) is Reason.INVALID_RULES


@pytest.mark.parametrize(
    "option", ["allow_fold_when_check_available", "allow_raise_when_none_can_call", "burn_cards"]
)
@pytest.mark.parametrize("value", [1, None, "no"])
def test_options_are_on_or_off(option: str, value: object) -> None:
    rules = HandRules(50, 100, **{option: value})  # type: ignore[arg-type]
    assert reason_of(replace(SETUP, rules=rules)) is Reason.INVALID_RULES


@pytest.mark.parametrize("button", [0, 11, -1, 1.0, "1", None, True])
def test_button_is_a_seat_number(button: object) -> None:
    setup = replace(SETUP, button=button)  # type: ignore[arg-type]
    assert reason_of(setup) is Reason.INVALID_BUTTON


def test_deck_must_last_for_the_hand() -> None:
    assert reason_of(replace(SETUP, deck=DECK[:8])) is Reason.INVALID_DECK
    assert Hand(replace(SETUP, deck=DECK[:9])).legal is not None
    burning = replace(SETUP, rules=HandRules(50, 100, burn_cards=True))
    assert reason_of(replace(burning, deck=DECK[:11])) is Reason.INVALID_DECK
    assert Hand(replace(burning, deck=DECK[:12])).legal is not None


def test_deck_has_no_card_twice_eng_001() -> None:
    assert reason_of(replace(SETUP, deck=(*DECK[:9], DECK[3]))) is Reason.DUPLICATE_CARD


def test_deck_holds_cards_only() -> None:
    deck = (*DECK[:9], 51)
    assert reason_of(replace(SETUP, deck=deck)) is Reason.INVALID_DECK  # type: ignore[arg-type]


def test_no_refusal_names_a_card_of_the_deck() -> None:
    with pytest.raises(MalformedError) as refused:
        Hand(replace(SETUP, deck=(*DECK[:9], DECK[3])))
    assert set(refused.value.facts) == {"cards"}


def test_largest_stacks_and_blinds_are_exact() -> None:
    most = 10**12
    hand = table({1: most, 2: most}, button=1, rules=HandRules(most, most))
    assert hand.result is not None
    assert sum(seat.stack_chips for seat in hand.result.seats) == 2 * most


@pytest.mark.parametrize("to_chips", [None, 0, -200, 10**12 + 1, 10**30, 250.0, "250", True])
@pytest.mark.parametrize("kind", [ActionKind.BET, ActionKind.RAISE])
def test_sizes_are_whole_chips_eng_006(kind: ActionKind, to_chips: object) -> None:
    assert refusal(Action(1, kind, to_chips)) is Reason.INVALID_AMOUNT  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL])
def test_other_actions_have_no_amount(kind: ActionKind) -> None:
    assert refusal(Action(1, kind, 50)) is Reason.INVALID_AMOUNT


@pytest.mark.parametrize("kind", ["fold", "all_in", None, 3])
def test_kind_of_action_is_one_of_five(kind: object) -> None:
    assert refusal(Action(1, kind)) is Reason.INVALID_ACTION  # type: ignore[arg-type]


def test_something_else_is_no_action() -> None:
    assert refusal("1 call") is Reason.INVALID_ACTION


@pytest.mark.parametrize("seat", [0, 3, 11, -1, True, 1.0, "1", None])
def test_only_dealt_in_seats_act(seat: object) -> None:
    assert refusal(Action(seat, ActionKind.CALL)) is Reason.UNKNOWN_SEAT  # type: ignore[arg-type]


def refusal(action: object) -> Reason:
    hand = Hand(SETUP)
    before = hand.snapshot()
    with pytest.raises(MalformedError) as refused:
        hand.act(action)  # type: ignore[arg-type]
    assert hand.snapshot() == before
    assert hand.actions == ()
    return refused.value.reason
