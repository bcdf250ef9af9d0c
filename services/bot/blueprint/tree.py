"""The abstract betting game of two players as flat arrays.

Player 1 is the button and small blind, player 0 the big blind. Nodes are numbered so that a
node's children follow one another; chance is no node of its own, the next street simply
begins. Amounts are in hundredths of a big blind.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.kinds import ActionKind
from services.bot.blueprint.sizes import BB, Sizes

FOLDED: Final = -1
SHOWDOWN: Final = -2
"""What stands for the player at a terminal node."""
Move = tuple[ActionKind, int]
"""A kind, and for bets and raises the total put in this street (else 0)."""


@dataclass(frozen=True, slots=True)
class _State:
    street: int
    player: int
    put: tuple[int, int]
    street_start: int
    last_raise: int
    raises: int
    acted: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes of one abstract game; node 0 is the button's first decision.

    ``player`` is `FOLDED` or `SHOWDOWN` at terminal nodes. ``kind`` and ``to`` are the move
    that leads to a node. ``put`` is each player's total so far, (nodes, 2). ``to_zero`` is
    what player 0 wins at a fold, and the stake of each player at a showdown.
    """

    sizes: Sizes
    street: NDArray[np.int8]
    player: NDArray[np.int8]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    action_count: NDArray[np.int8]
    kind: tuple[ActionKind, ...]
    to: NDArray[np.int32]
    put: NDArray[np.int32]
    to_zero: NDArray[np.int32]

    def infosets(self, bucket_counts: tuple[int, int, int, int]) -> int:
        """Return how many information sets the abstract game has."""
        counts = np.array(bucket_counts, dtype=np.int64)[self.street]
        return int(counts[self.player >= 0].sum())

    def raises(self) -> NDArray[np.int32]:
        """Return how often each node's street was bet or raised before it, blinds left out."""
        counts = np.zeros(len(self.player), dtype=np.int32)
        for node in range(1, len(counts)):
            parent = self.parent[node]
            if self.street[node] == self.street[parent]:
                raised = self.kind[node] in {ActionKind.BET, ActionKind.RAISE}
                counts[node] = counts[parent] + raised
        return counts

    def prices(self) -> NDArray[np.float32]:
        """Return what is to call at each node as a share of the pot with the bet."""
        asked = self.put.max(axis=1) - self.put.min(axis=1)
        shares: NDArray[np.float32] = (asked / self.put.sum(axis=1)).astype(np.float32)
        return shares


def build_tree(sizes: Sizes) -> Tree:
    """Lay out the whole game, what follows a move close to it."""
    root = _State(0, 1, (BB, BB // 2), 0, BB, 1, 0)
    states = [root]
    moves: list[Move] = [(ActionKind.CHECK, 0)]
    parents = [-1]
    first_child: dict[int, int] = {}
    stack = [0]
    while stack:
        node = stack.pop()
        state = states[node]
        if state.player < 0:
            continue
        first_child[node] = len(states)
        for move in _moves(state, sizes):
            stack.append(len(states))
            states.append(_after(state, move, sizes))
            moves.append(move)
            parents.append(node)
    counts = np.bincount(np.array(parents[1:]), minlength=len(states))
    street = np.array([state.street for state in states], dtype=np.int8)
    player = np.array([state.player for state in states], dtype=np.int8)
    put = np.array([state.put for state in states], dtype=np.int32)
    folder_lost = np.where(player == FOLDED, put.min(axis=1), put[:, 0])
    sign = np.where((player == FOLDED) & (put[:, 0] < put[:, 1]), -1, 1)
    return Tree(
        sizes,
        street,
        player,
        np.array(parents, dtype=np.int32),
        np.array([first_child.get(node, 0) for node in range(len(states))], dtype=np.int32),
        counts.astype(np.int8),
        tuple(kind for kind, _ in moves),
        np.array([to for _, to in moves], dtype=np.int32),
        put,
        (sign * folder_lost).astype(np.int32),
    )


def _moves(state: _State, sizes: Sizes) -> Iterator[Move]:
    me, other = state.put[state.player], state.put[1 - state.player]
    if sizes.push_or_fold and state.raises == 1:
        yield ActionKind.FOLD, 0
        yield ActionKind.RAISE, sizes.stack
        return
    if me < other:
        yield ActionKind.FOLD, 0
        yield ActionKind.CALL, 0
    else:
        yield ActionKind.CHECK, 0
    if other == sizes.stack:
        return
    bet = state.street > 0 and state.raises == 0
    for to in _raise_tos(state, sizes):
        yield (ActionKind.BET if bet else ActionKind.RAISE), to


def _raise_tos(state: _State, sizes: Sizes) -> list[int]:
    """Return the raise-tos, smallest first; the last is all-in."""
    other = state.put[1 - state.player]
    faced = other - state.street_start
    all_in = sizes.stack - state.street_start
    if state.street == 0:
        wanted = _preflop_wanted(state, sizes, faced)
    else:
        street = state.street - 1
        if state.raises >= sizes.raises_max[street]:
            wanted = []
        else:
            rows = sizes.raises if state.raises else sizes.bets
            wanted = [faced + round(share * 2 * other) for share in rows[street]]
    smallest = faced + state.last_raise
    largest = sizes.commit * sizes.stack - state.street_start
    return [*sorted({to for to in wanted if smallest <= to <= largest}), all_in]


def _preflop_wanted(state: _State, sizes: Sizes, faced: int) -> list[int]:
    if state.raises == 1:
        return list(sizes.opens if state.player == 1 else sizes.over_limp)
    level = state.raises - 2
    if level >= len(sizes.reraises):
        return []
    return [round(multiple * faced) for multiple in sizes.reraises[level]]


def _after(state: _State, move: Move, sizes: Sizes) -> _State:
    kind, to = move
    player = state.player
    other = state.put[1 - player]
    if kind is ActionKind.FOLD:
        return replace(state, player=FOLDED)
    if kind in {ActionKind.BET, ActionKind.RAISE}:
        total = state.street_start + to
        put = (total, other) if player == 0 else (other, total)
        last_raise = max(total - other, state.last_raise)
        return replace(
            state,
            player=1 - player,
            put=put,
            last_raise=last_raise,
            raises=state.raises + 1,
            acted=state.acted + 1,
        )
    called = replace(state, put=(other, other), acted=state.acted + 1)
    if state.acted == 0:
        return replace(called, player=1 - player)  # a limp or the first check: the other speaks
    if other == sizes.stack or state.street == 3:
        return replace(called, player=SHOWDOWN)
    return _State(state.street + 1, 0, called.put, other, BB, 0, 0)
