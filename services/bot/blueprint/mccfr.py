"""External-sampling Monte Carlo CFR over the abstract game (Lanctot et al. 2009).

One deal serves both players in turn as the traverser, who tries every action while the other
player's are drawn. The visited nodes are kept in a list, forward to choose, backward to sum
up, so nothing recurses. Between rounds all regrets are discounted linearly and the average
strategy quadratically (Brown and Sandholm 2019), by whole rounds instead of single deals.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.boards import RENAMED_COMBOS, set_rank
from services.bot.blueprint.jit import compiled, part
from services.bot.blueprint.sizes import BB
from services.bot.blueprint.strength import seven
from services.bot.blueprint.tables import BucketTables
from services.bot.blueprint.tree import FOLDED, Tree
from services.bot.combos import TYPE_OF_COMBO

_ACTIONS_MAX: Final = 8
_TYPES: Final = np.array(TYPE_OF_COMBO, dtype=np.int64)


class _Street(NamedTuple):
    """Board classes and buckets of one street."""

    class_of: NDArray[np.int32]
    order_of: NDArray[np.int8]
    buckets: NDArray[np.uint8]


class _Game(NamedTuple):
    """Nodes as (player, street, first child, actions), payoffs in big blinds, and the sums."""

    nodes: NDArray[np.int32]
    payoff: NDArray[np.float32]
    offsets: NDArray[np.int64]
    regrets: NDArray[np.float32]
    sums: NDArray[np.float32]


class _Visit(NamedTuple):
    """The nodes of one walk in order: where their children begin in it, values, strategies."""

    node: NDArray[np.int32]
    first: NDArray[np.int32]
    value: NDArray[np.float32]
    strategy: NDArray[np.float32]


@part
def _deal(deck: NDArray[np.int64]) -> None:
    """Draw nine cards to the front: two for each player, then the board."""
    for place in range(9):
        other = place + int(np.random.random() * (52 - place))
        deck[place], deck[other] = deck[other], deck[place]


@part
def _combo(first: int, second: int) -> int:
    low, high = min(first, second), max(first, second)
    return high * (high - 1) // 2 + low


@part
def _winner(deck: NDArray[np.int64]) -> int:
    """Return 1 when the first hand wins the showdown, -1 when it loses, 0 for a tie."""
    hand = np.empty(7, dtype=np.int64)
    hand[2:] = deck[4:9]
    hand[0], hand[1] = deck[0], deck[1]
    zero = seven(hand)
    hand[0], hand[1] = deck[2], deck[3]
    one = seven(hand)
    return int(zero > one) - int(zero < one)


@part
def _find_buckets(
    deck: NDArray[np.int64],
    flop: _Street,
    turn: _Street,
    river: _Street,
    result: NDArray[np.int64],
) -> None:
    """Write the bucket of both players on all four streets."""
    for player in range(2):
        combo = _combo(deck[2 * player], deck[2 * player + 1])
        result[player, 0] = _TYPES[combo]
        result[player, 1] = _bucket(deck[4:7], combo, flop)
        result[player, 2] = _bucket(deck[4:8], combo, turn)
        result[player, 3] = _bucket(deck[4:9], combo, river)


@part
def _bucket(board: NDArray[np.int64], combo: int, street: _Street) -> int:
    rank = set_rank(board)
    renamed = RENAMED_COMBOS[street.order_of[rank], combo]
    return int(street.buckets[street.class_of[rank], renamed])


@part
def _match_regrets(
    regrets: NDArray[np.float32], base: int, count: int, strategy: NDArray[np.float32]
) -> None:
    """Write the current strategy: in proportion to positive regrets, else uniform."""
    total = np.float32(0.0)
    for action in range(count):
        positive = max(regrets[base + action], np.float32(0.0))
        strategy[action] = positive
        total += positive
    for action in range(count):
        if total > 0.0:
            strategy[action] /= total
        else:
            strategy[action] = np.float32(1.0) / np.float32(count)


@part
def _draw(strategy: NDArray[np.float32], count: int) -> int:
    left = np.random.random()
    for action in range(count - 1):
        left -= strategy[action]
        if left < 0.0:
            return action
    return count - 1


@part
def _choose(
    traverser: int, zero_wins: int, buckets: NDArray[np.int64], game: _Game, visit: _Visit
) -> int:
    """List the nodes that a walk visits and their strategies; return how many."""
    visit.node[0] = 0
    count = 1
    at = 0
    while at < count:
        node = visit.node[at]
        player, street, first_child, actions = game.nodes[node]
        if player < 0:
            zero = game.payoff[node] * np.float32(1 if player == FOLDED else zero_wins)
            visit.value[at] = zero if traverser == 0 else -zero
            at += 1
            continue
        base = game.offsets[node] + buckets[player, street] * actions
        strategy = visit.strategy[at]
        _match_regrets(game.regrets, base, actions, strategy)
        visit.first[at] = count
        if player == traverser:
            for action in range(actions):
                visit.node[count + action] = first_child + action
            count += actions
        else:
            for action in range(actions):
                game.sums[base + action] += strategy[action]
            visit.node[count] = first_child + _draw(strategy, actions)
            count += 1
        at += 1
    return count


@part
def _sum_up(
    traverser: int, count: int, buckets: NDArray[np.int64], game: _Game, visit: _Visit
) -> None:
    """Bring the values of the visited nodes back to the first, adding regrets on the way."""
    for at in range(count - 1, -1, -1):
        node = visit.node[at]
        player, street, _, actions = game.nodes[node]
        if player < 0:
            continue
        first = visit.first[at]
        if player != traverser:
            visit.value[at] = visit.value[first]
            continue
        value = np.float32(0.0)
        for action in range(actions):
            value += visit.strategy[at, action] * visit.value[first + action]
        visit.value[at] = value
        base = game.offsets[node] + buckets[player, street] * actions
        for action in range(actions):
            game.regrets[base + action] += visit.value[first + action] - value


@compiled
def _play(seed: int, deals: int, game: _Game, streets: tuple[_Street, _Street, _Street]) -> None:
    """Play a number of deals, each with both players as the traverser."""
    np.random.seed(seed)
    size = game.nodes.shape[0] + 1
    visit = _Visit(
        np.empty(size, dtype=np.int32),
        np.empty(size, dtype=np.int32),
        np.empty(size, dtype=np.float32),
        np.empty((size, _ACTIONS_MAX), dtype=np.float32),
    )
    flop, turn, river = streets
    deck = np.arange(52)
    buckets = np.empty((2, 4), dtype=np.int64)
    for _ in range(deals):
        _deal(deck)
        _find_buckets(deck, flop, turn, river, buckets)
        zero_wins = _winner(deck)
        for traverser in range(2):
            count = _choose(traverser, zero_wins, buckets, game, visit)
            _sum_up(traverser, count, buckets, game, visit)


@dataclass(slots=True)
class Trainer:
    """The regrets and summed strategies of one abstract game, and how far it is trained.

    Blocks of a node lie at its offset, (buckets, actions) in order. A round is a fixed number
    of deals drawn from a seed of its own, so training that stops between rounds and goes on
    from the saved arrays gives exactly what one without a break would have.
    """

    tree: Tree
    tables: BucketTables
    seed: int
    deals_per_round: int
    regrets: NDArray[np.float32]
    sums: NDArray[np.float32]
    rounds: int = 0

    @classmethod
    def fresh(cls, tree: Tree, tables: BucketTables, seed: int, deals_per_round: int) -> "Trainer":
        """Begin with no regrets."""
        size = int(tree.offsets(tables.abstraction.counts)[-1])
        regrets, sums = np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.float32)
        return cls(tree, tables, seed, deals_per_round, regrets, sums)

    def play_round(self) -> None:
        """Play one round of deals, after discounting what came before."""
        kept = self.rounds / (self.rounds + 1)
        self.regrets *= np.float32(kept)
        self.sums *= np.float32(kept * kept)
        entropy = [self.seed, self.tree.sizes.stack, self.rounds]
        seed = int(np.random.SeedSequence(entropy).generate_state(1)[0])
        _play(seed, self.deals_per_round, self._game(), self._streets())
        self.rounds += 1

    def _game(self) -> _Game:
        tree = self.tree
        columns = (tree.player, tree.street, tree.first_child, tree.action_count)
        return _Game(
            np.stack([column.astype(np.int32) for column in columns], axis=1),
            (tree.to_zero / BB).astype(np.float32),
            tree.offsets(self.tables.abstraction.counts),
            self.regrets,
            self.sums,
        )

    def _streets(self) -> tuple[_Street, _Street, _Street]:
        flop, turn, river = (
            _Street(classes.class_of, classes.order_of, np.asarray(buckets))
            for classes, buckets in zip(self.tables.classes, self.tables.buckets, strict=True)
        )
        return flop, turn, river
