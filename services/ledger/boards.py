"""Leaderboards: which results count where, how they compare and how they are written.

Averages are never divided. `average_key` maps net chips over hands to two integers that
order exactly as the fractions do (LDR-005), so a database can keep the board in an index.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt
from typing import Final

from services.ledger.days import Tally
from services.ledger.matches import Kind

RANKED_HANDS: Final = 500
"""Hands needed for a rank (LDR-002)."""

MAX_HANDS: Final = 2**31 - 1
"""Most hands a row may have for `average_key` to stay exact."""

FRACTION_BITS: Final = 62
"""Bits of the second part of an `average_key`."""


@dataclass(frozen=True, slots=True)
class Board:
    """One leaderboard; ``big_blind_chips`` turns its chips into big blinds."""

    board_id: str
    ruleset_id: str
    big_blind_chips: int
    kinds: frozenset[Kind]


BOARDS: Final = {
    board.board_id: board
    for board in (
        Board("hu_river", "hu_river", 100, frozenset({Kind.GUEST, Kind.ACCOUNT})),
        Board("hu_river_bots", "hu_river", 100, frozenset({Kind.BOT})),
    )
}
"""The boards by id. The house is on none of them (LDR-009)."""


def board_of(ruleset_id: str, kind: Kind) -> Board | None:
    """Return where results of such a player under such rules count, None for nowhere."""
    return _BOARD_OF.get((ruleset_id, kind))


_BOARD_OF: Final = {
    (board.ruleset_id, kind): board for board in BOARDS.values() for kind in board.kinds
}


def average_key(net_chips: int, hands: int) -> tuple[int, int]:
    """Return two integers that compare like net/hands, equal exactly when those are.

    The first is the average rounded down, the second the rest scaled to 62 bits. Two
    different fractions with denominators up to H differ by at least 1/H^2; scaled by 2^62
    that is at least 1 while H < 2^31, so rounding down cannot merge or swap them.

    Raises:
        ValueError: unless 1 <= hands < 2^31.

    """
    if not 1 <= hands <= MAX_HANDS:
        raise ValueError("hands out of range")
    whole, rest = divmod(net_chips, hands)
    return whole, (rest << FRACTION_BITS) // hands


def bb_per_100_text(net_chips: int, hands: int, big_blind_chips: int) -> str:
    """Return 100 x net/bb over hands with sign and two decimals, such as "+10.00".

    Halves round away from zero; what rounds to zero is "0.00", without a sign.
    """
    hundredths = _rounded(abs(net_chips) * 100 * 100, big_blind_chips * hands)
    if hundredths == 0:
        return "0.00"
    sign = "+" if net_chips > 0 else "-"
    return sign + _decimal(hundredths)


def margin_text(tally: Tally, big_blind_chips: int) -> str | None:
    """Return how far the 95 % interval reaches to either side of BB/100, such as "12.34".

    The interval is the mean of independent hands with their sample variance, at 1.96 standard
    errors: with n hands, S the sum of nets and Q that of their squares, in chips,

        margin = 1.96 x 100/bb x sqrt((n Q - S^2) / (n^2 (n - 1)))

    The root is taken of integers and rounded once, half up. None below 2 hands, which have
    no variance.
    """
    if tally.hands < 2:
        return None
    # Squares of hundredths: (1.96 x 100 x 100)^2 (n Q - S^2) / (bb^2 n^2 (n - 1)).
    spread = tally.hands * tally.net_squares - tally.net_chips**2
    numerator = 19_600**2 * spread
    denominator = (big_blind_chips * tally.hands) ** 2 * (tally.hands - 1)
    return _decimal((isqrt(4 * numerator // denominator) + 1) // 2)


def distance_text(average: Fraction, better: Fraction, big_blind_chips: int) -> str:
    """Return by how many BB/100 an average (in chips a hand) falls short of a better one.

    Rounded up, so that what is missing is never shown as nothing.
    """
    missing = (better - average) * 100 * 100 / big_blind_chips
    return _decimal(ceil(missing))


def percent_text(part: int, whole: int) -> str:
    """Return a share with one decimal, halves rounded up, such as "12.5"; "0.0" of nothing."""
    tenths = _rounded(part * 1000, whole) if whole else 0
    return f"{tenths // 10}.{tenths % 10}"


def _rounded(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def _decimal(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"
