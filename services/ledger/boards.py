"""Leaderboards: which results count where, how they compare and how they are written.

Averages are never divided. `average_key` maps net chips over hands to two integers that
order exactly as the fractions do (LDR-005), so a database can keep the board in an index.
"""

from dataclasses import dataclass
from typing import Final

from services.ledger.matches import Kind

RANKED_HANDS: Final = 500
"""Hands needed for a rank (LDR-002)."""

MAX_HANDS: Final = 2**31 - 1
"""Most hands a row may have for `average_key` to stay exact."""

_FRACTION_BITS: Final = 62


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
    return next(
        (
            board
            for board in BOARDS.values()
            if board.ruleset_id == ruleset_id and kind in board.kinds
        ),
        None,
    )


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
    return whole, (rest << _FRACTION_BITS) // hands


def bb_per_100_text(net_chips: int, hands: int, big_blind_chips: int) -> str:
    """Return 100 x net/bb over hands with sign and two decimals, such as "+10.00".

    Halves round away from zero; what rounds to zero is "0.00", without a sign.
    """
    numerator = abs(net_chips) * 100 * 100
    denominator = big_blind_chips * hands
    hundredths = (2 * numerator + denominator) // (2 * denominator)
    if hundredths == 0:
        return "0.00"
    sign = "+" if net_chips > 0 else "-"
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"
