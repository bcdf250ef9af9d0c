"""What is seen of a player in a match: how long it takes, per street, and what it may hold."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from poker.actions import Action, Street
from services.bot.arena.luck import Moment
from services.bot.arena.ranges import Weights
from services.bot.baselines import Player
from services.bot.combos import COMBOS, combo_index
from services.bot.policy import RangePolicy
from services.common.codec import BotView

STREETS: Final = tuple(street.value for street in Street)


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds of one decision: waited for, and on processors (all threads of the process)."""

    street: str
    wall: float
    cpu: float


@dataclass(slots=True)
class Watched:
    """A player in one hand, watched: times (if ``timed``), stages, and what it may hold.

    What it may hold is what its own actions imply (Bayes' rule), just its hand where it does
    not tell what it would have done with others; it is added to ``moments``. Stages and ranges
    are what the player calls ``stage`` and ``ranges`` after acting.
    """

    player: Player
    timed: bool = True
    moments: list[Moment] = field(default_factory=list)
    took: list[Took] = field(default_factory=list)
    stages: Counter[str] = field(default_factory=Counter)
    _weights: Weights = field(default_factory=lambda: np.ones(len(COMBOS)))

    def act(self, view: BotView, seed: int) -> Action:
        """Let the player decide."""
        wall, cpu = time.perf_counter(), time.process_time()
        action = self.player.act(view, seed)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        if self.timed:
            self.took.append(Took(view.street.value, wall, cpu))
        stage = getattr(self.player, "stage", None)
        if stage is not None:
            self.stages[stage] += 1
        self._weights = self._learnt(view, getattr(self.player, "ranges", None), action)
        dealt_pot = view.pot_total_chips - sum(seat.bet_chips for seat in view.seats)
        self.moments.append(
            Moment(view.seat, view.board, dealt_pot, view.pot_total_chips, self._weights)
        )
        return action

    def _learnt(self, view: BotView, ranges: RangePolicy | None, action: Action) -> Weights:
        if ranges is None:
            own = np.zeros(len(COMBOS))
            own[combo_index(*view.hole_cards)] = 1.0
            return own
        weights = self._weights * ranges.probabilities[ranges.actions.index(action)]
        return np.asarray(weights / weights.max())


def latency(took: Sequence[Took]) -> dict[str, float | int | None]:
    """Return percentiles in milliseconds, ``cpu_`` for time on processors; None without any."""
    wall = sorted(one.wall for one in took)
    cpu = sorted(one.cpu for one in took)
    return {
        "decisions": len(took),
        "p50_ms": _at(wall, 0.5),
        "p99_ms": _at(wall, 0.99),
        "max_ms": _at(wall, 1.0),
        "cpu_p50_ms": _at(cpu, 0.5),
        "cpu_p99_ms": _at(cpu, 0.99),
        "cpu_max_ms": _at(cpu, 1.0),
    }


def per_street(took: Sequence[Took]) -> dict[str, dict[str, float | int | None]]:
    """Return `latency` street by street, streets without a decision left out."""
    groups = {street: [one for one in took if one.street == street] for street in STREETS}
    return {street: latency(group) for street, group in groups.items() if group}


def _at(ascending: Sequence[float], share: float) -> float | None:
    """Return the value below or at which ``share`` of them lie, in milliseconds."""
    if not ascending:
        return None
    index = max(0, -int(-share * len(ascending) // 1) - 1)
    return round(1e3 * ascending[index], 3)
