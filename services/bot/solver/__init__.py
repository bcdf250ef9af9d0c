"""Exact solutions of turn and river subgames, by vectorised discounted CFR.

`plan(board, pot_chips, behind_chips, big_blind)` chooses `Sizes` and iterations for the time
budget; `solve(subgame, iterations, stop_at)` returns a `Solution` to walk move by move; where
sizes were inserted or ranges are narrow, `budget_iterations(subgame)` counts again. `warm_up`
compiles.
"""

from services.bot.solver.errors import SolverError
from services.bot.solver.plan import Plan, budget_iterations, plan
from services.bot.solver.sizes import FOLD, PASS, History, Move, Sizes, StreetSizes
from services.bot.solver.solution import Solution, solve, warm_up
from services.bot.solver.subgame import Gadget, Habits, Subgame

__all__ = [
    "FOLD",
    "PASS",
    "Gadget",
    "Habits",
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
    "warm_up",
]
