"""What both players may hold, by Bayes' rule from how they play.

Before the turn River plays the blueprint, and its own range is what it would have come here
with. The other player may play as soundly, or in one of the plain styles that training met as
well; the actions seen tell which is likelier, and the range is the mixture. No cards are used
but those on the board.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.actions import ActionKind
from services.bot.blueprint.styles import EXTREME, MIDDLE, TYPICAL, of_ranks
from services.bot.combos import COMBOS
from services.bot.line import BOARD_CARDS, RIVER, TURN, Betting, Line, Move
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
"""River's own actions are believed possible with every hand at least this often."""

OTHERS_DOUBT: Final = 0.08
"""So are the other player's: nobody plays just so."""

_SOUND: Final = 0.25
"""How likely the other player is to play soundly."""

_MIDDLE: Final = 0.45
"""How likely to play in one of the styles near the middle.

Sound play is less likely than in training: measured by how likely the hands were that players of
many kinds held on the turn, also those who follow another blueprint, a broad mixture judges best.
"""

FAINTEST: Final = 1e-5
"""No live combo weighs less than this share of the heaviest."""

_EXTREME: Final = 1.0 - _SOUND - _MIDDLE

_WAYS: Final = np.array(
    [
        _SOUND,
        *[_EXTREME / len(EXTREME)] * len(EXTREME),
        *[_MIDDLE / len(MIDDLE)] * len(MIDDLE),
    ]
)
"""How likely the other player's ways to play are at first: soundly, then the typical styles."""

_CARDS: Final = np.array(COMBOS, dtype=np.int64)

SIZES: Final = 3
"""A plain style raises to any of about so many sizes, whatever it holds."""

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What ``hero`` may hold, (1326,) weights, and the other player by way of playing.

    ``others`` has a row a way, (ways, 1326): how likely it is to play so and hold that. Without
    places the blueprints have nothing to say: the betting has left them.
    """

    hero: int
    own: Weights
    others: Weights
    places: tuple[Place, ...]

    @property
    def ranges(self) -> tuple[Weights, Weights]:
        """Both players' ranges, player 0 first."""
        other: Weights = self.others.sum(axis=0)
        return (other, self.own) if self.hero else (self.own, other)


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


def believe(line: Line, hero: int, library: Library) -> Beliefs:
    """Return a player's beliefs at the decision of a line, read from the blueprints."""
    even = np.ones(len(COMBOS))
    beliefs = Beliefs(hero, even, np.outer(_WAYS, even), begin(library, line))
    for street in range(line.street + 1):
        alive = live(line.board[: BOARD_CARDS[street]])
        own, others = (np.where(alive, weights, 0.0) for weights in (beliefs.own, beliefs.others))
        beliefs = replace(beliefs, own=own, others=others)
        if beliefs.places and line.moves[street]:
            beliefs = _street(beliefs, line, street, library)
    return beliefs


def _street(beliefs: Beliefs, line: Line, street: int, library: Library) -> Beliefs:
    """Read a round; one with more raises than the blueprints know is read without some."""
    moves: Sequence[Move] = line.moves[street]
    first = after = _read(beliefs, line, street, moves, library)
    while not after.places and (shorter := _without_pair(moves)) is not None:
        moves = shorter
        after = _read(beliefs, line, street, moves, library)
    return after if after.places else replace(first, places=())


def _read(
    beliefs: Beliefs, line: Line, street: int, moves: Sequence[Move], library: Library
) -> Beliefs:
    for count in range(len(moves)):
        beliefs = heard(beliefs, line, street, moves[: count + 1], library)
    return beliefs


def heard(
    beliefs: Beliefs, line: Line, street: int, moves: Sequence[Move], library: Library
) -> Beliefs:
    """Return the beliefs after the last of some moves of a street; as they were without places."""
    if not beliefs.places:
        return beliefs
    *earlier, move = moves
    board, betting = line.board[: BOARD_CARDS[street]], line.betting_after(street, earlier)
    soundly = _likelihood(beliefs.places, move, betting, library.buckets(board))
    own, others = beliefs.own, beliefs.others
    if move.player == beliefs.hero:
        own = _scaled(own * doubted(soundly, DOUBT))
    else:
        ranks = _ranks(library, board)
        plain = _plain_likelihoods(move, earlier, street, betting.price, ranks)
        others = _scaled(others * np.vstack([doubted(soundly), plain]))
    places = follow(beliefs.places, move, betting)
    return replace(beliefs, own=own, others=others, places=places)


def _scaled(weights: Weights) -> Weights:
    """Return weights of which the most is 1, so that long wars of raises do not vanish."""
    scaled: Weights = weights / max(weights.max(), np.finfo(np.float64).tiny)
    return scaled


def plainly(beliefs: Beliefs, line: Line, street: int, known: int, library: Library) -> Weights:
    """Return the other player's weights in the typical styles after all moves of a street.

    ``beliefs`` are those after the first ``known`` of them; the rows are as in `TYPICAL`.
    """
    weights, moves = beliefs.others[1:], line.moves[street]
    ranks = _ranks(library, line.board[: BOARD_CARDS[street]])
    for count, move in enumerate(moves):
        if count >= known and move.player != beliefs.hero:
            price = line.betting_after(street, moves[:count]).price
            weights = weights * _plain_likelihoods(move, moves[:count], street, price, ranks)
    return weights


def _ranks(library: Library, board: tuple[int, ...]) -> Floats:
    """Return how good each combo is among all on a board."""
    street = BOARD_CARDS.index(len(board))
    ranks: Floats = library.ranks[street, np.maximum(library.buckets(board), 0)]
    return ranks


def _plain_likelihoods(
    move: Move, earlier: Sequence[Move], street: int, price: float, ranks: Floats
) -> Weights:
    """Return how often each combo makes a move in each typical style, (styles, 1326)."""
    raises = sum(before.kind is ActionKind.RAISE for before in earlier)
    found = _typical(street, raises, price, ranks)
    return doubted(found[:, 2] / SIZES if move.kind is ActionKind.RAISE else found[:, 1])


def plays(river: bool, raises: int, price: float, ranks: Floats) -> Weights:
    """Return what the typical styles do on the turn or river, (styles, 3, ranks), with doubt."""
    found = _typical(RIVER if river else TURN, raises, price, ranks)
    offered = np.array([float(price > 0.0), 1.0, 1.0])[:, np.newaxis]
    mixed: Weights = (1.0 - OTHERS_DOUBT) * found + OTHERS_DOUBT * offered / offered.sum()
    return mixed


def _typical(street: int, raises: int, price: float, ranks: Floats) -> Weights:
    """Return what the typical styles do with hands of these ranks, (styles, 3, ranks)."""
    return np.stack([of_ranks(style, street, raises, price, ranks) for style in TYPICAL])


def _likelihood(
    places: Sequence[Place], move: Move, betting: Betting, buckets: Ints
) -> NDArray[np.float64]:
    """Return how often each combo makes a move: as River itself would, or the nearest to it."""
    for wish in wishes(places, betting, buckets):
        if (wish.kind, wish.to_chips) == (move.kind, move.to_chips):
            return wish.shares.astype(np.float64)
    chance = np.zeros(len(COMBOS))
    for place in places:
        table = shares_at(place, betting, buckets)
        for index, share in counterparts(place, move, betting):
            chance += place.weight * share * table[index]
    return chance


def doubted(chance: Weights, doubt: float = OTHERS_DOUBT) -> Weights:
    """Return how likely an action is to be believed, given how likely it is."""
    believed: Weights = doubt + (1.0 - doubt) * chance
    return believed


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
