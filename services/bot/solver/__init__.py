"""Exact solutions of turn and river subgames, by vectorised discounted CFR.

Entry points: `plan(board, pot_chips, behind_chips)` chooses `Sizes` and iterations for
the time budget; `solve(subgame, iterations, stop_at)` returns a `Solution`::

    solution.root                      node of the subgame's first decision
    solution.child(node, move)         the node after FOLD, PASS or a raise-to
    solution.kind(node)                "decision", "folded", "showdown" or "dealt" (river to come)
    solution.player(node)              who acts
    solution.moves(node)               moves on offer
    solution.strategy(node)            (moves, 1326), columns sum to 1; float32
    solution.values(node, player)      (1326,) chips from the node on: a fold is 0, the pot at
                                       the node counts as winnings
    solution.move_values(node)         (moves, 1326) the same for every move of who acts
    solution.reach(node)               both ranges at the node, (1326,) each
    solution.river_values(node, card, player), solution.river_ranges(node, card)
                                       the same at the start of the river, for a "dealt" node
    solution.exploitability()          share of the pot
"""

from services.bot.solver.errors import SolverError
from services.bot.solver.plan import Plan, budget_iterations, plan
from services.bot.solver.sizes import FOLD, PASS, History, Move, Sizes, StreetSizes
from services.bot.solver.solution import Solution, solve
from services.bot.solver.subgame import Gadget, Subgame

__all__ = [
    "FOLD",
    "PASS",
    "Gadget",
    "History",
    "Move",
    "Plan",
    "Sizes",
    "Solution",
    "SolverError",
    "StreetSizes",
    "Subgame",
    "budget_iterations",
    "plan",
    "solve",
]
