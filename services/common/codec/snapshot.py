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
from services.common.codec.hand import decode_legal, decode_rules, encode_legal, encode_rules
from services.common.codec.results import (
    decode_pots,
    decode_public_action,
    decode_result,
    encode_pots,
    encode_public_action,
    encode_result,
)


def encode_snapshot(snapshot: HandSnapshot) -> engine_pb2.HandSnapshot:
    """Write a hand in full."""
    legal, result = snapshot.legal, snapshot.result
    return engine_pb2.HandSnapshot(
        hand_id=snapshot.hand_id,
        rules=encode_rules(snapshot.rules),
        button=snapshot.button,
        street=STREETS[snapshot.street],
        board=encode_cards(snapshot.board),
        pots=encode_pots(snapshot.pots),
        pot_total_chips=snapshot.pot_total_chips,
        seats=map(_encode_seat, snapshot.seats),
        actions=map(encode_public_action, snapshot.actions),
        legal=None if legal is None else encode_legal(legal),
        result=None if result is None else encode_result(result),
    )


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


def _encode_seat(seat: SeatSnapshot) -> engine_pb2.SeatSnapshot:
    return engine_pb2.SeatSnapshot(
        seat=seat.seat,
        position=seat.position,
        start_chips=seat.start_chips,
        stack_chips=seat.stack_chips,
        bet_chips=seat.bet_chips,
        put_in_chips=seat.put_in_chips,
        folded=seat.folded,
        all_in=seat.all_in,
        hole_cards=encode_cards(seat.hole_cards),
        shown=seat.shown,
    )


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
