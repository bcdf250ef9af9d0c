"""The shortcut buttons of the bet bar: amounts and greying (SPEC 1.7, UI-021..028).

Fractions are exact rationals; only the product is rounded, half up, to a whole chip.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from poker.actions import ActionKind, Legal, RaiseRange
from services.gateway.money import round_half_up

NO_RAISE: Final = "no raise"
OVER_STACK: Final = "more than your stack"

_GLYPHS: Final = {
    (1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾", (1, 5): "⅕", (2, 5): "⅖",
    (3, 5): "⅗", (4, 5): "⅘", (1, 6): "⅙", (5, 6): "⅚", (1, 7): "⅐", (1, 8): "⅛", (3, 8): "⅜",
    (5, 8): "⅝", (7, 8): "⅞", (1, 9): "⅑", (1, 10): "⅒",
}  # fmt: skip


class PresetKind(StrEnum):
    """How a shortcut finds its amount."""

    MIN = "min"
    BIG_BLINDS = "bb"
    PERCENT = "pot_percent"
    FRACTION = "pot_fraction"
    ALL_IN = "allin"


@dataclass(frozen=True, slots=True)
class Preset:
    """A shortcut; ``value`` is in the unit of its kind, 0 for those that need none.

    Big blinds and percent have at most two decimals. Two presets that mean the same are
    equal: 2.50 big blinds are 2.5, and 2/4 of the pot is 1/2.
    """

    kind: PresetKind
    value: Fraction = Fraction(0)

    @property
    def preset_id(self) -> str:
        """A name that no other preset of a set has."""
        match self.kind:
            case PresetKind.MIN:
                return "min"
            case PresetKind.ALL_IN:
                return "all_in"
            case PresetKind.BIG_BLINDS:
                return f"bb_{self.text}".replace(".", "_")
            case PresetKind.PERCENT:
                # With the point of a decimal: 2.3 % is not 2/3.
                return f"pot_{self.text}"
            case PresetKind.FRACTION:
                return "pot" if self.value == 1 else f"pot_{self.text}".replace("/", "_")

    @property
    def label(self) -> str:
        """What the button says."""
        match self.kind:
            case PresetKind.MIN:
                return "Min"
            case PresetKind.ALL_IN:
                return "All-in"
            case PresetKind.BIG_BLINDS:
                return f"{self.text} BB"
            case PresetKind.PERCENT:
                return f"{self.text}%"
            case PresetKind.FRACTION:
                return self._fraction_label()

    @property
    def text(self) -> str | None:
        """The value as clients write it: ``2.5``, ``2/3``; None without one."""
        match self.kind:
            case PresetKind.MIN | PresetKind.ALL_IN:
                return None
            case PresetKind.FRACTION:
                return f"{self.value.numerator}/{self.value.denominator}"
            case _:
                whole, cents = divmod(int(self.value * 100), 100)
                return f"{whole}.{cents:02d}".rstrip("0").rstrip(".")

    @property
    def pot_share(self) -> Fraction:
        """The part of the pot, for the kinds that are one."""
        return self.value / 100 if self.kind is PresetKind.PERCENT else self.value

    def _fraction_label(self) -> str:
        if self.value == 1:
            return "Pot"
        if self.value.denominator == 1:
            return f"{self.value.numerator}x pot"
        whole, rest = divmod(self.value.numerator, self.value.denominator)
        glyph = _GLYPHS.get((rest, self.value.denominator))
        if glyph is None:
            return f"{self.text} pot"
        return f"{whole or ''}{glyph} pot"


@dataclass(frozen=True, slots=True)
class Offer:
    """A shortcut in one spot: its raise-to amount, and why it is grey (None: enabled).

    ``amount_chips`` is None when no raise is possible, because there is none to name.
    """

    preset: Preset
    amount_chips: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Spot:
    """What the amounts depend on, in chips.

    ``pot_total_chips`` counts all pots and this round's bets; ``own_bet_chips`` is what the
    seat put in this round.
    """

    big_blind_chips: int
    pot_total_chips: int
    own_bet_chips: int
    legal: Legal


def offers(spot: Spot, presets: Sequence[Preset]) -> tuple[Offer, ...]:
    """Return the shortcuts with their amounts and reasons, in order."""
    raises = spot.legal.raises
    if raises is None:
        return tuple(Offer(preset, None, NO_RAISE) for preset in presets)
    return tuple(_offer(preset, spot, raises) for preset in presets)


def _offer(preset: Preset, spot: Spot, raises: RaiseRange) -> Offer:
    amount_chips = _amount(preset, spot, raises)
    return Offer(preset, amount_chips, _reason(preset, amount_chips, raises))


def _amount(preset: Preset, spot: Spot, raises: RaiseRange) -> int:
    if preset.kind is PresetKind.MIN:
        return raises.full_min_to_chips
    if preset.kind is PresetKind.ALL_IN:
        return raises.max_to_chips
    if preset.kind is PresetKind.BIG_BLINDS:
        return round_half_up(preset.value * spot.big_blind_chips)
    # Where a raise is possible the call is not capped by the stack, so this is the price
    # of the round even when the big blind could not post in full.
    highest_chips = spot.own_bet_chips + spot.legal.to_call_chips
    after_call_chips = spot.pot_total_chips + spot.legal.to_call_chips
    return highest_chips + round_half_up(preset.pot_share * after_call_chips)


def _reason(preset: Preset, amount_chips: int, raises: RaiseRange) -> str | None:
    if preset.kind is PresetKind.ALL_IN:
        return None
    if amount_chips > raises.max_to_chips:
        return OVER_STACK
    if amount_chips < raises.full_min_to_chips:
        if raises.kind is ActionKind.BET:
            return f"below the minimum bet of {raises.full_min_to_chips:,}"
        return f"below the minimum raise to {raises.full_min_to_chips:,}"
    return None
