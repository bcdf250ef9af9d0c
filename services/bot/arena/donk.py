"""A policy of donksolver (PyPI, a development dependency) as a player.

Two things differ between its heads-up game and the real one, both bridged here:

- Its small blind acts first on every street; the real one has the button and acts last after
  the flop. Before the flop a spot is put as it is. After it the button becomes the seat that
  acts last, and the actions before the flop are retold so that the same player raised last:
  the button's raise follows a limp.
- Its tree knows few sizes. donksolver itself maps real sizes to them (pseudo-harmonic) and
  its answer back to chips by the share of the pot.

Where its tree has no node a tight-aggressive player stands in; ``stage`` says so.
"""

import importlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from poker.actions import Action, ActionKind, Street
from poker.snapshot import PublicAction
from services.bot.arena.errors import UnknownPlayerError
from services.bot.baselines import TightAggressive
from services.bot.history import AGGRESSIVE
from services.bot.policy import nearest_legal
from services.bot.spot import is_preflop
from services.common.codec import BotView

Told = tuple[int, int, int]
"""One action as donksolver reads it: seat (0 is its small blind), 1 if a fold, chips added."""

_FIRST: Final = 0
_LAST: Final = 1
_FOLD, _CHECK, _CALL, _RAISE, _ALL_IN = range(5)
_UNANSWERED: Final = 2
"""The first status that comes without an action."""

_KINDS: Final = {
    _FOLD: ActionKind.FOLD,
    _CHECK: ActionKind.CHECK,
    _CALL: ActionKind.CALL,
    _RAISE: ActionKind.RAISE,
    _ALL_IN: ActionKind.RAISE,
}


class DonkPlayer:
    """Plays a heads-up policy bundle (the JSON file that ``donksolver bundle`` writes)."""

    def __init__(self, manifest: Path) -> None:
        """Load the bundle; raises UnknownPlayerError when that fails."""
        self._bundle, self._statuses = _load(manifest)
        if self._bundle.players != 2:
            raise UnknownPlayerError(f"{manifest} is for {self._bundle.players} players, not 2")
        self._stand_in = TightAggressive()
        self.stage: str | None = None

    def act(self, view: BotView, seed: int) -> Action:
        """Ask the policy; the seed gives the number that draws from it."""
        found = self._bundle.act(
            [[seat.start_chips for seat in view.seats]],
            [(view.rules.small_blind_chips, view.rules.big_blind_chips)],
            [[int(card) for card in view.hole_cards]],
            [[int(card) for card in view.board]],
            [told(view)],
            [random.Random(seed).random()],  # noqa: S311 - a match, not a deck
        )
        status = int(found["status"][0])
        self.stage = self._statuses[status]
        if status >= _UNANSWERED:
            return self._stand_in.act(view, seed)
        kind = int(found["kind"][0])
        return nearest_legal(view.legal, _KINDS[kind], _to_chips(view, kind, found["chips"][0]))


def _load(manifest: Path) -> tuple[Any, Sequence[str]]:
    try:
        policy = importlib.import_module("donksolver.policy")
    except ImportError as error:
        raise UnknownPlayerError(
            f"donksolver is not installed (a development dependency): {error}"
        ) from error
    try:
        return policy.Bundle(str(manifest)), policy.STATUS
    except (OSError, ValueError, LookupError, AttributeError, TypeError, RuntimeError) as error:
        raise UnknownPlayerError(f"{manifest} is no donksolver bundle: {error}") from error


def _to_chips(view: BotView, kind: int, added_chips: int) -> int | None:
    """Return the raise-to of an answer; None stands for the largest."""
    if kind == _ALL_IN:
        return None
    own = next(seat for seat in view.seats if seat.seat == view.seat)
    return own.bet_chips + int(added_chips)


def told(view: BotView) -> list[Told]:
    """Retell a heads-up view's actions in donksolver's seats and order."""
    before = [action for action in view.actions if action.street is Street.PREFLOP]
    after = view.actions[len(before) :]
    blinds = {_FIRST: view.rules.small_blind_chips, _LAST: view.rules.big_blind_chips}
    if is_preflop(view):
        button = _FIRST
    else:
        button = _LAST
        if before[0].kind in AGGRESSIVE:
            before = [_limp(view), *before]
        elif before[1].kind in AGGRESSIVE:
            before = before[1:]
        else:
            # A limp and a check: whoever it was, the first completes and the last checks.
            before = [_limp(view), _check(view)]
    seats = {s.seat: button if s.seat == view.button else 1 - button for s in view.seats}
    return _priced(before, seats, blinds) + _priced(after, seats, {})


def _limp(view: BotView) -> PublicAction:
    other = next(seat.seat for seat in view.seats if seat.seat != view.button)
    to_chips = view.rules.big_blind_chips
    return PublicAction(Street.PREFLOP, other, ActionKind.CALL, to_chips, 0, all_in=False)


def _check(view: BotView) -> PublicAction:
    to_chips = view.rules.big_blind_chips
    return PublicAction(Street.PREFLOP, view.button, ActionKind.CHECK, to_chips, 0, all_in=False)


def _priced(
    actions: list[PublicAction] | tuple[PublicAction, ...],
    seats: dict[int, int],
    bets: dict[int, int],
) -> list[Told]:
    """Write actions with the chips they add to what a seat has bet on the street."""
    found: list[Told] = []
    street = None
    for action in actions:
        if street is not None and action.street is not street:
            bets = {}
        street = action.street
        seat = seats[action.seat]
        if action.kind is ActionKind.FOLD:
            found.append((seat, 1, 0))
            continue
        to_chips = max(action.to_chips, bets.get(seat, 0))
        found.append((seat, 0, to_chips - bets.get(seat, 0)))
        bets[seat] = to_chips
    return found
