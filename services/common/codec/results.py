"""Public actions, pots and results: what everyone at the table sees of a hand."""

from collections.abc import Iterable

from poker.events import Pot, SeatResult, ShownHand
from poker.snapshot import HandResult, PotResult, PublicAction
from proto.poker.v1 import poker_pb2 as pb
from services.common.codec.fields import (
    KINDS,
    STREETS,
    check_seat,
    decode_cards,
    decode_hole_cards,
    decode_kind,
    decode_street,
    encode_cards,
    refuse,
)

SeatAmounts = tuple[tuple[int, int], ...]


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


def encode_amounts(amounts: SeatAmounts) -> list[pb.SeatChips]:
    """Write (seat, chips) pairs."""
    return [pb.SeatChips(seat=seat, chips=chips) for seat, chips in amounts]


def decode_amounts(messages: Iterable[pb.SeatChips]) -> SeatAmounts:
    """Read (seat, chips) pairs."""
    return tuple((check_seat(item.seat), item.chips) for item in messages)


def encode_pots(pots: Iterable[Pot]) -> list[pb.Pot]:
    """Write pots, main pot first."""
    return [pb.Pot(chips=pot.chips, eligible=pot.eligible) for pot in pots]


def decode_pots(messages: Iterable[pb.Pot]) -> tuple[Pot, ...]:
    """Read pots, main pot first."""
    return tuple(Pot(item.chips, tuple(map(check_seat, item.eligible))) for item in messages)


def encode_shown_hand(shown: ShownHand) -> pb.ShownHand:
    """Write a hand turned up at showdown."""
    return pb.ShownHand(
        seat=shown.seat,
        hole_cards=encode_cards(shown.hole_cards),
        category=shown.category,
        name=shown.name,
        best_five=encode_cards(shown.best_five),
    )


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


def encode_seat_results(results: Iterable[SeatResult]) -> list[pb.SeatResult]:
    """Write what the hand did to each seat."""
    return [
        pb.SeatResult(
            seat=result.seat,
            put_in_chips=result.put_in_chips,
            won_chips=result.won_chips,
            net_chips=result.net_chips,
            stack_chips=result.stack_chips,
        )
        for result in results
    ]


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
    return pb.HandResult(
        seats=encode_seat_results(result.seats),
        pots=[
            pb.PotResult(chips=pot.chips, winners=encode_amounts(pot.winners))
            for pot in result.pots
        ],
        returned=encode_amounts(result.returned),
        shown=map(encode_shown_hand, result.shown),
    )


def decode_result(message: pb.HandResult) -> HandResult:
    """Read how a hand ended."""
    return HandResult(
        seats=decode_seat_results(message.seats),
        pots=tuple(PotResult(pot.chips, decode_amounts(pot.winners)) for pot in message.pots),
        returned=decode_amounts(message.returned),
        shown=tuple(map(decode_shown_hand, message.shown)),
    )
