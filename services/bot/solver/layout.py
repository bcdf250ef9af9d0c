"""Which combos a subgame has, and in which order each river walks over them.

Only combos of positive weight are kept. A vector of the first street is in the order of
`Layout.combos`; a river's vectors are in the order of strength on that river. All vectors of
one kind have the same length, a multiple of eight with at least one item of zero at the end.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker.cards import DECK_SIZE
from services.bot.solver.jit import LANES, kernel
from services.bot.solver.strength import strengths
from services.bot.solver.subgame import CARDS_OF, Subgame

_POSITION_BITS: Final = 11
_DEAD: Final = 1 << 40

Ints = NDArray[np.int32]


class Order(NamedTuple):
    """One player's combos on every river, weakest first.

    `place` is the combo's place on the first street, `first` and `second` its cards times
    `LANES`, `same` the place of the same combo among the opponent's on this river (the last
    item, always zero, when it has none), all of shape (rivers, stride); `count` how many.
    """

    place: Ints
    first: Ints
    second: Ints
    same: Ints
    count: Ints


@dataclass(frozen=True, slots=True)
class Layout:
    """The combos of both players and their orders; `starts` are the groups of equal strength.

    `starts[river, group, player]` is the player's first place in the group; `groups[river]`
    counts the groups, and one more entry closes the last.
    """

    combos: tuple[NDArray[np.int64], NDArray[np.int64]]
    rivers: tuple[int, ...]
    chance: float
    street: tuple[Order, Order]
    river: tuple[Order, Order]
    starts: Ints
    groups: Ints
    stride: int
    river_stride: int


def lay_out(game: Subgame) -> Layout:
    """Return the layout of a subgame; raise SolverError for a range without combos."""
    combos = game.live(0), game.live(1)
    if game.is_river:
        rivers: tuple[int, ...] = ()
        boards = np.array([game.board])
    else:
        rivers = tuple(card for card in range(DECK_SIZE) if card not in game.board)
        boards = np.array([(*game.board, card) for card in rivers])
    ranked = strengths(boards)
    keys = [_keys(ranked, live) for live in combos]
    most = max(int((key < _DEAD).sum(axis=1).max()) for key in keys)
    stride = _padded(max(len(combos[0]), len(combos[1])))
    orders, starts, groups = _orders(keys, combos, _padded(most))
    flat = [np.arange(len(live), dtype=np.int64)[np.newaxis] for live in combos]
    street, _, _ = _orders(flat, combos, stride)
    chance = 1.0 if game.is_river else 1.0 / (DECK_SIZE - len(game.board) - 4)
    return Layout(
        combos, rivers, chance, street, orders, starts, groups, stride, _padded(most)
    )


def _padded(count: int) -> int:
    return (count // LANES + 1) * LANES


def _keys(ranked: NDArray[np.int64], live: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return strength and place of every combo as one int, sorted by river; dead ones last."""
    mine = ranked[:, live]
    mine = np.where(mine < 0, _DEAD, mine << _POSITION_BITS | np.arange(len(live)))
    mine.sort(axis=1)
    return mine


def _orders(
    keys: list[NDArray[np.int64]], combos: tuple[NDArray[np.int64], ...], stride: int
) -> tuple[tuple[Order, Order], Ints, Ints]:
    sides = tuple(_order(key, live, stride) for key, live in zip(keys, combos, strict=True))
    starts = np.zeros((len(keys[0]), 2 * stride, 2), np.int32)
    groups = np.zeros(len(keys[0]), np.int32)
    _group(keys[0], keys[1], sides[0].count, sides[1].count, starts, groups)
    for side, live, other, theirs in (
        (sides[0], combos[0], sides[1], combos[1]),
        (sides[1], combos[1], sides[0], combos[0]),
    ):
        _match(side, live, other, theirs)
    return (sides[0], sides[1]), starts, groups


def _order(keys: NDArray[np.int64], live: NDArray[np.int64], stride: int) -> Order:
    count = (keys < _DEAD).sum(axis=1).astype(np.int32)
    places = keys & (1 << _POSITION_BITS) - 1
    shape = (len(keys), stride)
    place = np.full(shape, len(live), np.int32)
    first, second = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    width = min(stride, places.shape[1])
    alive = keys[:, :width] < _DEAD
    places = np.where(alive, places[:, :width], 0)
    cards = CARDS_OF[live[places]] * LANES
    place[:, :width] = np.where(alive, places, len(live))
    first[:, :width], second[:, :width] = cards[..., 0], cards[..., 1]
    return Order(place, first, second, np.full(shape, stride - 1, np.int32), count)


@kernel
def _group(
    mine: NDArray[np.int64],
    theirs: NDArray[np.int64],
    my_count: Ints,
    their_count: Ints,
    starts: Ints,
    groups: Ints,
) -> None:
    """Merge the strengths of both players into groups."""
    for river in range(len(mine)):
        one, two, group = 0, 0, 0
        while one < my_count[river] or two < their_count[river]:
            starts[river, group, 0], starts[river, group, 1] = one, two
            group += 1
            level = 1 << 60
            if one < my_count[river]:
                level = mine[river, one] >> 11
            if two < their_count[river]:
                level = min(level, theirs[river, two] >> 11)
            while one < my_count[river] and mine[river, one] >> 11 == level:
                one += 1
            while two < their_count[river] and theirs[river, two] >> 11 == level:
                two += 1
        starts[river, group, 0], starts[river, group, 1] = one, two
        groups[river] = group


@kernel
def _match(
    mine: Order, my_combos: NDArray[np.int64], theirs: Order, their_combos: NDArray[np.int64]
) -> None:
    """Fill `mine.same`."""
    at = np.zeros(1326, np.int32)
    for river in range(len(mine.count)):
        at[:] = mine.same.shape[1] - 1
        for index in range(theirs.count[river]):
            at[their_combos[theirs.place[river, index]]] = index
        for index in range(mine.count[river]):
            mine.same[river, index] = at[my_combos[mine.place[river, index]]]
