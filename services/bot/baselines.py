"""Simple opponents to measure River against; none of them is a model of a person."""

import random
from typing import Final, Protocol

import numpy as np

from poker.actions import Action, ActionKind
from services.bot.board import board_table
from services.bot.combos import COMBOS, TYPE_OF_COMBO
from services.bot.history import AGGRESSIVE
from services.bot.policy import Floats, RangePolicy, draw, mix_range, nearest_legal
from services.bot.preflop_data import percentiles
from services.bot.spot import is_preflop
from services.bot.view import highest_bet_chips
from services.common.codec import BotView

_PLACES: Final = np.array(percentiles())[np.array(TYPE_OF_COMBO)]
"""Each combo's place among all hands: near 0 the best."""


class Player(Protocol):
    """Anything that decides from a view and a seed.

    Who can tell what it would have done with every hand has that as ``ranges`` after acting.
    """

    def act(self, view: BotView, seed: int) -> Action:
        """Return a legal action for the view's seat."""


class _Careless:
    """Does not look at its cards."""

    ranges: RangePolicy | None = None

    def act(self, view: BotView, seed: int) -> Action:
        action = self._act(view, seed)
        self.ranges = RangePolicy("careless", (action,), np.ones((1, len(COMBOS)), np.float32))
        return action

    def _act(self, view: BotView, seed: int) -> Action:
        raise NotImplementedError


class Caller(_Careless):
    """Checks or calls, whatever it holds."""

    def _act(self, view: BotView, seed: int) -> Action:
        return nearest_legal(view.legal, ActionKind.CALL, None)


class Folder(_Careless):
    """Checks when it is free, folds to any bet."""

    def _act(self, view: BotView, seed: int) -> Action:
        return nearest_legal(view.legal, ActionKind.FOLD, None)


class RandomPlayer(_Careless):
    """Takes a random kind of action and a random size, small ones more often."""

    def _act(self, view: BotView, seed: int) -> Action:
        chance = random.Random(seed)  # noqa: S311 - a baseline, not a deck
        kind = chance.choice((ActionKind.FOLD, ActionKind.CALL, ActionKind.CALL, ActionKind.RAISE))
        if kind is not ActionKind.RAISE or view.legal.raises is None:
            return nearest_legal(view.legal, kind, None)
        bounds = view.legal.raises
        room = bounds.max_to_chips - bounds.min_to_chips
        return nearest_legal(
            view.legal, kind, bounds.min_to_chips + int(room * chance.random() ** 3)
        )


class TightAggressive:
    """Plays good hands by raising them: a fixed, sensible, unmixed style."""

    _OPEN: Final = 0.45
    _CALL: Final = 0.35
    _RERAISE: Final = 0.07

    ranges: RangePolicy | None = None

    def act(self, view: BotView, seed: int) -> Action:
        """Judge by hand percentiles before the flop and present hand value after it."""
        self.ranges = self.range_policy(view)
        return draw(self.ranges.policy(view.hole_cards), view, seed)

    def range_policy(self, view: BotView) -> RangePolicy:
        """Return what it does with every hand."""
        raises = sum(a.street is view.street and a.kind in AGGRESSIVE for a in view.actions)
        highest = highest_bet_chips(view)
        if is_preflop(view):
            goodness = 1.0 - _PLACES
            to_chips = 3 * highest
            rising = 1.0 - (self._OPEN if raises == 0 else self._RERAISE / raises)
            staying = 1.0 - (self._OPEN if raises == 0 else self._CALL / raises)
        else:
            goodness = np.array(board_table(tuple(map(int, view.board))).made)
            to_chips = highest + round(0.7 * (view.pot_total_chips + view.legal.to_call_chips))
            rising, staying = 0.78 + 0.1 * raises, 0.6 + 0.08 * raises
        rises = goodness > rising
        stays = (goodness > staying) & ~rises
        wishes: list[tuple[ActionKind, int | None, Floats]] = [
            (ActionKind.RAISE, to_chips, rises.astype(np.float32)),
            (ActionKind.CALL, None, stays.astype(np.float32)),
            (ActionKind.FOLD, None, (~(rises | stays)).astype(np.float32)),
        ]
        return mix_range("tight_aggressive", view, wishes)
