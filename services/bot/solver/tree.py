"""The betting tree of a street as flat arrays, parents before children.

A node is a row of `NODES`; the children of a node are neighbours, in the order of its moves.
Reach slots number the different reach vectors of each player: a player's reach changes only
by its own moves, so all nodes between two of them share a slot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.solver.errors import SolverError
from services.bot.solver.sizes import (
    FOLD,
    PASS,
    Bets,
    History,
    Move,
    StreetSizes,
    after,
    can_raise,
    least_raise_to,
    raise_tos,
)

KIND: Final = 0
PLAYER: Final = 1
FIRST: Final = 2
COUNT: Final = 3
ROW: Final = 4
SLOT: Final = 5
"""Column of player 0's reach slot; player 1's is the next."""
COLUMNS: Final = 7

DECISION: Final = 0
FOLDED: Final = 1
SHOWDOWN: Final = 2
DEALT: Final = 3

Inserted = Mapping[History, tuple[int, ...]]


@dataclass(slots=True)
class Node:
    """One node while the tree is built; `win` is what the winner gains, in chips.

    `raises` counts the bets and raises of the street before a decision.

    Gains count from the start of the first street of the tree, with half the pot owned by
    each player, so that the game is zero-sum.
    """

    kind: int
    player: int
    put: tuple[int, int]
    slots: tuple[int, int]
    moves: tuple[Move, ...] = ()
    first: int = 0
    row: int = 0
    win: float = 0.0
    raises: int = 0


@dataclass(slots=True)
class Tree:
    """A forest of betting trees: `roots` are its first nodes, `rows` the actions by player."""

    nodes: list[Node] = field(default_factory=list)
    rows: list[int] = field(default_factory=lambda: [0, 0])
    slots: list[int] = field(default_factory=lambda: [0, 0])

    def table(self) -> NDArray[np.int32]:
        """Return the nodes as the kernels read them."""
        return np.array(
            [
                (node.kind, node.player, node.first, len(node.moves), node.row, *node.slots)
                for node in self.nodes
            ],
            dtype=np.int32,
        ).reshape(-1, COLUMNS)

    def child(self, node: int, move: Move) -> int:
        """Return the node after a move; raise SolverError when it is not offered."""
        moves = self.nodes[node].moves
        if move not in moves:
            raise SolverError(f"move {move} is not one of {moves}")
        return self.nodes[node].first + moves.index(move)


@dataclass(frozen=True, slots=True)
class Start:
    """Where one betting tree begins: the betting, and each player's earlier gains and losses.

    `before` is what each player put in on the earlier street of the tree, `base_pot` the pot
    that was there before.
    """

    bets: Bets
    base_pot: int
    before: int = 0
    history: History = ()


def play(bets: Bets, history: History) -> Bets:
    """Return the betting after a history; raise SolverError where it is not possible."""
    for move in history:
        least, most = least_raise_to(bets), bets.behind
        checks = move == PASS and not bets.to_call and not bets.passed
        if not checks and not (can_raise(bets) and least <= move <= most):
            raise SolverError(f"move {move} cannot be followed by a decision in {history}")
        bets = after(bets, move)
    return bets


def grow(starts: list[Start], sizes: StreetSizes, inserted: Inserted, *, river: bool) -> Tree:
    """Build the trees of one street, breadth first; the roots are its first nodes.

    Where the street ends without a fold, the river has a showdown and the turn a deal.
    """
    tree = Tree()
    queue: list[tuple[int, Start]] = []
    for start in starts:
        _add(tree, start, queue, (_slot(tree, 0), _slot(tree, 1)))
    at = 0
    while at < len(queue):
        index, start = queue[at]
        at += 1
        offered = raise_tos(start.bets, sizes, inserted.get(start.history, ()))
        _expand(tree, index, start, offered, queue=queue, river=river)
    return tree


def _slot(tree: Tree, player: int) -> int:
    tree.slots[player] += 1
    return tree.slots[player] - 1


def _add(
    tree: Tree,
    start: Start,
    queue: list[tuple[int, Start]],
    slots: tuple[int, int],
) -> None:
    bets = start.bets
    put = (start.before + bets.put[0], start.before + bets.put[1])
    if bets.behind == 0:
        win = start.base_pot / 2 + put[0]
        tree.nodes.append(Node(SHOWDOWN, 0, put, slots, win=win))
        return
    queue.append((len(tree.nodes), start))
    tree.nodes.append(Node(DECISION, bets.player, put, slots, raises=bets.raises))


def _expand(
    tree: Tree,
    index: int,
    start: Start,
    raises: list[int],
    *,
    queue: list[tuple[int, Start]],
    river: bool,
) -> None:
    node, bets = tree.nodes[index], start.bets
    node.moves = (*((FOLD,) if bets.to_call else ()), PASS, *raises)
    node.first = len(tree.nodes)
    node.row = tree.rows[bets.player]
    tree.rows[bets.player] += len(node.moves)
    for move in node.moves:
        slots = list(node.slots)
        slots[bets.player] = _slot(tree, bets.player)
        both = (slots[0], slots[1])
        if move == FOLD:
            win = start.base_pot / 2 + node.put[bets.player]
            tree.nodes.append(Node(FOLDED, bets.player, node.put, both, win=win))
        elif move == PASS and (bets.to_call or bets.passed):
            level = start.before + max(bets.put)
            win = start.base_pot / 2 + level
            kind = SHOWDOWN if river else DEALT
            tree.nodes.append(Node(kind, 0, (level, level), both, win=win))
        else:
            ahead = Start(after(bets, move), start.base_pot, start.before, (*start.history, move))
            _add(tree, ahead, queue, both)
