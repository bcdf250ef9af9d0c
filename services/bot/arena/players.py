"""Who can play in the arena, by name."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from poker.actions import Action
from services.bot.arena.donk import DonkPlayer
from services.bot.arena.errors import UnknownPlayerError
from services.bot.arena.shove import PushFoldPlayer
from services.bot.baselines import Caller, Folder, Player, RandomPlayer, TightAggressive
from services.bot.blueprint.store import BlueprintError
from services.bot.policy import RangePolicy, draw
from services.bot.strategy import VERSIONS, Strategy, river
from services.common.codec import BotView

SIMPLE: Final[dict[str, Callable[[], Player]]] = {
    "caller": Caller,
    "fold": Folder,
    "random": RandomPlayer,
    "tag": TightAggressive,
    "pushfold": PushFoldPlayer,
}
NAMES: Final = (*SIMPLE, "river", "river:VERSION", "donksolver:FILE")


class StrategyPlayer:
    """A strategy as a player.

    After acting ``stage`` is the one that answered and ``ranges`` what it would have done with
    every hand, None where it cannot tell.
    """

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.stage: str | None = None
        self.ranges: RangePolicy | None = None

    def act(self, view: BotView, seed: int) -> Action:
        """Decide as `Strategy.decide` does."""
        self.ranges = self._strategy.range_policy(view)
        if self.ranges is None:
            decision = self._strategy.decide(view, seed)
            self.stage = decision.stage
            return decision.action
        self.stage = self.ranges.stage
        return draw(self.ranges.policy(view.hole_cards), view, seed)


def strategy_named(name: str) -> Strategy:
    """Return ``river`` (today's) or ``river:VERSION``.

    Raises UnknownPlayerError, also when what that River was trained to play is missing.
    """
    kind, _, version = name.partition(":")
    if name != "river" and (kind != "river" or version not in VERSIONS):
        known = ", ".join(f"river:{number}" for number in VERSIONS)
        raise UnknownPlayerError(f"no River {name!r}; there are river, {known}")
    try:
        return VERSIONS[version]() if version else river()
    except BlueprintError as error:
        raise UnknownPlayerError(f"{name} cannot play: {error}") from error


def player_named(name: str) -> Player:
    """Return a player; raises UnknownPlayerError, which says what is wrong with the name."""
    if name in SIMPLE:
        return SIMPLE[name]()
    kind, _, rest = name.partition(":")
    if kind == "river":
        return StrategyPlayer(strategy_named(name))
    if kind == "donksolver" and rest:
        return DonkPlayer(Path(rest))
    raise UnknownPlayerError(f"no player {name!r}; there are {', '.join(NAMES)}")
