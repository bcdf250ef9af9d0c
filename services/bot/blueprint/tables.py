"""Bucket tables of all boards, for training only: 210 MB, made in a minute or two.

`build` computes them by compiled loops; `load` keeps them in a directory outside version
control. The quantile limits found on the way are what play needs.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from services.bot.blueprint.abstraction import Abstraction, Limits, find_limits
from services.bot.blueprint.boards import BoardClasses, board_classes
from services.bot.blueprint.equity import COMBO_CARDS, moments

BANDS: Final = {3: (40, 5), 4: (40, 5), 5: (100, 1)}
"""Equity bands and spread quantiles a street, by cards on the board."""
DEAD_BYTE: Final = 255


@dataclass(frozen=True, slots=True)
class BucketTables:
    """For flop, turn and river: the board classes, and a bucket for every class and combo."""

    abstraction: Abstraction
    classes: tuple[BoardClasses, BoardClasses, BoardClasses]
    buckets: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]


def load(directory: Path) -> BucketTables:
    """Return the tables kept in a directory, building them there when they are missing."""
    directory.mkdir(parents=True, exist_ok=True)
    limits_path = directory / "limits.json"
    if not limits_path.exists():
        abstraction, buckets = build()
        for cards, table in zip(BANDS, buckets, strict=True):
            np.save(directory / f"buckets{cards}.npy", table)
        limits_path.write_text(json.dumps([limits.to_json() for limits in abstraction.limits]))
    rows = json.loads(limits_path.read_text())
    flop, turn, river = (Limits.from_json(row) for row in rows)
    tables = (np.load(directory / f"buckets{cards}.npy", mmap_mode="r") for cards in BANDS)
    first, second, third = tables
    return BucketTables(
        Abstraction((flop, turn, river)),
        (board_classes(3), board_classes(4), board_classes(5)),
        (first, second, third),
    )


def build() -> tuple[Abstraction, list[NDArray[np.uint8]]]:
    """Compute the limits of every street, and the bucket of every combo on every board."""
    (flop, first), (turn, second), (river, third) = (
        _street(cards, bands, spreads) for cards, (bands, spreads) in BANDS.items()
    )
    return Abstraction((flop, turn, river)), [first, second, third]


def _street(cards: int, bands: int, spreads: int) -> tuple[Limits, NDArray[np.uint8]]:
    classes = board_classes(cards)
    shape = len(classes.boards), len(COMBO_CARDS)
    total = np.empty(shape, dtype=np.int32)
    # What the last street has no use for would be most of the memory.
    squares = np.empty(shape if spreads > 1 else (len(total), 1), dtype=np.int64)
    for row, board in enumerate(tqdm(classes.boards, desc=f"equities on {cards} cards")):
        total[row], spread = moments(board)
        squares[row] = spread if spreads > 1 else 0
    alive = total >= 0
    sizes = classes.sizes.astype(np.uint8)  # at most 24 suit orders
    weights = np.broadcast_to(sizes[:, None], shape)[alive]
    kept = np.broadcast_to(squares, shape)
    limits = find_limits(
        cards, total[alive], kept[alive] if spreads > 1 else kept[:0, 0], weights, bands, spreads
    )
    table = np.empty(shape, dtype=np.uint8)
    for row in range(len(total)):
        found = limits.buckets(total[row].astype(np.int64), kept[row])
        table[row] = np.where(found < 0, DEAD_BYTE, found)
    return limits, table
