"""Compiling with numba, and the vector instructions that numba has no words for.

Reach vectors of eight terminals at a time are laid side by side ("lanes"), so that one walk
over the combos serves all eight. The intrinsics here add and transpose such groups of eight
32-bit floats; they check no bounds.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])

Ints = NDArray[np.int32]
Matrix = NDArray[np.float32]

LANES: Final = 8
_FLOAT: Final = ir.FloatType()
_EIGHT: Final = ir.VectorType(_FLOAT, LANES)


_OPTIONS: Final = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}


def kernel(function: Function) -> Function:
    """Compile a function of arrays to be called from Python; the code is kept on disk."""
    return cast(Function, numba.njit(cache=True, **_OPTIONS)(function))


def part(function: Function) -> Function:
    """Compile a function that only kernels call."""
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(Function, numba.njit(**bare, **_OPTIONS)(function))


def vector_intrinsic(function: Callable[..., Any]) -> Any:
    """Mark a function as writer of machine instructions."""
    return intrinsic(function)


def _at(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Return the address of eight floats from an index on."""
    data = context.make_array(kind)(context, builder, array).data
    place = builder.gep(data, [index], source_etype=_FLOAT)
    return builder.bitcast(place, ir.PointerType(_EIGHT))


def _load(builder: Any, place: Any) -> Any:
    return builder.load(place, align=4, typ=_EIGHT)


def _mask(*lanes: int) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), LANES), list(lanes))


_LOW: Final = _mask(0, 8, 1, 9, 4, 12, 5, 13)
_HIGH: Final = _mask(2, 10, 3, 11, 6, 14, 7, 15)
_PAIRS_LOW: Final = _mask(0, 1, 8, 9, 4, 5, 12, 13)
_PAIRS_HIGH: Final = _mask(2, 3, 10, 11, 6, 7, 14, 15)
_HALVES_LOW: Final = _mask(0, 1, 2, 3, 8, 9, 10, 11)
_HALVES_HIGH: Final = _mask(4, 5, 6, 7, 12, 13, 14, 15)


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of eight rows of eight, by shuffles that stay in half registers."""
    mixed = []
    for at in range(0, LANES, 2):
        for mask in (_LOW, _HIGH):
            mixed.append(builder.shuffle_vector(rows[at], rows[at + 1], mask))
    fours = []
    for base in (0, 4):
        for at in (0, 1):
            for mask in (_PAIRS_LOW, _PAIRS_HIGH):
                pair = mixed[base + at], mixed[base + at + 2]
                fours.append(builder.shuffle_vector(*pair, mask))
    return [
        builder.shuffle_vector(fours[at], fours[at + 4], mask)
        for mask in (_HALVES_LOW, _HALVES_HIGH)
        for at in range(4)
    ]


def _row_places(context: Any, builder: Any, kinds: Any, rows: Any, offsets: Any, at: Any) -> Any:
    """Return the addresses of item `at` of eight rows that begin at the given offsets."""
    base = context.make_array(kinds[1])(context, builder, offsets).data
    places = []
    for lane in range(LANES):
        slot = builder.gep(base, [ir.Constant(ir.IntType(64), lane)], source_etype=ir.IntType(64))
        offset = builder.load(slot, typ=ir.IntType(64))
        places.append(_at(context, builder, kinds[0], rows, builder.add(offset, at)))
    return places


@vector_intrinsic
def gather_lanes(_typing: Any, rows: Any, offsets: Any, at: Any, lanes: Any) -> Any:
    """Lay items `at`..`at`+7 of eight rows side by side: lanes[8 * (at + i) + k] = row k, i."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        places = _row_places(context, builder, kinds, args[0], args[1], args[2])
        columns = _transposed(builder, [_load(builder, place) for place in places])
        start = builder.mul(args[2], ir.Constant(ir.IntType(64), LANES))
        for item, column in enumerate(columns):
            index = builder.add(start, ir.Constant(ir.IntType(64), LANES * item))
            builder.store(column, _at(context, builder, kinds[3], args[3], index), align=4)
        return context.get_dummy_value()

    return types.void(rows, offsets, types.int64, lanes), write


@vector_intrinsic
def scatter_lanes(_typing: Any, lanes: Any, at: Any, scale: Any, rows: Any, offsets: Any) -> Any:
    """Undo `gather_lanes`, each lane times its scale."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        zero = ir.Constant(ir.IntType(64), 0)
        factor = _load(builder, _at(context, builder, kinds[2], args[2], zero))
        start = builder.mul(args[1], ir.Constant(ir.IntType(64), LANES))
        items = []
        for item in range(LANES):
            index = builder.add(start, ir.Constant(ir.IntType(64), LANES * item))
            value = _load(builder, _at(context, builder, kinds[0], args[0], index))
            items.append(builder.fmul(value, factor))
        places = _row_places(context, builder, (kinds[3], kinds[4]), args[3], args[4], args[1])
        for column, place in zip(_transposed(builder, items), places, strict=True):
            builder.store(column, place, align=4)
        return context.get_dummy_value()

    return types.void(lanes, types.int64, scale, rows, offsets), write


@vector_intrinsic
def add_lanes(_typing: Any, sums: Any, to: Any, terms: Any, at: Any) -> Any:
    """Add eight terms from item `at` on to eight sums from item `to` on."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        place = _at(context, builder, kinds[0], args[0], args[1])
        more = _load(builder, _at(context, builder, kinds[2], args[2], args[3]))
        builder.store(builder.fadd(_load(builder, place), more), place, align=4)
        return context.get_dummy_value()

    return types.void(sums, types.int64, terms, types.int64), write


@vector_intrinsic
def set_unblocked(  # noqa: PLR0917 - an intrinsic takes its operands one by one
    _typing: Any, out: Any, to: Any, terms: Any, at: Any, sums: Any, first: Any, second: Any
) -> Any:
    """Set eight items of `out` to the terms plus the sum of all cards less those of two.

    `sums` holds eight sums for each of 52 cards and then those over all combos.
    """

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        whole = ir.Constant(ir.IntType(64), LANES * 52)
        total, one, other = (
            _load(builder, _at(context, builder, kinds[4], args[4], index))
            for index in (whole, args[5], args[6])
        )
        term = _load(builder, _at(context, builder, kinds[2], args[2], args[3]))
        free = builder.fsub(builder.fadd(term, total), builder.fadd(one, other))
        builder.store(free, _at(context, builder, kinds[0], args[0], args[1]), align=4)
        return context.get_dummy_value()

    place = types.int64
    return types.void(out, place, terms, place, sums, place, place), write
