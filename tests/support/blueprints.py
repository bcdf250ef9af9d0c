"""Small blueprints for tests: every spot known, strategies made up but fixed."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from poker.actions import ActionKind
from services.bot.blueprint.sizes import Sizes
from services.bot.blueprint.tree import Tree, build_tree
from services.bot.combos import COMBOS, TYPE_COUNT, TYPE_OF_COMBO
from services.bot.preflop_data import percentiles
from services.bot.translation import Library

BUCKETS = 10
DEPTHS = (10, 25, 100)


class MadeUp:
    """A blueprint over a tree with few sizes, with random mixes that prefer to call."""

    def __init__(self, depth_bb: int) -> None:
        self.depth_bb = depth_bb
        self.tree: Tree = _tree(depth_bb)

    def street(self, node: int) -> int:
        return int(self.tree.street[node])

    def player(self, node: int) -> int:
        return int(self.tree.player[node])

    def actions(self, node: int) -> Sequence[tuple[ActionKind, int]]:
        first = int(self.tree.first_child[node])
        last = first + int(self.tree.action_count[node])
        return [(self.tree.kind[child], int(self.tree.to[child])) for child in range(first, last)]

    def child(self, node: int, index: int) -> int:
        return int(self.tree.first_child[node]) + index

    def strategy(self, node: int) -> NDArray[np.float32]:
        rng = np.random.default_rng((self.depth_bb, node))
        kinds = [kind for kind, _ in self.actions(node)]
        buckets = BUCKETS if self.street(node) else TYPE_COUNT
        table = rng.random((len(kinds), buckets)) ** 2
        table[[kind in {ActionKind.CALL, ActionKind.CHECK} for kind in kinds]] += 0.5
        shares: NDArray[np.float32] = (table / table.sum(axis=0)).astype(np.float32)
        return shares


@cache
def _tree(depth_bb: int) -> Tree:
    row = ((1.0,), (1.0,), (1.0,))
    return build_tree(Sizes(100 * depth_bb, (250,), (300,), ((3.0,), (2.3,)), row, row, (2, 1, 1)))


def made_up_buckets(board: tuple[int, ...]) -> NDArray[np.int16]:
    if not board:
        return np.array(TYPE_OF_COMBO, np.int16)
    found = [
        -1 if {first, second} & set(board) else (first // 4 + second // 4 + sum(board)) % BUCKETS
        for first, second in COMBOS
    ]
    return np.array(found, np.int16)


@cache
def _made_up(depth_bb: int) -> MadeUp:
    return MadeUp(depth_bb)


def made_up_library() -> Library:
    ranks = np.zeros((4, TYPE_COUNT), np.float32)
    ranks[0] = percentiles()
    ranks[1:, :BUCKETS] = np.linspace(1.0, 0.0, BUCKETS)
    return Library(DEPTHS, _made_up, made_up_buckets, ranks)
