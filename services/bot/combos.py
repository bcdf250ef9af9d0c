"""The 1,326 two-card combinations and their 169 types.

A combo is known by its index in `COMBOS`. A type is ``13 * row + column`` of the usual
chart: pairs on the diagonal, suited hands with the higher rank as the row, offsuit hands
with the lower rank as the row.
"""

from collections.abc import Sequence
from typing import Final

from poker.cards import DECK_SIZE, RANKS

TYPE_COUNT: Final = 169

Weights = list[float]
"""One non-negative weight a combo, in the order of `COMBOS`."""


def type_of(first: int, second: int) -> int:
    """Return the type (0..168) of two cards."""
    low, high = sorted((first >> 2, second >> 2))
    suited = first & 3 == second & 3
    return 13 * high + low if suited else 13 * low + high


def type_name(kind: int) -> str:
    """Write a type as ``QQ``, ``AKs`` or ``72o``."""
    row, column = divmod(kind, 13)
    if row == column:
        return RANKS[row] * 2
    return RANKS[max(row, column)] + RANKS[min(row, column)] + ("s" if row > column else "o")


COMBOS: Final[tuple[tuple[int, int], ...]] = tuple(
    (first, second) for second in range(DECK_SIZE) for first in range(second)
)
TYPE_OF_COMBO: Final[tuple[int, ...]] = tuple(type_of(*combo) for combo in COMBOS)
TYPE_NAMES: Final[tuple[str, ...]] = tuple(map(type_name, range(TYPE_COUNT)))
TYPE_SIZES: Final[tuple[int, ...]] = tuple(
    6 if row == column else 4 if row > column else 12 for row in range(13) for column in range(13)
)


def combo_index(first: int, second: int) -> int:
    """Return the index in `COMBOS` of two different cards, in either order."""
    low, high = sorted((first, second))
    return high * (high - 1) // 2 + low


def without_cards(weights: Sequence[float], dead: Sequence[int]) -> Weights:
    """Return the weights with every combo that holds a dead card at 0.

    When nothing is left, every combo that avoids the dead cards weighs the same: a range
    is never empty, however impossible the actions looked.
    """
    gone = frozenset(dead)
    live = [
        0.0 if first in gone or second in gone else weight
        for weight, (first, second) in zip(weights, COMBOS, strict=True)
    ]
    if sum(live) > 0.0:
        return live
    return [0.0 if first in gone or second in gone else 1.0 for first, second in COMBOS]


def by_type(weights: Sequence[float]) -> Weights:
    """Sum combo weights by type, 169 values."""
    totals = [0.0] * TYPE_COUNT
    for weight, kind in zip(weights, TYPE_OF_COMBO, strict=True):
        totals[kind] += weight
    return totals
