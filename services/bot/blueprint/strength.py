"""Strength of seven cards, for compiled loops.

A hand is one integer, larger is better, equal is a tie: the category in the high bits, then
two fields of 13 rank bits, the ranks that make the category and the kickers. Within one
category both fields always have the same number of bits, so comparing integers compares the
highest ranks first (the rules of `poker.hands`, five best of seven).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.jit import compiled

_CATEGORY: Final = 26
_MAJOR: Final = 13
_TRIPS: Final = 3
_STRAIGHT: Final = 4
_FLUSH: Final = 5
_FULL_HOUSE: Final = 6
_QUADS: Final = 7
_STRAIGHT_FLUSH: Final = 8
_WHEEL: Final = 0b1_0000_0000_1111


@compiled
def _top(mask: int, count: int) -> int:
    """Keep the `count` highest bits of a mask."""
    kept = 0
    for rank in range(12, -1, -1):
        bit = 1 << rank
        if count > 0 and mask & bit:
            kept |= bit
            count -= 1
    return kept


@compiled
def _straight_top(mask: int) -> int:
    """Return 1 + the rank of the best straight's highest card (5 for the wheel), or 0."""
    run = mask & (mask << 1) & (mask << 2) & (mask << 3) & (mask << 4)
    for rank in range(12, 3, -1):
        if run & (1 << rank):
            return rank + 1
    return 4 if mask & _WHEEL == _WHEEL else 0


def _tables() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    tops = np.zeros((6, 1 << 13), dtype=np.int32)
    straights = np.zeros(1 << 13, dtype=np.int32)
    for mask in range(1 << 13):
        straights[mask] = _straight_top(mask)
        for count in range(1, 6):
            tops[count, mask] = _top(mask, count)
    return tops, straights


TOPS, STRAIGHTS = _tables()
"""The highest 0..5 bits of a rank mask, and the height of the straight in it."""


@compiled
def without_flush(once: int, twice: int, thrice: int, four: int) -> int:  # noqa: PLR0911
    """Return the strength of a hand of seven from the ranks held at least 1..4 times."""
    if four:
        return int((_QUADS << _CATEGORY) | (four << _MAJOR) | TOPS[1, once & ~four])
    if thrice:
        best = TOPS[1, thrice]
        rest = TOPS[1, twice & ~best]
        if rest:
            return int((_FULL_HOUSE << _CATEGORY) | (best << _MAJOR) | rest)
    if STRAIGHTS[once]:
        return int((_STRAIGHT << _CATEGORY) | STRAIGHTS[once])
    if thrice:
        return int((_TRIPS << _CATEGORY) | (thrice << _MAJOR) | TOPS[2, once & ~thrice])
    if twice:
        pairs = TOPS[2, twice]
        if pairs & (pairs - 1):
            return int((2 << _CATEGORY) | (pairs << _MAJOR) | TOPS[1, once & ~pairs])
        return int((1 << _CATEGORY) | (pairs << _MAJOR) | TOPS[3, once & ~pairs])
    return int(TOPS[5, once])


@compiled
def flush(mask: int) -> int:
    """Return the strength of five or more cards of one suit, from their ranks."""
    if STRAIGHTS[mask]:
        return int((_STRAIGHT_FLUSH << _CATEGORY) | STRAIGHTS[mask])
    return int((_FLUSH << _CATEGORY) | TOPS[5, mask])


@compiled
def seven(cards: NDArray[np.int64]) -> int:
    """Return the strength of seven different cards 0..51."""
    once = twice = thrice = four = 0
    suits = 0
    for index in range(7):
        bit = 1 << (cards[index] >> 2)
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
        suits += 1 << (4 * (cards[index] & 3))
    for suit in range(4):
        if (suits >> (4 * suit)) & 15 >= 5:
            mask = 0
            for index in range(7):
                if cards[index] & 3 == suit:
                    mask |= 1 << (cards[index] >> 2)
            return flush(mask)
    return without_flush(once, twice, thrice, four)
