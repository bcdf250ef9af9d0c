"""How the local best response chooses: the best of folding, calling and its bet sizes.

It looks one move ahead. Calling is worth what its hand wins when all is checked or called
down from here. A bet is worth the pot when River folds, which its strategy tells for every
hand; against the hands that go on it is again called down (Lisý and Bowling 2017).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from poker.actions import Action, ActionKind
from poker.hand import Hand
from poker.view import view_for
from services.bot.lbr.ranges import Weights, win_share
from services.bot.policy import RangePolicy, nearest_legal
from services.bot.view import from_hand_view, highest_bet_chips
from services.common.codec import BotView

AskRiver = Callable[[BotView], RangePolicy]

ALL_IN: Final = float("inf")
SIZES: Final[dict[str, tuple[float, ...]]] = {
    "in-tree": (0.5, 1.0, ALL_IN),
    "off-tree": (0.1, 0.33, 0.7, 1.5, 3.0),
}
"""Bets and raises as shares of the pot after a call."""


@dataclass(frozen=True, slots=True)
class Valued:
    """An action and its estimated value in chips against folding now."""

    action: Action
    chips: float


def respond(
    hand: Hand, view: BotView, weights: Weights, shares: Sequence[float], ask_river: AskRiver
) -> Action:
    """Return the best action at a turn of the local best response.

    ``weights`` are River's range as its play so far implies, without the hand's own cards.
    """
    choices = [call(view, weights)]
    choices += [bet(hand, view, weights, action, ask_river) for action in bets(view, shares)]
    best = max(choices, key=lambda choice: choice.chips)
    return best.action if best.chips >= 0.0 else nearest_legal(view.legal, ActionKind.FOLD, None)


def call(view: BotView, weights: Weights) -> Valued:
    """Value a check or call."""
    asked = view.legal.to_call_chips
    share = win_share(view.hole_cards, weights, view.board)
    chips = share * (view.pot_total_chips + asked) - asked
    return Valued(nearest_legal(view.legal, ActionKind.CALL, None), chips)


def bets(view: BotView, shares: Sequence[float]) -> list[Action]:
    """Return the distinct legal bets or raises nearest to these shares of the pot."""
    if view.legal.raises is None:
        return []
    highest = highest_bet_chips(view)
    pot = view.pot_total_chips + view.legal.to_call_chips
    wanted = [None if share == ALL_IN else highest + round(share * pot) for share in shares]
    actions = [nearest_legal(view.legal, ActionKind.RAISE, to_chips) for to_chips in wanted]
    return list(dict.fromkeys(actions))


def bet(hand: Hand, view: BotView, weights: Weights, action: Action, ask_river: AskRiver) -> Valued:
    """Value a bet or raise by River's answer with every hand."""
    folding = fold_chances(ask_river(answer_view(hand, action)))
    going_on = weights * (1.0 - folding)
    fold_share = float(weights @ folding / weights.sum())
    pot, asked = view.pot_total_chips, view.legal.to_call_chips
    own = next(seat for seat in view.seats if seat.seat == view.seat)
    added = (action.to_chips or 0) - own.bet_chips
    if going_on.sum() <= 0.0:
        return Valued(action, float(pot))
    share = win_share(view.hole_cards, going_on, view.board)
    called = share * (pot + added + (added - asked)) - added
    return Valued(action, fold_share * pot + (1.0 - fold_share) * called)


def answer_view(hand: Hand, action: Action) -> BotView:
    """Return what the other seat sees after an action that leaves it a decision."""
    after = hand.copy()
    after.apply(action)
    if after.legal is None:
        raise ValueError("nobody answers this action")
    return from_hand_view(view_for(after.snapshot(), after.legal.seat))


def fold_chances(policy: RangePolicy) -> Weights:
    """Return how often every combo folds."""
    folds = [row for row, action in enumerate(policy.actions) if action.kind is ActionKind.FOLD]
    found: Weights = policy.probabilities[folds].sum(axis=0, dtype=np.float64)
    return found
