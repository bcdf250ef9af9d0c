"""Strict decoding of single fields, and the enum tables of the vocabulary."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol, TypeVar

from poker.actions import ActionKind, Street
from poker.cards import DECK, Card
from poker.errors import MalformedError, Reason
from poker.events import HoleCards
from poker.setup import ReopenRule
from proto.poker.v1 import poker_pb2 as pb

SEAT_MAX: Final = 10
CHIPS_MAX: Final = 10**12
"""Bound of any stack, blind or bet on the wire; far from int64, so sums of ten fit."""
POT_MAX: Final = 10 * CHIPS_MAX

STREETS: Final[dict[Street, pb.Street.ValueType]] = {
    Street.PREFLOP: pb.STREET_PREFLOP,
    Street.FLOP: pb.STREET_FLOP,
    Street.TURN: pb.STREET_TURN,
    Street.RIVER: pb.STREET_RIVER,
}
KINDS: Final[dict[ActionKind, pb.ActionKind.ValueType]] = {
    ActionKind.FOLD: pb.ACTION_KIND_FOLD,
    ActionKind.CHECK: pb.ACTION_KIND_CHECK,
    ActionKind.CALL: pb.ACTION_KIND_CALL,
    ActionKind.BET: pb.ACTION_KIND_BET,
    ActionKind.RAISE: pb.ACTION_KIND_RAISE,
}
REOPEN_RULES: Final[dict[ReopenRule, pb.ReopenRule.ValueType]] = {
    ReopenRule.CUMULATIVE: pb.REOPEN_RULE_CUMULATIVE,
    ReopenRule.SINGLE: pb.REOPEN_RULE_SINGLE,
}
_STREETS_BACK: Final = {number: street for street, number in STREETS.items()}
_KINDS_BACK: Final = {number: kind for kind, number in KINDS.items()}
_REOPEN_RULES_BACK: Final = {number: rule for rule, number in REOPEN_RULES.items()}

M_co = TypeVar("M_co", covariant=True)


class Repeated(Protocol[M_co]):
    """A repeated field of messages, as written in place.

    Parts are written where they belong: one that is built on its own and then put into its
    whole is copied.
    """

    def add(self) -> M_co:
        """Append an empty message and return it."""


def refuse(field: str) -> MalformedError:
    """Return the error for a message that lacks or garbles ``field``."""
    return MalformedError(Reason.INVALID_REQUEST, field=field)


def decode_street(number: pb.Street.ValueType) -> Street:
    """Read a street; unspecified or unknown is malformed."""
    street = _STREETS_BACK.get(number)
    if street is None:
        raise refuse("street")
    return street


def decode_kind(number: pb.ActionKind.ValueType) -> ActionKind:
    """Read an action kind; unspecified or unknown is malformed (INVALID_ACTION)."""
    kind = _KINDS_BACK.get(number)
    if kind is None:
        raise MalformedError(Reason.INVALID_ACTION, kind=int(number))
    return kind


def decode_reopen_rule(number: pb.ReopenRule.ValueType) -> ReopenRule:
    """Read a reopening rule; unspecified or unknown is malformed."""
    rule = _REOPEN_RULES_BACK.get(number)
    if rule is None:
        raise refuse("rules.reopen_rule")
    return rule


def check_seat(seat: int, reason: Reason = Reason.UNKNOWN_SEAT) -> int:
    """Return a seat number 1..10; anything else is malformed."""
    if not 1 <= seat <= SEAT_MAX:
        raise MalformedError(reason, seat=seat)
    return seat


def check_chips(
    chips: int,
    reason: Reason = Reason.INVALID_AMOUNT,
    *,
    least: int = 0,
    most: int = CHIPS_MAX,
) -> int:
    """Return an amount ``least``..``most`` chips; anything else is malformed."""
    if not least <= chips <= most:
        raise MalformedError(reason, chips=chips)
    return chips


def encode_cards(cards: Iterable[Card]) -> bytes:
    """Write cards, one byte each."""
    return bytes(cards)


def decode_cards(data: bytes) -> tuple[Card, ...]:
    """Read cards, one byte each; a byte above 51 is malformed (UNKNOWN_CARD)."""
    try:
        return tuple([DECK[index] for index in data])
    except IndexError:
        raise MalformedError(Reason.UNKNOWN_CARD, card=max(data)) from None


def decode_hole_cards(data: bytes) -> HoleCards:
    """Read two different cards."""
    cards = decode_cards(data)
    if len(cards) != 2:
        raise refuse("hole_cards")
    check_distinct(cards)
    return cards[0], cards[1]


def check_distinct(cards: Sequence[Card]) -> None:
    """Raise MalformedError(DUPLICATE_CARD) when a card occurs twice.

    The error does not say which: it may be one that the reader must not see.
    """
    if len(set(cards)) != len(cards):
        raise MalformedError(Reason.DUPLICATE_CARD)
