"""``ActRequest`` from its bytes, in the shape in which protobuf libraries write it.

Reaching into a message costs Python more than the whole rest of an `Act`. So the usual shape
is read from the wire: every field once, in ascending order, nothing unknown, all values in
bounds. `read_act` answers None to anything else, good or bad: the generated classes and the
codec then say what it is or why it is refused. The contract stays theirs, numbers of fields
included.
"""

from functools import lru_cache
from typing import Final

from google.protobuf.message import DecodeError, Message

from poker.actions import Action, ActionKind
from poker.cards import DECK
from poker.errors import MalformedError
from poker.setup import HandRules, HandSetup, SeatStack
from proto.engine.v1 import engine_pb2
from proto.poker.v1 import poker_pb2
from services.common.codec import ACTIONS_MAX, CHIPS_MAX, decode_rules, encode_action
from services.common.codec.fields import SEAT_MAX

Act = tuple[HandSetup, tuple[Action, ...], Action]

_NUMBER: Final = 0
_BYTES: Final = 2
_VARINT_BYTES_MAX: Final = 10


class _UnusualError(Exception):
    """The bytes are not in the usual shape."""


def read_act(data: bytes) -> Act | None:
    """Return the hand (setup, actions) and the action of a request; None if not so simple."""
    try:
        return _read_act(data)
    except (_UnusualError, IndexError, UnicodeDecodeError, DecodeError, MalformedError):
        return None


def _read_act(data: bytes) -> Act:
    _expect(data, 0, _ACT_HAND)
    at, hand_end = _part(data, 1)
    _expect(data, at, _HAND_SETUP)
    _expect(data, hand_end, _ACT_ACTION)
    at, setup_end = _part(data, at + 1)
    setup = _read_setup(data, at, setup_end)
    actions = _read_actions(data, setup_end, hand_end)
    start = hand_end + 2
    end = start + data[hand_end + 1]
    if end != len(data):
        raise _UnusualError
    return setup, actions, _read_action(data, start, end)


def _expect(data: bytes, at: int, tag: int) -> None:
    if data[at] != tag:
        raise _UnusualError


def _part(data: bytes, at: int) -> tuple[int, int]:
    """Return where a part begins and ends whose length is at ``at``, if below 16 KiB."""
    size = data[at]
    if size < 128:
        return at + 1, at + 1 + size
    high = data[at + 1]
    if high >= 128:
        raise _UnusualError
    return at + 2, at + 2 + (size & 127 | high << 7)


def _read_setup(data: bytes, at: int, end: int) -> HandSetup:
    """Read a setup that fills exactly these bytes. Its texts are shorter than 128 bytes."""
    _expect(data, at, _SETUP_HAND_ID)
    start, stop = at + 2, at + 2 + data[at + 1]
    if not 0 < stop - start < 128:
        raise _UnusualError
    hand_id = data[start:stop].decode()
    _expect(data, stop, _SETUP_RULES)
    start, stop = stop + 2, stop + 2 + data[stop + 1]
    if stop - start >= 128:
        raise _UnusualError
    rules = _rules(data[start:stop])
    seats = []
    while data[stop] == _SETUP_SEATS:
        start, stop = stop + 2, stop + 2 + data[stop + 1]
        seats.append(_read_stack(data, start, stop))
    _expect(data, stop, _SETUP_BUTTON)
    button = data[stop + 1]
    _expect(data, stop + 2, _SETUP_DECK)
    start = stop + 4
    if not 1 <= button <= SEAT_MAX or start + data[stop + 3] != end or end - start > len(DECK):
        raise _UnusualError
    cards = DECK
    deck = tuple([cards[index] for index in data[start:end]])
    return HandSetup(hand_id, rules, tuple(seats), button, deck)


# A platform plays few sets of options, again and again.
@lru_cache(maxsize=256)
def _rules(data: bytes) -> HandRules:
    return decode_rules(poker_pb2.HandRules.FromString(data))


def _read_stack(data: bytes, start: int, end: int) -> SeatStack:
    _expect(data, start, _STACK_SEAT)
    seat = data[start + 1]
    _expect(data, start + 2, _STACK_CHIPS)
    if not 1 <= seat <= SEAT_MAX:
        raise _UnusualError
    return SeatStack(seat, _read_chips(data, start + 3, end))


def _read_actions(data: bytes, at: int, end: int) -> tuple[Action, ...]:
    actions = []
    while at < end:
        _expect(data, at, _HAND_ACTIONS)
        start, at = at + 2, at + 2 + data[at + 1]
        actions.append(_read_action(data, start, at))
    if at != end or len(actions) > ACTIONS_MAX:
        raise _UnusualError
    return tuple(actions)


def _read_action(data: bytes, start: int, end: int) -> Action:
    plain = _PLAIN.get(data[start:end])
    if plain is not None:
        return plain
    head = _SIZED.get(data[start : start + _HEAD_BYTES])
    if head is None:
        raise _UnusualError
    return Action(head[0], head[1], _read_chips(data, start + _HEAD_BYTES, end))


def _read_chips(data: bytes, at: int, end: int) -> int:
    """Return the number, 1..10^12, that fills exactly these bytes."""
    if not 0 < end - at <= _VARINT_BYTES_MAX:
        raise _UnusualError
    last, chips, shift = end - 1, 0, 0
    while at < last:
        byte = data[at]
        if byte < 128:
            raise _UnusualError
        chips |= (byte & 127) << shift
        shift += 7
        at += 1
    chips |= data[last] << shift
    if data[last] >= 128 or not 1 <= chips <= CHIPS_MAX:
        raise _UnusualError
    return chips


def _tag(message: type[Message], name: str, kind: int) -> int:
    """Return the byte that announces a field."""
    number = message.DESCRIPTOR.fields_by_name[name].number
    if number > 15:
        raise ValueError(f"{name} takes two bytes to announce")
    return number << 3 | kind


_ACT_HAND: Final = _tag(engine_pb2.ActRequest, "hand", _BYTES)
_ACT_ACTION: Final = _tag(engine_pb2.ActRequest, "action", _BYTES)
_HAND_SETUP: Final = _tag(poker_pb2.Hand, "setup", _BYTES)
_HAND_ACTIONS: Final = _tag(poker_pb2.Hand, "actions", _BYTES)
_SETUP_HAND_ID: Final = _tag(poker_pb2.HandSetup, "hand_id", _BYTES)
_SETUP_RULES: Final = _tag(poker_pb2.HandSetup, "rules", _BYTES)
_SETUP_SEATS: Final = _tag(poker_pb2.HandSetup, "seats", _BYTES)
_SETUP_BUTTON: Final = _tag(poker_pb2.HandSetup, "button", _NUMBER)
_SETUP_DECK: Final = _tag(poker_pb2.HandSetup, "deck", _BYTES)
_STACK_SEAT: Final = _tag(poker_pb2.SeatStack, "seat", _NUMBER)
_STACK_CHIPS: Final = _tag(poker_pb2.SeatStack, "stack_chips", _NUMBER)

_AMOUNT_KINDS: Final = (ActionKind.BET, ActionKind.RAISE)
# Actions without an amount are few: each has its bytes. Of the others this is all but the amount.
_PLAIN: Final = {
    encode_action(action).SerializeToString(): action
    for seat in range(1, SEAT_MAX + 1)
    for action in [Action(seat, kind) for kind in ActionKind if kind not in _AMOUNT_KINDS]
}
_SIZED: Final = {
    encode_action(Action(seat, kind, 1)).SerializeToString()[:-1]: (seat, kind)
    for seat in range(1, SEAT_MAX + 1)
    for kind in _AMOUNT_KINDS
}
_HEAD_BYTES: Final = len(next(iter(_SIZED)))
