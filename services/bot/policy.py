"""A decision before the dice: actions with probabilities, and how a seed picks one."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK
from poker.events import HoleCards
from services.bot.combos import COMBOS, combo_index
from services.common.codec import BotView

_SEED_BITS: Final = 53

_NEVER: Final = 1e-6
"""A probability below this is the rounding of 0."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Option:
    """One action and its probability.

    ``value_chips`` is what it wins on average over folding at once, where the stage knows.
    """

    action: Action
    probability: float
    value_chips: float | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """What a stage would do: options with positive probabilities that sum to 1."""

    stage: str
    options: tuple[Option, ...]

    def probability(self, kind: ActionKind) -> float:
        """Return how often an action of this kind is taken."""
        return sum(option.probability for option in self.options if option.action.kind is kind)


class Stage(Protocol):
    """One part of the strategy; a pure function of the view."""

    @property
    def name(self) -> str:
        """The name given in replies, lower snake case."""

    def policy(self, view: BotView) -> Policy | None:
        """Return what to do, or None to leave the spot to the next stage."""


@dataclass(frozen=True, slots=True)
class RangePolicy:
    """What a stage would do with every hand, in the order of `services.bot.combos.COMBOS`.

    ``probabilities`` has a row an action and a column a combo; every column sums to 1, those
    of combos that the board blocks too. ``values`` are the expected chips over folding at
    once, where the stage knows them. The player's own cards enter nowhere but in `policy`.
    """

    stage: str
    actions: tuple[Action, ...]
    probabilities: Floats
    values: Floats | None = None

    def policy(self, hole_cards: HoleCards) -> Policy:
        """Return what to do with two cards: a column, without what is never done."""
        combo = combo_index(*hole_cards)
        column = self.probabilities[:, combo].astype(np.float64)
        column[column < _NEVER] = 0.0
        column /= column.sum()
        options = [
            Option(action, float(share), self._value(row, combo))
            for row, (action, share) in enumerate(zip(self.actions, column, strict=True))
            if share > 0.0
        ]
        return Policy(self.stage, tuple(options))

    def _value(self, row: int, combo: int) -> float | None:
        return None if self.values is None else float(self.values[row, combo])


@runtime_checkable
class RangeStage(Protocol):
    """A stage that knows what it would do with every hand it could hold.

    It is given a view whose hole cards are not the player's: see `blind`.
    """

    @property
    def name(self) -> str:
        """The name given in replies, lower snake case."""

    def range_policy(self, view: BotView) -> RangePolicy | None:
        """Return what to do with every hand, or None to leave the spot to the next stage."""


def blind(view: BotView) -> BotView:
    """Return the view with its own cards replaced by the lowest two that the board lacks.

    What is computed from it cannot depend on the cards held.
    """
    first, second, *_ = (card for card in DECK[:7] if card not in view.board)
    return replace(view, hole_cards=(first, second))


def mix(
    stage: str, view: BotView, wishes: Iterable[tuple[ActionKind, int | None, float]]
) -> Policy:
    """Turn wishes (kind, raise-to chips, weight) into a legal policy.

    Each wish becomes the nearest legal action: sizes are clamped to the legal range, an
    impossible raise becomes a call or check, a fold becomes a check where checking is free.
    """
    weights: dict[Action, float] = {}
    for kind, to_chips, weight in wishes:
        if weight > 0.0:
            action = nearest_legal(view.legal, kind, to_chips)
            weights[action] = weights.get(action, 0.0) + weight
    if not weights:
        weights[nearest_legal(view.legal, ActionKind.FOLD, None)] = 1.0
    total = sum(weights.values())
    return Policy(stage, tuple(Option(action, w / total) for action, w in weights.items()))


def mix_range(
    stage: str, view: BotView, wishes: Iterable[tuple[ActionKind, int | None, Floats]]
) -> RangePolicy:
    """Turn wishes (kind, raise-to chips, weights of all combos) into a legal range policy.

    Wishes for the same legal action (see `mix`) add up. Combos without any wish give up.
    """
    rows: dict[Action, Floats] = {}
    for kind, to_chips, weights in wishes:
        action = nearest_legal(view.legal, kind, to_chips)
        rows[action] = rows[action] + weights if action in rows else weights.astype(np.float32)
    giving_up = nearest_legal(view.legal, ActionKind.FOLD, None)
    lost = sum(rows.values(), np.zeros(len(COMBOS), np.float32)) <= _NEVER
    if lost.any():
        rows[giving_up] = np.where(lost, 1.0, rows.get(giving_up, 0.0)).astype(np.float32)
    table = np.stack(list(rows.values()))
    return RangePolicy(stage, tuple(rows), table / table.sum(axis=0))


def nearest_legal(legal: Legal, kind: ActionKind, to_chips: int | None) -> Action:
    """Return the legal action nearest to a wish."""
    if kind in {ActionKind.BET, ActionKind.RAISE} and legal.raises is not None:
        bounds = legal.raises
        wanted = bounds.max_to_chips if to_chips is None else to_chips
        clamped = min(max(wanted, bounds.min_to_chips), bounds.max_to_chips)
        return Action(legal.seat, bounds.kind, clamped)
    if legal.can_check:
        return Action(legal.seat, ActionKind.CHECK)
    if kind is ActionKind.FOLD:
        return Action(legal.seat, ActionKind.FOLD)
    return Action(legal.seat, ActionKind.CALL)


def is_legal(legal: Legal, action: Action) -> bool:
    """Say whether the rules allow an action."""
    if action.seat != legal.seat:
        return False
    match action.kind:
        case ActionKind.FOLD:
            return legal.can_fold and action.to_chips is None
        case ActionKind.CHECK:
            return legal.can_check and action.to_chips is None
        case ActionKind.CALL:
            return legal.to_call_chips > 0 and action.to_chips is None
        case ActionKind.BET | ActionKind.RAISE:
            bounds = legal.raises
            return (
                bounds is not None
                and action.to_chips is not None
                and action.kind is bounds.kind
                and bounds.min_to_chips <= action.to_chips <= bounds.max_to_chips
            )


def draw(policy: Policy, view: BotView, seed: int) -> Action:
    """Pick an option by the seed: same policy, view and seed, same action.

    The turn is mixed into the seed, so one seed may serve a whole hand without making
    its decisions move together.
    """
    turn = f"{seed}:{view.seat}:{view.street.value}:{len(view.actions)}"
    digest = hashlib.blake2b(turn.encode(), digest_size=8).digest()
    point = (int.from_bytes(digest) >> (64 - _SEED_BITS)) / (1 << _SEED_BITS)
    for option in policy.options:
        point -= option.probability
        if point < 0.0:
            return option.action
    return policy.options[-1].action
