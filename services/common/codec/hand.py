"""A hand as its setup and actions, and what a seat may do in it."""

from functools import lru_cache
from typing import Final

from poker.actions import Action, ActionKind, Legal, RaiseRange
from poker.errors import MalformedError, Reason
from poker.setup import HandRules, HandSetup, SeatStack
from proto.poker.v1 import poker_pb2 as pb
from services.common.codec.fields import (
    CHIPS_MAX,
    KINDS,
    REOPEN_RULES,
    SEAT_MAX,
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
    return _rules(
        (
            message.small_blind_chips,
            message.big_blind_chips,
            message.reopen_rule,
            message.allow_fold_when_check_available,
            message.allow_raise_when_none_can_call,
            message.burn_cards,
        )
    )


# A platform plays few sets of options, again and again.
@lru_cache(maxsize=256)
def _rules(options: tuple[int, int, pb.ReopenRule.ValueType, bool, bool, bool]) -> HandRules:
    small_blind, big_blind, reopen_rule, allow_fold, allow_raise, burn = options
    return HandRules(
        small_blind_chips=check_chips(small_blind, Reason.INVALID_BLINDS),
        big_blind_chips=check_chips(big_blind, Reason.INVALID_BLINDS),
        reopen_rule=decode_reopen_rule(reopen_rule),
        allow_fold_when_check_available=allow_fold,
        allow_raise_when_none_can_call=allow_raise,
        burn_cards=burn,
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
    hand_id, button, deck = message.hand_id, message.button, message.deck
    if not 1 <= len(hand_id) <= HAND_ID_MAX:
        raise refuse("setup.hand_id")
    if len(deck) > DECK_MAX:
        raise MalformedError(Reason.INVALID_DECK, cards=len(deck))
    rules = decode_rules(message.rules)
    seats = tuple([_decode_stack(seat) for seat in message.seats])
    if not 1 <= button <= SEAT_MAX:
        raise MalformedError(Reason.INVALID_BUTTON, seat=button)
    return HandSetup(hand_id, rules, seats, button, decode_cards(deck))


def _decode_stack(message: pb.SeatStack) -> SeatStack:
    seat, stack_chips = message.seat, message.stack_chips
    if not 1 <= seat <= SEAT_MAX:
        raise MalformedError(Reason.INVALID_SEATS, seat=seat)
    if not 1 <= stack_chips <= CHIPS_MAX:
        raise MalformedError(Reason.INVALID_STACK, chips=stack_chips)
    return SeatStack(seat, stack_chips)


def encode_action(action: Action) -> pb.Action:
    """Write a decision; a seat or amount that the wire cannot hold is malformed."""
    to_chips = 0 if action.to_chips is None else check_chips(action.to_chips, least=1)
    return pb.Action(seat=check_seat(action.seat), kind=KINDS[action.kind], to_chips=to_chips)


def decode_action(message: pb.Action) -> Action:
    """Read a decision: an amount with a bet or raise, and only with them."""
    seat, number, to_chips = message.seat, message.kind, message.to_chips
    if not to_chips:
        plain = _PLAIN.get((seat, number))
        if plain is not None:
            return plain
    elif number in _SIZED_BACK and 1 <= seat <= SEAT_MAX and 1 <= to_chips <= CHIPS_MAX:
        return Action(seat, _SIZED_BACK[number], to_chips)
    decode_kind(number)
    check_seat(seat)
    raise MalformedError(Reason.INVALID_AMOUNT, chips=to_chips)


# Actions without an amount are few; they are shared, since they never change.
_PLAIN: Final = {
    (seat, KINDS[kind]): Action(seat, kind)
    for seat in range(1, SEAT_MAX + 1)
    for kind in ActionKind
    if kind not in _SIZED
}
_SIZED_BACK: Final = {KINDS[kind]: kind for kind in _SIZED}


def encode_hand(setup: HandSetup, actions: tuple[Action, ...]) -> pb.Hand:
    """Write a hand; more than 1,000 actions are malformed."""
    if len(actions) > ACTIONS_MAX:
        raise refuse("hand.actions")
    return pb.Hand(setup=encode_setup(setup), actions=map(encode_action, actions))


def decode_hand(message: pb.Hand) -> tuple[HandSetup, tuple[Action, ...]]:
    """Read a hand of at most 1,000 actions."""
    if not message.HasField("setup"):
        raise refuse("hand.setup")
    actions = message.actions
    if len(actions) > ACTIONS_MAX:
        raise refuse("hand.actions")
    return decode_setup(message.setup), tuple([decode_action(action) for action in actions])


def encode_legal(legal: Legal) -> pb.Legal:
    """Write what a seat may do."""
    message = pb.Legal()
    write_legal(legal, message)
    return message


def write_legal(legal: Legal, out: pb.Legal) -> None:
    """Fill an empty message with what a seat may do."""
    out.seat = legal.seat
    out.can_fold = legal.can_fold
    out.can_check = legal.can_check
    out.to_call_chips = legal.to_call_chips
    out.call_all_in = legal.call_all_in
    if legal.no_raise_reason is not None:
        out.no_raise_reason = legal.no_raise_reason
    if legal.raises is not None:
        raises, written = legal.raises, out.raises
        written.kind = KINDS[raises.kind]
        written.min_to_chips = raises.min_to_chips
        written.full_min_to_chips = raises.full_min_to_chips
        written.max_to_chips = raises.max_to_chips


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
