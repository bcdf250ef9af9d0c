"""Simple opponents to measure River against; none of them is a model of a person."""

import random
from typing import Final, Protocol

from poker.actions import Action, ActionKind
from services.bot.board import board_table
from services.bot.combos import combo_index, type_of
from services.bot.history import AGGRESSIVE
from services.bot.policy import nearest_legal
from services.bot.preflop_data import percentiles
from services.bot.spot import is_preflop
from services.bot.view import highest_bet_chips
from services.common.codec import BotView


class Player(Protocol):
    """Anything that decides from a view and a seed."""

    def act(self, view: BotView, seed: int) -> Action:
        """Return a legal action for the view's seat."""


class Caller:
    """Checks or calls, whatever it holds."""

    def act(self, view: BotView, seed: int) -> Action:
        """Never bet, never fold."""
        return nearest_legal(view.legal, ActionKind.CALL, None)


class Folder:
    """Checks when it is free, folds to any bet."""

    def act(self, view: BotView, seed: int) -> Action:
        """Never put in a chip."""
        return nearest_legal(view.legal, ActionKind.FOLD, None)


class RandomPlayer:
    """Takes a random kind of action and a random size, small ones more often."""

    def act(self, view: BotView, seed: int) -> Action:
        """Pick by the seed alone."""
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

    def act(self, view: BotView, seed: int) -> Action:
        """Judge by hand percentiles before the flop and present hand value after it."""
        raises = sum(a.street is view.street and a.kind in AGGRESSIVE for a in view.actions)
        if is_preflop(view):
            return self._preflop(view, raises)
        return self._postflop(view, raises)

    def _preflop(self, view: BotView, raises: int) -> Action:
        place = percentiles()[type_of(*view.hole_cards)]
        if place < (self._OPEN if raises == 0 else self._RERAISE / raises):
            return nearest_legal(view.legal, ActionKind.RAISE, 3 * highest_bet_chips(view))
        if place < (self._OPEN if raises == 0 else self._CALL / raises):
            return nearest_legal(view.legal, ActionKind.CALL, None)
        return nearest_legal(view.legal, ActionKind.FOLD, None)

    def _postflop(self, view: BotView, raises: int) -> Action:
        made = board_table(tuple(map(int, view.board))).made[combo_index(*view.hole_cards)]
        highest = highest_bet_chips(view)
        if made > 0.78 + 0.1 * raises:
            pot_bet = highest + round(0.7 * (view.pot_total_chips + view.legal.to_call_chips))
            return nearest_legal(view.legal, ActionKind.RAISE, pot_bet)
        if made > 0.6 + 0.08 * raises:
            return nearest_legal(view.legal, ActionKind.CALL, None)
        return nearest_legal(view.legal, ActionKind.FOLD, None)
