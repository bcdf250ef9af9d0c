"""From real bets to those of the blueprint, and back.

The blueprint knows a few sizes at a few depths. A hand is therefore followed at several
places of several blueprints at once, each with a weight: a real bet between two known ones
counts as either, by the pseudo-harmonic mapping (Ganzfried & Sandholm 2013), and a stack
between two trained depths as both. Sizes compare as shares of the pot after a call, so a
place keeps its meaning when pots have drifted apart. All of it is arithmetic: the same hand
always has the same places.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from poker.actions import ActionKind
from services.bot.blueprint.library import ROOT
from services.bot.history import AGGRESSIVE
from services.bot.line import Betting, Line, Move
from services.bot.policy import Floats

UNITS: Final = 100
"""Amounts of a blueprint are in hundredths of a big blind."""

_PLACES_MAX: Final = 4
_LEAST_WEIGHT: Final = 0.03
_SAME_SHARE: Final = 0.02
"""Raises that differ by less than this share of the pot are one."""

_TOO_DEEP: Final = 1.3
"""Stacks this many times a blueprint's depth: its all-in is then a bet by its size."""

Ints = NDArray[np.int16]


class Blueprint(Protocol):
    """A trained strategy at one depth, as a tree of public nodes; see `ROOT`."""

    @property
    def depth_bb(self) -> int:
        """The stacks in big blinds."""

    def street(self, node: int) -> int:
        """Return 0 before the flop to 3 on the river."""

    def player(self, node: int) -> int:
        """Return who acts, negative where the hand has ended."""

    def actions(self, node: int) -> Sequence[tuple[ActionKind, int]]:
        """Return kinds, with what a bet or raise brings its player to on the street."""

    def child(self, node: int, index: int) -> int:
        """Return the node after an action."""

    def strategy(self, node: int) -> Floats:
        """Return (actions, buckets) probabilities."""


@dataclass(frozen=True, slots=True)
class Library:
    """The blueprints there are, and the card abstraction they share.

    ``depths`` ascend; ``load`` returns the blueprint of one, ``buckets`` every combo's bucket
    on a board, negative when blocked. ``ranks`` says how good the hands of a bucket are among
    all hands: (4, buckets), 0 the best to 1 the worst.
    """

    depths: tuple[int, ...]
    load: Callable[[int], Blueprint]
    buckets: Callable[[tuple[int, ...]], Ints]
    ranks: Floats


@dataclass(frozen=True, slots=True)
class Place:
    """A node of a blueprint that stands for the hand, with its weight (0..1).

    ``betting`` is the node's, in the blueprint's units.
    """

    blueprint: Blueprint
    node: int
    weight: float
    betting: Betting


@dataclass(frozen=True, slots=True)
class Wish:
    """What blueprints would do, in real chips: a kind, a raise-to, and each combo's share."""

    kind: ActionKind
    to_chips: int
    shares: Floats


def begin(library: Library, line: Line) -> tuple[Place, ...]:
    """Return the places of a hand that begins: the trained depths around its own."""
    depths, depth = library.depths, line.depth_bb
    above = bisect_right(depths, depth)
    if above in {0, len(depths)}:
        return (_root(library.load(depths[max(0, above - 1)]), 1.0),)
    low, high = depths[above - 1], depths[above]
    share = log(depth / low) / log(high / low)
    around = ((low, 1.0 - share), (high, share))
    return _best([_root(library.load(at), s) for at, s in around if s > _LEAST_WEIGHT])


def _root(blueprint: Blueprint, weight: float) -> Place:
    betting = Betting(0, blueprint.depth_bb * UNITS, (UNITS, UNITS // 2), UNITS)
    return Place(blueprint, ROOT, weight, betting)


def follow(places: Sequence[Place], move: Move, betting: Betting) -> tuple[Place, ...]:
    """Return the places after a move made in a real betting; those that end are dropped."""
    return _best(
        [
            _after(place, index, share)
            for place in places
            for index, share in counterparts(place, move, betting)
        ]
    )


def counterparts(place: Place, move: Move, betting: Betting) -> list[tuple[int, float]]:
    """Return the actions at a place that stand for a real move, with their shares."""
    actions = place.blueprint.actions(place.node)
    if move.kind is not ActionKind.RAISE:
        passive = {ActionKind.CHECK, ActionKind.CALL}
        return [(index, 1.0) for index, (kind, _) in enumerate(actions) if kind in passive]
    known = [
        (_fraction(place.betting, to), index)
        for index, (kind, to) in enumerate(actions)
        if kind in AGGRESSIVE
    ]
    if not known:
        return []
    if move.to_chips == betting.behind and not _deeper(place, betting):
        return [(max(known)[1], 1.0)]
    return _between(sorted(known), _fraction(betting, move.to_chips))


def _fraction(betting: Betting, to: int) -> float:
    return (to - betting.highest) / betting.called_pot


def _deeper(place: Place, betting: Betting) -> bool:
    """Say whether real stacks are so deep that the blueprint's all-in is only a bet."""
    theirs, mine = place.betting, betting
    return mine.behind * theirs.called_pot > _TOO_DEEP * theirs.behind * mine.called_pot


def _between(known: Sequence[tuple[float, int]], size: float) -> list[tuple[int, float]]:
    """Share a size out between its neighbours among known ones, ascending."""
    for (low, first), (high, second) in pairwise(known):
        if low < size < high:
            share = (high - size) * (1.0 + low) / ((high - low) * (1.0 + size))
            return [(first, share), (second, 1.0 - share)]
    nearest = min(known, key=lambda item: abs(item[0] - size))
    return [(nearest[1], 1.0)]


def _after(place: Place, index: int, share: float) -> Place:
    blueprint, betting = place.blueprint, place.betting
    kind, to = blueprint.actions(place.node)[index]
    player, child = blueprint.player(place.node), blueprint.child(place.node, index)
    bets = list(betting.bets)
    bets[player] = to if kind in AGGRESSIVE else betting.highest
    raised_by = max(betting.raised_by, bets[player] - betting.highest)
    before, behind = betting.before, betting.behind
    if blueprint.street(child) != blueprint.street(place.node):
        before, behind = before + max(bets), behind - max(bets)
        bets, raised_by = [0, 0], UNITS
    after = Betting(before, behind, (bets[0], bets[1]), raised_by)
    return Place(blueprint, child, place.weight * share, after)


def _best(places: Sequence[Place]) -> tuple[Place, ...]:
    """Merge equal places, keep the heaviest few that go on, and let them weigh 1 together."""
    merged: dict[tuple[int, int], Place] = {}
    for place in places:
        key = (id(place.blueprint), place.node)
        weight = place.weight + (merged[key].weight if key in merged else 0.0)
        merged[key] = Place(place.blueprint, place.node, weight, place.betting)
    going = [place for place in merged.values() if place.blueprint.player(place.node) >= 0]
    kept = sorted(going, key=lambda place: -place.weight)[:_PLACES_MAX]
    most = sum(place.weight for place in kept)
    kept = [place for place in kept if place.weight > _LEAST_WEIGHT * most]
    total = sum(place.weight for place in kept)
    return tuple(
        Place(place.blueprint, place.node, place.weight / total, place.betting) for place in kept
    )


def shares_at(place: Place, betting: Betting, buckets: Ints) -> Floats:
    """Return what a place's blueprint would do with every combo: (actions, 1326).

    Where the real bet asks less than the one it stands for, hands fold less, in proportion
    to how often either may be a bluff.
    """
    table = place.blueprint.strategy(place.node)[:, np.maximum(buckets, 0)].astype(np.float32)
    actions = place.blueprint.actions(place.node)
    asked, real = place.betting.price, betting.price
    if actions[0][0] is ActionKind.FOLD and real < asked:
        spared = table[0] * np.float32(1.0 - real / asked)
        table[0] -= spared
        table[1] += spared
    return table


def wishes(places: Sequence[Place], betting: Betting, buckets: Ints) -> list[Wish]:
    """Return what the places together would do here, in real chips."""
    found: dict[tuple[ActionKind, int], Floats] = {}
    for place in places:
        table = np.float32(place.weight) * shares_at(place, betting, buckets)
        for (kind, to), row in zip(place.blueprint.actions(place.node), table, strict=True):
            key = _alike(found, _real(place, betting, kind, to), betting)
            found[key] = found[key] + row if key in found else row
    return [Wish(kind, to, row) for (kind, to), row in found.items()]


def _alike(
    found: Iterable[tuple[ActionKind, int]], wanted: tuple[ActionKind, int], betting: Betting
) -> tuple[ActionKind, int]:
    """Return what was found first and hardly differs: heavier places choose the chips."""
    kind, to = wanted
    for known in found:
        near = abs(known[1] - to) <= _SAME_SHARE * betting.called_pot
        if known[0] is kind and near and (known[1] == betting.behind) == (to == betting.behind):
            return known
    return wanted


def _real(place: Place, betting: Betting, kind: ActionKind, to: int) -> tuple[ActionKind, int]:
    if kind is ActionKind.FOLD:
        return kind, 0
    if kind not in AGGRESSIVE or betting.highest >= betting.behind:
        return (ActionKind.CALL if betting.price else ActionKind.CHECK), betting.highest
    if to == place.betting.behind and not _deeper(place, betting):
        return ActionKind.RAISE, betting.behind
    wanted = betting.highest + round(_fraction(place.betting, to) * betting.called_pot)
    return ActionKind.RAISE, min(max(wanted, betting.least_raise_to), betting.behind)
