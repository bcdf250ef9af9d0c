"""Is a shuffle fair? The chi-square test of card by position."""

import math
from collections.abc import Iterable

from poker.cards import DECK_SIZE, Card

DEGREES = (DECK_SIZE - 1) ** 2
# Outside these bounds a fair shuffle falls once in a thousand times, each side counted half.
_SPREAD = 3.29 * math.sqrt(2 * DEGREES)
FAIR = (DEGREES - _SPREAD, DEGREES + _SPREAD)


def chi_square(decks: Iterable[tuple[Card, ...]]) -> float:
    """Return the statistic of how often each card came at each position.

    Each deck has every card and every position once, which makes the counts of one table
    depend on each other: scaled by 51/52 the sum has 51 * 51 degrees of freedom.
    """
    counts = [[0] * DECK_SIZE for _ in range(DECK_SIZE)]
    total = 0
    for deck in decks:
        total += 1
        for position, card in enumerate(deck):
            counts[position][card] += 1
    expected = total / DECK_SIZE
    squares = sum((count - expected) ** 2 for row in counts for count in row)
    return squares / expected * (DECK_SIZE - 1) / DECK_SIZE
