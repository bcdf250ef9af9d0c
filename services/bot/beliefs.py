"""What both players may hold, by Bayes' rule from the strategy that River plays.

Before the turn that strategy is the blueprint. River's own range is what it would have come
here with; the other player is taken to play as soundly. Nobody's own cards are used: both
seats would work out the same ranges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.actions import ActionKind
from services.bot.combos import COMBOS
from services.bot.line import BOARD_CARDS, Betting, Line, Move
from services.bot.policy import Floats
from services.bot.translation import (
    Ints,
    Library,
    Place,
    begin,
    counterparts,
    follow,
    shares_at,
    wishes,
)

DOUBT: Final = 0.002
"""Every action is believed possible with every hand at least this often."""

FAINTEST: Final = 1e-5
"""No live combo weighs less than this share of the heaviest."""

_CARDS: Final = np.array(COMBOS, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Both players' ranges, (2, 1326) weights, and where the hand stands in the blueprints.

    Without places the blueprints have nothing to say: the betting has left them.
    """

    ranges: NDArray[np.float64]
    places: tuple[Place, ...]


def live(board: Sequence[int]) -> NDArray[np.bool_]:
    """Return which combos a board leaves possible."""
    cards = np.array(board, dtype=np.int64)
    held: NDArray[np.bool_] = _CARDS[:, :, np.newaxis] == cards
    return np.logical_not(held.any(axis=(1, 2)))


def settle(weights: NDArray[np.floating], board: Sequence[int]) -> Floats:
    """Return a range as solvers want it: nothing blocked, nothing live at 0, most is 1."""
    alive = live(board)
    kept = np.where(alive, np.nan_to_num(weights.astype(np.float64)), 0.0)
    most = kept.max()
    if most <= 0.0:
        return alive.astype(np.float32)
    return np.where(alive, np.maximum(kept / most, FAINTEST), 0.0).astype(np.float32)


def believe(line: Line, library: Library) -> Beliefs:
    """Return the beliefs at the decision of a line, all streets read from the blueprints."""
    beliefs = Beliefs(np.ones((2, len(COMBOS))), begin(library, line))
    for street in range(line.street + 1):
        board = line.board[: BOARD_CARDS[street]]
        beliefs = Beliefs(np.where(live(board), beliefs.ranges, 0.0), beliefs.places)
        if beliefs.places and line.moves[street]:
            beliefs = _street(beliefs, line, street, library.buckets(board))
    return beliefs


def _street(beliefs: Beliefs, line: Line, street: int, buckets: Ints) -> Beliefs:
    """Read a round; one with more raises than the blueprints know is read without some."""
    moves: Sequence[Move] = line.moves[street]
    first = after = _read(beliefs, line, street, moves, buckets)
    while not after.places and (shorter := _without_pair(moves)) is not None:
        moves = shorter
        after = _read(beliefs, line, street, moves, buckets)
    return after if after.places else Beliefs(first.ranges, ())


def _read(
    beliefs: Beliefs, line: Line, street: int, moves: Sequence[Move], buckets: Ints
) -> Beliefs:
    ranges, places = beliefs.ranges.copy(), beliefs.places
    for count, move in enumerate(moves):
        if not places:
            break
        betting = line.betting_after(street, moves[:count])
        ranges[move.player] *= _likelihood(places, move, betting, buckets)
        ranges[move.player] /= max(ranges[move.player].max(), np.finfo(np.float64).tiny)
        places = follow(places, move, betting)
    return Beliefs(ranges, places)


def _likelihood(
    places: Sequence[Place], move: Move, betting: Betting, buckets: Ints
) -> NDArray[np.float64]:
    """Return how often each combo makes a move: as River itself would, or the nearest to it."""
    for wish in wishes(places, betting, buckets):
        if (wish.kind, wish.to_chips) == (move.kind, move.to_chips):
            return DOUBT + (1.0 - DOUBT) * wish.shares.astype(np.float64)
    chance = np.zeros(len(COMBOS))
    for place in places:
        table = shares_at(place, betting, buckets)
        for index, share in counterparts(place, move, betting):
            chance += place.weight * share * table[index]
    return DOUBT + (1.0 - DOUBT) * chance


def _without_pair(moves: Sequence[Move]) -> tuple[Move, ...] | None:
    """Return the moves without the two raises in a row that grew least, None below three.

    Who raised last, and to what, stays: so does whose turn it is.
    """
    raises = [at for at, move in enumerate(moves) if move.kind is ActionKind.RAISE]
    if len(raises) < 3:
        return None
    growth = [moves[second].to_chips / moves[first].to_chips for first, second in pairwise(raises)]
    cut = growth.index(min(growth[:-1]))
    return tuple(move for at, move in enumerate(moves) if at not in raises[cut : cut + 2])
