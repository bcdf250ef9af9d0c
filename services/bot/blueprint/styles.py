"""Plain styles of play, against which River trains and by which it judges the other player.

A style is tight or loose and passive or aggressive, before and after the flop. It looks at how
good its hand is among all hands (its *rank*, 0 the best to 1 the worst: by percentile before
the flop, by the bucket's equity after it), at how often the street was raised and, more or
less, at the price it is asked. Nothing is fitted to a player: the numbers below only make the
families span what people do, from folding two hands of three to calling everything. Whoever changes
them counts `sizes.STYLES` up.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.abstraction import TOP_HEAVY, Abstraction
from services.bot.jit import kernel, part
from services.bot.preflop_data import percentiles

_SOFT: Final = 0.08
"""Hands within this of a threshold play either way."""
_COMMON_PRICE: Final = 1 / 3
"""What a bet of half the pot asks; those who heed the price fold more to more."""


class Style(NamedTuple):
    """How loose and how aggressive, each 0 to 1, before the flop and after it.

    ``bluffs`` is how often a hand that would check bets all the same, ``heeds`` how much a high
    price matters, 0 to 1: at 0 the hand alone decides whether to stay.
    """

    loose: float
    aggressive: float
    loose_after: float
    aggressive_after: float
    bluffs: float
    heeds: float


class Chances(NamedTuple):
    """How often a style folds, checks or calls, and bets or raises."""

    fold: float
    call: float
    rise: float


EXTREME: Final = tuple(
    Style(loose, aggressive, loose, aggressive, 0.3 * aggressive * aggressive, 0.5)
    for loose in (0.1, 0.7)
    for aggressive in (0.15, 0.85)
)
"""One style of each family: tight-passive, tight-aggressive, loose-passive, loose-aggressive."""

MIDDLE: Final = (
    Style(0.4, 0.7, 0.4, 0.3, 0.3, 0.5),
    Style(0.4, 0.5, 0.4, 0.5, 0.15, 0.5),
)
"""Two who play two hands of five, near the middle of all: one bluffs more and bets less."""

TYPICAL: Final = (*EXTREME, *MIDDLE)


@part
def _above(share: float, rank: float) -> float:
    """Return how often a hand counts among the best share of all hands."""
    return min(max((share - rank) / (2.0 * _SOFT) + 0.5, 0.0), 1.0)


@part
def chances(style: Style, street: int, raises: int, price: float, rank: float) -> Chances:
    """Return what a style does with a hand.

    ``raises`` counts the bets and raises of the street so far (before the flop without the
    blinds); ``price`` is what is to call as a share of the pot with the bet.
    """
    if street == 0:
        loose, aggressive = style.loose, style.aggressive
        stays = 0.3 + 0.7 * loose
    else:
        loose, aggressive = style.loose_after, style.aggressive_after
        stays = 0.25 + 0.75 * loose
    again = 0.4 + 0.6 * loose
    before = raises if street == 0 else max(raises - 1, 0)
    stays *= again**before
    if price <= 0.0:
        value = (0.1 + 0.6 * aggressive) * (1.0 if street else stays)
        rise = _above(value, rank)
        if street > 0:
            rise += (1.0 - rise) * style.bluffs
        return Chances(0.0, 1.0 - rise, rise)
    heeding = 1.5 * (1.0 - loose) * style.heeds
    stays *= min((1.0 - price) / (1.0 - _COMMON_PRICE), 1.0) ** heeding
    opening = 0.1 + 0.9 * aggressive if street == 0 and raises == 0 else 0.05 + 0.45 * aggressive
    stay = _above(stays, rank)
    rise = min(_above(opening * stays, rank), stay)
    bluff = (1.0 - stay) * 0.3 * style.bluffs
    return Chances(1.0 - stay - bluff, stay - rise, rise + bluff)


@part
def drawn_style() -> Style:
    """Draw a style: any mix of the families, after the flop much as before it.

    Tight ones are drawn more often. Most people bring the hands that they play at a full table
    and fold too many with one opponent; and little is won from them a hand, so that they would
    hardly be heard beside the loose.
    """
    loose, aggressive = np.random.random() ** 2, np.random.random()
    return Style(
        loose,
        aggressive,
        0.5 * (loose + np.random.random()),
        0.5 * (aggressive + np.random.random()),
        0.5 * aggressive * np.random.random(),
        np.random.random(),
    )


@kernel
def of_ranks(
    style: Style, street: int, raises: int, price: float, ranks: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return what a style does with hands of these ranks: (3, hands), as `Chances`."""
    found = np.empty((3, ranks.shape[0]))
    for hand in range(ranks.shape[0]):
        found[0, hand], found[1, hand], found[2, hand] = chances(
            style, street, raises, price, ranks[hand]
        )
    return found


def bucket_ranks(abstraction: Abstraction) -> NDArray[np.float32]:
    """Return the rank of each bucket of each street: (4, most buckets), 0 the best hand."""
    ranks = np.zeros((4, max(abstraction.counts)), dtype=np.float32)
    ranks[0, : abstraction.counts[0]] = percentiles()
    for street, limits in enumerate(abstraction.limits, start=1):
        bands = len(limits.equity) + 1
        edges = (1.0 - np.arange(bands + 1) / bands) ** TOP_HEAVY
        middles = 0.5 * (edges[:-1] + edges[1:])
        ranks[street, : limits.count] = np.repeat(middles, limits.spreads)
    return ranks
