"""How likely a sound player takes each action with each hand.

These curves are River's model of everybody, itself included. They read ranges from actions
(`services.bot.reading`) and foresee answers to a bet (`services.bot.postflop`). Every curve
keeps a floor: no action proves anything, so no hand is ever ruled out.
"""

from typing import Final

from poker.actions import ActionKind, Street
from services.bot.combos import TYPE_COUNT, Weights
from services.bot.history import AGGRESSIVE, Step
from services.bot.preflop_data import DEEPEST_BB, percentiles, push_fold

OPEN_SHARES: Final = (0.25, 0.80, 0.48, 0.30, 0.22, 0.17, 0.14, 0.12, 0.11)
"""Share of hands that raises first in, by how many players have yet to act."""

_RERAISE_SHARES: Final = (0.14, 0.06, 0.035)
"""Heads-up share of hands for a 3-bet, a 4-bet and any later raise."""

BLUFF_PLACE: Final = 0.4
"""Hands below this place in a range have little to lose by bluffing."""

RAISE_BLUFFING: Final = 0.5
"""Raises are bluffed less than the pot odds allow: fewer hands fold to them."""

_RAISE_VALUE_SHARE: Final = 0.14
_BLUFF_FACTORS: Final = {Street.FLOP: 1.6, Street.TURN: 1.3, Street.RIVER: 1.0}
_MULTIWAY_SHARE: Final = 0.6
_RAISED_CALL_SHARES: Final = (0.30, 0.08)


def at_least(place: float, threshold: float, width: float) -> float:
    """Return 0 well below the threshold, 1 well above, linear over ``width`` around it."""
    return min(1.0, max(0.0, (place - threshold) / width + 0.5))


def at_most(place: float, threshold: float, width: float) -> float:
    """Return 1 well below the threshold, 0 well above."""
    return 1.0 - at_least(place, threshold, width)


def preflop_likelihood(step: Step, big_blind_chips: int) -> Weights:
    """Return the likelihood (0..1] of a preflop action for each of the 169 types."""
    depth_bb = step.effective_chips / big_blind_chips
    if step.kind in AGGRESSIVE:
        return _raise_likelihood(step, depth_bb)
    if step.kind is ActionKind.CALL:
        return _call_likelihood(step)
    if step.kind is ActionKind.CHECK:
        return [1.0 - 0.8 * at_most(place, OPEN_SHARES[0], 0.1) for place in percentiles()]
    return [1.0] * TYPE_COUNT


def raise_share(step: Step, depth_bb: float) -> float:
    """Return the share (0..1) of all hands that would raise in the step's place."""
    if step.raises == 0:
        share = OPEN_SHARES[min(step.behind, len(OPEN_SHARES) - 1)]
        if step.all_in:
            return min(share, max(0.08, 4.0 / depth_bb))
        # Three times the price (2.5 to 3 big blinds) is usual; more means better hands.
        return share * min(1.0, 3.5 * max(1, step.pot_chips) / max(1, 2 * step.to_chips))
    share = _RERAISE_SHARES[min(step.raises, len(_RERAISE_SHARES)) - 1]
    if step.opponents > 1:
        share *= _MULTIWAY_SHARE
    return max(share, reshove_share(depth_bb)) if step.all_in else share


def reshove_share(depth_bb: float) -> float:
    """Return the share of hands that re-raises all-in at this effective stack."""
    return min(0.5, 5.5 / depth_bb)


def _raise_likelihood(step: Step, depth_bb: float) -> Weights:
    if step.raises == 0 and step.all_in and step.opponents == 1 and depth_bb <= DEEPEST_BB:
        return [max(0.04, frequency) for frequency in push_fold(depth_bb).push]
    share = raise_share(step, depth_bb)
    floor = 0.06 if step.raises == 0 else 0.12 * share
    return [max(floor, at_most(place, share, 0.02 + 0.3 * share)) for place in percentiles()]


def defend_share(step: Step) -> float:
    """Return the share (0..1) of hands that continues against one raise, by its price."""
    required = step.to_call_chips / max(1, step.pot_chips + step.to_call_chips)
    share = min(0.95, max(0.15, 1.3 - 2.0 * required))
    return share if step.opponents == 1 else 0.5 * share


def _call_likelihood(step: Step) -> Weights:
    if step.raises == 0:
        return [
            max(0.25, 1.0 - 0.65 * at_most(place, 0.25, 0.1) - at_least(place, 0.92, 0.1))
            for place in percentiles()
        ]
    if step.raises == 1:
        share, trap_share, floor = defend_share(step), 0.05, 0.06
    else:
        share = _RAISED_CALL_SHARES[min(step.raises - 2, 1)]
        trap_share, floor = 0.03, 0.03
    return [
        max(floor, at_most(place, share, 0.1)) * (1.0 - 0.6 * at_most(place, trap_share, 0.02))
        for place in percentiles()
    ]


def postflop_likelihood(step: Step, place: float) -> float:
    """Return the likelihood (0..1] of an action after the flop.

    ``place`` is where the hand stands within its player's range, 1 being the best.
    """
    if step.kind in AGGRESSIVE:
        return _bet_likelihood(step, place)
    if step.kind is ActionKind.CALL:
        trap = 1.0 - 0.4 * at_least(place, 0.92, 0.08)
        return continue_likelihood(place, step.price, step.raises) * trap
    if step.kind is ActionKind.CHECK:
        return 1.0 - (0.2 if step.leader_behind else 0.55) * at_least(place, 0.64, 0.2)
    return 1.0


def _bet_likelihood(step: Step, place: float) -> float:
    share = _RAISE_VALUE_SHARE if step.raises else value_share(step.pot_fraction)
    value = at_least(place, 1.0 - share, 0.2 if step.raises == 0 else 0.12)
    bluff = bluff_share(share, step.pot_fraction, step.street)
    if step.raises:
        bluff *= RAISE_BLUFFING
    return max(value, bluff * at_most(place, BLUFF_PLACE, 0.1), 0.08)


def bluff_share(value_mass: float, price: float, street: Street) -> float:
    """Return how often a hand from the bottom of a range bets.

    ``value_mass`` is the share of the range that bets for value, ``price`` the bet as a
    share of the pot. Bluffs stand to value bets as price : 1 + price, so that a hand which
    beats only bluffs gains nothing by calling or folding; there are more of them before
    the river, because they can improve or be given up.
    """
    mass = value_mass * price / (1.0 + price) * _BLUFF_FACTORS[street]
    return min(1.0, mass / BLUFF_PLACE)


def value_share(pot_fraction: float) -> float:
    """Return the top share of a range that bets this size for value: bigger is narrower."""
    return min(0.45, max(0.15, 0.48 - 0.2 * pot_fraction))


def continue_likelihood(place: float, price: float, raises: int) -> float:
    """Return the likelihood that a hand at ``place`` calls or raises a bet.

    ``price`` is the bet as a share of the pot before it. A sound player continues with
    1 / (1 + price) of the range, so that a bluff with nothing gains nothing; less against
    the second raise and later, whose ranges are stronger.
    """
    share = (1.0 if raises < 2 else 0.75) / (1.0 + price)
    return 0.06 + 0.94 * at_least(place, 1.0 - share, 0.2)
