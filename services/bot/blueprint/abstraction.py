"""Card abstraction: which hands the blueprint treats alike.

Before the flop the 169 types. After it a bucket is a quantile of equity against a random
hand, and within it (flop and turn) a quantile of how far the final equity spreads. The
limits between buckets are exact integers, found once over all boards and stored with the
artefacts, so a board bucketed at the table agrees with the tables used in training.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.equity import RUNOUTS, moments
from services.bot.combos import TYPE_COUNT, TYPE_OF_COMBO

DEAD_BUCKET: Final = -1
PREFLOP: Final = np.array(TYPE_OF_COMBO, dtype=np.int16)
TOP_HEAVY: Final = 1.5
"""Equity quantiles are finer at the top, where the money goes in."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where one street's buckets end.

    ``equity`` has one limit less than there are equity bands: a sum of half wins at or above
    ``equity[i]`` is in band i + 1 or higher. ``spread`` has a row a band, likewise.
    """

    board_cards: int
    equity: NDArray[np.int64]
    spread: NDArray[np.int64]

    @property
    def count(self) -> int:
        """How many buckets the street has."""
        return (len(self.equity) + 1) * self.spreads

    @property
    def spreads(self) -> int:
        """How many spread quantiles an equity band has, 1 on the river."""
        return int(self.spread.shape[1]) + 1

    def buckets(self, total: NDArray[np.int64], squares: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return the bucket of combos from their `moments`, -1 for dead ones."""
        band = np.searchsorted(self.equity, total, side="right")
        result = band * self.spreads
        spread = spread_of(self.board_cards, total, squares)
        for column in range(self.spreads - 1):
            result += spread >= self.spread[band, column]
        return np.where(total < 0, DEAD_BUCKET, result).astype(np.int16)

    def to_json(self) -> dict[str, Any]:
        """Return the limits as plain numbers."""
        return {
            "board_cards": self.board_cards,
            "equity": self.equity.tolist(),
            "spread": self.spread.tolist(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Limits":
        """Read what `to_json` wrote."""
        equity = np.array(data["equity"], dtype=np.int64)
        spread = np.array(data["spread"], dtype=np.int64).reshape(len(equity) + 1, -1)
        return cls(int(data["board_cards"]), equity, spread)


def spread_of(
    board_cards: int, total: NDArray[np.int64], squares: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the variance of the final equity, in squared half wins times run-outs squared."""
    spread: NDArray[np.int64] = RUNOUTS[board_cards] * squares - total * total
    return spread


def find_limits(  # noqa: PLR0917
    board_cards: int,
    total: NDArray[np.integer],
    squares: NDArray[np.int64],
    weights: NDArray[np.integer],
    bands: int,
    spreads: int,
) -> Limits:
    """Return limits that split weighted live combos into equity bands and spread quantiles.

    With a single spread the squares are not looked at.
    """
    shares = 1.0 - (1.0 - np.arange(1, bands) / bands) ** TOP_HEAVY
    equity = np.unique(_quantiles(total, weights, shares))
    equity = equity[equity > total.min()]  # no band is empty
    limits = np.zeros((len(equity) + 1, spreads - 1), dtype=np.int64)
    if spreads > 1:
        band = np.searchsorted(equity, total, side="right")
        spread = spread_of(board_cards, total.astype(np.int64), squares)
        even = np.arange(1, spreads) / spreads
        for row in range(len(limits)):
            here = band == row
            limits[row] = _quantiles(spread[here], weights[here], even)
    return Limits(board_cards, equity, limits)


def _quantiles(
    values: NDArray[np.integer], weights: NDArray[np.integer], shares: NDArray[np.float64]
) -> NDArray[np.int64]:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order], dtype=np.int64)
    at = np.searchsorted(reached, shares * reached[-1])
    limits: NDArray[np.int64] = values[order[at]].astype(np.int64)
    return limits


@dataclass(frozen=True, slots=True)
class Abstraction:
    """The limits of flop, turn and river."""

    limits: tuple[Limits, Limits, Limits]

    def buckets(self, board: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return every combo's bucket on 0, 3, 4 or 5 cards, -1 for dead combos."""
        if len(board) == 0:
            return PREFLOP
        return self.limits[len(board) - 3].buckets(*moments(board))

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """How many buckets each street has, before the flop first."""
        flop, turn, river = (limits.count for limits in self.limits)
        return TYPE_COUNT, flop, turn, river
