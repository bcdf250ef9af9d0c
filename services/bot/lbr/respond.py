"""How the local best response chooses, with every hand it may hold at once.

It looks one move ahead. Calling is worth what a hand wins when all is checked or called
down from here. A bet is worth the pot when River folds, which its strategy tells for every
hand; against the hands that go on it is again called down (Lisý and Bowling 2017).
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.actions import Action, ActionKind
from poker.hand import Hand
from poker.view import view_for
from services.bot.arena.ranges import Weights, met, won
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


def respond(
    hand: Hand, weights: Weights, shares: Sequence[float], ask_river: AskRiver
) -> tuple[list[Action], NDArray[np.int64]]:
    """Return the actions considered, and for each hand the index of the one it takes.

    ``weights`` are River's range as its play so far implies. The hand's board has 4 or 5
    cards; without ``shares`` only folding and calling are weighed.
    """
    view = seen(hand)
    actions = [nearest_legal(view.legal, ActionKind.CALL, None), *bets(view, shares)]
    chips = [call_chips(view, weights)]
    chips += [bet_chips(hand, weights, action, ask_river) for action in actions[1:]]
    choice = np.argmax(np.stack(chips), axis=0)
    if view.legal.can_fold:
        actions.append(Action(view.seat, ActionKind.FOLD))
        choice[np.max(np.stack(chips), axis=0) < 0.0] = len(actions) - 1
    return actions, choice


def seen(hand: Hand) -> BotView:
    """Return what the seat whose turn it is sees."""
    if hand.legal is None:
        raise ValueError("nobody has a decision")
    return from_hand_view(view_for(hand.snapshot(), hand.legal.seat))


def call_chips(view: BotView, weights: Weights) -> Weights:
    """Value a check or call with every hand, in chips against folding now."""
    asked = view.legal.to_call_chips
    share = _ratio(won(weights, view.board), met(weights))
    return share * (view.pot_total_chips + asked) - asked


def bets(view: BotView, shares: Sequence[float]) -> list[Action]:
    """Return the distinct legal bets or raises nearest to these shares of the pot."""
    if view.legal.raises is None:
        return []
    highest = highest_bet_chips(view)
    pot = view.pot_total_chips + view.legal.to_call_chips
    wanted = [None if share == ALL_IN else highest + round(share * pot) for share in shares]
    actions = [nearest_legal(view.legal, ActionKind.RAISE, to_chips) for to_chips in wanted]
    return list(dict.fromkeys(actions))


def bet_chips(hand: Hand, weights: Weights, action: Action, ask_river: AskRiver) -> Weights:
    """Value a bet or raise with every hand by River's answers, in chips against folding now."""
    view = seen(hand)
    after = hand.copy()
    after.apply(action)
    going_on = weights * (1.0 - fold_chances(ask_river(seen(after))))
    meeting, staying = met(weights), met(going_on)
    pot, asked = view.pot_total_chips, view.legal.to_call_chips
    own = next(seat for seat in view.seats if seat.seat == view.seat)
    added = (action.to_chips or 0) - own.bet_chips
    share = _ratio(won(going_on, view.board), staying)
    called = share * (pot + added + (added - asked)) - added
    stay_share = _ratio(staying, meeting)
    return (1.0 - stay_share) * pot + stay_share * called


def fold_chances(policy: RangePolicy) -> Weights:
    """Return how often every combo folds."""
    folds = [row for row, action in enumerate(policy.actions) if action.kind is ActionKind.FOLD]
    found: Weights = policy.probabilities[folds].sum(axis=0, dtype=np.float64)
    return found


def _ratio(part: Weights, whole: Weights) -> Weights:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 1e-9 * whole.max())
