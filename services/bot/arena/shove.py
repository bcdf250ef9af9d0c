"""A player that knows one thing: all the chips or none, before the flop."""

from functools import lru_cache

from poker.actions import Action, ActionKind
from services.bot.arena.shove_game import Equilibrium, solve
from services.bot.combos import type_of
from services.bot.policy import Option, Policy, draw, nearest_legal
from services.bot.spot import is_preflop, spot_of
from services.common.codec import BotView


class PushFoldPlayer:
    """Shoves or folds as the small blind, calls or folds as the big one, by the equilibrium.

    The shove-or-fold game is solved for the depth of the hand, however deep. A limp is answered
    by the shoving hands, a small raise like a shove. After the flop it checks and folds.
    """

    def act(self, view: BotView, seed: int) -> Action:
        """Mix as the equilibrium does, by the seed."""
        if not is_preflop(view):
            return nearest_legal(view.legal, ActionKind.FOLD, None)
        spot = spot_of(view)
        solution = _solved(spot.depth_bb)
        shares = solution.call if spot.raises else solution.push
        share = float(shares[type_of(*view.hole_cards)])
        all_in = nearest_legal(view.legal, ActionKind.RAISE, None)
        give_up = nearest_legal(view.legal, ActionKind.FOLD, None)
        options = (Option(all_in, share), Option(give_up, 1.0 - share))
        return draw(Policy("shove", options), view, seed)


@lru_cache(maxsize=32)
def _solved(depth_bb: float) -> Equilibrium:
    return solve(depth_bb)
