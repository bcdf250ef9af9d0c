"""Short stacks, blind against blind: the push/fold equilibrium."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from poker.actions import ActionKind
from poker.positions import blind_seats
from services.bot.combos import TYPE_OF_COMBO
from services.bot.policy import Floats, RangePolicy, mix_range
from services.bot.preflop_data import DEEPEST_BB, push_fold
from services.bot.spot import Spot, is_preflop, spot_of
from services.common.codec import BotView

PUSH_DEPTH_MAX_BB: Final = 12.0
"""Above this the small blind has better than shove or fold; a shove is answered up to 25."""


@dataclass(frozen=True, slots=True)
class PushFoldStage:
    """Plays the solved game at effective stacks of at most ``push_max_bb`` big blinds.

    It answers when only the two blinds are left and the small blind is half the big one:
    the small blind's first action, and the big blind's answer to a shove at
    ``call_max_bb`` or less.
    """

    push_max_bb: float = PUSH_DEPTH_MAX_BB
    call_max_bb: float = DEEPEST_BB

    @property
    def name(self) -> str:
        """The name given in replies."""
        return "push_fold"

    def range_policy(self, view: BotView) -> RangePolicy | None:
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

    def _push(self, spot: Spot) -> RangePolicy | None:
        # Without a raise, or with less than the big blind, a call is the whole decision.
        if spot.depth_bb > self.push_max_bb or spot.view.legal.raises is None:
            return None
        pushing = _by_combo(push_fold(spot.depth_bb).push)
        return mix_range(
            self.name,
            spot.view,
            [
                (ActionKind.RAISE, spot.cap_chips, pushing),
                (ActionKind.FOLD, None, 1.0 - pushing),
            ],
        )

    def _call(self, spot: Spot) -> RangePolicy | None:
        if spot.depth_bb > self.call_max_bb:
            return None
        calling = _by_combo(push_fold(spot.depth_bb).call)
        return mix_range(
            self.name,
            spot.view,
            [(ActionKind.CALL, None, calling), (ActionKind.FOLD, None, 1.0 - calling)],
        )


def _by_combo(by_type: Sequence[float]) -> Floats:
    return np.array(by_type, np.float32)[list(TYPE_OF_COMBO)]


def _blind_against_blind(view: BotView) -> bool:
    live = {seat.seat for seat in view.seats if not seat.folded}
    rules = view.rules
    return (
        live == set(blind_seats([seat.seat for seat in view.seats], view.button))
        and all(seat.put_in_chips == 0 for seat in view.seats if seat.folded)
        and 2 * rules.small_blind_chips == rules.big_blind_chips
    )
