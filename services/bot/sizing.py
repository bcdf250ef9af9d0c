"""Which bet and raise sizes are worth considering on a board."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from poker.actions import Street
from services.bot.spot import Spot

_DRY: Final[tuple[float, ...]] = (0.33, 0.75)
_WET: Final[tuple[float, ...]] = (0.5, 0.75, 1.0)
_RIVER: Final[tuple[float, ...]] = (0.5, 0.8, 1.25)
_RAISES: Final = (0.6, 1.0)

_COMMIT_SHARE: Final = 0.6
"""A bet of more than this share of what is left puts in the rest at once."""


def wetness(board: Sequence[int]) -> int:
    """Count what makes a board dangerous: 0 dry to 3 (flush and straight draws, both likely)."""
    suits = max(Counter(card & 3 for card in board).values())
    ranks = sorted({card >> 2 for card in board})
    close = sum(high - low <= 2 for low, high in pairwise(ranks))
    return min(2, max(0, suits - 1)) + (close >= 2)


def bet_sizes(spot: Spot) -> list[int]:
    """Return candidate raise-to chips for a first bet, ascending; empty when none is legal."""
    view = spot.view
    if view.street is Street.RIVER:
        fractions = _RIVER
    else:
        fractions = _WET if wetness(view.board) >= 2 or view.street is Street.TURN else _DRY
    return _fit(spot, [round(fraction * spot.pot_chips) for fraction in fractions])


def raise_sizes(spot: Spot) -> list[int]:
    """Return candidate raise-to chips against a bet, ascending; empty when none is legal."""
    after_call = spot.pot_chips + spot.to_call_chips
    return _fit(spot, [round(fraction * after_call) for fraction in _RAISES])


def _fit(spot: Spot, extras: list[int]) -> list[int]:
    """Turn chips over the highest bet into distinct legal raise-to amounts."""
    bounds = spot.view.legal.raises
    if bounds is None:
        return []
    most = max(bounds.min_to_chips, min(spot.cap_chips, bounds.max_to_chips))
    sizes = set()
    for extra in extras:
        over = most if extra > _COMMIT_SHARE * spot.behind_chips else spot.highest_chips + extra
        sizes.add(min(max(over, bounds.min_to_chips), most))
    return sorted(sizes)
