"""How much work a decision may take."""

from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from services.bot.solver import Sizes, StreetSizes, Subgame, budget_iterations, plan

_LEAST_SHARE: Final = 0.25
"""A solution with less than this share of its iterations is not good enough to play."""

_PLAIN: Final = StreetSizes(bets=(0.75,), raises=(0.75,), max_raises=1)
PLAIN_SIZES: Final = Sizes(turn=_PLAIN, river=_PLAIN)
"""One size and one raise: enough to try out everything around the solver."""


class OverBudgetError(Exception):
    """There was no time for a usable solution."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Iterations and bet sizes of a solve, and the wall-clock time of a whole decision.

    Without ``iterations`` and ``sizes`` the solver's own plan for the spot holds. Only
    ``seconds`` makes an answer depend on anything but the view and the seed: it is for
    production, where a table must not wait.
    """

    iterations: int | None = None
    sizes: Sizes | None = None
    seconds: float | None = None

    def sizes_for(self, game: Subgame) -> tuple[Subgame, int]:
        """Return a subgame with the bet sizes it is to be solved with, and the iterations."""
        if self.sizes is not None and self.iterations is not None:
            return replace(game, sizes=self.sizes), self.iterations
        full = plan(game.board, game.pot_chips, game.behind_chips, game.big_blind_chips)
        sized = replace(game, sizes=self.sizes or full.sizes)
        if self.iterations is not None:
            return sized, self.iterations
        if not (sized.history or sized.inserted):
            return sized, full.iterations
        return sized, min(full.iterations, budget_iterations(sized))

    def deadline(self) -> float | None:
        """Return when a decision that begins now must be made, in `time.monotonic` seconds."""
        return None if self.seconds is None else monotonic() + self.seconds


def check_done(done: int, planned: int) -> None:
    """Raise OverBudgetError for a solution that was stopped too early to be played."""
    if done < _LEAST_SHARE * planned:
        raise OverBudgetError
