"""A match: many duplicate deals, and what they show.

Deal ``n`` of seed ``s`` is the same for any players and any number of processes. Both its
hands have the same deck; the players change seats between them.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from services.bot.arena.clock import Took, Watched, latency, per_street
from services.bot.arena.deals import (
    BIG_BLIND,
    BUTTON,
    RULES,
    Played,
    matched_chips,
    new_hand,
    play_hand,
    shuffled,
)
from services.bot.arena.luck import Moment, Reading
from services.bot.arena.players import player_named
from services.bot.baselines import Caller, Player

NORMAL_95: Final = 1.96


@dataclass(frozen=True, slots=True)
class Match:
    """What is played; ``stack_bb`` is every hand's starting stack in big blinds."""

    hero: str
    villain: str
    deals: int
    seed: int
    stack_bb: float

    @property
    def stack_chips(self) -> int:
        """The starting stack in chips, at least 1."""
        return max(1, round(self.stack_bb * RULES.big_blind_chips))


@dataclass(frozen=True, slots=True)
class DealResult:
    """One deal: the hero's big blinds a hand over both seats, and its decisions.

    ``raw_bb`` is how the cards fell, ``allin_bb`` has the luck of all-ins taken out, ``bb`` as
    much luck of either player as can be told (see `luck`).
    """

    bb: float
    allin_bb: float
    raw_bb: float
    took: tuple[Took, ...]
    stages: Counter[str]


def play_deal(match: Match, hero: Player, villain: Player, number: int) -> DealResult:
    """Play one deal from both seats.

    Only the first hand is timed: in the second one a player may still know the board.
    """
    deck = shuffled(f"{match.seed}:{number}")
    took: list[Took] = []
    stages: Counter[str] = Counter()
    chips = np.zeros(3)
    for on_button in (True, False) if number % 2 else (False, True):
        moments: list[Moment] = []
        watched = Watched(hero, on_button is bool(number % 2), moments)
        other = Watched(villain, timed=False, moments=moments)
        chance = random.Random(f"{match.seed}:{number}:{on_button}")  # noqa: S311 - reproducible
        button, big_blind = (watched, other) if on_button else (other, watched)
        played = play_hand(new_hand(deck, match.stack_chips), button, big_blind, chance)
        chips += np.array(_won(played, moments)) * (1 if on_button else -1)
        took += watched.took
        stages += watched.stages
    bb, allin_bb, raw_bb = (chips / (2 * RULES.big_blind_chips)).tolist()
    return DealResult(bb, allin_bb, raw_bb, tuple(took), stages)


def _won(played: Played, moments: Sequence[Moment]) -> tuple[float, float, float]:
    """Return the button's chips: without luck, with all-ins at their expectation, as they fell."""
    reading = Reading((BUTTON, BIG_BLIND))
    reading.follow(moments)
    mean = played.expected_chips
    if not any(seat.folded for seat in played.hand.snapshot().seats):
        mean = matched_chips(played.hand) * (2.0 * reading.showdown_share(played.board) - 1.0)
    return mean - reading.luck_chips, played.expected_chips, played.net_chips


def seated(match: Match) -> Callable[[int], DealResult]:
    """Return what plays the match's deals by number; the players are warmed up.

    To warm up each plays a deal against a caller that does not count. Raises
    UnknownPlayerError.
    """
    hero, villain = player_named(match.hero), player_named(match.villain)
    for player in (hero, villain):
        play_deal(match, player, Caller(), -1)
    return partial(play_deal, match, hero, villain)


def mean_and_interval(values: Sequence[float]) -> tuple[float, float | None]:
    """Return the mean, and the half-width of its 95 % interval (None for a single value)."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, None
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, NORMAL_95 * math.sqrt(variance / len(values))


def report(match: Match, results: Sequence[DealResult]) -> dict[str, object]:
    """Return what the deals played so far (at least one) show, ready for JSON."""
    bb100, ci95 = mean_and_interval([100 * result.bb for result in results])
    allin_bb100, allin_ci95 = mean_and_interval([100 * result.allin_bb for result in results])
    raw_bb100, raw_ci95 = mean_and_interval([100 * result.raw_bb for result in results])
    took = [one for result in results for one in result.took]
    stages: Counter[str] = Counter()
    for result in results:
        stages.update(result.stages)
    return {
        "hero": match.hero,
        "villain": match.villain,
        "hands": 2 * len(results),
        "seed": match.seed,
        "stack_bb": match.stack_bb,
        "bb100": _rounded(bb100),
        "ci95": _rounded(ci95),
        "allin_bb100": _rounded(allin_bb100),
        "allin_ci95": _rounded(allin_ci95),
        "raw_bb100": _rounded(raw_bb100),
        "raw_ci95": _rounded(raw_ci95),
        **latency(took),
        "per_street": per_street(took),
        "stages": dict(sorted(stages.items())),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
