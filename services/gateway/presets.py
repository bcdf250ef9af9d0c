"""The shortcut buttons of the bet bar: amounts and greying (SPEC 1.7, UI-021..028).

Fractions are exact rationals; only the product is rounded, half up, to a whole chip.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from poker.actions import ActionKind, Legal, RaiseRange, Street
from services.gateway.money import round_half_up

NO_RAISE: Final = "no raise"
OVER_STACK: Final = "more than your stack"


class PresetKind(StrEnum):
    """How a shortcut finds its amount."""

    MIN = "min"
    BIG_BLINDS = "bb"
    POT = "pot"
    ALL_IN = "allin"


@dataclass(frozen=True, slots=True)
class Preset:
    """A shortcut: ``factor`` is big blinds or the fraction of the pot, else unused."""

    preset_id: str
    label: str
    kind: PresetKind
    factor: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Offer:
    """A shortcut in one spot: its raise-to amount, and why it is grey (None: enabled).

    ``amount_chips`` is None when no raise is possible, because there is none to name.
    """

    preset: Preset
    amount_chips: int | None
    reason: str | None


def _pot(percent: int) -> Preset:
    return Preset(f"pot_{percent}", f"{percent}%", PresetKind.POT, Fraction(percent, 100))


def _big_blinds(text: str) -> Preset:
    identifier = f"bb_{text.replace('.', '_')}"
    return Preset(identifier, f"{text} BB", PresetKind.BIG_BLINDS, Fraction(text))


_MIN: Final = Preset("min", "Min", PresetKind.MIN)
_FULL_POT: Final = Preset("pot", "Pot", PresetKind.POT, Fraction(1))
_TWO_THIRDS: Final = Preset("pot_2_3", "⅔ pot", PresetKind.POT, Fraction(2, 3))
_ALL_IN: Final = Preset("all_in", "All-in", PresetKind.ALL_IN)

PREFLOP: Final = (
    _MIN,
    *(_big_blinds(text) for text in ("2", "2.5", "3")),
    *(_pot(percent) for percent in (30, 50, 70)),
    _FULL_POT,
    _ALL_IN,
)
POSTFLOP: Final = (_MIN, _pot(30), _pot(50), _TWO_THIRDS, _pot(70), _FULL_POT, _ALL_IN)


@dataclass(frozen=True, slots=True)
class Spot:
    """What the amounts depend on, in chips.

    ``pot_total_chips`` counts all pots and this round's bets; ``own_bet_chips`` is what the
    seat put in this round.
    """

    street: Street
    big_blind_chips: int
    pot_total_chips: int
    own_bet_chips: int
    legal: Legal


def offers(spot: Spot) -> tuple[Offer, ...]:
    """Return the default shortcuts of the street with amounts and reasons, in order."""
    presets = PREFLOP if spot.street is Street.PREFLOP else POSTFLOP
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
        return round_half_up(preset.factor * spot.big_blind_chips)
    # Where a raise is possible the call is not capped by the stack, so this is the price
    # of the round even when the big blind could not post in full.
    highest_chips = spot.own_bet_chips + spot.legal.to_call_chips
    after_call_chips = spot.pot_total_chips + spot.legal.to_call_chips
    return highest_chips + round_half_up(preset.factor * after_call_chips)


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
