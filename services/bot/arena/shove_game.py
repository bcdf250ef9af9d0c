"""The shove-or-fold game, heads-up, blinds 1/2 and 1, over the 169 types: payoffs and solution.

The small blind shoves or folds, the big blind calls or folds. Values are big blinds a hand for
the small blind. Equities are those of `services.bot.preflop_data`, card removal is exact.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.combos import COMBOS, TYPE_COUNT, TYPE_OF_COMBO
from services.bot.preflop_data import equities

Vector = NDArray[np.float64]

_ITERATIONS: Final = 1_000
_SMALL_BLIND_BB: Final = 0.5
_BIG_BLIND_BB: Final = 1.0


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """How often each type shoves and calls, and ``gap_bb``: what best answers win beyond it.

    ``gap_bb`` is the sum of what both players could gain, in big blinds a hand.
    """

    push: Vector
    call: Vector
    value_bb: float
    gap_bb: float


@cache
def deals() -> Vector:
    """Return how likely the types are dealt: ``deals()[small, big]``; the sum is 1."""
    with_card = np.zeros((TYPE_COUNT, 52))
    for (first, second), kind in zip(COMBOS, TYPE_OF_COMBO, strict=True):
        with_card[kind, first] += 1
        with_card[kind, second] += 1
    counts = np.bincount(TYPE_OF_COMBO, minlength=TYPE_COUNT).astype(np.float64)
    # Pairs that share no card: all, less those that share one, counted twice if they share two.
    pairs = np.outer(counts, counts) - with_card @ with_card.T + np.diag(counts)
    return np.asarray(pairs / pairs.sum())


def payoffs(depth_bb: float) -> tuple[Vector, Vector, float]:
    """Return what the small blind wins when a shove is called, when it is not, when it folds.

    All in big blinds, the first two by types ``[small, big]``. With at most the big blind as
    its stack the big blind is all-in at once: it cannot fold.
    """
    called = depth_bb * (2.0 * np.array(equities()) - 1.0)
    stolen = np.full_like(called, _BIG_BLIND_BB) if depth_bb > _BIG_BLIND_BB else called
    return called, stolen, -min(depth_bb, _SMALL_BLIND_BB)


def best_values(depth_bb: float, push: Vector, call: Vector) -> tuple[float, float, float]:
    """Return the small blind's value of this play, of its best answer, and against the best.

    The last two are what it wins by answering ``call`` best, and with ``push`` against the
    best calls; the value lies between.
    """
    deal, (called, stolen, folded) = deals(), payoffs(depth_bb)
    pushing = (deal * (call * called + (1.0 - call) * stolen)).sum(axis=1)
    folding = deal.sum(axis=1) * folded
    value = float((push * pushing + (1.0 - push) * folding).sum())
    best = float(np.maximum(pushing, folding).sum())
    calls = push @ (deal * called)
    passes = push @ (deal * stolen)
    rest = float(((1.0 - push) * folding).sum())
    worst = float(np.minimum(calls, passes).sum()) + rest
    return value, best, worst


def solve(depth_bb: float) -> Equilibrium:
    """Solve the game for a stack in big blinds by regret matching (CFR+), linear averages."""
    deal, (called, stolen, folded) = deals(), payoffs(depth_bb)
    called, stolen, folding = deal * called, deal * stolen, deal.sum(axis=1) * folded
    regret_push, regret_call = np.zeros((2, TYPE_COUNT)), np.zeros((2, TYPE_COUNT))
    push_sum, call_sum = np.zeros(TYPE_COUNT), np.zeros(TYPE_COUNT)
    for iteration in range(1, _ITERATIONS + 1):
        call = _first_share(regret_call)
        pushing = called @ call + stolen @ (1.0 - call)
        _learn(regret_push, _first_share(regret_push), pushing, folding)
        push = _first_share(regret_push)
        _learn(regret_call, call, -(push @ called), -(push @ stolen))
        push_sum += iteration * push
        call_sum += iteration * _first_share(regret_call)
    total = _ITERATIONS * (_ITERATIONS + 1) / 2
    push, call = push_sum / total, call_sum / total
    value, best, worst = best_values(depth_bb, push, call)
    return Equilibrium(push, call, value, best - worst)


def _first_share(regrets: Vector) -> Vector:
    """Return how often the first of two actions is taken: in proportion to its regret."""
    total = regrets.sum(axis=0)
    shares = np.full(TYPE_COUNT, 0.5)
    np.divide(regrets[0], total, out=shares, where=total > 0.0)
    return shares


def _learn(regrets: Vector, share: Vector, first: Vector, second: Vector) -> None:
    """Add what each of two actions would have won beyond the mix; regrets stay at least 0."""
    mixed = share * first + (1.0 - share) * second
    np.maximum(regrets + np.stack((first - mixed, second - mixed)), 0.0, out=regrets)
