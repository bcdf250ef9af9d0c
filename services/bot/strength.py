"""The strength of every combo on a board, the same ints as `poker.ranking.rank`, compiled."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.jit import kernel, part

_MASKS: Final = 1 << 13


def _tops() -> NDArray[np.int64]:
    """Return the five highest ranks of every mask of ranks as hex digits, highest first."""
    tops = np.zeros(_MASKS, np.int64)
    for mask in range(1, _MASKS):
        high = mask.bit_length() - 1
        tops[mask] = high << 16 | int(tops[mask ^ 1 << high]) >> 4
    return tops


def _straight_tops() -> NDArray[np.int64]:
    """Return the ranks of the best straight in every mask as hex digits, 0 for none."""
    found = np.zeros(_MASKS, np.int64)
    masks = np.arange(_MASKS)
    for top in range(3, 13):
        ranks = [(top - down) % 13 for down in range(5)]
        needed = sum(1 << at for at in ranks)
        digits = sum(at << 4 * (4 - place) for place, at in enumerate(ranks))
        found[masks & needed == needed] = digits
    return found


_TOPS: Final = _tops()
_STRAIGHTS: Final = _straight_tops()
_COUNTS: Final = np.array([mask.bit_count() for mask in range(_MASKS)])
_FLUSH_COUNT: Final = 5


@part
def _best(ranks: int, count: int) -> int:
    """Return the `count` highest ranks of a mask as hex digits."""
    return int(_TOPS[ranks]) >> 4 * (5 - count)


@part
def _paired(ranks: int, twice: int, thrice: int, four: int) -> int:
    """Return the strength of seven cards without straight and flush.

    `twice`, `thrice` and `four` are the masks of ranks that occur at least so often.
    """
    if four:
        quad = _best(four, 1)
        return 7 << 20 | quad * 0x11110 | _best(ranks ^ 1 << quad, 1)
    if thrice:
        trips = _best(thrice, 1)
        pairs = twice & ~(1 << trips)
        if pairs:
            return 6 << 20 | trips * 0x11100 | _best(pairs, 1) * 0x11
        return 3 << 20 | trips * 0x11100 | _best(ranks ^ 1 << trips, 2)
    if not twice:
        return _best(ranks, 5)
    high = _best(twice, 1)
    pairs = twice ^ 1 << high
    if not pairs:
        return 1 << 20 | high * 0x11000 | _best(ranks ^ 1 << high, 3)
    low = _best(pairs, 1)
    return 2 << 20 | high * 0x11000 | low * 0x110 | _best(ranks ^ 1 << high ^ 1 << low, 1)


@part
def flush(suited: int) -> int:
    """Return the strength of five or more cards of one suit, from the mask of their ranks."""
    run = int(_STRAIGHTS[suited])
    return 8 << 20 | run if run else 5 << 20 | _best(suited, 5)


@part
def without_flush(ranks: int, twice: int, thrice: int, four: int) -> int:
    """Return the strength of seven cards without a flush, from the masks of their ranks.

    `twice`, `thrice` and `four` are the ranks that occur at least so often.
    """
    run = int(_STRAIGHTS[ranks])
    paired = _paired(ranks, twice, thrice, four)
    return max(paired, 4 << 20 | run) if run else paired


@part
def strength(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    """Return the strength of seven cards given as one mask of ranks a suit."""
    for suit in (clubs, diamonds, hearts, spades):
        if _COUNTS[suit] >= _FLUSH_COUNT:
            return flush(suit)
    pair = clubs & diamonds
    either = clubs | diamonds
    some_pair = pair | either & hearts
    twice = some_pair | (either | hearts) & spades
    thrice = pair & hearts | some_pair & spades
    four = pair & hearts & spades
    return without_flush(either | hearts | spades, twice, thrice, four)


@kernel
def seven(cards: NDArray[np.int64]) -> int:
    """Return the strength of seven different cards 0..51."""
    held = 0
    for card in cards:
        held |= 1 << (16 * (card & 3) + (card >> 2))
    low = _MASKS - 1
    return strength(held & low, held >> 16 & low, held >> 32 & low, held >> 48 & low)


def strengths(boards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the strength of all 1,326 combos on boards of five cards, shape (boards, 1326).

    A combo that shares a card with the board gets -1.
    """
    found = np.full((len(boards), 1326), -1, np.int64)
    _fill(boards, np.zeros(4, np.int64), found)
    return found


@kernel
def _fill(boards: NDArray[np.int64], masks: NDArray[np.int64], found: NDArray[np.int64]) -> None:
    """Write the strengths; `masks` is room for the ranks by suit."""
    for index in range(len(boards)):
        taken = 0
        for suit in range(4):
            masks[suit] = 0
        for card in boards[index]:
            taken |= 1 << card
            masks[card & 3] |= 1 << (card >> 2)
        combo = -1
        for second in range(52):
            for first in range(second):
                combo += 1
                if (taken >> first | taken >> second) & 1:
                    continue
                masks[first & 3] ^= 1 << (first >> 2)
                masks[second & 3] ^= 1 << (second >> 2)
                found[index, combo] = strength(masks[0], masks[1], masks[2], masks[3])
                masks[first & 3] ^= 1 << (first >> 2)
                masks[second & 3] ^= 1 << (second >> 2)
