"""After the flop: equity against ranges read from the actions, one bet ahead.

Every candidate bet is valued against the part of each range that would continue. Hands
that are ahead of that part bet for value; hands that are not may bluff, draws first, in
proportion to the value bets as the pot odds demand. Calls compare realised equity with
the price. Close decisions are mixed.
"""

from dataclasses import dataclass
from typing import Final

from poker.actions import ActionKind, Street
from services.bot.board import BoardTable, equity, quantiles
from services.bot.combos import Weights, without_cards
from services.bot.history import leader_behind
from services.bot.policy import Policy, mix
from services.bot.reading import read_ranges, table_at
from services.bot.sizing import bet_sizes, raise_sizes
from services.bot.spot import Spot, is_preflop, spot_of
from services.bot.tendencies import (
    BLUFF_PLACE,
    RAISE_BLUFFING,
    at_least,
    bluff_share,
    continue_likelihood,
)
from services.common.codec import BotView

_VALUE_EQUITY: Final = 0.53
_RAISE_EQUITY: Final = 0.56
_BLUFF_COST: Final = 0.15
"""Share of the pot in expected value that a bluff may give up against checking."""

_LEADING: Final = 0.35
"""How much of its betting a range keeps when the last aggressor is still to act."""

_DUTY: Final = 0.4

_DRAW_GAIN: Final = 0.12
"""A hand whose strength over the runouts beats its present one by this much is a draw."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the hand is worth before choosing: ranges without its own cards, 0..1 shares.

    ``place`` is where the hand stands in the range others give the deciding seat.
    """

    spot: Spot
    table: BoardTable
    ranges: tuple[Weights, ...]
    places: tuple[Weights, ...]
    own_range: Weights
    place: float
    equity: float

    @property
    def is_draw(self) -> bool:
        """Whether the hand counts on cards to come."""
        gain = self.table.strength[self.spot.combo] - self.table.made[self.spot.combo]
        return gain >= _DRAW_GAIN


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet or raise and what comes of it; values in chips against giving up at once.

    ``ahead`` is the equity against the hands that continue, ``price`` the share of the pot
    that the bet asks, ``threshold`` the strength that is ahead of half of them.
    """

    to_chips: int
    price: float
    value: float
    ahead: float
    threshold: float


class EquityStage:
    """Answers every spot after the flop."""

    name = "equity"

    def policy(self, view: BotView) -> Policy | None:
        """Return mixed frequencies of passive actions and bet sizes; None preflop."""
        if is_preflop(view):
            return None
        outlook = look(spot_of(view))
        wishes = _unbet(outlook) if view.legal.can_check else _facing_bet(outlook)
        return mix(self.name, view, wishes)


Wish = tuple[ActionKind, int | None, float]


def look(spot: Spot) -> Outlook:
    """Work out ranges, places and equity of a spot after the flop."""
    everyone = read_ranges(spot.view)
    table = table_at(spot.view, spot.view.street)
    ranges = tuple(without_cards(everyone[s.seat], spot.view.hole_cards) for s in spot.opponents)
    own_range = everyone[spot.own.seat]
    return Outlook(
        spot=spot,
        table=table,
        ranges=ranges,
        places=tuple(quantiles(table, weights) for weights in ranges),
        own_range=own_range,
        place=quantiles(table, own_range)[spot.combo],
        equity=equity(table, spot.combo, ranges),
    )


def _realised(outlook: Outlook) -> float:
    """Return the share of the equity that the hand wins with betting to come."""
    spot = outlook.spot
    if spot.view.street is Street.RIVER or spot.behind_chips == 0:
        return 1.0
    position = 0.98 if spot.in_position else 0.88
    # Made hands get paid and draws get paid off; what is neither often has to fold.
    return position + (0.06 if outlook.is_draw or outlook.equity > 0.6 else 0.0)


def _weigh(outlook: Outlook, to_chips: int) -> Bet:
    """Value a bet or raise one step ahead: everybody folds, or somebody continues."""
    spot = outlook.spot
    added = to_chips - spot.own.bet_chips
    kept: list[Weights] = []
    fold_chance, callers, more = 1.0, 1.0, 0.0
    for seat, weights, places in zip(spot.opponents, outlook.ranges, outlook.places, strict=True):
        asked = min(to_chips - seat.bet_chips, seat.stack_chips)
        if asked <= 0:
            kept.append(weights)
            fold_chance = 0.0
            continue
        price = asked / max(1, spot.pot_chips + added - asked)
        continuing = [
            weight and weight * continue_likelihood(place, price, spot.raises)
            for weight, place in zip(weights, places, strict=True)
        ]
        chance = sum(continuing) / sum(weights)
        fold_chance *= 1.0 - chance
        kept.append(continuing)
        more = max(more, asked)
    callers = max(1.0, sum(sum(k) / sum(w) for k, w in zip(kept, outlook.ranges, strict=True)))
    main = max(kept, key=sum)
    ahead = equity(outlook.table, spot.combo, [main]) ** callers
    called = ahead * (spot.pot_chips + added + more) - added
    return Bet(
        to_chips=to_chips,
        price=more / max(1, spot.pot_chips),
        value=fold_chance * spot.pot_chips + (1.0 - fold_chance) * called,
        ahead=ahead,
        threshold=_median_strength(outlook.table, main),
    )


def _median_strength(table: BoardTable, weights: Weights) -> float:
    half = sum(weights) / 2
    for combo in table.order:
        half -= weights[combo]
        if half <= 0.0:
            return table.strength[combo]
    return 1.0


def _unbet(outlook: Outlook) -> list[Wish]:
    spot = outlook.spot
    checking = outlook.equity * _realised(outlook) * spot.pot_chips
    bets = [_weigh(outlook, size) for size in bet_sizes(spot)]
    value_bets = [bet for bet in bets if bet.ahead >= _VALUE_EQUITY]
    lead = _LEADING if leader_behind(spot.view) else 1.0
    if value_bets:
        return _mix_bets(spot, value_bets, checking, most=0.92 * lead)
    bluffs = [(bet, _bluff_share(outlook, bet)) for bet in bets]
    best, most = max(bluffs, key=lambda item: (item[1] > 0.0, item[0].value), default=(None, 0.0))
    # Against a sound opponent a bluff gains nothing: what it gives up must be little.
    given_up = _BLUFF_COST * spot.pot_chips
    return _mix_bets(spot, [best] if best else [], checking - given_up, most=most * lead)


def _mix_bets(spot: Spot, bets: list[Bet], checking: float, *, most: float) -> list[Wish]:
    """Mix sizes by value and betting with checking; ``most`` caps the betting."""
    if not bets:
        return [(ActionKind.CHECK, None, 1.0)]
    pot = spot.pot_chips
    best = max(bet.value for bet in bets)
    betting = most * at_least(best, checking, 0.08 * pot)
    # A tenth of the pot in value makes a size seven times as likely.
    weights = [at_least(bet.value, best - 0.05 * pot, 0.1 * pot) ** 2 for bet in bets]
    total = sum(weights)
    return [
        *(
            (ActionKind.BET, bet.to_chips, betting * weight / total)
            for bet, weight in zip(bets, weights, strict=True)
        ),
        (ActionKind.CHECK, None, 1.0 - betting),
    ]


def _bluff_share(outlook: Outlook, bet: Bet) -> float:
    """Return how often this hand may bet as a bluff; draws are the better bluffs."""
    if outlook.place > BLUFF_PLACE and not outlook.is_draw:
        return 0.0
    strength, weights = outlook.table.strength, outlook.own_range
    value = sum(w for w, s in zip(weights, strength, strict=True) if s >= bet.threshold)
    share = bluff_share(value / sum(weights), bet.price, outlook.spot.view.street)
    return min(0.85, 2.0 * share) if outlook.is_draw else share


def _facing_bet(outlook: Outlook) -> list[Wish]:
    spot = outlook.spot
    pot, price = spot.pot_chips, spot.to_call_chips
    share = outlook.equity if spot.betting_ends else outlook.equity * _realised(outlook)
    call_value = share * (pot + price) - price
    calling = max(
        at_least(call_value, 0.0, 0.05 * (pot + price)),
        _duty_to_call(outlook, price / (pot + price)),
    )
    raises = [_weigh(outlook, size) for size in raise_sizes(spot)]
    best = max(raises, key=lambda bet: bet.value, default=None)
    raising = 0.0 if best is None else _raising(outlook, best, max(0.0, call_value))
    return [
        (ActionKind.RAISE, best.to_chips if best else None, raising),
        (ActionKind.CALL, None, (1.0 - raising) * calling),
        (ActionKind.FOLD, None, (1.0 - raising) * (1.0 - calling)),
    ]


def _duty_to_call(outlook: Outlook, required: float) -> float:
    """Return how often to call at least, lest betting any two cards should pay.

    The better part of the range, as much as the price demands, does not give up against
    one opponent unless it is far short of the equity ``required``.
    """
    if len(outlook.ranges) > 1 or outlook.equity < 0.7 * required:
        return 0.0
    # With the price p of the pot, 1 / (1 + p) of the range must stay: that is 1 - r / (1 - r).
    folding = required / max(1e-9, 1.0 - required)
    return _DUTY * at_least(outlook.place, folding, 0.1)


def _raising(outlook: Outlook, bet: Bet, otherwise: float) -> float:
    """Return how often to raise rather than take the value ``otherwise`` (chips)."""
    spot = outlook.spot
    eager = at_least(bet.value, otherwise, 0.1 * spot.pot_chips)
    if bet.ahead >= _RAISE_EQUITY:
        return 0.9 * eager
    if spot.raises > 1:
        return 0.0
    return min(0.3, RAISE_BLUFFING * _bluff_share(outlook, bet)) * eager
