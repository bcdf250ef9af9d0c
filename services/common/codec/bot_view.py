"""What River is shown: a view of one seat, whose type has no room for others' cards."""

from dataclasses import dataclass
from typing import Final

from poker.actions import Legal, Street
from poker.cards import Card
from poker.errors import IllegalActionError, MalformedError, Reason
from poker.events import HoleCards
from poker.setup import HandRules
from poker.snapshot import PublicAction
from poker.view import HandView, SeatView
from proto.bot.v1 import bot_pb2
from services.common.codec.fields import (
    POT_MAX,
    STREETS,
    check_chips,
    check_distinct,
    check_seat,
    decode_cards,
    decode_hole_cards,
    decode_street,
    encode_cards,
    refuse,
)
from services.common.codec.hand import decode_legal, decode_rules, encode_legal, encode_rules
from services.common.codec.results import decode_public_action, encode_public_action

_BOARD_SIZES: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}


@dataclass(frozen=True, slots=True)
class PublicSeat:
    """A seat as everyone sees it; amounts in chips."""

    seat: int
    position: str
    start_chips: int
    stack_chips: int
    bet_chips: int
    put_in_chips: int
    folded: bool
    all_in: bool


@dataclass(frozen=True, slots=True)
class BotView:
    """A hand as the deciding seat may know it; ``seats`` includes that seat."""

    seat: int
    hole_cards: HoleCards
    board: tuple[Card, ...]
    rules: HandRules
    button: int
    street: Street
    pot_total_chips: int
    seats: tuple[PublicSeat, ...]
    actions: tuple[PublicAction, ...]
    legal: Legal


def encode_bot_view(view: HandView) -> bot_pb2.BotView:
    """Write the view of the seat whose turn it is.

    Only the viewer's own cards are read. Raises MalformedError(UNKNOWN_SEAT) for a
    spectator's view and IllegalActionError(NOT_YOUR_TURN) when another seat must act.
    """
    own = next((seat for seat in view.seats if seat.seat == view.viewer), None)
    if own is None or own.hole_cards is None:
        raise MalformedError(Reason.UNKNOWN_SEAT, seat=view.viewer or 0)
    if view.legal is None or view.legal.seat != own.seat:
        raise IllegalActionError(Reason.NOT_YOUR_TURN, seat=own.seat)
    return bot_pb2.BotView(
        seat=own.seat,
        hole_cards=encode_cards(own.hole_cards),
        board=encode_cards(view.board),
        rules=encode_rules(view.rules),
        button=view.button,
        street=STREETS[view.street],
        pot_total_chips=view.pot_total_chips,
        seats=map(_encode_seat, view.seats),
        actions=map(encode_public_action, view.actions),
        legal=encode_legal(view.legal),
    )


def decode_bot_view(message: bot_pb2.BotView) -> BotView:
    """Read a view; raises MalformedError when it lacks a part or contradicts itself."""
    if not message.HasField("rules"):
        raise refuse("view.rules")
    if not message.HasField("legal"):
        raise refuse("view.legal")
    view = BotView(
        seat=check_seat(message.seat),
        hole_cards=decode_hole_cards(message.hole_cards),
        board=decode_cards(message.board),
        rules=decode_rules(message.rules),
        button=check_seat(message.button, Reason.INVALID_BUTTON),
        street=decode_street(message.street),
        pot_total_chips=check_chips(message.pot_total_chips, most=POT_MAX),
        seats=tuple(map(_decode_seat, message.seats)),
        actions=tuple(map(decode_public_action, message.actions)),
        legal=decode_legal(message.legal),
    )
    _check(view)
    return view


def _check(view: BotView) -> None:
    """Refuse a view whose parts do not fit together."""
    if len(view.board) != _BOARD_SIZES[view.street]:
        raise refuse("view.board")
    check_distinct((*view.hole_cards, *view.board))
    numbers = [seat.seat for seat in view.seats]
    if not 2 <= len(numbers) <= 9 or numbers != sorted(set(numbers)):
        raise MalformedError(Reason.INVALID_SEATS, seats=len(numbers))
    if view.seat not in numbers:
        raise MalformedError(Reason.UNKNOWN_SEAT, seat=view.seat)
    if view.legal.seat != view.seat:
        raise refuse("view.legal.seat")


def _encode_seat(seat: SeatView) -> bot_pb2.PublicSeat:
    return bot_pb2.PublicSeat(
        seat=seat.seat,
        position=seat.position,
        start_chips=seat.start_chips,
        stack_chips=seat.stack_chips,
        bet_chips=seat.bet_chips,
        put_in_chips=seat.put_in_chips,
        folded=seat.folded,
        all_in=seat.all_in,
    )


def _decode_seat(message: bot_pb2.PublicSeat) -> PublicSeat:
    return PublicSeat(
        seat=check_seat(message.seat),
        position=message.position,
        start_chips=check_chips(message.start_chips),
        stack_chips=check_chips(message.stack_chips),
        bet_chips=check_chips(message.bet_chips),
        put_in_chips=check_chips(message.put_in_chips),
        folded=message.folded,
        all_in=message.all_in,
    )
