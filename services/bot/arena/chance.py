"""What a showdown is worth while cards are to come, of two hands or of two ranges of hands.

After the flop every run-out is counted. Before it the exact table of the 169 types answers,
which averages over suits: the cards were dealt by chance, so the average is as right.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from poker.cards import DECK, Card
from services.bot.arena.ranges import Weights, live, met, won
from services.bot.arena.shove_game import deals
from services.bot.combos import TYPE_COUNT, TYPE_OF_COMBO, TYPE_SIZES, type_of
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


def range_share(own: Weights, other: Weights, board: Cards, *, exact: bool = True) -> float:
    """Return the expected share (0..1) of the pot of a range against another.

    ``board`` is as for `showdown_share`, ``exact`` as for `won`. Raises RuntimeError when no
    two hands of the ranges go together with the board.
    """
    alive = live(board)
    own, other = np.where(alive, own, 0.0), np.where(alive, other, 0.0)
    if not board:
        pairs = np.outer(_by_type(own), _by_type(other)) * deals()
        beaten, met_weight = float((pairs * np.array(equities())).sum()), float(pairs.sum())
    else:
        beaten, met_weight = float(own @ won(other, board, exact=exact)), float(own @ met(other))
    if met_weight <= 0.0:
        raise RuntimeError("two players hold hands that their play or the board excludes")
    return beaten / met_weight


def _by_type(weights: Weights) -> Weights:
    """Return the mean weight of the combos of each type."""
    return np.bincount(_TYPES, weights, TYPE_COUNT) / TYPE_SIZES
