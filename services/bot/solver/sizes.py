"""Which bets and raises a solved tree offers, in whole chips.

A move is one int: `FOLD`, `PASS` (check or call) or, when positive, the chips a bet or raise
brings its player to on this street. A history is the tuple of moves since the street began.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

FOLD: Final = -1
PASS: Final = 0

Move = int
History = tuple[Move, ...]

_SAME_SIZE: Final = 1.2
"""A planned size this close to an inserted one, as a ratio of chips added, gives way to it."""


@dataclass(frozen=True, slots=True)
class StreetSizes:
    """The bets and raises of one street.

    `bets` and `raises` are shares of the pot, for raises of the pot after the call. At most
    `max_raises` bets and raises are planned on the street. A size that would put in more than
    `all_in_above` of what its player has left becomes all-in, and all-in is also a choice of
    its own while it is at most `all_in_pots` times the pot after the call.
    """

    bets: tuple[float, ...]
    raises: tuple[float, ...]
    max_raises: int = 3
    all_in_pots: float = 2.5
    all_in_above: float = 0.67


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a subgame; `turn` is not used when it starts on the river."""

    turn: StreetSizes
    river: StreetSizes


@dataclass(frozen=True, slots=True)
class Bets:
    """The betting on one street so far, in chips.

    `pot` and `behind` are those at the start of the street, `behind` the smaller stack.
    `put` is what each player added since, `least_raise` the smallest legal raise by,
    `raises` the number of bets and raises, `passed` whether the last move was a check.
    """

    pot: int
    behind: int
    put: tuple[int, int]
    player: int
    least_raise: int
    raises: int
    passed: bool

    @property
    def to_call(self) -> int:
        """The chips a call adds."""
        return self.put[1 - self.player] - self.put[self.player]


def opening(pot: int, behind: int, big_blind: int) -> Bets:
    """Return the start of a street; player 0 acts first."""
    return Bets(pot, behind, (0, 0), 0, big_blind, 0, passed=False)


def least_raise_to(bets: Bets) -> int:
    """Return the smallest raise-to that is legal, all-in for less included."""
    return min(bets.put[1 - bets.player] + bets.least_raise, bets.behind)


def can_raise(bets: Bets) -> bool:
    """Tell whether the player has chips beyond a call."""
    return bets.put[1 - bets.player] < bets.behind


def raise_tos(bets: Bets, sizes: StreetSizes, inserted: Iterable[int] = ()) -> list[int]:
    """Return the raise-tos on offer, ascending.

    Inserted ones are moved to the nearest legal chips; they ignore `max_raises`.
    """
    if not can_raise(bets):
        return []
    least = least_raise_to(bets)
    exact = {min(max(to, least), bets.behind) for to in inserted}
    planned = _planned(bets, sizes, least) if bets.raises < sizes.max_raises else set()
    mine = bets.put[bets.player]
    kept = {to for to in planned if not any(_alike(to - mine, at - mine) for at in exact)}
    return sorted(exact | kept)


def _planned(bets: Bets, sizes: StreetSizes, least: int) -> set[int]:
    called = bets.put[1 - bets.player]
    mine = bets.put[bets.player]
    pot = bets.pot + 2 * called
    limit = mine + sizes.all_in_above * (bets.behind - mine)
    found = set()
    for share in sizes.raises if bets.raises else sizes.bets:
        to = max(called + round(share * pot), least)
        found.add(bets.behind if to > limit else to)
    if bets.behind - called <= sizes.all_in_pots * pot:
        found.add(bets.behind)
    return found


def _alike(one: int, other: int) -> bool:
    return max(one, other) <= _SAME_SIZE * min(one, other)


def after(bets: Bets, move: Move) -> Bets:
    """Return the betting after a check or a bet or raise; calls and folds end the street."""
    put = list(bets.put)
    least = bets.least_raise
    if move > 0:
        least = max(least, move - bets.put[1 - bets.player])
        put[bets.player] = move
    return Bets(
        bets.pot,
        bets.behind,
        (put[0], put[1]),
        1 - bets.player,
        least,
        bets.raises + (move > 0),
        passed=move == PASS,
    )
