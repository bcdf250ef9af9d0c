"""A decision before the dice: actions with probabilities, and how a seed picks one."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from poker.actions import Action, ActionKind, Legal
from services.common.codec import BotView

_SEED_BITS: Final = 53


@dataclass(frozen=True, slots=True)
class Option:
    """One action and its probability."""

    action: Action
    probability: float


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
