"""Boards up to a change of suits: 1,755 flops, 16,432 turns, 134,459 rivers.

The order in which cards came does not matter here. A board is known by the rank of its
sorted cards among all sets of its size (combinatorial number system); a table sends that
rank to the board's class and to the suit permutation that turns it into the class's board.
"""

from dataclasses import dataclass
from itertools import permutations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.combos import COMBOS, combo_index
from services.bot.jit import kernel

SUIT_ORDERS: Final = np.array(list(permutations(range(4))), dtype=np.int64)
"""24 ways to rename suits, none first: suit s becomes ``SUIT_ORDERS[i, s]``."""
CHOOSE: Final = np.array([[comb(n, k) for k in range(6)] for n in range(53)], dtype=np.int64)
CLASS_COUNTS: Final = {3: 1755, 4: 16432, 5: 134459}


@kernel
def set_rank(cards: NDArray[np.int64]) -> int:
    """Return the rank of a set of up to five different cards, in any order."""
    count = cards.shape[0]
    rank = 0
    for index in range(count):
        place = 1
        for other in range(count):
            if cards[other] < cards[index]:
                place += 1
        rank += CHOOSE[cards[index], place]
    return int(rank)


@kernel
def _first_set(count: int) -> NDArray[np.int64]:
    return np.arange(count)


@kernel
def _next_set(cards: NDArray[np.int64]) -> None:
    """Advance sorted cards to the next set in rank order."""
    index = 0
    while index + 1 < cards.shape[0] and cards[index] + 1 == cards[index + 1]:
        cards[index] = index
        index += 1
    cards[index] += 1


@kernel
def _classify(
    count: int,
    sets: int,
    classes: int,
) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
    class_of = np.full(sets, -1, dtype=np.int32)
    order_of = np.zeros(sets, dtype=np.int8)
    boards = np.empty((classes, count), dtype=np.int64)
    sizes = np.zeros(classes, dtype=np.int64)
    cards = _first_set(count)
    renamed = np.empty(count, dtype=np.int64)
    found = 0
    for rank in range(sets):
        best = rank
        best_order = 0
        for order in range(SUIT_ORDERS.shape[0]):
            for index in range(count):
                renamed[index] = (cards[index] & ~3) | SUIT_ORDERS[order, cards[index] & 3]
            other = set_rank(renamed)
            if other < best:
                best = other
                best_order = order
        if best == rank:
            class_of[rank] = found
            boards[found] = cards
            found += 1
            best_order = 0  # the suits as they are
        else:
            class_of[rank] = class_of[best]
        order_of[rank] = best_order
        sizes[class_of[rank]] += 1
        if rank + 1 < sets:
            _next_set(cards)
    return class_of, order_of, boards, sizes


@dataclass(frozen=True, slots=True)
class BoardClasses:
    """All boards of one size: by set rank their class and suit order, by class one board.

    ``sizes`` counts the boards of a class.
    """

    class_of: NDArray[np.int32]
    order_of: NDArray[np.int8]
    boards: NDArray[np.int64]
    sizes: NDArray[np.int64]


def board_classes(count: int) -> BoardClasses:
    """Sort all boards of 3, 4 or 5 cards into classes; seconds of work for 5."""
    return BoardClasses(*_classify(count, comb(52, count), CLASS_COUNTS[count]))


def _renamed_combos() -> NDArray[np.int16]:
    cards = np.array(COMBOS)
    table = np.empty((len(SUIT_ORDERS), len(COMBOS)), dtype=np.int16)
    for row, order in zip(table, SUIT_ORDERS, strict=True):
        renamed = (cards & ~3) | order[cards & 3]
        row[:] = [combo_index(int(first), int(second)) for first, second in renamed]
    return table


RENAMED_COMBOS: Final = _renamed_combos()
"""The combo that each combo becomes under each of the 24 suit orders."""
