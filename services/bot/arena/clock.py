"""What is seen of a player in a match: how long it takes, per street, and what it may hold."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from poker.actions import Action, Street
from services.bot.arena.ranges import Weights
from services.bot.baselines import Player
from services.bot.combos import COMBOS
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

    ``weights`` are its range as its own actions imply (Bayes' rule); None for a player that
    does not tell what it would have done with other hands. Stages and ranges are what the
    player calls ``stage`` and ``ranges`` after acting.
    """

    player: Player
    timed: bool = True
    took: list[Took] = field(default_factory=list)
    stages: Counter[str] = field(default_factory=Counter)
    weights: Weights | None = field(default_factory=lambda: np.ones(len(COMBOS)))

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
        self._learn(getattr(self.player, "ranges", None), action)
        return action

    def _learn(self, ranges: RangePolicy | None, action: Action) -> None:
        if ranges is None or self.weights is None:
            self.weights = None
            return
        self.weights = self.weights * ranges.probabilities[ranges.actions.index(action)]
        self.weights /= self.weights.max()


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
