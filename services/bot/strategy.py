"""River's strategy: a row of stages, the first of which that has an answer gives it.

A stronger stage stands in front of those it replaces and leaves the rest of the spots to
them: the solver before the blueprints, those before what River first played.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from poker.actions import Action
from poker.errors import InvariantError, Reason
from services.bot.blueprint import library as stored
from services.bot.blueprint.styles import bucket_ranks
from services.bot.budget import Budget
from services.bot.policy import (
    Option,
    Policy,
    RangePolicy,
    RangeStage,
    Stage,
    blind,
    draw,
    is_legal,
)
from services.bot.postflop import EquityStage
from services.bot.preflop import PreflopStage
from services.bot.push_fold import PushFoldStage
from services.bot.resolving import Resolver
from services.bot.stages import BlueprintStage, SolveStage
from services.bot.translation import Library
from services.common.codec import BotView

FIRST_VERSION: Final = "river-0.1"
BOT_VERSION: Final = "river-1.0"

PUSH_FOLD_MAX_BB: Final = 8.0
"""Up to here shoving or folding is all there is; deeper the blueprints do better."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A legal action, the stage and version that chose it, and all that was weighed.

    ``options`` give away the cards held: they are for reviews, not for other players.
    """

    action: Action
    stage: str
    bot_version: str
    options: tuple[Option, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Strategy:
    """Stages in order of precedence; together they must cover every spot."""

    stages: tuple[Stage | RangeStage, ...]
    version: str

    def policy(self, view: BotView) -> Policy:
        """Return the exact probabilities in a checked view; every option is legal.

        Raises InvariantError when no stage answers or one answers illegally.
        """
        for stage in self.stages:
            policy = _answer(stage, view)
            if policy is not None:
                return _asserted(policy, view)
        raise InvariantError(Reason.INVALID_ACTION, stages=len(self.stages))

    def range_policy(self, view: BotView) -> RangePolicy | None:
        """Return what would be done here with every hand; None where a stage cannot tell."""
        for stage in self.stages:
            if isinstance(stage, RangeStage):
                ranges = stage.range_policy(blind(view))
                if ranges is not None:
                    return ranges
            elif stage.policy(view) is not None:
                return None
        return None

    def decide(self, view: BotView, seed: int) -> Decision:
        """Return the action that the seed picks: same view and seed, same answer."""
        policy = self.policy(view)
        action = draw(policy, view, seed)
        return Decision(action, policy.stage, self.version, policy.options)


def _answer(stage: Stage | RangeStage, view: BotView) -> Policy | None:
    if not isinstance(stage, RangeStage):
        return stage.policy(view)
    ranges = stage.range_policy(blind(view))
    return None if ranges is None else ranges.policy(view.hole_cards)


def _asserted(policy: Policy, view: BotView) -> Policy:
    for option in policy.options:
        if not is_legal(view.legal, option.action) or not 0.0 < option.probability <= 1.0 + 1e-9:
            raise InvariantError(Reason.INVALID_ACTION, stage=policy.stage)
    if abs(sum(option.probability for option in policy.options) - 1.0) > 1e-6:
        raise InvariantError(Reason.INVALID_ACTION, stage=policy.stage)
    return policy


def first_river() -> Strategy:
    """Return River's first strategy: fixed ranges and equities, at any number of seats."""
    return Strategy((PushFoldStage(), PreflopStage(), EquityStage()), FIRST_VERSION)


def river(budget: Budget | None = None, library: Library | None = None) -> Strategy:
    """Return River as it plays today.

    At two seats it plays the blueprints and solves the turn and river, with the work that
    ``budget`` allows (by default as planned, however long it takes); elsewhere, and where all
    of that has no answer, it plays as its first strategy. Raises BlueprintError when the
    artefacts are missing or damaged; ``library`` takes their place.
    """
    known = library or trained()
    stages = (
        PushFoldStage(push_max_bb=PUSH_FOLD_MAX_BB, call_max_bb=PUSH_FOLD_MAX_BB),
        SolveStage(Resolver(known, budget or Budget())),
        BlueprintStage(known),
        *first_river().stages,
    )
    return Strategy(stages, BOT_VERSION)


def trained() -> Library:
    """Return the blueprints that come with River; each is loaded when first needed."""
    ranks = bucket_ranks(stored.abstraction())
    return Library(stored.library(), stored.blueprint, stored.buckets, ranks)


VERSIONS: Final[dict[str, Callable[[], Strategy]]] = {"0.1": first_river, "1.0": river}
"""Every River there is, by the number in its version."""
