"""A player that knows one thing: all the chips or none, before the flop."""

from functools import lru_cache

import numpy as np

from poker.actions import Action, ActionKind
from services.bot.arena.shove_game import Equilibrium, solve
from services.bot.combos import COMBOS, TYPE_OF_COMBO
from services.bot.policy import Floats, RangePolicy, draw, mix_range
from services.bot.spot import is_preflop, spot_of
from services.common.codec import BotView


class PushFoldPlayer:
    """Shoves or folds as the small blind, calls or folds as the big one, by the equilibrium.

    The shove-or-fold game is solved for the depth of the hand, however deep. A limp is answered
    by the shoving hands, a small raise like a shove. After the flop it checks and folds.
    """

    ranges: RangePolicy | None = None

    def act(self, view: BotView, seed: int) -> Action:
        """Mix as the equilibrium does, by the seed."""
        self.ranges = mix_range("shove", view, self._wishes(view))
        return draw(self.ranges.policy(view.hole_cards), view, seed)

    def _wishes(self, view: BotView) -> list[tuple[ActionKind, int | None, Floats]]:
        shares = np.zeros(len(COMBOS), np.float32)
        if is_preflop(view):
            spot = spot_of(view)
            solution = _solved(spot.depth_bb)
            by_type = solution.call if spot.raises else solution.push
            shares = by_type[np.array(TYPE_OF_COMBO)].astype(np.float32)
        return [(ActionKind.RAISE, None, shares), (ActionKind.FOLD, None, 1.0 - shares)]


@lru_cache(maxsize=32)
def _solved(depth_bb: float) -> Equilibrium:
    return solve(depth_bb)
