"""What an all-in is worth while cards are to come: the run-out's luck taken out of a result.

Also a showdown against all hands that a player may hold, instead of the one it held: its own
strategy says which those are, so nothing is assumed, and the mean stays the same.

After the flop every run-out is counted. Before it the exact table of the 169 types answers,
which averages over suits: the cards were dealt by chance, so the average is as right.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from poker.cards import DECK, Card
from services.bot.arena.ranges import Weights, live, won
from services.bot.combos import TYPE_COUNT, TYPE_OF_COMBO, combo_index, type_of
from services.bot.evaluator import evaluate_seven
from services.bot.preflop_data import equities

Cards = Sequence[Card]

_BOARD: Final = 5
_TYPES: Final = np.array(TYPE_OF_COMBO)


def showdown_share(hole: Cards, other: Cards, board: Cards) -> float:
    """Return the expected share (0..1) of the pot of ``hole`` against ``other``.

    ``board`` has 0, 3, 4 or 5 cards; all cards are distinct.
    """
    if not board:
        return equities()[type_of(*hole)][type_of(*other)]
    return _enumerated(tuple(hole), tuple(other), tuple(board))


@lru_cache(maxsize=1_024)
def _enumerated(hole: tuple[Card, ...], other: tuple[Card, ...], board: tuple[Card, ...]) -> float:
    seen = {*hole, *other, *board}
    unseen = [card for card in DECK if card not in seen]
    points = runs = 0
    for rest in combinations(unseen, _BOARD - len(board)):
        final = board + rest
        # Smaller is stronger.
        own, theirs = _value(final, hole), _value(final, other)
        points += 2 if own < theirs else own == theirs
        runs += 1
    return points / (2 * runs)


def _value(board: tuple[Card, ...], hole: tuple[Card, ...]) -> int:
    a, b, c, d, e = board
    return evaluate_seven(a, b, c, d, e, hole[0], hole[1])


def range_share(hole: Cards, weights: Weights, board: Cards) -> float | None:
    """Return the expected share (0..1) of the pot of ``hole`` against a range.

    ``board`` is as for `showdown_share`; None when the cards leave nothing of the range.
    """
    weights = np.where(live([*hole, *board]), weights, 0.0)
    total = float(weights.sum())
    if total <= 0.0:
        return None
    if not board:
        by_type = np.bincount(_TYPES, weights, TYPE_COUNT)
        return float(np.dot(equities()[type_of(*hole)], by_type)) / total
    return float(won(weights, board)[combo_index(*hole)]) / total
