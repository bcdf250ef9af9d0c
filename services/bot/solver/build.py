"""From a subgame to the arrays that the kernels work on."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.jit import Matrix
from services.bot.solver.ends import Street
from services.bot.solver.habits import Cube, Habitual, follow_habits
from services.bot.solver.kernels import INSTEAD, Game
from services.bot.solver.layout import Layout, Order, lay_out
from services.bot.solver.simd import LANES
from services.bot.solver.sizes import Bets, opening
from services.bot.solver.subgame import CARDS_OF, Subgame
from services.bot.solver.tree import DEALT, FOLDED, SHOWDOWN, Node, Start, Tree, grow

Weights = NDArray[np.float32] | NDArray[np.float64]

_NONE: Final = np.zeros((0, 0, 0), np.float32)
_CARD_ROWS: Final = 53
_LINE_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class Built:
    """A subgame laid out: its trees (the first street's and the river's) and its arrays.

    On a river the first tree is a single deal node, and the river's tree is its only one. `paths`
    is what each way of habits brings to the slots of the visible tree, None without habits.
    """

    subgame: Subgame
    layout: Layout
    top: Tree
    below: Tree
    game: Game
    paths: Cube | None

    @property
    def visible(self) -> Tree:
        """The tree whose nodes a solution shows."""
        return self.below if self.subgame.is_river else self.top


def trees(game: Subgame) -> tuple[Tree, Tree]:
    """Return the trees of the first street and of the river; raise SolverError if impossible."""
    start = Start(game.start(), game.pot_chips, 0, game.history)
    if game.is_river:
        top = Tree([Node(DEALT, 0, (0, 0), (0, 0))], [0, 0], [1, 1])
        return top, grow([start], game.sizes.river, game.inserted, river=True)
    top = grow([start], game.sizes.turn, game.inserted, river=False)
    starts = [
        Start(_river(game, node.put[0]), game.pot_chips, node.put[0])
        for node in top.nodes
        if node.kind == DEALT
    ]
    return top, grow(starts, game.sizes.river, {}, river=True)


def _river(game: Subgame, put: int) -> Bets:
    return opening(game.pot_chips + 2 * put, game.behind_chips - put, game.big_blind_chips)


def build(subgame: Subgame) -> Built:
    """Lay a subgame out; raise SolverError if it is not one."""
    top, below = trees(subgame)
    layout = lay_out(subgame)
    root = np.zeros((5, layout.street.stride), np.float32)
    for player in (0, 1):
        weights = np.asarray(subgame.ranges[player], np.float64)[layout.combos[player]]
        root[player, : len(weights)] = weights / weights.sum()
    brought = _by_habit(subgame, (top, below), layout, root)
    on_top, on_rivers, paths = (_NONE, _NONE, None)
    if brought:
        paths, on_rivers = brought.visible, brought.rivers
        on_top = np.zeros((1, max(top.slots) + 1, layout.street.stride), np.float32)
        if not subgame.is_river:
            on_top[0] = paths.sum(axis=0)
    _set_alternatives(subgame, layout, root)
    game = Game(
        _street(top, layout.street, subgame.pot_chips, on_top),
        _street(below, layout.river, subgame.pot_chips, on_rivers),
        np.array([at for at, node in enumerate(top.nodes) if node.kind == DEALT], np.int32),
        root,
        layout.chance,
        subgame.gadget.player if subgame.gadget else -1,
        subgame.habits.player if subgame.habits else -1,
    )
    return Built(subgame, layout, top, below, game, paths)


def _by_habit(
    subgame: Subgame, trees: tuple[Tree, Tree], layout: Layout, root: Matrix
) -> Habitual | None:
    """Take what is played by habit from a range at the root, and follow it down the trees."""
    habits = subgame.habits
    if habits is None:
        return None
    combos = layout.combos[habits.player]
    whole = root[habits.player, : len(combos)]
    weights = (whole * habits.shares[:, combos]).astype(np.float32)
    whole -= np.minimum(weights.sum(axis=0), whole)
    return follow_habits(subgame, habits, weights, trees, layout)


def _street(tree: Tree, order: Order, pot: int, habits: Cube) -> Street:
    rivers, rows = order.table.shape[2], max(tree.rows)
    slots, stride = max(tree.slots) + 1, order.stride
    places, scale = _lanes(tree, stride, pot)
    return Street(
        tree.table(),
        places,
        scale,
        _zeros(4, max(1, rivers * rows), stride),
        _zeros(slots, stride),
        _zeros(len(tree.nodes) + 1, stride),
        order.table,
        order.counts,
        order.starts,
        _zeros(3, LANES * max(stride, _CARD_ROWS)),
        _zeros(2, stride),
        habits,
        _zeros(slots if len(habits) else 0, stride),
        rows,
    )


def _zeros(*shape: int) -> Matrix:
    """Return zeros that begin where a cache line does: values across two lines are slow."""
    size = math.prod(shape)
    room = np.zeros(size + LANES, np.float32)
    skipped = -room.ctypes.data % _LINE_BYTES // room.itemsize
    return room[skipped : skipped + size].reshape(shape)


def _lanes(tree: Tree, stride: int, pot: int) -> tuple[NDArray[np.int64], Matrix]:
    """Return `Street.places` and `Street.scale`: showdowns first, folds last, padded."""
    sides = [_ends(tree, opponent) for opponent in (0, 1)]
    count = -(-max(len(ends) for ends in sides) // LANES) * LANES
    places = np.full((2, 3, count), len(tree.nodes) * stride, np.int64)
    places[:, 0] = max(tree.slots) * stride
    scale = np.zeros((2, 2, count), np.float32)
    for opponent, ends in enumerate(sides):
        for lane, (slot, nodes, pays) in enumerate(ends):
            places[opponent, 0, lane] = slot * stride
            for kind in (0, 1):
                if pays[kind]:
                    places[opponent, 1 + kind, lane] = nodes[kind] * stride
                    scale[opponent, kind, lane] = pays[kind] / pot
    return places, scale


def _ends(tree: Tree, opponent: int) -> list[tuple[int, list[int], list[float]]]:
    """Return the opponent's reach slots that lead to ends: slot, nodes and pays by kind."""
    found: dict[int, tuple[list[int], list[float]]] = {}
    for at, node in enumerate(tree.nodes):
        if node.kind not in {FOLDED, SHOWDOWN}:
            continue
        kind = int(node.kind == FOLDED)
        nodes, pays = found.setdefault(node.slots[opponent], ([0, 0], [0.0, 0.0]))
        nodes[kind] = at
        pays[kind] = -node.win if kind and node.player != opponent else node.win
    ends = [(slot, *both) for slot, both in found.items()]
    return sorted(ends, key=lambda end: (not end[2][0], bool(end[2][1])))


def masses(weights: Weights) -> NDArray[np.float64]:
    """Return how much weight of a range shares no card with each combo, shape (1326,)."""
    held = np.bincount(CARDS_OF.ravel(), np.repeat(weights, 2), minlength=52)
    rest = np.sum(weights, dtype=np.float64) - held[CARDS_OF].sum(axis=1) + weights
    return np.asarray(np.maximum(rest, 0.0))


def _set_alternatives(game: Subgame, layout: Layout, root: Matrix) -> None:
    """Write the gadget's alternatives as counterfactual values in shares of the pot."""
    if not game.gadget:
        return
    player = game.gadget.player
    mine, theirs = layout.combos[player], layout.combos[1 - player]
    weights = np.zeros(len(CARDS_OF))
    weights[theirs] = root[1 - player, : len(theirs)]
    owned = game.start().put[player] + game.pot_chips / 2
    shares = (np.asarray(game.gadget.values, np.float64) - owned) / game.pot_chips
    root[INSTEAD, : len(mine)] = (shares * masses(weights))[mine]
