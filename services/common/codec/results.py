"""Public actions, pots and results: what everyone at the table sees of a hand."""

from collections.abc import Iterable

from poker.events import Pot, SeatResult, ShownHand
from poker.snapshot import HandResult, PotResult, PublicAction
from proto.poker.v1 import poker_pb2 as pb
from services.common.codec.fields import (
    KINDS,
    STREETS,
    Repeated,
    check_seat,
    decode_cards,
    decode_hole_cards,
    decode_kind,
    decode_street,
    encode_cards,
    refuse,
)

SeatAmounts = tuple[tuple[int, int], ...]


def write_public_actions(actions: Iterable[PublicAction], out: Repeated[pb.PublicAction]) -> None:
    """Append actions as everyone saw them."""
    for action in actions:
        message = out.add()
        message.street = STREETS[action.street]
        message.seat = action.seat
        message.kind = KINDS[action.kind]
        message.to_chips = action.to_chips
        message.added_chips = action.added_chips
        message.all_in = action.all_in


def encode_public_action(action: PublicAction) -> pb.PublicAction:
    """Write an action as everyone saw it."""
    return pb.PublicAction(
        street=STREETS[action.street],
        seat=action.seat,
        kind=KINDS[action.kind],
        to_chips=action.to_chips,
        added_chips=action.added_chips,
        all_in=action.all_in,
    )


def decode_public_action(message: pb.PublicAction) -> PublicAction:
    """Read an action as everyone saw it."""
    return PublicAction(
        street=decode_street(message.street),
        seat=check_seat(message.seat),
        kind=decode_kind(message.kind),
        to_chips=message.to_chips,
        added_chips=message.added_chips,
        all_in=message.all_in,
    )


def write_amounts(amounts: SeatAmounts, out: Repeated[pb.SeatChips]) -> None:
    """Append (seat, chips) pairs."""
    for seat, chips in amounts:
        message = out.add()
        message.seat = seat
        message.chips = chips


def decode_amounts(messages: Iterable[pb.SeatChips]) -> SeatAmounts:
    """Read (seat, chips) pairs."""
    return tuple((check_seat(item.seat), item.chips) for item in messages)


def write_pots(pots: Iterable[Pot], out: Repeated[pb.Pot]) -> None:
    """Append pots, main pot first."""
    for pot in pots:
        message = out.add()
        message.chips = pot.chips
        message.eligible.extend(pot.eligible)


def decode_pots(messages: Iterable[pb.Pot]) -> tuple[Pot, ...]:
    """Read pots, main pot first."""
    return tuple(Pot(item.chips, tuple(map(check_seat, item.eligible))) for item in messages)


def encode_shown_hand(shown: ShownHand) -> pb.ShownHand:
    """Write a hand turned up at showdown."""
    message = pb.ShownHand()
    write_shown_hand(shown, message)
    return message


def write_shown_hand(shown: ShownHand, out: pb.ShownHand) -> None:
    """Fill an empty message with a hand turned up at showdown."""
    out.seat = shown.seat
    out.hole_cards = encode_cards(shown.hole_cards)
    out.category = shown.category
    out.name = shown.name
    out.best_five = encode_cards(shown.best_five)


def decode_shown_hand(message: pb.ShownHand) -> ShownHand:
    """Read a hand turned up at showdown."""
    if len(message.best_five) != 5:
        raise refuse("shown.best_five")
    return ShownHand(
        seat=check_seat(message.seat),
        hole_cards=decode_hole_cards(message.hole_cards),
        category=message.category,
        name=message.name,
        best_five=decode_cards(message.best_five),
    )


def write_seat_results(results: Iterable[SeatResult], out: Repeated[pb.SeatResult]) -> None:
    """Append what the hand did to each seat."""
    for result in results:
        message = out.add()
        message.seat = result.seat
        message.put_in_chips = result.put_in_chips
        message.won_chips = result.won_chips
        message.net_chips = result.net_chips
        message.stack_chips = result.stack_chips


def decode_seat_results(messages: Iterable[pb.SeatResult]) -> tuple[SeatResult, ...]:
    """Read what the hand did to each seat."""
    return tuple(
        SeatResult(
            seat=check_seat(item.seat),
            put_in_chips=item.put_in_chips,
            won_chips=item.won_chips,
            net_chips=item.net_chips,
            stack_chips=item.stack_chips,
        )
        for item in messages
    )


def encode_result(result: HandResult) -> pb.HandResult:
    """Write how a hand ended."""
    message = pb.HandResult()
    write_result(result, message)
    return message


def write_result(result: HandResult, out: pb.HandResult) -> None:
    """Fill an empty message with how a hand ended."""
    write_seat_results(result.seats, out.seats)
    for pot in result.pots:
        message = out.pots.add()
        message.chips = pot.chips
        write_amounts(pot.winners, message.winners)
    write_amounts(result.returned, out.returned)
    for shown in result.shown:
        write_shown_hand(shown, out.shown.add())


def decode_result(message: pb.HandResult) -> HandResult:
    """Read how a hand ended."""
    return HandResult(
        seats=decode_seat_results(message.seats),
        pots=tuple(PotResult(pot.chips, decode_amounts(pot.winners)) for pot in message.pots),
        returned=decode_amounts(message.returned),
        shown=tuple(map(decode_shown_hand, message.shown)),
    )
