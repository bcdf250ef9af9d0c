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
    limits, tables = [], []
    for cards, (bands, spreads) in BANDS.items():
        classes = board_classes(cards)
        total = np.empty((len(classes.boards), len(COMBO_CARDS)), dtype=np.int64)
        squares = np.empty_like(total)
        for row, board in enumerate(tqdm(classes.boards, desc=f"equities on {cards} cards")):
            total[row], squares[row] = moments(board)
        alive = total >= 0
        weights = np.broadcast_to(classes.sizes[:, None], total.shape)[alive]
        street = find_limits(cards, total[alive], squares[alive], weights, bands, spreads)
        table = np.full(total.shape, DEAD_BYTE, dtype=np.uint8)
        for row in range(len(total)):
            found = street.buckets(total[row], squares[row])
            table[row] = np.where(found < 0, DEAD_BYTE, found)
        limits.append(street)
        tables.append(table)
    flop, turn, river = limits
    return Abstraction((flop, turn, river)), tables
