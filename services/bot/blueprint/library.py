"""The trained blueprints, loaded when first asked for.

    bp = blueprint(100)
    node = ROOT                                # the button's first decision
    bp.actions(node)                           # ((FOLD, 0), (CALL, 0), (RAISE, 225), ...)
    bp.strategy(node)[:, buckets(())[combo]]   # probabilities of a combo's actions
    node = bp.child(node, 1)                   # after a limp

Nodes are integers. Cards come between nodes unseen: after the call that ends a street the
child is of the next street, and `buckets` of the longer board then tells a combo's column.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.abstraction import Abstraction
from services.bot.blueprint.packing import strategy_of
from services.bot.blueprint.store import (
    BlueprintError,
    Stored,
    abstraction_of,
    load_depth,
    read_manifest,
)
from services.bot.blueprint.tree import FOLDED, SHOWDOWN, Move

__all__ = ["FOLDED", "ROOT", "SHOWDOWN", "Blueprint", "BlueprintError", "Move"]
__all__ += ["abstraction", "blueprint", "buckets", "library"]

ROOT: Final = 0
DATA: Final = Path(str(files("services.bot") / "data"))


class Blueprint:
    """The average strategy of one abstract game: one depth, both players, all streets.

    Player 0 is the big blind, player 1 the button. Amounts are in hundredths of a big blind.
    """

    def __init__(self, stored: Stored, counts: tuple[int, int, int, int]) -> None:
        self._tree = stored.tree
        self._fifteenths = stored.fifteenths
        self._offsets = stored.offsets
        self._counts = counts

    @property
    def depth_bb(self) -> int:
        """Each player's stack at the start of the hand, in big blinds."""
        return self.stack // 100

    @property
    def stack(self) -> int:
        """Each player's stack at the start of the hand, in hundredths of a big blind."""
        return self._tree.sizes.stack

    @property
    def nodes(self) -> int:
        """How many nodes the game has, terminal ones included."""
        return len(self._tree.player)

    def street(self, node: int) -> int:
        """Return 0 before the flop, 1 on it, 2 on the turn, 3 on the river."""
        return int(self._tree.street[node])

    def player(self, node: int) -> int:
        """Return who acts: 0, 1, or at terminal nodes `FOLDED` or `SHOWDOWN`.

        A showdown may come with cards to be dealt, when both are all-in.
        """
        return int(self._tree.player[node])

    def is_terminal(self, node: int) -> bool:
        """Return whether nobody acts any more."""
        return self.player(node) < 0

    def put(self, node: int) -> tuple[int, int]:
        """Return what each player has put in the pot so far, blinds included."""
        zero, one = self._tree.put[node]
        return int(zero), int(one)

    def actions(self, node: int) -> tuple[Move, ...]:
        """Return the moves here, none at terminal nodes.

        A move is (kind, to): `to` is the total put in on this street after a bet or raise,
        blinds included before the flop, and 0 for other kinds. Order: fold or check, call,
        then bets or raises from the smallest; the last raise-to is all-in. A move is all-in
        when it brings the player's `put` to `stack`.
        """
        first = int(self._tree.first_child[node])
        children = range(first, first + int(self._tree.action_count[node]))
        return tuple((self._tree.kind[child], int(self._tree.to[child])) for child in children)

    def child(self, node: int, index: int) -> int:
        """Return the node after the move `actions(node)[index]`; raises IndexError."""
        if not 0 <= index < int(self._tree.action_count[node]):
            raise IndexError(f"node {node} has no move {index}")
        return int(self._tree.first_child[node]) + index

    def strategy(self, node: int) -> NDArray[np.float32]:
        """Return the probabilities (actions, buckets) of a decision; columns sum to 1.

        Raises ValueError at a terminal node.
        """
        if self.is_terminal(node):
            raise ValueError(f"nobody acts at node {node}")
        block = self._fifteenths[self._offsets[node] : self._offsets[node + 1]]
        return strategy_of(
            block, int(self._tree.action_count[node]), self._counts[self.street(node)]
        )


@cache
def library() -> tuple[int, ...]:
    """Return the trained depths in big blinds, shallowest first.

    Raises BlueprintError when the artefacts are missing or of another version.
    """
    return tuple(sorted(entry["depth_bb"] for entry in read_manifest(DATA)["depths"]))


@cache
def blueprint(depth_bb: int) -> Blueprint:
    """Return the blueprint of one of the `library` depths, loaded once and kept.

    Raises KeyError for another depth, BlueprintError when its file is damaged.
    """
    entries = {entry["depth_bb"]: entry for entry in read_manifest(DATA)["depths"]}
    stored = load_depth(DATA, entries[depth_bb], abstraction())
    return Blueprint(stored, abstraction().counts)


@cache
def abstraction() -> Abstraction:
    """Return the card abstraction that all blueprints share."""
    return abstraction_of(read_manifest(DATA))


def buckets(board: Sequence[int]) -> NDArray[np.int16]:
    """Return every combo's bucket on 0, 3, 4 or 5 cards, in the order of `COMBOS`, -1 if dead.

    The order of the board does not matter. About 25 ms of work for a flop, 1 ms for a turn;
    the last boards are remembered. The array is shared and read-only.
    """
    return _buckets(tuple(sorted(board)))


@lru_cache(maxsize=256)
def _buckets(board: tuple[int, ...]) -> NDArray[np.int16]:
    result = abstraction().buckets(np.array(board, dtype=np.int64))
    result.setflags(write=False)
    return result
