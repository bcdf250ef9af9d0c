"""``ActResponse`` to its bytes.

What nearly every answer holds is written to the wire as it is: an action, a turn, a street, the
pots, what may be done next. The generated classes write the rest. Either way the bytes are
those that the generated classes would write.
"""

from collections.abc import Iterable
from typing import Final

from google.protobuf.message import Message

from poker.actions import ActionKind, Legal, RaiseRange, Street
from poker.events import ActionTaken, Event, Pot, PotsUpdated, StreetDealt, TurnStarted
from proto.engine.v1 import engine_pb2
from proto.poker.v1 import poker_pb2
from services.common.codec import encode_event
from services.common.codec.fields import KINDS, SEAT_MAX, STREETS


def write_act(events: Iterable[Event], legal: Legal | None) -> bytes:
    """Write what an action caused, and what may be done next."""
    parts = []
    for event in events:
        parts.append(_EVENT)
        parts.append(_with_length(_write_event(event)))
    if legal is not None:
        parts.append(_LEGAL)
        parts.append(_with_length(_write_legal(legal)))
    return b"".join(parts)


def _write_event(event: Event) -> bytes:
    if isinstance(event, ActionTaken):
        return _ACTION_TAKEN + _with_length(_write_action(event))
    if isinstance(event, TurnStarted):
        return _TURNS[event.seat]
    if isinstance(event, StreetDealt):
        cards = _with_length(bytes(event.cards))
        return _STREET_DEALT + _with_length(_STREETS[event.street] + cards)
    if isinstance(event, PotsUpdated):
        pots = b"".join([_POT + _with_length(_write_pot(pot)) for pot in event.pots])
        return _POTS_UPDATED + _with_length(pots)
    return encode_event(event).SerializeToString()


def _write_action(event: ActionTaken) -> bytes:
    data = _ACTIONS[event.seat, event.kind]
    if event.to_chips:
        data += _TO_CHIPS + _write_number(event.to_chips)
    if event.added_chips:
        data += _ADDED_CHIPS + _write_number(event.added_chips)
    return data + _ALL_IN if event.all_in else data


def _write_pot(pot: Pot) -> bytes:
    return _POT_CHIPS + _write_number(pot.chips) + _ELIGIBLE + _with_length(bytes(pot.eligible))


def _write_legal(legal: Legal) -> bytes:
    data = _LEGAL_SEATS[legal.seat, legal.can_fold, legal.can_check]
    if legal.to_call_chips:
        data += _TO_CALL + _write_number(legal.to_call_chips)
    if legal.call_all_in:
        data += _CALL_ALL_IN
    if legal.raises is not None:
        data += _RAISES + _with_length(_write_range(legal.raises))
    if legal.no_raise_reason is not None:
        data += _NO_RAISE + _with_length(legal.no_raise_reason.encode())
    return data


def _write_range(raises: RaiseRange) -> bytes:
    return (
        _RANGES[raises.kind]
        + _write_number(raises.min_to_chips)
        + _FULL_MIN
        + _write_number(raises.full_min_to_chips)
        + _MAX
        + _write_number(raises.max_to_chips)
    )


def _with_length(data: bytes) -> bytes:
    return _write_number(len(data)) + data


def _write_number(number: int) -> bytes:
    if number < 128:
        return _LAST[number]
    data = b""
    while number >= 128:
        data += _MORE[number & 127]
        number >>= 7
    return data + _LAST[number]


_LAST: Final = tuple([bytes([low]) for low in range(128)])
_MORE: Final = tuple([bytes([128 + low]) for low in range(128)])


def _tag(message: type[Message], name: str, *, is_number: bool = False) -> bytes:
    """Return the byte that announces a field."""
    return bytes([message.DESCRIPTOR.fields_by_name[name].number << 3 | (0 if is_number else 2)])


_EVENT: Final = _tag(engine_pb2.ActResponse, "events")
_LEGAL: Final = _tag(engine_pb2.ActResponse, "legal")
_ACTION_TAKEN: Final = _tag(engine_pb2.HandEvent, "action_taken")
_STREET_DEALT: Final = _tag(engine_pb2.HandEvent, "street_dealt")
_POTS_UPDATED: Final = _tag(engine_pb2.HandEvent, "pots_updated")
_TO_CHIPS: Final = _tag(poker_pb2.PublicAction, "to_chips", is_number=True)
_ADDED_CHIPS: Final = _tag(poker_pb2.PublicAction, "added_chips", is_number=True)
_ALL_IN: Final = poker_pb2.PublicAction(all_in=True).SerializeToString()
_POT: Final = _tag(engine_pb2.PotsUpdated, "pots")
_POT_CHIPS: Final = _tag(poker_pb2.Pot, "chips", is_number=True)
_ELIGIBLE: Final = _tag(poker_pb2.Pot, "eligible")
_TO_CALL: Final = _tag(poker_pb2.Legal, "to_call_chips", is_number=True)
_CALL_ALL_IN: Final = poker_pb2.Legal(call_all_in=True).SerializeToString()
_RAISES: Final = _tag(poker_pb2.Legal, "raises")
_NO_RAISE: Final = _tag(poker_pb2.Legal, "no_raise_reason")
_FULL_MIN: Final = _tag(poker_pb2.RaiseRange, "full_min_to_chips", is_number=True)
_MAX: Final = _tag(poker_pb2.RaiseRange, "max_to_chips", is_number=True)

# What there is little of is written beforehand.
_SEATS: Final = range(1, SEAT_MAX + 1)
_TURNS: Final = {seat: encode_event(TurnStarted(seat)).SerializeToString() for seat in _SEATS}
_ACTIONS: Final = {
    (seat, kind): poker_pb2.PublicAction(seat=seat, kind=KINDS[kind]).SerializeToString()
    for seat in _SEATS
    for kind in ActionKind
}
_STREETS: Final = {
    street: engine_pb2.StreetDealt(street=STREETS[street]).SerializeToString()
    + _tag(engine_pb2.StreetDealt, "cards")
    for street in Street
}
_LEGAL_SEATS: Final = {
    (seat, can_fold, can_check): poker_pb2.Legal(
        seat=seat, can_fold=can_fold, can_check=can_check
    ).SerializeToString()
    for seat in _SEATS
    for can_fold in (False, True)
    for can_check in (False, True)
}
_RANGES: Final = {
    kind: poker_pb2.RaiseRange(kind=KINDS[kind]).SerializeToString()
    + _tag(poker_pb2.RaiseRange, "min_to_chips", is_number=True)
    for kind in (ActionKind.BET, ActionKind.RAISE)
}
