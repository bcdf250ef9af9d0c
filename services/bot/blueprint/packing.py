"""Average strategies as 4 bits an action: fifteenths, the last action being what is left."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.tree import Tree

PARTS: Final = 15
"""A probability is a whole number of fifteenths."""
_PRIOR_VISITS: Final = 2.0
"""How many visits' worth the current strategy counts for against the average one."""
_RARE: Final = 0.1


def average_strategy(
    regrets: NDArray[np.float32], sums: NDArray[np.float32], spreads: int
) -> NDArray[np.float64]:
    """Return a node's strategy (buckets, actions) from its regrets and summed strategies.

    The average is what converges; where a player hardly comes by their own choice it is what
    early, bad play left behind, so there the current strategy speaks, taken over the buckets
    of neighbouring equity. ``spreads`` is how many buckets in a row share an equity band.
    Actions that are hardly ever taken are not taken at all: most often the rest of a mix is
    what sampling left of a mistake (Ganzfried, Sandholm and Waugh 2012).
    """
    current = _positive_shares(_with_neighbours(regrets, spreads))
    total = sums.sum(axis=1, keepdims=True, dtype=np.float64)
    mixed: NDArray[np.float64] = (sums + _PRIOR_VISITS * current) / (total + _PRIOR_VISITS)
    mixed[mixed < np.minimum(_RARE, mixed.max(axis=1, keepdims=True))] = 0.0
    mixed /= mixed.sum(axis=1, keepdims=True)
    return mixed


def _with_neighbours(values: NDArray[np.float32], spreads: int) -> NDArray[np.float64]:
    bands = values.reshape(-1, spreads, values.shape[1]).astype(np.float64)
    if len(bands) < 3:
        return bands.reshape(values.shape)
    smooth = 4.0 * bands
    smooth[1:] += bands[:-1]
    smooth[:-1] += bands[1:]
    return smooth.reshape(values.shape)


def _positive_shares(regrets: NDArray[np.float64]) -> NDArray[np.float64]:
    positive = np.maximum(regrets, 0.0)
    total = positive.sum(axis=1, keepdims=True)
    even = np.full_like(positive, 1.0 / positive.shape[1])
    np.divide(positive, total, out=even, where=total > 0.0)
    return even


def quantised(strategy: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Round rows that sum to 1 to fifteenths that sum to 15, by largest remainder."""
    scaled = strategy * PARTS
    parts = np.floor(scaled + 1e-9)
    missing = PARTS - parts.sum(axis=1).astype(np.int64)
    order = np.argsort(parts - scaled, axis=1, kind="stable")
    places = np.argsort(order, axis=1, kind="stable")
    parts += places < missing[:, None]
    return parts.astype(np.uint8)


def stored_offsets(tree: Tree, counts: tuple[int, int, int, int]) -> NDArray[np.int64]:
    """Return where each node's fifteenths begin, all but the last action's, and the end."""
    buckets = np.array(counts, dtype=np.int64)[tree.street]
    sizes = np.where(tree.player >= 0, buckets * (tree.action_count.astype(np.int64) - 1), 0)
    return np.concatenate([[0], np.cumsum(sizes)])


def pack(fifteenths: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Put two values in a byte; an odd count gets a 0 at the end."""
    even = np.append(fifteenths, np.zeros(len(fifteenths) % 2, dtype=np.uint8))
    return (even[::2] << 4 | even[1::2]).astype(np.uint8)


def unpack(packed: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """Return the `count` values that `pack` packed."""
    values = np.empty(2 * len(packed), dtype=np.uint8)
    values[::2] = packed >> 4
    values[1::2] = packed & 15
    return values[:count]


def strategy_of(fifteenths: NDArray[np.uint8], actions: int, buckets: int) -> NDArray[np.float32]:
    """Return a node's probabilities (actions, buckets) from its stored block."""
    parts = np.empty((actions, buckets), dtype=np.float32)
    parts[:-1] = fifteenths.reshape(actions - 1, buckets)
    parts[-1] = PARTS - parts[:-1].sum(axis=0)
    return parts / np.float32(PARTS)
