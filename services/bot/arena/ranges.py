"""All hands of one player against a range of the other: weights over the 1,326 combos.

Every sum leaves out the pairs of hands that share a card.
"""

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.cards import DECK_SIZE
from services.bot.combos import COMBOS
from services.bot.jit import kernel
from services.bot.strength import strengths

Weights = NDArray[np.float64]
Mask = NDArray[np.bool_]

_BOARD: Final = 5
_SAMPLE: Final = 100
_CARDS: Final = np.array(COMBOS, np.int64)


def live(dead: Sequence[int]) -> Mask:
    """Return which combos hold no dead card."""
    found: Mask = np.logical_not(np.isin(_CARDS, np.array(dead, np.int64)).any(axis=1))
    return found


def met(weights: Weights) -> Weights:
    """Return for each hand the weight of the hands that can be held beside it."""
    by_card = np.zeros(DECK_SIZE)
    np.add.at(by_card, _CARDS[:, 0], weights)
    np.add.at(by_card, _CARDS[:, 1], weights)
    # A hand itself is taken away with either of its cards.
    found: Weights = weights.sum() - by_card[_CARDS].sum(axis=1) + weights
    return np.maximum(found, 0.0)


def won(weights: Weights, board: Sequence[int], *, exact: bool = True) -> Weights:
    """Return for each hand the weight it beats when all cards are shown, ties counting half.

    ``board`` has 3 to 5 cards; with cards to come it is the mean over those that can come, or
    over `_SAMPLE` of them, chosen by the board alone, where they need not be exact. Hands that
    the board blocks win nothing.
    """
    values, orders = _runouts(tuple(sorted(board)), exact=exact)
    total = np.zeros(len(COMBOS))
    add_won(values, orders, weights, total)
    # What can come is not in either of the two hands.
    to_come = _BOARD - len(board)
    possible = comb(DECK_SIZE - len(board) - 4, to_come) / comb(DECK_SIZE - len(board), to_come)
    return total / (len(values) * possible)


@lru_cache(maxsize=8)
def _runouts(board: tuple[int, ...], *, exact: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all combos' strengths on full boards, -1 if blocked, and their order."""
    unseen = [card for card in range(DECK_SIZE) if card not in board]
    rests = list(combinations(unseen, _BOARD - len(board)))
    if not exact and len(rests) > _SAMPLE:
        rests = random.Random(str(board)).sample(rests, _SAMPLE)  # noqa: S311 - reproducible
    values = strengths(np.array([board + rest for rest in rests], np.int64))
    return values, np.argsort(values, axis=1, kind="stable")


@kernel
def add_won(
    values: NDArray[np.int64], orders: NDArray[np.int64], weights: Weights, total: Weights
) -> None:
    """Add what each hand beats on each full board; ties count half."""
    below = np.zeros(52)
    level = np.zeros(52)
    for row in range(len(values)):
        below[:] = 0.0
        below_all = 0.0
        start = 0
        while start < 1326:
            value = values[row, orders[row, start]]
            end = start
            level[:] = 0.0
            level_all = 0.0
            while end < 1326 and values[row, orders[row, end]] == value:
                combo = orders[row, end]
                level[_CARDS[combo, 0]] += weights[combo]
                level[_CARDS[combo, 1]] += weights[combo]
                level_all += weights[combo]
                end += 1
            if value >= 0:
                for place in range(start, end):
                    combo = orders[row, place]
                    one, two = _CARDS[combo, 0], _CARDS[combo, 1]
                    beaten = below_all - below[one] - below[two]
                    tied = level_all - level[one] - level[two] + weights[combo]
                    total[combo] += beaten + 0.5 * tied
                below += level
                below_all += level_all
            start = end
