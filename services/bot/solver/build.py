"""From a subgame to the arrays that the kernels work on."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from services.bot.solver.jit import LANES
from services.bot.solver.kernels import Game, Lanes, Matrix, Room, Street
from services.bot.solver.layout import Layout, lay_out
from services.bot.solver.sizes import Bets, opening
from services.bot.solver.subgame import CARDS_OF, Subgame, Vector
from services.bot.solver.tree import DEALT, FOLDED, SHOWDOWN, Node, Start, Tree, grow

_CARD_ROWS: Final = 53


@dataclass(frozen=True, slots=True)
class Built:
    """A subgame laid out: its trees (the first street's and the river's) and its arrays.

    On a river the first tree is a single deal node, and the river's tree is its only one.
    """

    subgame: Subgame
    layout: Layout
    top: Tree
    below: Tree
    game: Game

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
    scale = 1.0 / subgame.pot_chips
    ranges = np.zeros((2, layout.stride), np.float32)
    for player in (0, 1):
        weights = np.asarray(subgame.ranges[player], np.float64)[layout.combos[player]]
        ranges[player, : len(weights)] = weights / weights.sum()
    game = Game(
        _street(top, layout.stride, 1, scale),
        _street(below, layout.river_stride, len(layout.groups), scale),
        layout.street,
        layout.river,
        layout.starts,
        layout.groups,
        np.array([at for at, node in enumerate(top.nodes) if node.kind == DEALT], np.int32),
        ranges,
        layout.chance,
        subgame.gadget.player if subgame.gadget else -1,
        _instead(subgame, layout, ranges),
        np.zeros((2, layout.stride), np.float32),
        _room(layout.river_stride),
        _room(layout.stride),
    )
    return Built(subgame, layout, top, below, game)


def _street(tree: Tree, stride: int, rivers: int, scale: float) -> Street:
    shapes = [(max(1, rivers * rows), stride) for rows in tree.rows]
    slots = max(tree.slots) + 1
    return Street(
        tree.table(),
        (_lanes(tree, 0, slots - 1, scale), _lanes(tree, 1, slots - 1, scale)),
        (tree.rows[0], tree.rows[1]),
        (np.zeros(shapes[0], np.float32), np.zeros(shapes[1], np.float32)),
        (np.zeros(shapes[0], np.float32), np.zeros(shapes[1], np.float32)),
        np.zeros((slots, stride), np.float32),
        np.zeros((len(tree.nodes) + 1, stride), np.float32),
    )


def _lanes(tree: Tree, opponent: int, empty: int, scale: float) -> Lanes:
    """Collect the ends by the opponent's reach slot, showdowns first and folds last."""
    spare = len(tree.nodes)
    found: dict[int, list[int]] = {}
    pays: dict[int, list[float]] = {}
    for at, node in enumerate(tree.nodes):
        if node.kind not in {FOLDED, SHOWDOWN}:
            continue
        slot = node.slots[opponent]
        column = 1 if node.kind == FOLDED else 0
        sign = -1.0 if node.kind == FOLDED and node.player != opponent else 1.0
        found.setdefault(slot, [spare, spare])[column] = at
        pays.setdefault(slot, [0.0, 0.0])[column] = sign * node.win * scale
    order = sorted(found, key=lambda slot: (found[slot][0] == spare, found[slot][1] != spare))
    count = -(-len(order) // LANES) * LANES
    places = np.full((count, 3), spare, np.int64)
    places[:, 0] = empty
    scales = np.zeros((2, count), np.float32)
    for lane, slot in enumerate(order):
        places[lane] = (slot, *found[slot])
        scales[:, lane] = pays[slot]
    used = places[:, 1:].reshape(-1, LANES, 2) != spare
    return Lanes(places, scales, used[:, :, 0].any(axis=1), used[:, :, 1].any(axis=1))


def _room(stride: int) -> Room:
    def flat() -> Matrix:
        return np.zeros(stride * LANES, np.float32)

    cards = np.zeros(_CARD_ROWS * LANES, np.float32)
    offsets = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    return Room(flat(), flat(), flat(), cards, np.zeros((2, stride), np.float32), *offsets)


def masses(weights: Vector) -> Vector:
    """Return how much weight of a range shares no card with each combo, shape (1326,)."""
    held = np.bincount(CARDS_OF.ravel(), np.repeat(weights, 2), minlength=52)
    rest = np.sum(weights, dtype=np.float64) - held[CARDS_OF].sum(axis=1) + weights
    return np.maximum(rest, 0.0)


def _instead(game: Subgame, layout: Layout, ranges: Matrix) -> Matrix:
    """Return the gadget's alternatives as counterfactual values in shares of the pot."""
    found = np.zeros(layout.stride, np.float32)
    if not game.gadget:
        return found
    player = game.gadget.player
    theirs = np.zeros(len(CARDS_OF))
    theirs[layout.combos[1 - player]] = ranges[1 - player, : len(layout.combos[1 - player])]
    put = game.start().put[player]
    chips = np.asarray(game.gadget.values, np.float64) - put - game.pot_chips / 2
    mine = layout.combos[player]
    found[: len(mine)] = (chips * masses(theirs) / game.pot_chips)[mine]
    return found
