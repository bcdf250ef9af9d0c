"""Sixteen 32-bit floats as one value in compiled code.

The reach vectors of sixteen ends of a tree are laid side by side ("lanes"), so that one walk
over the combos serves all of them. numba has no words for this; the instructions are written
here. They check no bounds. Processors with narrower registers take several for a value.
"""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir  # type: ignore[import-untyped]  # it has no types
from numba.core import types
from numba.extending import intrinsic, models, register_model

LANES: Final = 16

Raw = Any
"""What numba and llvmlite, which have no types, hand to the writer of an instruction."""

_FLOAT: Final = ir.FloatType()
_WORD: Final = ir.IntType(64)
_VECTOR: Final = ir.VectorType(_FLOAT, LANES)


def instruction(function: Callable[..., Raw]) -> Raw:
    """Make a function, given numba types, the writer of an instruction for compiled code."""
    return intrinsic(function)


class Lanes(types.Type):
    """The numba type of a value of sixteen lanes."""


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Raw, kind: Raw) -> None:
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]  # half typed


_lanes: Final[Raw] = Lanes("Lanes")


def _place(context: Raw, builder: Raw, kind: Raw, array: Raw, index: Raw) -> Raw:
    """Return the address of an item of an array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(data, [index], source_etype=_FLOAT)


def _read(builder: Raw, place: Raw) -> Raw:
    vector = builder.bitcast(place, ir.PointerType(_VECTOR))
    return builder.load(vector, align=4, typ=_VECTOR)


def _write(builder: Raw, value: Raw, place: Raw) -> None:
    builder.store(value, builder.bitcast(place, ir.PointerType(_VECTOR)), align=4)


@instruction
def load(_typing: Raw, array: Raw, at: Raw) -> Raw:
    """Return the items of a contiguous array from `at` on."""

    def write(context: Raw, builder: Raw, signature: Raw, args: Raw) -> Raw:
        return _read(builder, _place(context, builder, signature.args[0], args[0], args[1]))

    return _lanes(array, types.int64), write


@instruction
def store(_typing: Raw, array: Raw, at: Raw, value: Raw) -> Raw:
    """Set the items of a contiguous array from `at` on."""

    def write(context: Raw, builder: Raw, signature: Raw, args: Raw) -> Raw:
        place = _place(context, builder, signature.args[0], args[0], args[1])
        _write(builder, args[2], place)
        return context.get_dummy_value()

    return types.void(array, types.int64, _lanes), write


def _binary(instruction: Callable[[Raw, Raw, Raw], Raw]) -> Raw:
    def write(_context: Raw, builder: Raw, _signature: Raw, args: Raw) -> Raw:
        return instruction(builder, args[0], args[1])

    return _lanes(_lanes, _lanes), write


@instruction
def plus(_typing: Raw, one: Raw, other: Raw) -> Raw:
    """Return the sums of two values, lane by lane."""
    return _binary(lambda builder, left, right: builder.fadd(left, right))


@instruction
def minus(_typing: Raw, one: Raw, other: Raw) -> Raw:
    """Return the differences of two values, lane by lane."""
    return _binary(lambda builder, left, right: builder.fsub(left, right))


@instruction
def nothing(_typing: Raw) -> Raw:
    """Return zeros."""

    def write(_context: Raw, _builder: Raw, _signature: Raw, _args: Raw) -> Raw:
        return ir.Constant(_VECTOR, [0.0] * LANES)

    return _lanes(), write


def _transposed(builder: Raw, rows: list[Raw]) -> list[Raw]:
    """Return the columns of sixteen rows of sixteen.

    In each of four rounds the rows whose numbers differ in one bit trade the items whose
    places differ in the same bit.
    """
    bit = 1
    while bit < LANES:
        low = [at if not at & bit else at - bit + LANES for at in range(LANES)]
        high = [at + bit if not at & bit else at + LANES for at in range(LANES)]
        masks = [ir.Constant(ir.VectorType(ir.IntType(32), LANES), list(m)) for m in (low, high)]
        for at in range(LANES):
            if not at & bit:
                pair = rows[at], rows[at | bit]
                rows[at] = builder.shuffle_vector(*pair, masks[0])
                rows[at | bit] = builder.shuffle_vector(*pair, masks[1])
        bit *= 2
    return rows


def _rows(context: Raw, builder: Raw, signature: Raw, args: Raw) -> list[Raw]:
    """Return the addresses of item `at` of sixteen rows: args are rows, offsets and `at`."""
    places = []
    base = context.make_array(signature.args[1])(context, builder, args[1]).data
    for lane in range(LANES):
        entry = builder.gep(base, [ir.Constant(_WORD, lane)], source_etype=_WORD)
        index = builder.add(builder.load(entry, typ=_WORD), args[2])
        places.append(_place(context, builder, signature.args[0], args[0], index))
    return places


def _items(context: Raw, builder: Raw, signature: Raw, args: Raw) -> list[Raw]:
    """Return the addresses of the values of items `at`.. : args[3] holds them, `at` is args[2]."""
    start = builder.mul(args[2], ir.Constant(_WORD, LANES))
    return [
        _place(
            context,
            builder,
            signature.args[3],
            args[3],
            builder.add(start, ir.Constant(_WORD, LANES * item)),
        )
        for item in range(LANES)
    ]


@instruction
def gather(_typing: Raw, rows: Raw, offsets: Raw, at: Raw, lanes: Raw) -> Raw:
    """Lay sixteen rows side by side: item k of value `at` + i becomes item `at` + i of row k."""

    def write(context: Raw, builder: Raw, signature: Raw, args: Raw) -> Raw:
        found = [_read(builder, place) for place in _rows(context, builder, signature, args)]
        columns = _transposed(builder, found)
        for value, place in zip(columns, _items(context, builder, signature, args), strict=True):
            _write(builder, value, place)
        return context.get_dummy_value()

    return types.void(rows, offsets, types.int64, lanes), write


@instruction
def scatter(_typing: Raw, rows: Raw, offsets: Raw, at: Raw, lanes: Raw, scale: Raw) -> Raw:
    """Undo `gather`, each row times its lane of `scale`."""

    def write(context: Raw, builder: Raw, signature: Raw, args: Raw) -> Raw:
        values = [
            builder.fmul(_read(builder, place), args[4])
            for place in _items(context, builder, signature, args)
        ]
        columns = _transposed(builder, values)
        for value, place in zip(columns, _rows(context, builder, signature, args), strict=True):
            _write(builder, value, place)
        return context.get_dummy_value()

    return types.void(rows, offsets, types.int64, lanes, _lanes), write
