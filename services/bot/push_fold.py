"""Short stacks, blind against blind: the push/fold equilibrium."""

from typing import Final

from poker.actions import ActionKind
from poker.positions import blind_seats
from services.bot.policy import Policy, mix
from services.bot.preflop_data import DEEPEST_BB, push_fold
from services.bot.spot import Spot, is_preflop, spot_of
from services.common.codec import BotView

PUSH_DEPTH_MAX_BB: Final = 12.0
"""Above this the small blind has better than shove or fold; a shove is answered up to 25."""


class PushFoldStage:
    """Plays the solved game at effective stacks of at most 12 big blinds.

    It answers when only the two blinds are left and the small blind is half the big one:
    the small blind's first action, and the big blind's answer to a shove.
    """

    name = "push_fold"

    def policy(self, view: BotView) -> Policy | None:
        """Return the equilibrium's frequencies, or None for any other spot."""
        if not is_preflop(view) or not _blind_against_blind(view):
            return None
        spot = spot_of(view)
        small, _ = blind_seats([seat.seat for seat in view.seats], view.button)
        if view.seat == small and spot.raises == 0 and spot.behind:
            return self._push(spot)
        if view.seat != small and spot.raises == 1 and spot.betting_ends and spot.to_call_chips:
            return self._call(spot)
        return None

    def _push(self, spot: Spot) -> Policy | None:
        # Without a raise, or with less than the big blind, a call is the whole decision.
        if spot.depth_bb > PUSH_DEPTH_MAX_BB or spot.view.legal.raises is None:
            return None
        frequency = push_fold(spot.depth_bb).push[spot.kind]
        return mix(
            self.name,
            spot.view,
            [
                (ActionKind.RAISE, spot.cap_chips, frequency),
                (ActionKind.FOLD, None, 1.0 - frequency),
            ],
        )

    def _call(self, spot: Spot) -> Policy | None:
        if spot.depth_bb > DEEPEST_BB:
            return None
        frequency = push_fold(spot.depth_bb).call[spot.kind]
        return mix(
            self.name,
            spot.view,
            [(ActionKind.CALL, None, frequency), (ActionKind.FOLD, None, 1.0 - frequency)],
        )


def _blind_against_blind(view: BotView) -> bool:
    live = {seat.seat for seat in view.seats if not seat.folded}
    rules = view.rules
    return (
        live == set(blind_seats([seat.seat for seat in view.seats], view.button))
        and all(seat.put_in_chips == 0 for seat in view.seats if seat.folded)
        and 2 * rules.small_blind_chips == rules.big_blind_chips
    )
