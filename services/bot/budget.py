"""How much work a decision may take."""

from dataclasses import dataclass
from time import monotonic
from typing import Final

from services.bot.solver import Sizes, StreetSizes

_LEAST_SHARE: Final = 0.25
"""A solution with less than this share of its iterations is not good enough to play."""

_PLAIN: Final = StreetSizes(bets=(0.75,), raises=(0.75,), max_raises=1)
PLAIN_SIZES: Final = Sizes(turn=_PLAIN, river=_PLAIN)
"""One size and one raise: enough to try out everything around the solver."""


_USUAL: Final = StreetSizes(bets=(0.5, 1.0), raises=(0.75,), max_raises=2)


def plan(board: tuple[int, ...], pot_chips: int, behind_chips: int) -> tuple[Sizes, int]:
    """Return sizes and iterations for a subgame."""
    del pot_chips, behind_chips
    return Sizes(turn=_USUAL, river=_USUAL), 200 if len(board) == 5 else 40


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

    def plan(self, board: tuple[int, ...], pot_chips: int, behind_chips: int) -> tuple[Sizes, int]:
        """Return the sizes and iterations for a subgame."""
        sizes, iterations = plan(board, pot_chips, behind_chips)
        return self.sizes or sizes, self.iterations or iterations

    def deadline(self) -> float | None:
        """Return when a decision that begins now must be made, in `time.monotonic` seconds."""
        return None if self.seconds is None else monotonic() + self.seconds


def check_done(done: int, planned: int) -> None:
    """Raise OverBudgetError for a solution that was stopped too early to be played."""
    if done < _LEAST_SHARE * planned:
        raise OverBudgetError
