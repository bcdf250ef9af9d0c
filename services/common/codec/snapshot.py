"""A hand in full, as the engine answers it. Only servers see this."""

from poker.snapshot import HandSnapshot, SeatSnapshot
from proto.engine.v1 import engine_pb2
from services.common.codec.fields import (
    STREETS,
    check_seat,
    decode_cards,
    decode_hole_cards,
    decode_street,
    encode_cards,
    refuse,
)
from services.common.codec.hand import decode_legal, decode_rules, encode_rules, write_legal
from services.common.codec.results import (
    decode_pots,
    decode_public_action,
    decode_result,
    write_pots,
    write_public_actions,
    write_result,
)


def encode_snapshot(snapshot: HandSnapshot) -> engine_pb2.HandSnapshot:
    """Write a hand in full."""
    message = engine_pb2.HandSnapshot()
    write_snapshot(snapshot, message)
    return message


def write_snapshot(snapshot: HandSnapshot, out: engine_pb2.HandSnapshot) -> None:
    """Fill an empty message with a hand in full."""
    out.hand_id = snapshot.hand_id
    out.rules.CopyFrom(encode_rules(snapshot.rules))
    out.button = snapshot.button
    out.street = STREETS[snapshot.street]
    out.board = encode_cards(snapshot.board)
    write_pots(snapshot.pots, out.pots)
    out.pot_total_chips = snapshot.pot_total_chips
    for seat in snapshot.seats:
        _write_seat(seat, out.seats.add())
    write_public_actions(snapshot.actions, out.actions)
    if snapshot.legal is not None:
        write_legal(snapshot.legal, out.legal)
    if snapshot.result is not None:
        write_result(snapshot.result, out.result)


def decode_snapshot(message: engine_pb2.HandSnapshot) -> HandSnapshot:
    """Read a hand in full; it must be somebody's turn or be over, not both."""
    if not message.HasField("rules"):
        raise refuse("snapshot.rules")
    if message.HasField("legal") == message.HasField("result"):
        raise refuse("snapshot.legal")
    return HandSnapshot(
        hand_id=message.hand_id,
        rules=decode_rules(message.rules),
        button=check_seat(message.button),
        street=decode_street(message.street),
        board=decode_cards(message.board),
        pots=decode_pots(message.pots),
        pot_total_chips=message.pot_total_chips,
        seats=tuple(map(_decode_seat, message.seats)),
        actions=tuple(map(decode_public_action, message.actions)),
        legal=decode_legal(message.legal) if message.HasField("legal") else None,
        result=decode_result(message.result) if message.HasField("result") else None,
    )


def _write_seat(seat: SeatSnapshot, out: engine_pb2.SeatSnapshot) -> None:
    out.seat = seat.seat
    out.position = seat.position
    out.start_chips = seat.start_chips
    out.stack_chips = seat.stack_chips
    out.bet_chips = seat.bet_chips
    out.put_in_chips = seat.put_in_chips
    out.folded = seat.folded
    out.all_in = seat.all_in
    out.hole_cards = encode_cards(seat.hole_cards)
    out.shown = seat.shown


def _decode_seat(message: engine_pb2.SeatSnapshot) -> SeatSnapshot:
    return SeatSnapshot(
        seat=check_seat(message.seat),
        position=message.position,
        start_chips=message.start_chips,
        stack_chips=message.stack_chips,
        bet_chips=message.bet_chips,
        put_in_chips=message.put_in_chips,
        folded=message.folded,
        all_in=message.all_in,
        hole_cards=decode_hole_cards(message.hole_cards),
        shown=message.shown,
    )
