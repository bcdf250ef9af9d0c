"""One pass of counterfactual regret minimisation over a street and its rivers, compiled.

A pass takes the opponent's reach down the tree, values the ends and brings one player's
counterfactual values back up. Brown & Sandholm, "Solving imperfect-information games via
discounted regret minimization" (2019): positive regrets are discounted by t^1.5 / (t^1.5 + 1),
negative ones by `_FORGIVEN`, and iteration t weighs t^4 in the average strategy. In trials at
the planned numbers of iterations these left less to exploit than the paper's 1/2 and t^2.

Loops are spelt out and arrays are few, because both make compiling take seconds, not minutes.
"""

from typing import Final, NamedTuple

import numpy as np

from services.bot.jit import Ints, Matrix, fused_kernel, fused_part
from services.bot.solver.ends import Street, meet, settle
from services.bot.solver.orders import PLACE
from services.bot.solver.tree import COUNT, DECISION, FIRST, KIND, PLAYER, ROW, SLOT

SOLVE: Final = 0
AVERAGE: Final = 1
BEST: Final = 2
"""What a pass does: learn, value the average strategies, or answer the opponent's at best."""

REGRETS: Final = 0
SUMS: Final = 2
"""Parts of `Street.learned` for player 0; player 1's are the next."""

INSTEAD: Final = 2
ENTERS: Final = 3
TAKES: Final = 4
"""Rows of `Game.root` after the two ranges: the gadget's alternative values and regrets."""

_FORGIVEN: Final = 0.25
_LEAST_ENTRY: Final = 0.1
"""How often a combo comes in at least when it would rather take the gadget's alternative.

In trials with bets outside the tree, a tenth gave up 0.1 to 0.2 % of the pot of safety and won
back some 7 % against the ranges believed in.
"""


class Game(NamedTuple):
    """A whole subgame as the kernels see it.

    `leaves` are the first street's deal nodes, each the root of one tree of the river's
    forest, `chance` the probability of each river, `chooser` the gadget's player or -1, `habitual`
    the one who plays partly by habit or -1.
    """

    street: Street
    river: Street
    leaves: Ints
    root: Matrix
    chance: float
    chooser: int
    habitual: int


@fused_part
def match_regrets(source: Matrix, row: int, count: int, factors: Matrix) -> None:
    """Set the factors a, b with which a positive regret r is played a * r + b."""
    ratio, flat = factors[0], factors[1]
    zero, one = np.float32(0.0), np.float32(1.0)
    even = np.float32(1.0 / count)
    first, second = source[row], source[row + 1]
    if count == 1:
        for at in range(len(ratio)):
            ratio[at] = zero
            flat[at] = one
        return
    for at in range(len(ratio)):
        ratio[at] = max(first[at], zero) + max(second[at], zero)
    for action in range(2, count):
        regret = source[row + action]
        for at in range(len(ratio)):
            ratio[at] += max(regret[at], zero)
    for at in range(len(ratio)):
        total = ratio[at]
        some = total > zero
        ratio[at] = one / total if some else zero
        flat[at] = zero if some else even


@fused_part
def descend(street: Street, opponent: int, river: int, mode: int, weight: float) -> None:
    """Bring the opponent's reach from the roots to every slot; learn its average strategy."""
    nodes, reach, sums = street.nodes, street.reach, street.learned[SUMS + opponent]
    source = street.learned[REGRETS + opponent] if mode == SOLVE else sums
    ratio, flat = street.factors[0], street.factors[1]
    share = np.float32(weight)
    for node in range(len(nodes)):
        if nodes[node, KIND] != DECISION or nodes[node, PLAYER] != opponent:
            continue
        row = river * street.rows + nodes[node, ROW]
        count = nodes[node, COUNT]
        match_regrets(source, row, count, street.factors)
        here = reach[nodes[node, SLOT + opponent]]
        for at in range(len(ratio)):
            ratio[at] *= here[at]
            flat[at] *= here[at]
        for action in range(count):
            there = reach[nodes[nodes[node, FIRST] + action, SLOT + opponent]]
            played, total = source[row + action], sums[row + action]
            if mode == SOLVE:
                for at in range(len(ratio)):
                    played_reach = max(played[at], np.float32(0.0)) * ratio[at] + flat[at]
                    there[at] = played_reach
                    total[at] += share * played_reach
            else:
                for at in range(len(ratio)):
                    there[at] = max(played[at], np.float32(0.0)) * ratio[at] + flat[at]


@fused_part
def ascend(street: Street, player: int, river: int, mode: int, kept: float) -> None:
    """Bring the player's values from the ends to the roots; learn its regrets."""
    nodes, values = street.nodes, street.values
    source = street.learned[SUMS + player] if mode == AVERAGE else street.learned[player]
    for back in range(len(nodes)):
        node = len(nodes) - 1 - back
        if nodes[node, KIND] != DECISION:
            continue
        row = river * street.rows + nodes[node, ROW]
        children = values[nodes[node, FIRST] : nodes[node, FIRST] + nodes[node, COUNT]]
        if nodes[node, PLAYER] != player or mode == BEST:
            _join(values[node], children, nodes[node, PLAYER] == player)
            continue
        moves = source[row : row + len(children)]
        match_regrets(moves, 0, len(children), street.factors)
        _mix(values[node], children, moves, street.factors)
        if mode == SOLVE:
            _learn(values[node], children, moves, kept)


@fused_part
def _join(here: Matrix, children: Matrix, best: bool) -> None:
    """Set values to the sum or the best of those of the children."""
    first = children[0]
    for at in range(len(here)):
        here[at] = first[at]
    for action in range(1, len(children)):
        there = children[action]
        if best:
            for at in range(len(here)):
                here[at] = max(here[at], there[at])
        else:
            for at in range(len(here)):
                here[at] += there[at]


@fused_part
def _mix(here: Matrix, children: Matrix, moves: Matrix, factors: Matrix) -> None:
    """Set values to those of the children as often as each is chosen."""
    ratio, flat = factors[0], factors[1]
    for at in range(len(here)):
        here[at] = 0.0
    for action in range(len(children)):
        there, played = children[action], moves[action]
        for at in range(len(here)):
            chance = max(played[at], np.float32(0.0)) * ratio[at] + flat[at]
            here[at] += chance * there[at]


@fused_part
def _learn(here: Matrix, children: Matrix, regrets: Matrix, kept: float) -> None:
    """Discount the regrets and add what each child was better than the mixture."""
    up, down, zero = np.float32(kept), np.float32(_FORGIVEN), np.float32(0.0)
    for action in range(len(children)):
        there, regret = children[action], regrets[action]
        for at in range(len(here)):
            past = regret[at]
            regret[at] = past * (up if past > zero else down) + (there[at] - here[at])


@fused_part
def _clear(game: Game) -> None:
    """Forget the values of the deal nodes."""
    for leaf in game.leaves:
        values = game.street.values[leaf]
        for at in range(len(values)):
            values[at] = 0.0


@fused_part
def _deal(game: Game, other: int, river: int) -> None:
    """Bring the opponent's reach from the deal nodes to the roots of a river."""
    top, below = game.street, game.river
    places = below.order[other, PLACE, river]
    for leaf in range(len(game.leaves)):
        there = below.reach[below.nodes[leaf, SLOT + other]]
        here = top.reach[top.nodes[game.leaves[leaf], SLOT + other]]
        for at in range(len(there)):
            there[at] = here[places[at]]


@fused_part
def _collect(game: Game, player: int, river: int, saved: Matrix) -> None:
    """Add the values at the roots of a river to those of the deal nodes."""
    top, below = game.street, game.river
    places = below.order[player, PLACE, river]
    chance = np.float32(game.chance)
    for leaf in range(len(game.leaves)):
        here, there = top.values[game.leaves[leaf]], below.values[leaf]
        for at in range(below.counts[player, river]):
            here[places[at]] += chance * there[at]
        if len(saved):
            for at in range(len(there)):
                saved[river, leaf, at] = there[at]


@fused_part
def _coming(enters: float, takes: float) -> float:
    """Return how often a combo comes in, given its regrets of coming in and of not."""
    come, leave = max(enters, 0.0), max(takes, 0.0)
    if come + leave <= 0.0:
        return 0.5
    return max(come / (come + leave), _LEAST_ENTRY)


@fused_part
def enter(game: Game, player: int, mode: int) -> None:
    """Set a player's reach at the root: its range, less what takes the gadget's alternative."""
    reach = game.street.reach[game.street.nodes[0, SLOT + player]]
    for at in range(len(reach)):
        reach[at] = game.root[player, at]
        if mode == SOLVE and player == game.chooser:
            reach[at] *= _coming(game.root[ENTERS, at], game.root[TAKES, at])


@fused_part
def choose(game: Game, kept: float) -> None:
    """Learn the gadget's regrets from the values of its player at the root."""
    values, root = game.street.values[0], game.root
    for at in range(len(values)):
        enters, takes = root[ENTERS, at], root[TAKES, at]
        instead = root[INSTEAD, at]
        come = _coming(enters, takes)
        mean = come * values[at] + (1.0 - come) * instead
        root[ENTERS, at] = enters * (kept if enters > 0.0 else _FORGIVEN) + values[at] - mean
        root[TAKES, at] = takes * (kept if takes > 0.0 else _FORGIVEN) + instead - mean


@fused_part
def _value(game: Game, street: Street, player: int, river: int) -> None:
    """Value the ends of a street for one player, against all that the other plays."""
    if 1 - player == game.habitual:
        meet(street, river)
        settle(street, street.met, player, river)
    else:
        settle(street, street.reach, player, river)


@fused_kernel
def iterate(game: Game, span: tuple[int, int], mode: int, players: Ints, saved: Matrix) -> None:
    """Make the iterations of a range, counted from 1, in each a pass for each of `players`.

    The first street is the first step of a pass and, on the way back, the last. When not
    learning, the gadget is left out. `saved[river, leaf]` takes the value vectors at the start
    of the rivers when it has room.
    """
    rivers = game.river.counts.shape[1]
    for iteration in range(span[0], span[1]):
        weight, past = float(iteration) ** 4, float(iteration - 1) ** 1.5
        kept = past / (past + 1.0)
        for player in players:
            enter(game, 1 - player, mode)
            for step in range(-1, rivers + 1):
                dealt = 0 <= step < rivers
                river = step if dealt else 0
                street = game.river if dealt else game.street
                if dealt:
                    _deal(game, 1 - player, river)
                if step < rivers:
                    descend(street, 1 - player, river, mode, weight)
                    _value(game, street, player, river)
                if step < 0:
                    _clear(game)
                else:
                    ascend(street, player, river, mode, kept)
                if dealt:
                    _collect(game, player, river, saved)
            if mode == SOLVE and player == game.chooser:
                choose(game, kept)
