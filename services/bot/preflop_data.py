"""Exact preflop facts: push/fold equilibria and the equities of the 169 types."""

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from services.bot.combos import TYPE_COUNT, TYPE_SIZES
from services.bot.derive import SCALE

SHORTEST_BB: Final = 1.5
DEEPEST_BB: Final = 25.0
_TOP_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class PushFold:
    """The equilibrium at one depth: how often each type shoves, and calls a shove."""

    stack_bb: float
    push: tuple[float, ...]
    call: tuple[float, ...]


def _load(name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads((files("services.bot") / "data" / name).read_text())


@cache
def _solutions() -> tuple[PushFold, ...]:
    return tuple(
        PushFold(
            stack_bb=float(row["stack_bb"]),
            push=tuple(value / SCALE for value in row["push"]),
            call=tuple(value / SCALE for value in row["call"]),
        )
        for row in _load("push_fold.json")["solutions"]
    )


def push_fold(stack_bb: float) -> PushFold:
    """Return the equilibrium at this effective stack, linear between solved depths.

    ``stack_bb`` counts the blinds; outside 1.5..25 the nearest solved depth answers.
    """
    solutions = _solutions()
    depth = min(max(stack_bb, SHORTEST_BB), DEEPEST_BB)
    above = bisect_right([solution.stack_bb for solution in solutions], depth)
    if above == len(solutions):
        return solutions[-1]
    low, high = solutions[above - 1], solutions[above]
    share = (depth - low.stack_bb) / (high.stack_bb - low.stack_bb)
    return PushFold(
        depth, _between(low.push, high.push, share), _between(low.call, high.call, share)
    )


def _between(low: Sequence[float], high: Sequence[float], share: float) -> tuple[float, ...]:
    return tuple(a + share * (b - a) for a, b in zip(low, high, strict=True))


@cache
def equities() -> tuple[tuple[float, ...], ...]:
    """Return the 169 x 169 all-in equities: ``equities()[mine][theirs]``, 0..1."""
    triangle = _load("equity169.json")["equity"]
    table = [[0.5] * TYPE_COUNT for _ in range(TYPE_COUNT)]
    for row, values in enumerate(triangle):
        for offset, value in enumerate(values):
            table[row][row + offset] = value / SCALE
            table[row + offset][row] = 1.0 - value / SCALE
    return tuple(map(tuple, table))


def equity_against(kind: int, type_weights: Sequence[float]) -> float:
    """Return the all-in equity (0..1) of a type against a weighted range, 0.5 if empty."""
    total = sum(type_weights)
    if total <= 0.0:
        return 0.5
    row = equities()[kind]
    return sum(map(float.__mul__, row, map(float, type_weights))) / total


@cache
def percentiles() -> tuple[float, ...]:
    """Return each type's place among all hands: near 0 the best, near 1 the worst.

    The order is a score: half the equity against a random hand, half the equity against
    the best 40 % by that equity, plus 2 points for suited and up to 1.5 for connected
    cards, which win more than their all-in equity once there is betting after the flop.
    """
    scores = _scores()
    order = sorted(range(TYPE_COUNT), key=scores.__getitem__, reverse=True)
    places = [0.0] * TYPE_COUNT
    passed = 0
    for kind in order:
        places[kind] = (passed + TYPE_SIZES[kind] / 2) / sum(TYPE_SIZES)
        passed += TYPE_SIZES[kind]
    return tuple(places)


def _scores() -> list[float]:
    everything = [float(size) for size in TYPE_SIZES]
    raw = [equity_against(kind, everything) for kind in range(TYPE_COUNT)]
    top = [0.0] * TYPE_COUNT
    for kind in sorted(range(TYPE_COUNT), key=raw.__getitem__, reverse=True):
        if sum(top) < _TOP_SHARE * sum(everything):
            top[kind] = everything[kind]
    return [
        0.5 * raw[kind] + 0.5 * equity_against(kind, top) + playability(kind)
        for kind in range(TYPE_COUNT)
    ]


def playability(kind: int) -> float:
    """Return the bonus (0..0.035, in equity) of a type for suits and connections."""
    row, column = divmod(kind, 13)
    if row == column:
        return 0.02
    gap = abs(row - column) - 1
    return (0.02 if row > column else 0.0) + max(0.0, 0.015 - 0.005 * gap)
