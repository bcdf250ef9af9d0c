"""Strength of seven cards, for compiled loops.

A hand is one integer, larger is better, equal is a tie: the category in the high bits, then
two fields of 13 rank bits, the ranks that make the category and the kickers. Within one
category both fields always have the same number of bits, so comparing integers compares the
highest ranks first (the rules of `poker.hands`, five best of seven).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.jit import compiled, part

_CATEGORY: Final = 26
_MAJOR: Final = 13
_PAIR: Final = 1
_TWO_PAIR: Final = 2
_TRIPS: Final = 3
_STRAIGHT: Final = 4
_FLUSH: Final = 5
_FULL_HOUSE: Final = 6
_QUADS: Final = 7
_STRAIGHT_FLUSH: Final = 8
_WHEEL: Final = 0b1_0000_0000_1111
_FIVE_HIGH: Final = 0b1000


@part
def _top(mask: int, count: int) -> int:
    """Keep the `count` highest of the bits of a mask."""
    bits = 0
    rest = mask
    while rest:
        rest &= rest - 1
        bits += 1
    while bits > count:
        mask &= mask - 1
        bits -= 1
    return mask


@part
def _straight(mask: int) -> int:
    """Return the highest rank of the best straight as a bit, 0 if there is none."""
    tops = mask & (mask << 1) & (mask << 2) & (mask << 3) & (mask << 4)
    if tops:
        return _top(tops, 1)
    return _FIVE_HIGH if mask & _WHEEL == _WHEEL else 0


@part
def without_flush(once: int, twice: int, thrice: int, four: int) -> int:
    """Return the strength of a hand of seven from the ranks held at least 1..4 times."""
    if four:
        return (_QUADS << _CATEGORY) | (four << _MAJOR) | _top(once & ~four, 1)
    trips = _top(thrice, 1)
    if trips and twice & ~trips:
        return (_FULL_HOUSE << _CATEGORY) | (trips << _MAJOR) | _top(twice & ~trips, 1)
    straight = _straight(once)
    if straight:
        return (_STRAIGHT << _CATEGORY) | straight
    if trips:
        return (_TRIPS << _CATEGORY) | (trips << _MAJOR) | _top(once & ~trips, 2)
    if not twice:
        return _top(once, 5)
    pairs = _top(twice, 2)
    category, kickers = (_TWO_PAIR, 1) if pairs & (pairs - 1) else (_PAIR, 3)
    return (category << _CATEGORY) | (pairs << _MAJOR) | _top(once & ~pairs, kickers)


@part
def flush(mask: int) -> int:
    """Return the strength of five or more cards of one suit, from their ranks."""
    straight = _straight(mask)
    if straight:
        return (_STRAIGHT_FLUSH << _CATEGORY) | straight
    return (_FLUSH << _CATEGORY) | _top(mask, 5)


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
