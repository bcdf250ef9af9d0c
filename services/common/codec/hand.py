"""A hand as its setup and actions, and what a seat may do in it."""

from typing import Final

from poker.actions import Action, ActionKind, Legal, RaiseRange
from poker.errors import MalformedError, Reason
from poker.setup import HandRules, HandSetup, SeatStack
from proto.poker.v1 import poker_pb2 as pb
from services.common.codec.fields import (
    KINDS,
    REOPEN_RULES,
    check_chips,
    check_seat,
    decode_cards,
    decode_kind,
    decode_reopen_rule,
    encode_cards,
    refuse,
)

ACTIONS_MAX: Final = 1_000
HAND_ID_MAX: Final = 128
DECK_MAX: Final = 52

_SIZED: Final = (ActionKind.BET, ActionKind.RAISE)


def encode_rules(rules: HandRules) -> pb.HandRules:
    """Write the options of a hand."""
    return pb.HandRules(
        small_blind_chips=check_chips(rules.small_blind_chips, Reason.INVALID_BLINDS),
        big_blind_chips=check_chips(rules.big_blind_chips, Reason.INVALID_BLINDS),
        reopen_rule=REOPEN_RULES[rules.reopen_rule],
        allow_fold_when_check_available=rules.allow_fold_when_check_available,
        allow_raise_when_none_can_call=rules.allow_raise_when_none_can_call,
        burn_cards=rules.burn_cards,
    )


def decode_rules(message: pb.HandRules) -> HandRules:
    """Read the options of a hand; blinds outside 0..10^12 are malformed."""
    return HandRules(
        small_blind_chips=check_chips(message.small_blind_chips, Reason.INVALID_BLINDS),
        big_blind_chips=check_chips(message.big_blind_chips, Reason.INVALID_BLINDS),
        reopen_rule=decode_reopen_rule(message.reopen_rule),
        allow_fold_when_check_available=message.allow_fold_when_check_available,
        allow_raise_when_none_can_call=message.allow_raise_when_none_can_call,
        burn_cards=message.burn_cards,
    )


def encode_setup(setup: HandSetup) -> pb.HandSetup:
    """Write everything that determines a hand; it holds the whole deck."""
    return pb.HandSetup(
        hand_id=setup.hand_id,
        rules=encode_rules(setup.rules),
        seats=[
            pb.SeatStack(
                seat=check_seat(seat.seat, Reason.INVALID_SEATS),
                stack_chips=check_chips(seat.stack_chips, Reason.INVALID_STACK),
            )
            for seat in setup.seats
        ],
        button=check_seat(setup.button, Reason.INVALID_BUTTON),
        deck=encode_cards(setup.deck),
    )


def decode_setup(message: pb.HandSetup) -> HandSetup:
    """Read a setup; what its parts mean together is for `poker.hand.Hand` to check."""
    if not message.HasField("rules"):
        raise refuse("setup.rules")
    if not 1 <= len(message.hand_id) <= HAND_ID_MAX:
        raise refuse("setup.hand_id")
    if len(message.deck) > DECK_MAX:
        raise MalformedError(Reason.INVALID_DECK, cards=len(message.deck))
    return HandSetup(
        hand_id=message.hand_id,
        rules=decode_rules(message.rules),
        seats=tuple(_decode_stack(seat) for seat in message.seats),
        button=check_seat(message.button, Reason.INVALID_BUTTON),
        deck=decode_cards(message.deck),
    )


def _decode_stack(message: pb.SeatStack) -> SeatStack:
    return SeatStack(
        check_seat(message.seat, Reason.INVALID_SEATS),
        check_chips(message.stack_chips, Reason.INVALID_STACK, least=1),
    )


def encode_action(action: Action) -> pb.Action:
    """Write a decision; a seat or amount that the wire cannot hold is malformed."""
    to_chips = 0 if action.to_chips is None else check_chips(action.to_chips, least=1)
    return pb.Action(seat=check_seat(action.seat), kind=KINDS[action.kind], to_chips=to_chips)


def decode_action(message: pb.Action) -> Action:
    """Read a decision: an amount with a bet or raise, and only with them."""
    kind = decode_kind(message.kind)
    seat = check_seat(message.seat)
    if kind in _SIZED:
        return Action(seat, kind, check_chips(message.to_chips, least=1))
    if message.to_chips != 0:
        raise MalformedError(Reason.INVALID_AMOUNT, chips=message.to_chips)
    return Action(seat, kind)


def encode_hand(setup: HandSetup, actions: tuple[Action, ...]) -> pb.Hand:
    """Write a hand; more than 1,000 actions are malformed."""
    if len(actions) > ACTIONS_MAX:
        raise refuse("hand.actions")
    return pb.Hand(setup=encode_setup(setup), actions=map(encode_action, actions))


def decode_hand(message: pb.Hand) -> tuple[HandSetup, tuple[Action, ...]]:
    """Read a hand of at most 1,000 actions."""
    if not message.HasField("setup"):
        raise refuse("hand.setup")
    if len(message.actions) > ACTIONS_MAX:
        raise refuse("hand.actions")
    return decode_setup(message.setup), tuple(map(decode_action, message.actions))


def encode_legal(legal: Legal) -> pb.Legal:
    """Write what a seat may do."""
    raises = legal.raises
    return pb.Legal(
        seat=legal.seat,
        can_fold=legal.can_fold,
        can_check=legal.can_check,
        to_call_chips=legal.to_call_chips,
        call_all_in=legal.call_all_in,
        raises=None if raises is None else _encode_range(raises),
        no_raise_reason=legal.no_raise_reason or "",
    )


def decode_legal(message: pb.Legal) -> Legal:
    """Read what a seat may do."""
    reason = message.no_raise_reason
    if reason and reason not in _REASONS:
        raise refuse("legal.no_raise_reason")
    return Legal(
        seat=check_seat(message.seat),
        can_fold=message.can_fold,
        can_check=message.can_check,
        to_call_chips=check_chips(message.to_call_chips),
        call_all_in=message.call_all_in,
        raises=_decode_range(message.raises) if message.HasField("raises") else None,
        no_raise_reason=Reason(reason) if reason else None,
    )


_REASONS: Final = frozenset(reason.value for reason in Reason)


def _encode_range(raises: RaiseRange) -> pb.RaiseRange:
    return pb.RaiseRange(
        kind=KINDS[raises.kind],
        min_to_chips=raises.min_to_chips,
        full_min_to_chips=raises.full_min_to_chips,
        max_to_chips=raises.max_to_chips,
    )


def _decode_range(message: pb.RaiseRange) -> RaiseRange:
    kind = decode_kind(message.kind)
    if kind not in _SIZED or not 1 <= message.min_to_chips <= message.max_to_chips:
        raise refuse("legal.raises")
    return RaiseRange(
        kind=kind,
        min_to_chips=message.min_to_chips,
        full_min_to_chips=message.full_min_to_chips,
        max_to_chips=check_chips(message.max_to_chips),
    )
