"""How richly a street is solved: what fits into the time that a decision may take.

The costs are those of one quiet core of a small cloud machine. The plan depends on the street,
the pot and the stack alone, so that it never changes with load.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from services.bot.combos import COMBOS
from services.bot.solver.build import trees
from services.bot.solver.simd import LANES
from services.bot.solver.sizes import Sizes, StreetSizes
from services.bot.solver.subgame import Subgame
from services.bot.solver.tree import DEALT, FOLDED, SHOWDOWN, Tree

RIVER_MS: Final = 52.0
TURN_MS: Final = 470.0

_RIVERS: Final = (
    StreetSizes((0.25, 0.5, 0.8, 1.3), (0.5, 1.0), 3),
    StreetSizes((0.33, 0.66, 1.2), (0.5, 1.0), 3),
    StreetSizes((0.33, 0.75, 1.5), (0.75,), 3),
    StreetSizes((0.5, 1.0), (0.75,), 3),
    StreetSizes((0.6,), (0.75,), 2),
)
_TURNS: Final = (
    Sizes(StreetSizes((0.5, 1.0), (0.75,), 3), StreetSizes((0.5, 1.0), (0.75,), 2)),
    Sizes(StreetSizes((0.4, 0.9), (0.75,), 2), StreetSizes((0.4, 0.9), (0.75,), 2)),
    Sizes(StreetSizes((0.4, 0.9), (0.75,), 2), StreetSizes((0.75,), (0.75,), 2)),
    Sizes(StreetSizes((0.67,), (0.75,), 2), StreetSizes((0.67,), (0.75,), 2)),
    Sizes(StreetSizes((0.67,), (0.75,), 2), StreetSizes((0.75,), (0.75,), 1, 1.5)),
    Sizes(StreetSizes((0.75,), (1.0,), 1, 1.0), StreetSizes((0.75,), (1.0,), 1, 1.0)),
)
_RIVER_ITERATIONS: Final = (150, 400)
_TURN_ITERATIONS: Final = (48, 100)
"""The fewest that a menu is chosen for, and the most worth making."""

_ROW_US: Final = 1.4
_TURN_ROW_US: Final = 2.0
_BLOCK_US: Final = 5.5
_LEAF_US: Final = 5.0
"""Costs of an iteration over all combos on one river, in millionths of a second: each action
of each player (on the turn they come from farther memory), each `LANES` reach vectors that
lead to ends, and each node of the turn before the river."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The sizes and iterations for a street."""

    sizes: Sizes
    iterations: int


def plan(board: tuple[int, ...], pot_chips: int, behind_chips: int, big_blind: int = 2) -> Plan:
    """Return how to solve a street from its start within the time budget.

    The richest menu that leaves time for enough iterations is taken. Raises SolverError for
    a board, pot or stack that is none.
    """
    river = len(board) == 5
    least, most = _RIVER_ITERATIONS if river else _TURN_ITERATIONS
    menus = tuple(Sizes(menu, menu) for menu in _RIVERS) if river else _TURNS
    chosen, affordable = menus[-1], 1
    for chosen in menus:
        even = np.ones(len(COMBOS), np.float32)
        game = Subgame(
            board, pot_chips, behind_chips, (even, even), chosen, big_blind_chips=big_blind
        )
        affordable = budget_iterations(game)
        if affordable >= least:
            break
    return Plan(chosen, min(affordable, most))


def budget_iterations(game: Subgame) -> int:
    """Return the iterations that fit into the time budget, at least 1.

    Use it where inserted sizes or a later root changed the tree of a plan.
    """
    top, below = trees(game)
    combos = (game.live(0).size + game.live(1).size) / 2
    rivers = 1 if game.is_river else 48
    row_us = _ROW_US if game.is_river else _TURN_ROW_US
    cost = _cost_us(below, row_us) + _LEAF_US * sum(at.kind == DEALT for at in top.nodes)
    cost = cost * rivers + _cost_us(top, row_us)
    budget = RIVER_MS if game.is_river else TURN_MS
    return max(1, int(1000 * budget / (cost * combos / 1081)))


def _cost_us(tree: Tree, row_us: float) -> float:
    """Return the cost of one iteration over a tree on one river with all combos."""
    cost = row_us * sum(tree.rows)
    for opponent in (0, 1):
        ends = {at.slots[opponent] for at in tree.nodes if at.kind in {FOLDED, SHOWDOWN}}
        cost += _BLOCK_US * -(-len(ends) // LANES)
    return cost
