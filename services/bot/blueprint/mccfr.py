"""External-sampling Monte Carlo CFR over the abstract game (Lanctot et al. 2009).

One deal serves both players in turn as the traverser, who tries every action while the other
player's are drawn. The visited nodes are kept in a list, forward to choose, backward to sum
up, so nothing recurses. Between rounds the regrets are discounted linearly and the average
strategy more steeply (Brown and Sandholm 2019), by whole rounds instead of single deals.

In a share of the walks the other player follows a plain style drawn for the walk instead of
the current strategy, and nothing is added to the average. What comes out is a restricted Nash
response (Johanson, Zinkevich and Bowling 2007): sound, but with an eye to common mistakes.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.boards import RENAMED_COMBOS, set_rank
from services.bot.blueprint.layout import Layout, layout_of
from services.bot.blueprint.styles import TYPICAL, Style, bucket_ranks, chances, drawn_style
from services.bot.blueprint.tables import BucketTables
from services.bot.blueprint.tree import FOLDED, Tree
from services.bot.combos import TYPE_OF_COMBO
from services.bot.jit import kernel, part
from services.bot.preflop_data import equities
from services.bot.strength import seven

_ACTIONS_MAX: Final = 8
_AVERAGE_EXPONENT: Final = 4
"""Round t counts for the average as t to this power: what was played early was played badly."""
_RUNOUTS: Final = 8
_LIMP: Final = 1
"""Where the limp is among the actions of the first node."""
_TYPES: Final = np.array(TYPE_OF_COMBO, dtype=np.int64)
_PREFLOP_SHARES: Final = 2.0 * np.array(equities()) - 1.0


class _Street(NamedTuple):
    """Board classes and buckets of one street."""

    class_of: NDArray[np.int32]
    order_of: NDArray[np.int8]
    buckets: NDArray[np.uint8]


class _Game(NamedTuple):
    """Nodes as (player, street, first child, actions, slot, what player 0 wins), and the sums.

    ``raises`` and ``prices`` are what `styles.chances` asks of a node, ``ranks`` of a bucket.
    ``limp_cost`` is in the unit of the amounts.
    """

    nodes: NDArray[np.int32]
    raises: NDArray[np.int32]
    prices: NDArray[np.float32]
    ranks: NDArray[np.float32]
    regrets: NDArray[np.float32]
    sums: NDArray[np.float32]
    limp_cost: int
    plain_share: float


class _Other(NamedTuple):
    """Whether the player who is not the traverser follows a plain style, and which."""

    plain: bool
    style: Style


class _Dealt(NamedTuple):
    """What a deal means: each player's buckets by street, where these begin, and the shares."""

    buckets: NDArray[np.int64]
    starts: NDArray[np.int64]
    shares: NDArray[np.float32]


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
def _winner(hand: NDArray[np.int64], deck: NDArray[np.int64]) -> int:
    """Return 1 when player 0 wins on the board in `hand[2:]`, -1 when they lose, 0 for a tie."""
    hand[0], hand[1] = deck[0], deck[1]
    zero = seven(hand)
    hand[0], hand[1] = deck[2], deck[3]
    one = seven(hand)
    return int(zero > one) - int(zero < one)


@part
def _sampled_share(deck: NDArray[np.int64], board_cards: int) -> float:
    """Return player 0's average win, -1 to 1, over some run-outs that share no card."""
    hand = np.empty(7, dtype=np.int64)
    hand[2:] = deck[4:9]
    rest = deck[4 + board_cards :].copy()
    won = 0
    drawn = 0
    for _ in range(_RUNOUTS):
        for place in range(2 + board_cards, 7):
            other = drawn + int(np.random.random() * (rest.shape[0] - drawn))
            rest[drawn], rest[other] = rest[other], rest[drawn]
            hand[place] = rest[drawn]
            drawn += 1
        won += _winner(hand, deck)
    return won / _RUNOUTS


@part
def _find_shares(deck: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
    """Write how much of the stake player 0 wins when the betting ends on each street.

    All-in before the river is worth the average over run-outs, not what this deal's board
    makes of it: exact by type before the flop, sampled after. The mean is the same, and the
    regrets are far less noisy.
    """
    hand = np.empty(7, dtype=np.int64)
    hand[2:] = deck[4:9]
    types = _TYPES[_combo(deck[0], deck[1])], _TYPES[_combo(deck[2], deck[3])]
    shares[0] = _PREFLOP_SHARES[types]
    shares[1] = _sampled_share(deck, 3)
    shares[2] = _sampled_share(deck, 4)
    shares[3] = _winner(hand, deck)


@part
def _find_starts(
    deck: NDArray[np.int64],
    streets: tuple[_Street, _Street, _Street],
    base: NDArray[np.int64],
    stride: NDArray[np.int64],
    dealt: _Dealt,
) -> None:
    """Write the buckets of both players on all four streets, and where these begin."""
    flop, turn, river = streets
    for player in range(2):
        combo = _combo(deck[2 * player], deck[2 * player + 1])
        dealt.buckets[player, 0] = _TYPES[combo]
        dealt.buckets[player, 1] = _bucket(deck[4:7], combo, flop)
        dealt.buckets[player, 2] = _bucket(deck[4:8], combo, turn)
        dealt.buckets[player, 3] = _bucket(deck[4:9], combo, river)
        for street in range(4):
            bucket = dealt.buckets[player, street]
            dealt.starts[player, street] = base[street] + bucket * stride[street]


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
def _draw_plain(style: Style, node: int, bucket: int, game: _Game) -> int:
    """Draw the action of a style at a node; all sizes but all-in are as likely."""
    _, street, _, actions, _, _ = game.nodes[node]
    price = game.prices[node]
    passive = 2 if price > 0.0 else 1
    fold, _, rise = chances(style, street, game.raises[node], price, game.ranks[street, bucket])
    point = np.random.random()
    if point < fold:
        return 0
    if point < 1.0 - rise or actions == passive:
        return passive - 1
    sizes = max(actions - passive - 1, 1)
    return passive + int(np.random.random() * sizes)


@part
def _choose(
    traverser: int,
    other: _Other,
    dealt: _Dealt,
    game: _Game,
    visit: _Visit,
) -> int:
    """List the nodes that a walk visits and their strategies; return how many."""
    visit.node[0] = 0
    count = 1
    at = 0
    while at < count:
        node = visit.node[at]
        player, street, first_child, actions, slot, to_zero = game.nodes[node]
        if player < 0:
            share = np.float32(1.0) if player == FOLDED else dealt.shares[street]
            zero = share * np.float32(to_zero)
            visit.value[at] = zero if traverser == 0 else -zero
            at += 1
            continue
        visit.first[at] = count
        if other.plain and player != traverser:
            drawn = _draw_plain(other.style, node, dealt.buckets[player, street], game)
            visit.node[count] = first_child + drawn
            count += 1
            at += 1
            continue
        base = dealt.starts[player, street] + slot
        strategy = visit.strategy[at]
        _match_regrets(game.regrets, base, actions, strategy)
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
    traverser: int, count: int, starts: NDArray[np.int64], game: _Game, visit: _Visit
) -> None:
    """Bring the values of the visited nodes back to the first, adding regrets on the way.

    The last node to be summed up is the button's first decision, where a limp is charged.
    """
    for at in range(count - 1, -1, -1):
        node = visit.node[at]
        player, street, _, actions, slot, _ = game.nodes[node]
        if player < 0:
            continue
        first = visit.first[at]
        if player != traverser:
            visit.value[at] = visit.value[first]
            continue
        if at == 0:
            visit.value[first + _LIMP] -= np.float32(game.limp_cost)
        value = np.float32(0.0)
        for action in range(actions):
            value += visit.strategy[at, action] * visit.value[first + action]
        visit.value[at] = value
        base = starts[player, street] + slot
        for action in range(actions):
            game.regrets[base + action] += visit.value[first + action] - value


@kernel
def _play(
    seed: int,
    deals: int,
    game: _Game,
    streets: tuple[_Street, _Street, _Street],
    bases_and_strides: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> None:
    """Play a number of deals, each with both players as the traverser."""
    np.random.seed(seed)
    size = game.nodes.shape[0] + 1
    visit = _Visit(
        np.empty(size, dtype=np.int32),
        np.empty(size, dtype=np.int32),
        np.empty(size, dtype=np.float32),
        np.empty((size, _ACTIONS_MAX), dtype=np.float32),
    )
    base, stride = bases_and_strides
    deck = np.arange(52)
    dealt = _Dealt(
        np.empty((2, 4), dtype=np.int64),
        np.empty((2, 4), dtype=np.int64),
        np.empty(4, dtype=np.float32),
    )
    style = TYPICAL[0]
    for _ in range(deals):
        _deal(deck)
        _find_starts(deck, streets, base, stride, dealt)
        _find_shares(deck, dealt.shares)
        for traverser in range(2):
            plain = game.plain_share > 0.0 and np.random.random() < game.plain_share
            if plain:
                style = drawn_style()
            count = _choose(traverser, _Other(plain, style), dealt, game, visit)
            _sum_up(traverser, count, dealt.starts, game, visit)


@dataclass(slots=True)
class Trainer:
    """The regrets and summed strategies of one abstract game, and how far it is trained.

    The arrays are laid out by `Layout`; regrets are in hundredths of a big blind. A round is a
    fixed number of deals drawn from a seed of its own, so training that stops between rounds
    and goes on from the saved arrays gives exactly what one without a break would have.
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
        size = layout_of(tree, tables.abstraction.counts).size
        regrets, sums = np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.float32)
        return cls(tree, tables, seed, deals_per_round, regrets, sums)

    def play_round(self) -> None:
        """Play one round of deals, after discounting what came before."""
        kept = self.rounds / (self.rounds + 1)
        self.regrets *= np.float32(kept)
        self.sums *= np.float32(kept**_AVERAGE_EXPONENT)
        entropy = [self.seed, self.tree.sizes.stack, self.rounds]
        seed = int(np.random.SeedSequence(entropy).generate_state(1)[0])
        layout = layout_of(self.tree, self.tables.abstraction.counts)
        where = layout.base, layout.stride
        _play(seed, self.deals_per_round, self._game(layout), self._streets(), where)
        self.rounds += 1

    def _game(self, layout: Layout) -> _Game:
        tree = self.tree
        columns = (
            tree.player,
            tree.street,
            tree.first_child,
            tree.action_count,
            layout.slot,
            tree.to_zero,
        )
        nodes = np.stack([column.astype(np.int32) for column in columns], axis=1)
        return _Game(
            nodes,
            tree.raises(),
            tree.prices(),
            bucket_ranks(self.tables.abstraction),
            self.regrets,
            self.sums,
            tree.sizes.limp_cost,
            tree.sizes.plain_share,
        )

    def _streets(self) -> tuple[_Street, _Street, _Street]:
        flop, turn, river = (
            _Street(classes.class_of, classes.order_of, np.asarray(buckets))
            for classes, buckets in zip(self.tables.classes, self.tables.buckets, strict=True)
        )
        return flop, turn, river
