"""A part of one player's range that plays by habit, whatever the solution is.

A restricted Nash response (Johanson, Zinkevich, Bowling: Computing Robust Counter-Strategies,
NIPS 2007) inside a subgame: the rest of that range is played as well as it can be, and the other
player answers both parts at once. What habits bring to each end of the tree is worked out once,
before solving.

A habit looks at how good its hand is on the board: its *rank*, the share of all hands that are
better, 0 the best to 1 the worst; before the river, a hand is as good as its mean rank on rivers.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.bot.jit import Ints, Matrix, fused_kernel, fused_part
from services.bot.solver.layout import Layout
from services.bot.solver.orders import PLACE
from services.bot.solver.sizes import FOLD, PASS
from services.bot.solver.subgame import Habits, Subgame
from services.bot.solver.tree import (
    COUNT,
    DEALT,
    DECISION,
    FIRST,
    KIND,
    PLAYER,
    ROW,
    SLOT,
    Node,
    Tree,
)
from services.bot.strength import strengths

BINS: Final = 64
"""Hands are told apart by rank in so many steps."""

Cube = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Habitual:
    """What habits bring to the slots: by way on the visible street, together on all rivers."""

    visible: Cube
    rivers: Cube


def ranks_on(board: tuple[int, ...], rivers: tuple[int, ...]) -> tuple[Matrix, Matrix]:
    """Return the ranks of all combos on the board and on each river, (1326,) and (rivers, 1326).

    With a whole board there is one river, the board itself. A blocked combo's rank means nothing.
    """
    boards = np.array([(*board, card) for card in rivers] or [board])
    ranked = strengths(boards)
    alive: NDArray[np.bool_] = ranked >= 0
    on_rivers = np.stack([_ranks(*one) for one in zip(ranked, alive, strict=True)])
    behind = np.where(alive, on_rivers, 0.0).sum(axis=0) / np.maximum(alive.sum(axis=0), 1)
    return _ranks(-behind, np.any(alive, axis=0)), on_rivers


def _ranks(worth: NDArray[np.number], alive: NDArray[np.bool_]) -> Matrix:
    """Return the share of the live hands that are worth more; equals count half."""
    rising = np.sort(worth[alive])
    worse = np.searchsorted(rising, worth, "left")
    not_better = np.searchsorted(rising, worth, "right")
    found: Matrix = (1.0 - 0.5 * (worse + not_better) / len(rising)).astype(np.float32)
    return found


def follow_habits(
    subgame: Subgame, habits: Habits, weights: Matrix, trees: tuple[Tree, Tree], layout: Layout
) -> Habitual:
    """Return what habits bring to every slot of both trees.

    ``weights`` are those of the habits at the root, (ways, combos of the layout).
    """
    player, (top, below) = habits.player, trees
    ranks, on_rivers = ranks_on(subgame.board, layout.rivers)
    bins = _sorted_bins(on_rivers, layout, player)
    later = _Played(below.table(), player, _chances(habits, below, subgame.pot_chips, river=True))
    if subgame.is_river:
        weights = weights[:, layout.river.places(player, 0)]
        paths = _begin(weights, below, player, layout.river.stride)
        _follow_ways(later, bins[0], paths)
        return Habitual(paths, paths.sum(axis=0)[np.newaxis])
    paths = _begin(weights, top, player, layout.street.stride)
    first = np.zeros(layout.street.stride, np.int32)
    first[: weights.shape[1]] = _bins(ranks)[layout.combos[player]]
    now = _Played(top.table(), player, _chances(habits, top, subgame.pot_chips, river=False))
    _follow_ways(now, first, paths)
    dealt = np.array([at.slots[player] for at in top.nodes if at.kind == DEALT], np.int32)
    rivers = np.zeros((len(bins), max(below.slots) + 1, layout.river.stride), np.float32)
    places = layout.river.table[player, PLACE]
    starts = np.ascontiguousarray(paths[:, dealt])
    _follow_rivers(later, bins, starts, places, rivers)
    return Habitual(paths, rivers)


def _bins(ranks: Matrix) -> Ints:
    return np.minimum(ranks * BINS, BINS - 1).astype(np.int32)


def _sorted_bins(ranks: Matrix, layout: Layout, player: int) -> Ints:
    """Return the bins of a player's combos on each river, in the order of its vectors."""
    found = np.zeros((len(ranks), layout.river.stride), np.int32)
    for river, bins in enumerate(_bins(ranks)):
        combos = layout.combos[player][layout.river.places(player, river)]
        found[river, : len(combos)] = bins[combos]
    return found


def _begin(weights: Matrix, tree: Tree, player: int, stride: int) -> Cube:
    """Return room for every way's reach of every slot, with that of the root filled in."""
    paths = np.zeros((len(weights), max(tree.slots) + 1, stride), np.float32)
    paths[:, tree.nodes[0].slots[player], : weights.shape[1]] = weights
    return paths


def _chances(habits: Habits, tree: Tree, pot_chips: int, *, river: bool) -> Cube:
    """Return how often each way makes each move of a tree, (ways, rows, `BINS`)."""
    middles = ((np.arange(BINS) + 0.5) / BINS).astype(np.float32)
    found = np.zeros((len(habits.shares), max(tree.rows[habits.player], 1), BINS), np.float32)
    for node in tree.nodes:
        if node.kind == DECISION and node.player == habits.player:
            asked = max(node.put) - min(node.put)
            price = asked / (pot_chips + sum(node.put))
            chosen = habits.plays(river, node.raises, price, middles)
            found[:, node.row : node.row + len(node.moves)] = _by_move(node, chosen)
    return found


def _by_move(node: Node, chosen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chances of a node's moves: any raise on offer is as likely as another."""
    fold, call, rise = chosen[:, 0], chosen[:, 1], chosen[:, 2]
    raises = len([move for move in node.moves if move > 0])
    passed = call + (0.0 if FOLD in node.moves else fold) + (0.0 if raises else rise)
    rows = [
        fold if move == FOLD else passed if move == PASS else rise / raises for move in node.moves
    ]
    return np.stack(rows, axis=1)


class _Played(NamedTuple):
    """A tree as its kernels see it, who plays by habit, and `_chances`."""

    nodes: Ints
    player: int
    chances: Cube


@fused_part
def _follow(played: _Played, way: int, bins: Ints, reach: Matrix) -> None:
    """Bring a way's reach from the roots to every slot."""
    nodes, player, chances = played.nodes, played.player, played.chances[way]
    for node in range(len(nodes)):
        if nodes[node, KIND] != DECISION or nodes[node, PLAYER] != player:
            continue
        here = reach[nodes[node, SLOT + player]]
        for action in range(nodes[node, COUNT]):
            there = reach[nodes[nodes[node, FIRST] + action, SLOT + player]]
            chance = chances[nodes[node, ROW] + action]
            for at in range(len(bins)):
                there[at] = here[at] * chance[bins[at]]


@fused_kernel
def _follow_ways(played: _Played, bins: Ints, paths: Cube) -> None:
    for way in range(len(paths)):
        _follow(played, way, bins, paths[way])


@fused_kernel
def _follow_rivers(played: _Played, bins: Ints, starts: Cube, places: Ints, rivers: Cube) -> None:
    """Deal all rivers to each way's reach at their starts, and add up what all ways bring."""
    nodes, player = played.nodes, played.player
    room = np.zeros((rivers.shape[1], rivers.shape[2]), np.float32)
    for river in range(len(rivers)):
        brought = rivers[river]
        for way in range(len(starts)):
            for leaf in range(starts.shape[1]):
                here, there = starts[way, leaf], room[nodes[leaf, SLOT + player]]
                for at in range(len(there)):
                    there[at] = here[places[river, at]]
            _follow(played, way, bins[river], room)
            for slot in range(len(room)):
                for at in range(room.shape[1]):
                    brought[slot, at] += room[slot, at]
