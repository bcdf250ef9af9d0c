"""What a player may hold: weights over the 1,326 combos, and how a hand stands against them."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.cards import DECK_SIZE
from services.bot.combos import COMBOS, TYPE_COUNT, TYPE_OF_COMBO, combo_index, type_of
from services.bot.preflop_data import equities
from services.bot.solver.strength import strengths

Weights = NDArray[np.float64]

_BOARD: Final = 5
_CARDS: Final = np.array(COMBOS)
_TYPES: Final = np.array(TYPE_OF_COMBO)


def without(weights: Weights, dead: Sequence[int]) -> Weights:
    """Return the weights with every combo that holds a dead card at 0."""
    return np.where(np.isin(_CARDS, np.array(dead, np.int64)).any(axis=1), 0.0, weights)


def everything(dead: Sequence[int]) -> Weights:
    """Return all combos that hold no dead card, each with weight 1."""
    return without(np.ones(len(COMBOS)), dead)


def win_share(hole: Sequence[int], weights: Weights, board: Sequence[int]) -> float:
    """Return the expected share (0..1) of the pot that a hand wins when all cards are shown.

    ``weights`` are the opponent's, with the hand's and the board's cards at 0 and not all 0.
    Every run-out of a board of 3 to 5 cards is counted; before the flop the table of types
    answers, which averages over suits.
    """
    if not board:
        by_type = np.bincount(_TYPES, weights, TYPE_COUNT)
        return float(np.dot(equities()[type_of(*hole)], by_type) / by_type.sum())
    values = _runouts(tuple(sorted(board)), tuple(sorted(hole)))
    own = values[:, combo_index(hole[0], hole[1]), None]
    share = (own > values) + 0.5 * (own == values)
    possible = values >= 0
    return float((share * possible @ weights).sum() / (possible @ weights).sum())


@lru_cache(maxsize=8)
def _runouts(board: tuple[int, ...], hole: tuple[int, ...]) -> NDArray[np.int64]:
    """Return all combos' strengths on all full boards, (boards, 1326); -1 where blocked."""
    unseen = [card for card in range(DECK_SIZE) if card not in board and card not in hole]
    boards = [board + rest for rest in combinations(unseen, _BOARD - len(board))]
    return strengths(np.array(boards, np.int64))
