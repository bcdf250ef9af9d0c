"""Hands of the local best response against River, and what they show."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poker.actions import Action, ActionKind, Street
from services.bot.arena.deals import BIG_BLIND, BUTTON, RULES, new_hand, shuffled
from services.bot.arena.match import mean_and_interval
from services.bot.arena.players import strategy_named
from services.bot.combos import COMBOS
from services.bot.lbr.policies import range_policy
from services.bot.lbr.respond import SIZES, AskRiver, seen
from services.bot.lbr.value import Valuer, ended_chips
from services.bot.policy import RangePolicy, draw, nearest_legal
from services.common.codec import BotView

STREETS: Final = {"river": Street.RIVER, "turn+river": Street.TURN}
"""Where the local best response begins to choose."""

_SEED_LIMIT: Final = 2**64


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured; ``streets`` and ``sizes`` name entries of `STREETS` and `SIZES`."""

    river: str
    streets: str
    sizes: str
    hands: int
    seed: int
    stack_bb: float


@dataclass(frozen=True, slots=True)
class HandValue:
    """What the local best response wins in one hand, in big blinds, and what answered it."""

    bb: float
    stages: Counter[str]


class Table:
    """One hand: played until the local best response begins to choose, then valued."""

    def __init__(self, measure: Measure, number: int, ask_river: AskRiver) -> None:
        name = f"lbr:{measure.seed}:{number}"
        self._measure = measure
        self._own_seat = BUTTON if number % 2 else BIG_BLIND
        self._hand = new_hand(
            shuffled(name), max(1, round(measure.stack_bb * RULES.big_blind_chips))
        )
        self._ask = ask_river
        self._chance = random.Random(f"{name}:chance")  # noqa: S311 - reproducible
        self._weights = np.ones(len(COMBOS))
        self._stages: Counter[str] = Counter()

    def play(self) -> HandValue:
        """Play the hand, value its rest."""
        chips = self._chips()
        return HandValue(chips / RULES.big_blind_chips, self._stages)

    def _chips(self) -> float:
        hand = self._hand
        while hand.legal is not None:
            view = seen(hand)
            if view.street is STREETS[self._measure.streets]:
                return self._valuer().mean_chips(hand, self._weights)
            own = view.seat == self._own_seat
            hand.apply(
                nearest_legal(view.legal, ActionKind.CALL, None) if own else self._river(view)
            )
        return ended_chips(hand, self._own_seat, self._weights)

    def _valuer(self) -> Valuer:
        return Valuer(self._own_seat, SIZES[self._measure.sizes], self._ask_river, self._chance)

    def _ask_river(self, view: BotView) -> RangePolicy:
        policy = self._ask(view)
        self._stages[policy.stage] += 1
        return policy

    def _river(self, view: BotView) -> Action:
        """Let River act, and weigh its hands by how often each does so (Bayes' rule)."""
        policy = self._ask_river(view)
        seed = self._chance.randrange(_SEED_LIMIT)
        action = draw(policy.policy(view.hole_cards), view, seed)
        self._weights = self._weights * policy.probabilities[policy.actions.index(action)]
        self._weights /= self._weights.max()
        return action


def seated(measure: Measure) -> Callable[[int], HandValue]:
    """Return what plays hands by number; raises UnknownPlayerError for an unknown River."""
    return partial(_play, measure, partial(range_policy, strategy_named(measure.river)))


def _play(measure: Measure, ask_river: AskRiver, number: int) -> HandValue:
    return Table(measure, number, ask_river).play()


def report(measure: Measure, values: Sequence[HandValue]) -> dict[str, object]:
    """Return what the hands so far (at least one) show, ready for JSON."""
    mbb, ci95 = mean_and_interval([1_000 * value.bb for value in values])
    stages: Counter[str] = Counter()
    for value in values:
        stages.update(value.stages)
    return {
        "river": measure.river,
        "streets": measure.streets,
        "sizes": measure.sizes,
        "hands": len(values),
        "seed": measure.seed,
        "stack_bb": measure.stack_bb,
        "mbb_per_hand": round(mbb, 1),
        "ci95": None if ci95 is None else round(ci95, 1),
        "stages": dict(sorted(stages.items())),
    }
