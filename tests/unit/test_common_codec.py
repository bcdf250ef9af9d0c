"""Strict decoding: what is refused, and why."""

from collections.abc import Callable

import pytest

from poker.actions import Action, ActionKind
from poker.errors import MalformedError, Reason
from poker.setup import HandRules
from poker.view import view_for
from proto.bot.v1 import bot_pb2
from proto.engine.v1 import engine_pb2
from proto.poker.v1 import poker_pb2
from services.common import codec
from tests.support.scripted_hands import play, table


def hand_message() -> poker_pb2.Hand:
    hand = play(table({1: 10_000, 2: 10_000}, button=1), "1 raise 300", "2 call")
    return codec.encode_hand(hand.setup, hand.actions)


def bot_view_message() -> bot_pb2.BotView:
    hand = play(table({1: 10_000, 2: 10_000}, button=1), "1 raise 300", "2 call")
    return codec.encode_bot_view(view_for(hand.snapshot(), 2))


def without_setup(hand: poker_pb2.Hand) -> None:
    hand.ClearField("setup")


def without_rules(hand: poker_pb2.Hand) -> None:
    hand.setup.ClearField("rules")


def without_id(hand: poker_pb2.Hand) -> None:
    hand.setup.hand_id = ""


def long_id(hand: poker_pb2.Hand) -> None:
    hand.setup.hand_id = "h" * 129


def no_reopen_rule(hand: poker_pb2.Hand) -> None:
    hand.setup.rules.reopen_rule = poker_pb2.REOPEN_RULE_UNSPECIFIED


def negative_blind(hand: poker_pb2.Hand) -> None:
    hand.setup.rules.small_blind_chips = -1


def huge_blind(hand: poker_pb2.Hand) -> None:
    hand.setup.rules.big_blind_chips = 10**12 + 1


def seat_zero(hand: poker_pb2.Hand) -> None:
    hand.setup.seats[0].seat = 0


def seat_eleven(hand: poker_pb2.Hand) -> None:
    hand.setup.seats[1].seat = 11


def empty_stack(hand: poker_pb2.Hand) -> None:
    hand.setup.seats[0].stack_chips = 0


def huge_stack(hand: poker_pb2.Hand) -> None:
    hand.setup.seats[0].stack_chips = 2**62


def no_button(hand: poker_pb2.Hand) -> None:
    hand.setup.button = 0


def unknown_card(hand: poker_pb2.Hand) -> None:
    hand.setup.deck = b"\x34" + hand.setup.deck[1:]


def long_deck(hand: poker_pb2.Hand) -> None:
    hand.setup.deck = bytes(53)


def action_without_kind(hand: poker_pb2.Hand) -> None:
    hand.actions[0].kind = poker_pb2.ACTION_KIND_UNSPECIFIED


def action_of_seat_eleven(hand: poker_pb2.Hand) -> None:
    hand.actions[0].seat = 11


def raise_without_amount(hand: poker_pb2.Hand) -> None:
    hand.actions[0].to_chips = 0


def negative_raise(hand: poker_pb2.Hand) -> None:
    hand.actions[0].to_chips = -300


def call_with_amount(hand: poker_pb2.Hand) -> None:
    hand.actions[1].to_chips = 300


def endless_hand(hand: poker_pb2.Hand) -> None:
    hand.actions.extend([hand.actions[1]] * 1_000)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (without_setup, Reason.INVALID_REQUEST),
        (without_rules, Reason.INVALID_REQUEST),
        (without_id, Reason.INVALID_REQUEST),
        (long_id, Reason.INVALID_REQUEST),
        (no_reopen_rule, Reason.INVALID_REQUEST),
        (negative_blind, Reason.INVALID_BLINDS),
        (huge_blind, Reason.INVALID_BLINDS),
        (seat_zero, Reason.INVALID_SEATS),
        (seat_eleven, Reason.INVALID_SEATS),
        (empty_stack, Reason.INVALID_STACK),
        (huge_stack, Reason.INVALID_STACK),
        (no_button, Reason.INVALID_BUTTON),
        (unknown_card, Reason.UNKNOWN_CARD),
        (long_deck, Reason.INVALID_DECK),
        (action_without_kind, Reason.INVALID_ACTION),
        (action_of_seat_eleven, Reason.UNKNOWN_SEAT),
        (raise_without_amount, Reason.INVALID_AMOUNT),
        (negative_raise, Reason.INVALID_AMOUNT),
        (call_with_amount, Reason.INVALID_AMOUNT),
        (endless_hand, Reason.INVALID_REQUEST),
    ],
)
def test_a_damaged_hand_is_refused(
    damage: Callable[[poker_pb2.Hand], None], reason: Reason
) -> None:
    message = hand_message()
    codec.decode_hand(message)
    damage(message)
    with pytest.raises(MalformedError) as refusal:
        codec.decode_hand(message)
    assert refusal.value.reason is reason


def test_an_enum_value_of_a_newer_version_is_refused() -> None:
    # An open enum keeps numbers that this build has no name for.
    message = poker_pb2.Action.FromString(b"\x08\x01\x10\x09")
    with pytest.raises(MalformedError) as refusal:
        codec.decode_action(message)
    assert refusal.value.reason is Reason.INVALID_ACTION


def bot_without_legal(view: bot_pb2.BotView) -> None:
    view.ClearField("legal")


def bot_without_rules(view: bot_pb2.BotView) -> None:
    view.ClearField("rules")


def bot_one_card(view: bot_pb2.BotView) -> None:
    view.hole_cards = view.hole_cards[:1]


def bot_twin_cards(view: bot_pb2.BotView) -> None:
    view.hole_cards = view.hole_cards[:1] * 2


def bot_card_on_board(view: bot_pb2.BotView) -> None:
    view.board = view.hole_cards[:1] + view.board[1:]


def bot_short_board(view: bot_pb2.BotView) -> None:
    view.board = view.board[:2]


def bot_no_street(view: bot_pb2.BotView) -> None:
    view.street = poker_pb2.STREET_UNSPECIFIED


def bot_absent_seat(view: bot_pb2.BotView) -> None:
    view.seat = view.legal.seat = 9


def bot_other_turn(view: bot_pb2.BotView) -> None:
    view.legal.seat = 1


def bot_unsorted_seats(view: bot_pb2.BotView) -> None:
    view.seats[0].seat = 3


def bot_negative_stack(view: bot_pb2.BotView) -> None:
    view.seats[0].stack_chips = -1


def bot_odd_reason(view: bot_pb2.BotView) -> None:
    view.legal.no_raise_reason = "because"


def bot_empty_range(view: bot_pb2.BotView) -> None:
    view.legal.raises.min_to_chips = view.legal.raises.max_to_chips + 1


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (bot_without_legal, Reason.INVALID_REQUEST),
        (bot_without_rules, Reason.INVALID_REQUEST),
        (bot_one_card, Reason.INVALID_REQUEST),
        (bot_twin_cards, Reason.DUPLICATE_CARD),
        (bot_card_on_board, Reason.DUPLICATE_CARD),
        (bot_short_board, Reason.INVALID_REQUEST),
        (bot_no_street, Reason.INVALID_REQUEST),
        (bot_absent_seat, Reason.UNKNOWN_SEAT),
        (bot_other_turn, Reason.INVALID_REQUEST),
        (bot_unsorted_seats, Reason.INVALID_SEATS),
        (bot_negative_stack, Reason.INVALID_AMOUNT),
        (bot_odd_reason, Reason.INVALID_REQUEST),
        (bot_empty_range, Reason.INVALID_REQUEST),
    ],
)
def test_a_damaged_bot_view_is_refused(
    damage: Callable[[bot_pb2.BotView], None], reason: Reason
) -> None:
    message = bot_view_message()
    codec.decode_bot_view(message)
    damage(message)
    with pytest.raises(MalformedError) as refusal:
        codec.decode_bot_view(message)
    assert refusal.value.reason is reason


def test_an_answer_that_is_neither_a_turn_nor_over_is_refused() -> None:
    hand = table({1: 1_000, 2: 1_000}, button=1)
    message = codec.encode_snapshot(hand.snapshot())
    message.ClearField("legal")
    with pytest.raises(MalformedError, match=r"snapshot\.legal"):
        codec.decode_snapshot(message)


def test_an_event_of_no_kind_is_refused() -> None:
    with pytest.raises(MalformedError, match="event"):
        codec.decode_events([engine_pb2.HandEvent()])


@pytest.mark.parametrize("to_chips", [0, -1, 10**12 + 1, 10**30])
def test_an_amount_that_the_wire_cannot_hold_is_refused_when_written(to_chips: int) -> None:
    with pytest.raises(MalformedError) as refusal:
        codec.encode_action(Action(1, ActionKind.RAISE, to_chips))
    assert refusal.value.reason is Reason.INVALID_AMOUNT


@pytest.mark.parametrize("seat", [0, 11, 2**40])
def test_a_seat_that_no_table_has_is_refused_when_written(seat: int) -> None:
    with pytest.raises(MalformedError) as refusal:
        codec.encode_action(Action(seat, ActionKind.FOLD))
    assert refusal.value.reason is Reason.UNKNOWN_SEAT


def test_blinds_that_the_wire_cannot_hold_are_refused_when_written() -> None:
    with pytest.raises(MalformedError) as refusal:
        codec.encode_rules(HandRules(50, 10**20))
    assert refusal.value.reason is Reason.INVALID_BLINDS


def test_a_duplicate_card_is_not_named() -> None:
    """The twin may be a card that the reader of the error must not see."""
    message = bot_view_message()
    bot_twin_cards(message)
    with pytest.raises(MalformedError) as refusal:
        codec.decode_bot_view(message)
    assert refusal.value.facts == {}
