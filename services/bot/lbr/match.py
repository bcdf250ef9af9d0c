"""Hands of the local best response against River, and what they show."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poker.actions import Action, ActionKind, Street
from poker.view import view_for
from services.bot.arena.chance import showdown_share
from services.bot.arena.deals import BIG_BLIND, BUTTON, RULES, new_hand, shuffled
from services.bot.arena.match import mean_and_interval
from services.bot.arena.players import strategy_named
from services.bot.lbr.policies import range_policy
from services.bot.lbr.ranges import everything, win_share, without
from services.bot.lbr.respond import SIZES, AskRiver, respond
from services.bot.policy import RangePolicy, draw, nearest_legal
from services.bot.view import BOARD_SIZES, from_hand_view
from services.common.codec import BotView

STREETS: Final = {
    "river": frozenset({Street.RIVER}),
    "turn+river": frozenset({Street.TURN, Street.RIVER}),
}
_SEED_LIMIT: Final = 2**64
_IMPOSSIBLE: Final = 1e-12


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
    """What the local best response won in one hand, in big blinds.

    ``bb`` is the mean over all hands that River may hold at a showdown, ``raw_bb`` counts the
    one it held (all-ins at their expectation). ``surprises`` counts actions of River that no
    hand of its range takes: 0 as long as it plays as it says.
    """

    bb: float
    raw_bb: float
    surprises: int
    stages: Counter[str]


class Table:
    """One hand: who plays, and what River's play so far says about its cards."""

    def __init__(self, measure: Measure, number: int, ask_river: AskRiver) -> None:
        deck = shuffled(f"lbr:{measure.seed}:{number}")
        stack_chips = max(1, round(measure.stack_bb * RULES.big_blind_chips))
        self.hand = new_hand(deck, stack_chips)
        self.own_seat = BUTTON if number % 2 else BIG_BLIND
        self._measure = measure
        self._ask_river = ask_river
        self._chance = random.Random(f"lbr:{measure.seed}:{number}:river")  # noqa: S311
        self.street = Street.PREFLOP
        self.holes = {seat.seat: seat.hole_cards for seat in self.hand.snapshot().seats}
        self.weights = everything(self.holes[self.own_seat])
        self.surprises = 0
        self.stages: Counter[str] = Counter()

    def play(self) -> HandValue:
        """Play the hand to its end."""
        hand = self.hand
        while hand.legal is not None:
            view = from_hand_view(view_for(hand.snapshot(), hand.legal.seat))
            self.street = view.street
            self.weights = without(self.weights, view.board)
            hand.apply(self._own(view) if view.seat == self.own_seat else self._river(view))
        return _booked(self)

    def _own(self, view: BotView) -> Action:
        if view.street not in STREETS[self._measure.streets]:
            return nearest_legal(view.legal, ActionKind.CALL, None)
        shares = SIZES[self._measure.sizes]
        return respond(self.hand, view, self.weights, shares, self._ask_river)

    def _river(self, view: BotView) -> Action:
        policy = self._ask_river(view)
        self.stages[policy.stage] += 1
        seed = self._chance.randrange(_SEED_LIMIT)
        action = draw(policy.policy(view.hole_cards), view, seed)
        self._learn(policy, action)
        return action

    def _learn(self, policy: RangePolicy, action: Action) -> None:
        """Weigh River's hands by how often each takes the action (Bayes' rule)."""
        taken = policy.probabilities[policy.actions.index(action)].astype(np.float64)
        weights = self.weights * taken
        if weights.sum() <= _IMPOSSIBLE * self.weights.sum():
            self.surprises += 1
        else:
            self.weights = weights


def _booked(table: Table) -> HandValue:
    snapshot = table.hand.snapshot()
    if snapshot.result is None:
        raise RuntimeError("a hand without a turn must have a result")
    own = table.own_seat
    net = float(next(seat.net_chips for seat in snapshot.result.seats if seat.seat == own))
    mean = net
    if not any(seat.folded for seat in snapshot.seats):
        matched = min(seat.put_in_chips for seat in snapshot.seats)
        board = snapshot.board[: BOARD_SIZES[table.street]]
        hole, other = table.holes[own], table.holes[BUTTON + BIG_BLIND - own]
        net = matched * (2.0 * showdown_share(hole, other, board) - 1.0)
        weights = without(table.weights, board)
        if table.surprises == 0:
            mean = matched * (2.0 * win_share(hole, weights, board) - 1.0)
    blind = RULES.big_blind_chips
    return HandValue(mean / blind, net / blind, table.surprises, table.stages)


def seated(measure: Measure) -> Callable[[int], HandValue]:
    """Return what plays hands by number; raises UnknownPlayerError for an unknown River."""
    ask_river = partial(range_policy, strategy_named(measure.river))
    return lambda number: Table(measure, number, ask_river).play()


def report(measure: Measure, values: Sequence[HandValue]) -> dict[str, object]:
    """Return what the hands so far (at least one) show, ready for JSON."""
    mbb, ci95 = mean_and_interval([1_000 * value.bb for value in values])
    raw_mbb, raw_ci95 = mean_and_interval([1_000 * value.raw_bb for value in values])
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
        "raw_mbb_per_hand": round(raw_mbb, 1),
        "raw_ci95": None if raw_ci95 is None else round(raw_ci95, 1),
        "surprises": sum(value.surprises for value in values),
        "stages": dict(sorted(stages.items())),
    }
