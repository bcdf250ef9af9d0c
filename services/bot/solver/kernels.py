"""One pass of counterfactual regret minimisation over a street and its rivers, compiled.

A pass takes the opponent's reach down the tree, values the ends and brings one player's
counterfactual values back up. Brown & Sandholm, "Solving imperfect-information games via
discounted regret minimization" (2019): positive regrets are discounted by t^1.5 / (t^1.5 + 1),
negative ones by half, and iteration t weighs t^2 in the average strategy.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.bot.solver.jit import LANES, add_lanes, gather_lanes, kernel, scatter_lanes
from services.bot.solver.jit import set_unblocked
from services.bot.solver.layout import Ints, Order
from services.bot.solver.tree import COUNT, DECISION, FIRST, KIND, PLAYER, ROW, SLOT

SOLVE: Final = 0
AVERAGE: Final = 1
BEST: Final = 2
"""What a pass does: learn, value the average strategies, or answer the opponent's at best."""

_LEAST_ENTRY: Final = 0.001

Matrix = NDArray[np.float32]


class Lanes(NamedTuple):
    """The ends of a tree by the opponent's reach slot, for one opponent.

    `places[lane]` is the slot, the showdown node and the fold node that use it, `scale` what
    they pay in shares of the pot; a missing node is the spare last row of the values.
    """

    places: NDArray[np.int64]
    scale: Matrix
    has_showdown: NDArray[np.bool_]
    has_fold: NDArray[np.bool_]


class Street(NamedTuple):
    """The forest of a street with everything learned about it and room to work in.

    `regrets` and `sums` hold, for each player, `rows` vectors a river.
    """

    nodes: Ints
    lanes: tuple[Lanes, Lanes]
    rows: tuple[int, int]
    regrets: tuple[Matrix, Matrix]
    sums: tuple[Matrix, Matrix]
    reach: Matrix
    values: Matrix


class Room(NamedTuple):
    """Scratch space, as flat rows of eight lanes, and the factors of regret matching."""

    lanes: Matrix
    showdown: Matrix
    fold: Matrix
    cards: Matrix
    factors: Matrix
    froms: NDArray[np.int64]
    tos: NDArray[np.int64]


class Game(NamedTuple):
    """A whole subgame as the kernels see it; `leaves` are the first street's deal nodes.

    `chooser` is the gadget's player or -1, `instead` the counterfactual values it may take at
    the root, `choice` its regrets of coming in and of taking them.
    """

    street: Street
    river: Street
    street_order: tuple[Order, Order]
    river_order: tuple[Order, Order]
    starts: Ints
    groups: Ints
    leaves: Ints
    ranges: Matrix
    chance: float
    chooser: int
    instead: Matrix
    choice: Matrix
    room: Room
    flat_room: Room


@kernel
def match_regrets(source: Matrix, row: int, count: int, factor: Matrix) -> None:
    """Set the factors a, b with which a positive regret r is played a * r + b."""
    ratio, flat = factor[0], factor[1]
    size = len(ratio)
    ratio[:] = 0.0
    for action in range(count):
        regret = source[row + action]
        for at in range(size):
            ratio[at] += max(regret[at], np.float32(0.0))
    even = np.float32(1.0 / count)
    for at in range(size):
        total = ratio[at]
        some = total > np.float32(0.0)
        ratio[at] = np.float32(1.0) / total if some else np.float32(0.0)
        flat[at] = np.float32(0.0) if some else even


@kernel
def descend(street: Street, opponent: int, river: int, mode: int, weight: float, factor: Matrix) -> None:
    """Bring the opponent's reach from the roots to every slot; learn its average strategy."""
    nodes, reach, sums = street.nodes, street.reach, street.sums[opponent]
    source = street.regrets[opponent] if mode == SOLVE else sums
    share = np.float32(weight)
    ratio, flat = factor[0], factor[1]
    size = len(ratio)
    for node in range(len(nodes)):
        if nodes[node, KIND] != DECISION or nodes[node, PLAYER] != opponent:
            continue
        row = river * street.rows[opponent] + nodes[node, ROW]
        count = nodes[node, COUNT]
        match_regrets(source, row, count, factor)
        here = reach[nodes[node, SLOT + opponent]]
        for at in range(size):
            ratio[at] *= here[at]
            flat[at] *= here[at]
        for action in range(count):
            there = reach[nodes[nodes[node, FIRST] + action, SLOT + opponent]]
            played = source[row + action]
            for at in range(size):
                there[at] = max(played[at], np.float32(0.0)) * ratio[at] + flat[at]
            if mode == SOLVE:
                total = sums[row + action]
                for at in range(size):
                    total[at] += share * there[at]


@kernel
def ascend(street: Street, player: int, river: int, mode: int, kept: float, factor: Matrix) -> None:
    """Bring the player's values from the ends to the roots; learn its regrets."""
    nodes, values = street.nodes, street.values
    source = street.sums[player] if mode == AVERAGE else street.regrets[player]
    for back in range(len(nodes)):
        node = len(nodes) - 1 - back
        if nodes[node, KIND] != DECISION:
            continue
        first, count = nodes[node, FIRST], nodes[node, COUNT]
        row = river * street.rows[player] + nodes[node, ROW]
        if nodes[node, PLAYER] != player:
            _sum_up(values, node, first, count)
        elif mode == BEST:
            _best_of(values, node, first, count)
        else:
            match_regrets(source, row, count, factor)
            _mix(values, node, first, count, source, row, factor)
            if mode == SOLVE:
                _learn(values, node, first, count, source, row, kept)


@kernel
def _sum_up(values: Matrix, node: int, first: int, count: int) -> None:
    here = values[node]
    here[:] = values[first]
    for action in range(1, count):
        there = values[first + action]
        for at in range(len(here)):
            here[at] += there[at]


@kernel
def _best_of(values: Matrix, node: int, first: int, count: int) -> None:
    here = values[node]
    here[:] = values[first]
    for action in range(1, count):
        there = values[first + action]
        for at in range(len(here)):
            here[at] = max(here[at], there[at])


@kernel
def _mix(values: Matrix, node: int, first: int, count: int, source: Matrix, row: int, factor: Matrix) -> None:
    here = values[node]
    ratio, flat = factor[0], factor[1]
    here[:] = 0.0
    for action in range(count):
        there, played = values[first + action], source[row + action]
        for at in range(len(here)):
            chance = max(played[at], np.float32(0.0)) * ratio[at] + flat[at]
            here[at] += chance * there[at]


@kernel
def _learn(values: Matrix, node: int, first: int, count: int, regrets: Matrix, row: int, kept: float) -> None:
    here = values[node]
    up, down = np.float32(kept), np.float32(0.5)
    for action in range(count):
        there, regret = values[first + action], regrets[row + action]
        for at in range(len(here)):
            past = regret[at]
            past *= up if past > np.float32(0.0) else down
            regret[at] = past + (there[at] - here[at])


@kernel
def settle(street: Street, mine: Order, theirs: Order, player: int, river: int, starts: Ints, groups: Ints, room: Room) -> None:
    """Value all ends of a street for one player, eight reach vectors of the opponent at a time."""
    lanes = street.lanes[1 - player]
    stride = street.reach.shape[1]
    for block in range(len(lanes.has_fold)):
        for lane in range(LANES):
            room.froms[lane] = lanes.places[LANES * block + lane, 0] * stride
        for at in range(0, stride, LANES):
            gather_lanes(street.reach, room.froms, at, room.lanes)
        _total(theirs, river, room)
        if lanes.has_fold[block]:
            for at in range(mine.count[river]):
                set_unblocked(room.fold, LANES * at, room.lanes, LANES * mine.same[river, at], room.cards, mine.first[river, at], mine.second[river, at])
            _spread(street.values, room.fold, lanes, block, 1, room)
        if lanes.has_showdown[block]:
            _walk(mine, theirs, player, river, starts, groups, room)
            _spread(street.values, room.showdown, lanes, block, 0, room)


@kernel
def _spread(values: Matrix, found: Matrix, lanes: Lanes, block: int, kind: int, room: Room) -> None:
    """Write the values of a block to the rows of its nodes."""
    stride = values.shape[1]
    for lane in range(LANES):
        room.tos[lane] = lanes.places[LANES * block + lane, 1 + kind] * stride
    scale = lanes.scale[kind, LANES * block : LANES * block + LANES]
    for at in range(0, stride, LANES):
        scatter_lanes(found, at, scale, values, room.tos)


@kernel
def _total(theirs: Order, river: int, room: Room) -> None:
    """Sum the reach of every card and of all combos."""
    room.cards[:] = 0.0
    for at in range(theirs.count[river]):
        item = LANES * at
        add_lanes(room.cards, theirs.first[river, at], room.lanes, item)
        add_lanes(room.cards, theirs.second[river, at], room.lanes, item)
        add_lanes(room.cards, LANES * 52, room.lanes, item)


@kernel
def _walk(mine: Order, theirs: Order, player: int, river: int, starts: Ints, groups: Ints, room: Room) -> None:
    """Value a showdown: the weaker opponents less the stronger, without shared cards.

    The sums begin at minus half of all, so that what was passed before and after a group of
    equal strength adds up to wins less losses.
    """
    for at in range(len(room.cards)):
        room.cards[at] *= np.float32(-0.5)
    none = len(room.lanes) - LANES
    first, second = mine.first[river], mine.second[river]
    other_first, other_second = theirs.first[river], theirs.second[river]
    for group in range(groups[river]):
        begin, end = starts[river, group, player], starts[river, group + 1, player]
        for at in range(begin, end):
            set_unblocked(room.showdown, LANES * at, room.lanes, none, room.cards, first[at], second[at])
        for at in range(starts[river, group, 1 - player], starts[river, group + 1, 1 - player]):
            item = LANES * at
            add_lanes(room.cards, other_first[at], room.lanes, item)
            add_lanes(room.cards, other_second[at], room.lanes, item)
            add_lanes(room.cards, LANES * 52, room.lanes, item)
        for at in range(begin, end):
            item = LANES * at
            set_unblocked(room.showdown, item, room.showdown, item, room.cards, first[at], second[at])


@kernel
def traverse(game: Game, player: int, mode: int, iteration: int, saved: NDArray[np.float32]) -> None:
    """Make one pass for a player; the opponent's reach at the root is already set.

    `saved[river, leaf]` takes the value vectors at the start of the rivers when it has room.
    """
    other = 1 - player
    weight, past = float(iteration) ** 2, float(iteration - 1) ** 1.5
    kept = past / (past + 1.0)
    top, below = game.street, game.river
    descend(top, other, 0, mode, weight, game.flat_room.factors)
    settle(top, game.street_order[player], game.street_order[other], player, 0, game.starts, game.groups, game.flat_room)
    for leaf in game.leaves:
        top.values[leaf] = 0.0
    mine, theirs = game.river_order[player], game.river_order[other]
    for river in range(len(game.groups)):
        for leaf in range(len(game.leaves)):
            there = below.reach[below.nodes[leaf, SLOT + other]]
            here = top.reach[top.nodes[game.leaves[leaf], SLOT + other]]
            for at in range(len(there)):
                there[at] = here[theirs.place[river, at]]
        descend(below, other, river, mode, weight, game.room.factors)
        settle(below, mine, theirs, player, river, game.starts, game.groups, game.room)
        ascend(below, player, river, mode, kept, game.room.factors)
        for leaf in range(len(game.leaves)):
            here, there = top.values[game.leaves[leaf]], below.values[leaf]
            for at in range(mine.count[river]):
                here[mine.place[river, at]] += np.float32(game.chance) * there[at]
            if len(saved):
                saved[river, leaf] = there
    ascend(top, player, 0, mode, kept, game.flat_room.factors)


@kernel
def enter(game: Game, player: int) -> None:
    """Set a player's reach at the root: its range, less what takes the gadget's alternative."""
    reach = game.street.reach[game.street.nodes[0, SLOT + player]]
    weights = game.ranges[player]
    for at in range(len(weights)):
        reach[at] = weights[at]
        if player == game.chooser:
            reach[at] *= _coming(game.choice[0, at], game.choice[1, at])


@kernel
def _coming(enters: float, takes: float) -> float:
    """Return how often a combo comes in, never quite 0: what it meets stays a sound answer."""
    come, leave = max(enters, np.float32(0.0)), max(takes, np.float32(0.0))
    if come + leave <= np.float32(0.0):
        return np.float32(0.5)
    return max(come / (come + leave), np.float32(_LEAST_ENTRY))


@kernel
def choose(game: Game, iteration: int) -> None:
    """Learn the gadget's regrets from the values of its player at the root."""
    past = float(iteration - 1) ** 1.5
    up, down = np.float32(past / (past + 1.0)), np.float32(0.5)
    values = game.street.values[0]
    for at in range(len(values)):
        enters, takes = game.choice[0, at], game.choice[1, at]
        come = _coming(enters, takes)
        mean = come * values[at] + (np.float32(1.0) - come) * game.instead[at]
        game.choice[0, at] = enters * (up if enters > 0.0 else down) + values[at] - mean
        game.choice[1, at] = takes * (up if takes > 0.0 else down) + game.instead[at] - mean


@kernel
def iterate(game: Game, begin: int, end: int, saved: NDArray[np.float32]) -> None:
    """Make iterations `begin`..`end`-1, counted from 1; both players learn in turn."""
    for iteration in range(begin, end):
        for player in range(2):
            enter(game, 1 - player)
            traverse(game, player, SOLVE, iteration, saved)
            if player == game.chooser:
                choose(game, iteration)
