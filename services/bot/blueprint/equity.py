"""Equity of every combo on a board against a uniformly random hand, as exact integers.

On the river one number, in half wins out of 1,980 (990 opponents' hands, a tie is 1). Before
it the sum over all ordered run-outs, and the sum of squares: together the average final
equity and how far it spreads, which tells a draw from a made hand.
"""

from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.cards import DECK_SIZE
from services.bot.combos import COMBOS
from services.bot.jit import kernel, part
from services.bot.strength import flush, without_flush

COMBO_CARDS: Final = np.array(COMBOS, dtype=np.int64)
HALF_WINS: Final = 1980
"""A river equity of 1."""
_BOTH: Final = 169
_ONE: Final = 338
_NONE: Final = 351
_CLASSES: Final = 352
DEAD: Final = -1
"""The equity of a combo that the board makes impossible."""


def _class_ranks() -> NDArray[np.int64]:
    masks = np.zeros((_CLASSES, 2), dtype=np.int64)
    masks[:_BOTH] = masks[_BOTH:_ONE] = 1 << np.indices((13, 13)).reshape(2, -1).T
    masks[_ONE:_NONE] = 1 << np.arange(13)[:, None]
    return masks


_RANKS_OF: Final = _class_ranks()
"""What tells a class from others, as rank bits: both cards, or twice the one that is suited."""
_SUITED_NEEDED: Final = np.repeat([0, 3, 4, 5], [169, 169, 13, 1])
"""How many cards of the suit the board needs before a class makes a flush."""


@part
def _class_values(
    board: NDArray[np.int64],
    flush_suit: int,
) -> NDArray[np.int64]:
    """Return the strength of each class of combos on five cards (see `_classes`)."""
    held = np.zeros(4, dtype=np.int64)
    suited = 0
    suited_count = 0
    for card in board:
        bit = 1 << (card >> 2)
        held[3] |= held[2] & bit
        held[2] |= held[1] & bit
        held[1] |= held[0] & bit
        held[0] |= bit
        if card & 3 == flush_suit:
            suited |= bit
            suited_count += 1
    values = np.full(_CLASSES, -1, dtype=np.int64)
    for kind in range(_CLASSES):
        low, high = _RANKS_OF[kind]
        if low > high or suited_count < _SUITED_NEEDED[kind]:
            continue
        if kind < _BOTH:
            once, twice, thrice, four = held[0], held[1], held[2], held[3]
            for bit in (low, high):
                four |= thrice & bit
                thrice |= twice & bit
                twice |= once & bit
                once |= bit
            values[kind] = without_flush(once, twice, thrice, four)
        else:
            values[kind] = flush(suited | low | high)
    return values


@part
def _classes(board: NDArray[np.int64], flush_suit: int) -> NDArray[np.int64]:
    """Return the class of each combo, -1 if dead: all of a class are equally strong.

    Without a flush the two ranks decide; with one, the ranks of the cards that are in it.
    """
    alive = np.ones(52, dtype=np.bool_)
    suited_count = 0
    for card in board:
        alive[card] = False
        if card & 3 == flush_suit:
            suited_count += 1
    result = np.empty(COMBO_CARDS.shape[0], dtype=np.int64)
    for combo in range(COMBO_CARDS.shape[0]):
        first, second = COMBO_CARDS[combo, 0], COMBO_CARDS[combo, 1]
        low, high = first >> 2, second >> 2
        one, two = first & 3 == flush_suit, second & 3 == flush_suit
        if not (alive[first] and alive[second]):
            result[combo] = -1
        elif suited_count >= 3 and one and two:
            result[combo] = _BOTH + 13 * low + high
        elif suited_count >= 4 and (one or two):
            result[combo] = _ONE + (low if one else high)
        elif suited_count == 5:
            result[combo] = _NONE
        else:
            result[combo] = 13 * low + high
    return result


@part
def _flush_suit(board: NDArray[np.int64]) -> int:
    counts = np.zeros(4, dtype=np.int64)
    for card in board:
        counts[card & 3] += 1
    for suit in range(4):
        if counts[suit] >= 3:
            return suit
    return -1


@part
def _weakest_first(
    kinds: NDArray[np.int64], values: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort the live combos by strength; return them and where each group of ties ends."""
    counts = np.zeros(_CLASSES, dtype=np.int64)
    for kind in kinds:
        if kind >= 0:
            counts[kind] += 1
    used = np.empty(_CLASSES, dtype=np.int64)
    size = 0
    for kind in range(_CLASSES):
        if counts[kind]:
            place = size
            while place and values[used[place - 1]] > values[kind]:
                used[place] = used[place - 1]
                place -= 1
            used[place] = kind
            size += 1
    starts = np.zeros(_CLASSES, dtype=np.int64)
    ends = np.empty(size, dtype=np.int64)
    groups = 0
    live = 0
    for position in range(size):
        kind = used[position]
        if position and values[kind] != values[used[position - 1]]:
            ends[groups] = live
            groups += 1
        starts[kind] = live
        live += counts[kind]
    ends[groups] = live
    order = np.empty(live, dtype=np.int64)
    for combo in range(kinds.shape[0]):
        kind = kinds[combo]
        if kind >= 0:
            order[starts[kind]] = combo
            starts[kind] += 1
    return order, ends[: groups + 1]


@part
def _add_river(
    board: NDArray[np.int64],
    total: NDArray[np.int64],
    squares: NDArray[np.int64],
) -> None:
    """Add one river's half wins, and their squares, to the live combos' sums."""
    suit = _flush_suit(board)
    values = _class_values(board, suit)
    order, ends = _weakest_first(_classes(board, suit), values)
    seen = np.zeros(52, dtype=np.int64)
    wins = np.empty(order.shape[0], dtype=np.int64)
    start = 0
    for end in ends:
        for position in range(start, end):
            combo = order[position]
            # Hands that hold one of my cards cannot be against me.
            wins[position] = start - seen[COMBO_CARDS[combo, 0]] - seen[COMBO_CARDS[combo, 1]]
        for position in range(start, end):
            combo = order[position]
            seen[COMBO_CARDS[combo, 0]] += 1
            seen[COMBO_CARDS[combo, 1]] += 1
        for position in range(start, end):
            combo = order[position]
            # My own hand was taken off twice, once for each card.
            not_lost = end - seen[COMBO_CARDS[combo, 0]] - seen[COMBO_CARDS[combo, 1]] + 1
            half_wins = wins[position] + not_lost
            total[combo] += half_wins
            squares[combo] += half_wins * half_wins
        start = end


@kernel
def _add_rivers(
    rivers: NDArray[np.int64], total: NDArray[np.int64], squares: NDArray[np.int64]
) -> None:
    """Add up rivers, each a row of five cards."""
    for row in range(rivers.shape[0]):
        _add_river(rivers[row], total, squares)


def _rivers(board: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return every unordered run-out of three, four or five cards as a row of five."""
    left = [card for card in range(DECK_SIZE) if card not in board]
    runouts = list(combinations(left, 5 - len(board)))
    ends = np.array(runouts, dtype=np.int64).reshape(len(runouts), -1)
    known = np.broadcast_to(board, (len(runouts), len(board)))
    return np.ascontiguousarray(np.hstack([known, ends]))


def moments(board: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return per combo the sums over run-outs of half wins and of their squares.

    The board has three, four or five cards; dead combos have `DEAD` and 0. A combo meets
    1,081 unordered run-outs of a flop, 46 of a turn and 1 of a river (`RUNOUTS`).
    """
    total = np.zeros(len(COMBO_CARDS), dtype=np.int64)
    squares = np.zeros(len(COMBO_CARDS), dtype=np.int64)
    _add_rivers(_rivers(board), total, squares)
    total[np.isin(COMBO_CARDS, board).any(axis=1)] = DEAD
    return total, squares


RUNOUTS: Final = {3: 1081, 4: 46, 5: 1}
"""Unordered run-outs that leave a combo alive, by cards on the board."""
