"""Card tables for tests of training: after the flop, hands are told apart by their type only."""

from functools import cache
from math import comb

import numpy as np

from services.bot.blueprint.abstraction import Abstraction, Limits
from services.bot.blueprint.boards import BoardClasses
from services.bot.blueprint.tables import BucketTables
from services.bot.combos import COMBOS, TYPE_OF_COMBO

BUCKETS = 6


@cache
def coarse_tables() -> BucketTables:
    """Six buckets a street, three equity bands of two, the same on every board."""
    return BucketTables(
        Abstraction((_limits(3), _limits(4), _limits(5))),
        (_one_class(3), _one_class(4), _one_class(5)),
        (_buckets(), _buckets(), _buckets()),
    )


def _limits(cards: int) -> Limits:
    return Limits(cards, np.array([500, 1000]), np.zeros((3, 1), dtype=np.int64))


def _one_class(cards: int) -> BoardClasses:
    sets = comb(52, cards)
    return BoardClasses(
        np.zeros(sets, dtype=np.int32),
        np.zeros(sets, dtype=np.int8),
        np.arange(cards).reshape(1, cards),
        np.array([sets]),
    )


def _buckets() -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return (np.array(TYPE_OF_COMBO, dtype=np.uint8) % BUCKETS).reshape(1, len(COMBOS))
