"""What is to be solved: the betting on a river, or on a turn with all its rivers.

Player 0 acts first on the street (out of position), player 1 second. All chips are counted
from the start of the street.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.cards import DECK_SIZE
from services.bot.combos import COMBOS
from services.bot.solver.errors import SolverError
from services.bot.solver.sizes import Bets, History, Sizes, opening
from services.bot.solver.tree import play

CARDS_OF: Final = np.array(COMBOS, dtype=np.int64)
"""The two cards of every combo, shape (1326, 2)."""

_ROUNDED: Final = 1e-5

_SUITS: Final = CARDS_OF & 3
_APART: Final = np.lexsort((_SUITS[:, 0], (_SUITS[:, 1] - _SUITS[:, 0]) & 3))
"""All combos in an order in which neighbours of equal ranks share no card.

A sum that was just written is slow to read again; so the sums of a card are not needed twice
in a row.
"""

Vector = NDArray[np.float32]


Plays = Callable[[bool, int, float, Vector], NDArray[np.float64]]
"""Whether on the river, the bets and raises before, the price and ranks -> (ways, 3, ranks).

The price is what is to call as a share of the pot with the bet. Of the three chances the first
is to fold, the second to check or call, the third to bet or raise; they sum to 1.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """How often ``player`` plays each way by habit, by combo, and what each way does.

    ``shares`` has a row a way, (ways, 1326), of at least 0; columns sum to at most 1, and what
    is left of a combo's weight is played well.
    """

    player: int
    shares: NDArray[np.float32]
    plays: Plays


@dataclass(frozen=True, slots=True, eq=False)
class Gadget:
    """What one player could have had instead of coming here.

    At the root `player` may, with every combo, take `values` (chips from the root on, as
    `Solution.values` states them, shape (1326,)) rather than play. Solving then keeps the
    other player's strategy from giving any combo more than that, as far as the ranges allow.
    """

    player: int
    values: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Subgame:
    """One street of a heads-up pot, from a decision on.

    `board` has 4 or 5 cards; `pot_chips` and `behind_chips` (the smaller stack) are those at
    the start of the street. `history` are the moves already made on it, `ranges` the weights
    of both players' combos after them, shape (1326,) each, zero where impossible. `inserted`
    adds exact raise-tos at the nodes with these histories of the same street. A range is all its
    player may hold, what is played by habit included.
    """

    board: tuple[int, ...]
    pot_chips: int
    behind_chips: int
    ranges: tuple[Vector, Vector]
    sizes: Sizes
    history: History = ()
    inserted: Mapping[History, tuple[int, ...]] = field(default_factory=dict)
    gadget: Gadget | None = None
    habits: Habits | None = None
    big_blind_chips: int = 2

    @property
    def is_river(self) -> bool:
        """Whether no card is to come."""
        return len(self.board) == 5

    def start(self) -> Bets:
        """Return the betting at the root; raise SolverError if nobody has a decision there."""
        _check_numbers(self)
        return play(opening(self.pot_chips, self.behind_chips, self.big_blind_chips), self.history)

    def live(self, player: int) -> NDArray[np.int64]:
        """Return the combos a player can hold; raise SolverError if there are none."""
        weights = np.asarray(self.ranges[player])
        if weights.shape != (len(COMBOS),) or not np.all(weights >= 0.0):
            raise SolverError("a range is 1,326 weights of at least 0")
        dead = np.isin(CARDS_OF, np.array(self.board)).any(axis=1)
        found = _APART[((weights > 0.0) & ~dead)[_APART]]
        if not found.size:
            raise SolverError(f"player {player} has no combo")
        return found


def _check_numbers(game: Subgame) -> None:
    board = set(game.board)
    if len(game.board) not in {4, 5} or len(board) != len(game.board):
        raise SolverError("a subgame starts on a turn or a river")
    if not all(0 <= card < DECK_SIZE for card in board):
        raise SolverError("a card is 0..51")
    if game.pot_chips < 1 or game.behind_chips < 1 or game.big_blind_chips < 1:
        raise SolverError("pot, stack and big blind are at least one chip")
    if game.gadget and game.gadget.player not in {0, 1}:
        raise SolverError("the gadget belongs to player 0 or 1")
    if game.habits:
        _check_habits(game.habits)


def _check_habits(habits: Habits) -> None:
    shares = habits.shares
    if habits.player not in {0, 1} or shares.ndim != 2 or shares.shape[1] != len(COMBOS):
        raise SolverError("habits are those of player 0 or 1, with 1,326 shares a way")
    if not (np.all(shares >= 0.0) and np.all(shares.sum(axis=0) <= 1.0 + _ROUNDED)):
        raise SolverError("shares of habits are at least 0 and sum to at most 1")
