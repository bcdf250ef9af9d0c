"""A policy of donksolver (PyPI, a development dependency) as a player.

Two things differ between its heads-up game and the real one, both bridged: who acts first
after the flop (`donk_told`), and that its tree knows few sizes. donksolver itself maps real
sizes to them (pseudo-harmonic, by a number drawn from the cards held and the betting) and its
answer back to chips by the share of the pot.

Where its tree has no node a tight-aggressive player stands in; ``stage`` says so.
"""

import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poker.actions import Action, ActionKind
from services.bot.arena.donk_told import told
from services.bot.arena.errors import UnknownPlayerError
from services.bot.arena.ranges import live
from services.bot.baselines import TightAggressive
from services.bot.combos import COMBOS, combo_index
from services.bot.policy import Floats, RangePolicy, draw, nearest_legal
from services.common.codec import BotView

_FOLD, _CHECK, _CALL, _RAISE, _ALL_IN = range(5)
_UNANSWERED: Final = 2
"""The first status that comes without an action."""
_ROUNDING: Final = 1e-4

_KINDS: Final = {
    _FOLD: ActionKind.FOLD,
    _CHECK: ActionKind.CHECK,
    _CALL: ActionKind.CALL,
    _RAISE: ActionKind.RAISE,
    _ALL_IN: ActionKind.RAISE,
}

Ints = NDArray[np.int64]
Answers = dict[str, NDArray[Any]]
"""What donksolver says to many questions, a place each: see ``donksolver.policy``."""


class DonkPlayer:
    """Plays a heads-up policy bundle (the JSON file that ``donksolver bundle`` writes)."""

    def __init__(self, manifest: Path) -> None:
        """Load the bundle; raises UnknownPlayerError when that fails."""
        self._bundle, self._statuses = _load(manifest)
        if self._bundle.players != 2:
            raise UnknownPlayerError(f"{manifest} is for {self._bundle.players} players, not 2")
        self._stand_in = TightAggressive()
        self.stage: str | None = None
        self.ranges: RangePolicy | None = None

    def act(self, view: BotView, seed: int) -> Action:
        """Draw from what the policy does with the hand."""
        status = self._ask(view, np.array([combo_index(*view.hole_cards)]), np.zeros(1))["status"]
        self.stage = self._statuses[int(status[0])]
        self.ranges = self.range_policy(view)
        return draw(self.ranges.policy(view.hole_cards), view, seed)

    def range_policy(self, view: BotView) -> RangePolicy:
        """Return what the policy, or who stands in for it, does with every hand."""
        combos = np.flatnonzero(live(view.board))
        found = self._ask(view, combos, np.zeros(len(combos)))
        answered = found["status"] < _UNANSWERED
        unknown = np.ones(len(COMBOS), bool)
        unknown[combos[answered]] = False
        stand_in = self._stand_in.range_policy(view)
        rows = {
            action: np.where(unknown, shares, np.float32(0.0))
            for action, shares in zip(stand_in.actions, stand_in.probabilities, strict=True)
        }
        where = np.stack((found["cls"], found["node"]))
        for place in np.unique(where[:, answered], axis=1).T:
            here = answered & (place == where.T).all(axis=1)
            for action, shares in self._at(view, place, combos[here], found["bucket"][here]):
                rows.setdefault(action, np.zeros(len(COMBOS), np.float32))[combos[here]] += shares
        table = np.stack(list(rows.values()))
        return RangePolicy("donksolver", tuple(rows), table / table.sum(axis=0))

    def _at(
        self, view: BotView, place: Ints, combos: Ints, buckets: Ints
    ) -> Iterator[tuple[Action, Floats]]:
        """Yield the actions at a node and how often each of the hands at it takes them."""
        strategies = {bucket: self._bundle.strategy(*place, bucket)[0] for bucket in set(buckets)}
        shares = np.array([strategies[bucket] for bucket in buckets], np.float32)
        # What an action is in chips is learnt by asking with a hand that takes it and with the
        # number that draws it: the middle of its part of the hand's shares.
        takers = shares.argmax(axis=0)
        actions = np.arange(shares.shape[1])
        most = shares[takers, actions]
        numbers = shares.cumsum(axis=1)[takers, actions] - most / 2
        answers = self._ask(view, combos[takers], np.clip(numbers, 0.0, 1.0))
        for index in np.flatnonzero(most > _ROUNDING):
            if abs(answers["prob"][index] - most[index]) > _ROUNDING:
                raise RuntimeError("donksolver draws its actions in another order than it tells")
            kind = int(answers["kind"][index])
            to_chips = _to_chips(view, kind, answers["chips"][index])
            yield nearest_legal(view.legal, _KINDS[kind], to_chips), shares[:, index]

    def _ask(self, view: BotView, combos: Ints, numbers: NDArray[np.float64]) -> Answers:
        """Ask what it does with each of these hands and numbers that draw."""
        count = len(combos)
        answers: Answers = self._bundle.act(
            [[seat.start_chips for seat in view.seats]] * count,
            [(view.rules.small_blind_chips, view.rules.big_blind_chips)] * count,
            [COMBOS[combo] for combo in combos],
            [[int(card) for card in view.board]] * count,
            [told(view)] * count,
            numbers,
        )
        return answers


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
