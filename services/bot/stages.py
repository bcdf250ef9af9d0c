"""The stages of River at two seats: the blueprint, and solving on the turn and river."""

from typing import Final

import numpy as np

from poker.actions import Action, ActionKind
from services.bot.beliefs import believe
from services.bot.budget import OverBudgetError
from services.bot.line import RIVER, TURN, read_line
from services.bot.policy import Floats, RangePolicy, mix_range, nearest_legal
from services.bot.resolving import Resolver, Standing
from services.bot.solver import FOLD, PASS, SolverError
from services.bot.translation import Library, wishes
from services.common.codec import BotView
from services.common.logs import get_logger

_NAMES: Final = {TURN: "turn_solve", RIVER: "river_solve"}
_KINDS: Final = {FOLD: (ActionKind.FOLD, None), PASS: (ActionKind.CALL, None)}
_SUM_ERROR_MAX: Final = 1e-3
_RARE: Final = 0.01
"""Less than this is left over from the first iterations, and not played."""

_log = get_logger(__name__)


class SolveStage:
    """Answers on the turn and river by solving them; leaves what it cannot solve."""

    name = "solve"

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def range_policy(self, view: BotView) -> RangePolicy | None:
        """Return the solution's strategy and values; None before the turn or on failure."""
        line = read_line(view)
        if line is None or line.street not in _NAMES:
            return None
        try:
            standing = self._resolver.stand(line)
            return _played(_NAMES[line.street], view, standing)
        except (SolverError, OverBudgetError) as error:
            # The line is public, but the board narrows down the cards: only the kind is told.
            _log.warning("not solved", stage=_NAMES[line.street], error=type(error).__name__)
            return None


def _played(stage: str, view: BotView, standing: Standing) -> RangePolicy:
    solution, node = standing.solution, standing.node
    if solution.kind(node) != "decision":
        raise SolverError("the line does not end at a decision")
    shares, values = solution.strategy(node), solution.move_values(node)
    if not np.all(np.abs(shares.sum(axis=0) - 1.0) < _SUM_ERROR_MAX):
        raise SolverError("a strategy does not sum to 1")
    rows: dict[Action, tuple[Floats, Floats]] = {}
    for move, share, value in zip(solution.moves(node), shares, values, strict=True):
        action = nearest_legal(view.legal, *_KINDS.get(move, (ActionKind.RAISE, move)))
        earlier, worth = rows.get(action, (np.zeros_like(share), value))
        rows[action] = (earlier + share, worth)
    table = np.stack([share for share, _ in rows.values()])
    table[table < _RARE] = 0.0
    worths = np.stack([worth for _, worth in rows.values()])
    return RangePolicy(stage, tuple(rows), table / table.sum(axis=0), worths)


class BlueprintStage:
    """Answers at two seats from the blueprints, as long as they know the betting.

    On the turn and river that is what is left when solving failed.
    """

    name = "blueprint"

    def __init__(self, library: Library) -> None:
        self._library = library

    def range_policy(self, view: BotView) -> RangePolicy | None:
        """Return the blueprints' strategy, None where they have none."""
        line = read_line(view)
        if line is None:
            return None
        places = believe(line, line.player, self._library).places
        if not places:
            return None
        found = wishes(places, line.betting(), self._library.buckets(line.board))
        stage = self.name if line.street < TURN else f"{self.name}_fallback"
        return mix_range(stage, view, [(wish.kind, wish.to_chips, wish.shares) for wish in found])
