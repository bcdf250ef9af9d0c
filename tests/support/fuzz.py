"""Requests that are nearly right: messages and bytes changed at random."""

from collections.abc import Sequence
from random import Random
from typing import cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_NUMBERS = (0, 1, -1, 2, 9, 10, 11, 51, 52, 255, 10**12, 10**12 + 1, 2**31 - 1)
_BYTES = (b"", b"\x00", b"\x34", b"\xff" * 52, bytes(52), bytes(range(52)), b"\x00" * 4096)


def mutated(message: Message, rng: Random, changes: int = 1) -> Message:
    """Return a copy with some fields, anywhere in it, set to something else or dropped."""
    twin = type(message).FromString(message.SerializeToString())
    for _ in range(changes):
        _change(twin, rng)
    return twin


def mutated_bytes(data: bytes, rng: Random) -> bytes:
    """Return bytes with a few of them flipped, cut out, doubled or thrown in."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(changed) + 1)
        length = rng.randint(1, 6)
        piece = rng.choice([b"", rng.randbytes(length), bytes(changed[at : at + 40])])
        changed[at : at + rng.choice([0, length])] = piece
    return bytes(changed)


def _change(message: Message, rng: Random) -> None:
    field = rng.choice(cast("Sequence[FieldDescriptor]", message.DESCRIPTOR.fields))
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        _change_message(message, field, rng)
    elif field.is_repeated:
        values = getattr(message, field.name)
        values.append(_scalar(field, rng))
    else:
        setattr(message, field.name, _scalar(field, rng))


def _change_message(message: Message, field: FieldDescriptor, rng: Random) -> None:
    """Change what a field holds, or drop, double, reorder or empty it."""
    value = getattr(message, field.name)
    if not field.is_repeated:
        if rng.random() < 0.1:
            message.ClearField(field.name)
        else:
            value.SetInParent()
            _change(value, rng)
        return
    whim = rng.random()
    if not value or whim < 0.1:
        value.add()
    elif whim < 0.2:
        del value[rng.randrange(len(value))]
    elif whim < 0.3:
        value.append(rng.choice(value))
    elif whim < 0.35:
        value.reverse()
    else:
        _change(rng.choice(value), rng)


def _scalar(field: FieldDescriptor, rng: Random) -> object:
    match field.type:
        case FieldDescriptor.TYPE_BOOL:
            return rng.random() < 0.5
        case FieldDescriptor.TYPE_STRING:
            return rng.choice(["", "x", "\x00", "é" * 200, "h" * 5000])
        case FieldDescriptor.TYPE_BYTES:
            return rng.choice([*_BYTES, rng.randbytes(rng.randint(1, 60))])
        case FieldDescriptor.TYPE_ENUM | FieldDescriptor.TYPE_INT32:
            return rng.choice([n for n in _NUMBERS if -(2**31) <= n < 2**31])
        case FieldDescriptor.TYPE_UINT64:
            return rng.choice([0, 1, 2**64 - 1])
        case FieldDescriptor.TYPE_INT64:
            return rng.choice([*_NUMBERS, -(2**63), 2**63 - 1])
    raise NotImplementedError(field.type)
