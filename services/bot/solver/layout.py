"""Which combos a subgame has, and in which order each river walks over them.

Only combos of positive weight are kept. A vector of the first street is in the order of
`Layout.combos`; a river's vectors are in the order of strength on that river. All vectors of
one kind have the same length, a multiple of `LANES` with at least one item of zero at the end.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poker.cards import DECK_SIZE
from services.bot.jit import Ints
from services.bot.solver.orders import (
    DEAD,
    FIELDS,
    PLACE,
    PLACE_BITS,
    Keys,
    fill_groups,
    fill_order,
    fill_same,
)
from services.bot.solver.simd import LANES
from services.bot.solver.subgame import CARDS_OF, Subgame
from services.bot.strength import strengths


@dataclass(frozen=True, slots=True)
class Order:
    """The order of both players' combos, as `orders` describes it; `stride` is their length."""

    table: Ints
    counts: Ints
    starts: Ints

    @property
    def stride(self) -> int:
        """The length of a vector."""
        return int(self.table.shape[3])

    def places(self, player: int, river: int) -> Ints:
        """Return the places on the first street of a player's combos on a river."""
        return self.table[player, PLACE, river, : self.counts[player, river]]


@dataclass(frozen=True, slots=True)
class Layout:
    """The combos of both players, the rivers by their card, and the orders."""

    combos: tuple[NDArray[np.int64], NDArray[np.int64]]
    rivers: tuple[int, ...]
    chance: float
    street: Order
    river: Order


def lay_out(game: Subgame) -> Layout:
    """Return the layout of a subgame; raise SolverError for a range without combos."""
    combos = game.live(0), game.live(1)
    rivers, chance, boards = _rivers(game)
    ranked = strengths(boards)
    flat = np.zeros((1, ranked.shape[1]), np.int64)
    return Layout(combos, rivers, chance, _order(flat, combos), _order(ranked, combos))


def _rivers(game: Subgame) -> tuple[tuple[int, ...], float, NDArray[np.int64]]:
    """Return the cards to come, the probability of each for given hands, and the boards."""
    if game.is_river:
        return (), 1.0, np.array([game.board])
    rivers = tuple(card for card in range(DECK_SIZE) if card not in game.board)
    boards = np.array([(*game.board, card) for card in rivers])
    return rivers, 1.0 / (len(rivers) - 4), boards


def _order(ranked: Keys, combos: tuple[NDArray[np.int64], NDArray[np.int64]]) -> Order:
    keys = [_keys(ranked, live) for live in combos]
    most = max(int((key < DEAD).sum(axis=1).max()) for key in keys)
    stride = (most // LANES + 1) * LANES
    order = Order(
        np.zeros((2, FIELDS, len(ranked), stride), np.int32),
        np.zeros((3, len(ranked)), np.int32),
        np.zeros((len(ranked), 2 * stride, 2), np.int32),
    )
    for player in (0, 1):
        cards = CARDS_OF[combos[player]]
        fill_order(order.table, order.counts, player, keys[player], cards)
    fill_groups(order.counts, order.starts, keys[0], keys[1])
    fill_same(order.table, order.counts, np.zeros((DECK_SIZE, DECK_SIZE), np.int32))
    return order


def _keys(ranked: Keys, live: NDArray[np.int64]) -> Keys:
    """Return strength and place of every combo as one int, sorted by river; dead ones last."""
    mine = ranked[:, live]
    mine = np.where(mine < 0, DEAD, mine << PLACE_BITS | np.arange(len(live)))
    mine.sort(axis=1)
    return mine
