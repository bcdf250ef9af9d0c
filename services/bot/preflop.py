"""Before the flop with stacks to play for: opening, defending and re-raising ranges.

Unraised pots follow opening shares by position and depth. Against raises the hand's equity
against the raiser's range is set against the price, and a re-raise is tried against the
part of that range that would continue.
"""

from collections.abc import Sequence
from typing import Final

from poker.actions import ActionKind
from services.bot.combos import COMBOS, TYPE_SIZES, Weights, by_type
from services.bot.policy import Policy, mix
from services.bot.preflop_data import (
    DEEPEST_BB,
    equity_against,
    percentiles,
    playability,
    push_fold,
)
from services.bot.push_fold import PUSH_DEPTH_MAX_BB
from services.bot.spot import Spot, is_preflop, spot_of
from services.bot.tendencies import OPEN_SHARES, at_least, at_most, reshove_share
from services.common.codec import BotView

_SHORT_BB: Final = 20.0
_DEEP_BB: Final = 40.0
_COMMIT_SHARE: Final = 0.35
"""A raise to more than this share of the effective stack goes all-in at once."""

_VALUE_EQUITY: Final = 0.54
"""Equity against the hands that continue from which a re-raise is for value."""

_BLUFF_SHARES: Final = (0.35, 0.2)
"""How often at most a 3-bet, and a 4-bet, is made without being ahead when called."""


class PreflopStage:
    """Answers every preflop spot that no earlier stage took."""

    name = "preflop"

    def policy(self, view: BotView) -> Policy | None:
        """Return frequencies of fold, call and one raise size; None after the flop."""
        if not is_preflop(view):
            return None
        spot = spot_of(view)
        wishes = _unraised(spot) if spot.raises == 0 else _raised(spot)
        return mix(self.name, view, wishes)


Wish = tuple[ActionKind, int | None, float]


def _wishes(raise_to: int, raising: float, calling: float) -> list[Wish]:
    """Share out one unit: ``calling`` is the chance to call when not raising."""
    return [
        (ActionKind.RAISE, raise_to, raising),
        (ActionKind.CALL, None, (1.0 - raising) * calling),
        (ActionKind.FOLD, None, (1.0 - raising) * (1.0 - calling)),
    ]


def _committed(spot: Spot, raise_to: int) -> int:
    return spot.cap_chips if raise_to > _COMMIT_SHARE * spot.cap_chips else raise_to


def _unraised(spot: Spot) -> list[Wish]:
    place = percentiles()[spot.kind]
    if spot.view.legal.raises is None:
        return _wishes(0, 0.0, _call_unraised(spot))
    if spot.depth_bb <= PUSH_DEPTH_MAX_BB:
        pushing = at_most(place, _push_share(spot), 0.04)
        return _wishes(spot.cap_chips, pushing, _call_unraised(spot) * (spot.to_call_chips == 0))
    share = _open_share(spot)
    raising = at_most(place, share, 0.06)
    return _wishes(
        _committed(spot, _open_to(spot)), raising, at_most(place, _limp_share(spot), 0.05)
    )


def _call_unraised(spot: Spot) -> float:
    """Return how often to pay for the flop when that ends the betting: by pot odds."""
    value = _equity(spot) * (spot.pot_chips + spot.to_call_chips) - spot.to_call_chips
    return at_least(value, 0.0, 0.02 * spot.pot_chips)


def _push_share(spot: Spot) -> float:
    """Return the share of hands that shoves into everybody behind.

    The heads-up equilibrium gives the share into one player; each further one makes it a
    quarter narrower. Limpers count as players behind.
    """
    pushes = push_fold(spot.depth_bb).push
    heads_up = sum(map(float.__mul__, map(float, TYPE_SIZES), pushes)) / len(COMBOS)
    return float(heads_up * 0.75 ** (max(1, len(spot.opponents)) - 1))


def _limpers(spot: Spot) -> int:
    """Count the opponents who paid the big blind without having to."""
    return len(spot.opponents) - spot.behind - sum(seat.all_in for seat in spot.opponents)


def _open_share(spot: Spot) -> float:
    share = OPEN_SHARES[min(spot.behind, len(OPEN_SHARES) - 1)]
    if spot.behind == 1 and len(spot.opponents) == 1:
        return 0.62 if spot.depth_bb < _SHORT_BB else share
    return share * 0.75 ** _limpers(spot) if spot.behind else share


def _limp_share(spot: Spot) -> float:
    """Return the share of hands that at least pays the big blind."""
    if spot.to_call_chips == 0:
        return 1.1
    half_price = spot.to_call_chips < spot.big_blind_chips
    if half_price and spot.depth_bb < _SHORT_BB:
        return 0.88
    if half_price:
        return 0.85 if len(spot.opponents) == 1 else 0.65
    return 0.42 if _limpers(spot) else 0.0


def _open_to(spot: Spot) -> int:
    """Return the raise-to of an opening raise: 2 to 3 big blinds, one more a limper."""
    if spot.behind == 0:
        blinds = 3.5
    elif len(spot.opponents) == 1:
        blinds = 2.5 if spot.depth_bb >= _DEEP_BB else 2.0
    else:
        blinds = 2.5 if spot.depth_bb >= _SHORT_BB else 2.0
    limpers = max(0, _limpers(spot) - (spot.behind == 0))
    return round((blinds + limpers) * spot.big_blind_chips)


def _raised(spot: Spot) -> list[Wish]:
    equity = _equity(spot)
    price, pot = spot.to_call_chips, spot.pot_chips
    share = equity if spot.betting_ends else equity * _realised(spot)
    call_value = share * (pot + price) - price
    width = 0.015 * pot if spot.betting_ends else 0.04 * pot
    calling = at_least(call_value, 0.0, width)
    if spot.view.legal.raises is None:
        return _wishes(0, 0.0, calling)
    raise_to = _committed(spot, _reraise_to(spot))
    return _wishes(raise_to, _raising(spot, raise_to, max(0.0, call_value)), calling)


def _realised(spot: Spot) -> float:
    """Return the share of its equity a hand wins with betting to come.

    Position, suits and connections help; the deeper the stacks, the more.
    """
    position = 0.96 if spot.in_position else 0.80
    return position + 2.5 * playability(spot.kind)


def _equity(spot: Spot) -> float:
    """Return the equity against every live opponent's range at once."""
    share = 1.0
    for weights in spot.opponent_ranges():
        share *= equity_against(spot.kind, by_type(weights))
    return share if len(spot.opponents) == 1 else float(share**0.9)


def _reraise_to(spot: Spot) -> int:
    """Return the raise-to of a 3-bet (3 to 3.8 times the raise, more with callers) or later."""
    if spot.raises == 1:
        factor = (3.0 if spot.in_position else 3.8) + max(0, len(spot.opponents) - spot.behind - 1)
    else:
        factor = 2.3 if spot.raises == 2 else 100.0
    if spot.depth_bb <= _SHORT_BB:
        return spot.cap_chips
    return min(spot.cap_chips, round(factor * spot.highest_chips))


def _raising(spot: Spot, raise_to: int, otherwise: float) -> float:
    """Return how often to re-raise rather than take the value ``otherwise`` (chips)."""
    added = raise_to - spot.own.bet_chips
    more = raise_to - spot.highest_chips
    pot = spot.pot_chips
    kept, fold_chance = _continuing(spot, raise_to)
    ahead = equity_against(spot.kind, kept) - (0.0 if raise_to == spot.cap_chips else 0.02)
    called = ahead * (pot + added + more) - added
    value = fold_chance * pot + (1.0 - fold_chance) * called
    eager = at_least(value, otherwise, 0.1 * pot)
    if ahead >= _VALUE_EQUITY:
        return 0.95 * eager
    if raise_to == spot.cap_chips and spot.depth_bb <= DEEPEST_BB:
        # One step ahead every shove looks good against folds; the share keeps it honest.
        return eager * at_most(percentiles()[spot.kind], reshove_share(spot.depth_bb), 0.05)
    most = _BLUFF_SHARES[spot.raises - 1] if spot.raises <= len(_BLUFF_SHARES) else 0.0
    return most * eager * _bluff_quality(spot.kind)


def _bluff_quality(kind: int) -> float:
    """Return how well a hand serves as a bluff re-raise: suited best, ace blockers half."""
    row, column = divmod(kind, 13)
    if row > column:
        return at_most(percentiles()[kind], 0.7, 0.1)
    return 0.5 if column == 12 and row != column else 0.0


def _continuing(spot: Spot, raise_to: int) -> tuple[Weights, float]:
    """Return what would continue against a raise (by type) and the chance all others fold."""
    more = raise_to - spot.highest_chips
    pot = spot.pot_chips + raise_to - spot.own.bet_chips
    share = min(0.6, max(0.25, 1.15 - 1.6 * more / (pot + more)))
    fold_chance = 1.0
    main: tuple[int, Weights] = (-1, [])
    for seat, weights in zip(spot.opponents, spot.opponent_ranges(), strict=True):
        if seat.all_in:
            kept, folds = by_type(weights), 0.0
        else:
            # Who has not raised yet continues with less than the raiser.
            kept, folds = _best_part(by_type(weights), share if seat.bet_chips else 0.15)
        fold_chance *= folds
        main = max(main, (seat.bet_chips, kept), key=lambda item: item[0])
    return main[1], fold_chance


def _best_part(weights: Sequence[float], share: float) -> tuple[Weights, float]:
    """Return the best ``share`` of a range by type, and how much of it was left out."""
    places = percentiles()
    total = sum(weights)
    room = share * total
    kept = [0.0] * len(weights)
    for kind in sorted(range(len(weights)), key=places.__getitem__):
        kept[kind] = min(weights[kind], room)
        room -= kept[kind]
    return kept, 1.0 - sum(kept) / total
