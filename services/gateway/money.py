"""Chips as text in big blinds, from integers alone: no float ever touches money."""

from fractions import Fraction


def big_blinds_text(chips: int, big_blind_chips: int) -> str:
    """Write chips in big blinds: ``+12.5``, ``0.0``, ``-0.05``.

    Exact, with at least one decimal, whenever the quotient has at most four decimals;
    otherwise rounded half away from zero to four.
    """
    sign, whole, decimals = _digits(Fraction(chips, big_blind_chips), 4)
    return f"{sign}{whole}.{decimals.rstrip('0') or '0'}"


def per_hundred_text(net_chips: int, big_blind_chips: int, hands: int) -> str:
    """Write BB/100: sign and two decimals, rounded half away from zero; ``0.00`` for zero.

    A match without finished hands has no average: ``0.00`` as well.
    """
    average = Fraction(100 * net_chips, big_blind_chips * hands) if hands else Fraction(0)
    sign, whole, decimals = _digits(average, 2)
    return f"{sign}{whole}.{decimals}"


def _digits(value: Fraction, places: int) -> tuple[str, int, str]:
    """Return sign, whole part and exactly ``places`` decimals of the rounded value."""
    scaled = round_half_up(abs(value) * 10**places)
    whole, decimals = divmod(scaled, 10**places)
    sign = "" if scaled == 0 else "+" if value > 0 else "-"
    return sign, whole, f"{decimals:0{places}d}"


def round_half_up(value: Fraction) -> int:
    """Round a value of at least 0 to the nearest whole number, halves up."""
    return int(value + Fraction(1, 2))
