"""What the local best response wins from some point on, with every hand it may hold at once.

Until its first bet it only checks and calls, whatever it holds, so its cards are still any.
From there the value is worked out rather than played out: its hands part at its own
decisions, River's weights at River's. Only River's answers on the turn and the river card are
drawn, and what follows weighs as much as the draw was unlikely: the mean is unchanged.
"""

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

from poker.actions import Action, ActionKind
from poker.cards import DECK, Card
from poker.hand import Hand, replay
from poker.setup import HandSetup
from services.bot.arena.ranges import Mask, Weights, live, met, won
from services.bot.lbr.respond import AskRiver, respond, seen
from services.bot.policy import RangePolicy

_FAINT: Final = 0.002
"""With less than this share of the hands left, the local best response no longer bets."""

_NOTHING: Final = 1e-6
"""So small a share of the hands is not followed."""

_TURN_CARDS: Final = 4
_RIVER_CARDS: Final = 48
_RIVER_CARDS_LEFT: Final = 44
"""Cards that can follow a turn, not knowing any hand and knowing both."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A moment of a hand: River's weights, and which hands the other may hold.

    ``board`` is what has been dealt at the last decision; both leave its cards out.
    """

    hand: Hand
    board: tuple[Card, ...]
    weights: Weights
    mask: Mask

    def mass(self) -> float:
        """Return the weight of all pairs of hands."""
        return float(met(self.weights)[self.mask].sum())


def ended_chips(hand: Hand, seat: int, weights: Weights) -> float:
    """Return what ``seat`` won in a hand that is over, if it never chose by its cards.

    ``weights`` are the other's, from its own actions. A showdown counts as the mean over all
    pairs of hands that the board leaves possible.
    """
    snapshot = hand.snapshot()
    put_in = {seated.seat: seated.put_in_chips for seated in snapshot.seats}
    for seated in snapshot.seats:
        if seated.folded:
            return float(put_in[seated.seat] * (-1 if seated.seat == seat else 1))
    alive = live(snapshot.board)
    weights = np.where(alive, weights, 0.0)
    share = won(weights, snapshot.board).sum() / met(weights)[alive].sum()
    return float(min(put_in.values()) * (2.0 * share - 1.0))


class Valuer:
    """Values spots for the seat of the local best response."""

    def __init__(
        self, seat: int, shares: tuple[float, ...], ask_river: AskRiver, chance: random.Random
    ) -> None:
        self._seat = seat
        self._shares = shares
        self._ask_river = ask_river
        self._chance = chance
        self._whole = 1.0

    def mean_chips(self, hand: Hand, weights: Weights) -> float:
        """Return the mean net result over all pairs of hands from a turn or river on.

        ``weights`` are River's, from its own actions; nobody's cards in ``hand`` play a part.
        """
        board = seen(hand).board
        public = dealt(hand, self._river(board))
        alive = live(board)
        spot = Spot(public, board, np.where(alive, weights, 0.0), alive)
        self._whole = spot.mass()
        return float(self._value(spot).sum()) / self._whole

    def _river(self, board: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return the board with a river, drawn if it is still to come."""
        if len(board) > _TURN_CARDS:
            return board
        return (*board, self._chance.choice([card for card in DECK if card not in board]))

    def _value(self, spot: Spot) -> Weights:
        """Return for each hand the sum over River's weights of what it wins, in chips."""
        if spot.hand.legal is None:
            return self._shown(spot)
        view = seen(spot.hand)
        if len(view.board) > len(spot.board):
            alive = live(view.board)
            weights = np.where(alive, spot.weights, 0.0)
            river = Spot(spot.hand, view.board, weights, spot.mask & alive)
            return self._value(river) * (_RIVER_CARDS / _RIVER_CARDS_LEFT)
        if spot.mass() < _NOTHING * self._whole:
            return np.zeros(len(spot.weights))
        return self._own(spot) if view.seat == self._seat else self._rivers(spot)

    def _shown(self, spot: Spot) -> Weights:
        matched = min(seat.put_in_chips for seat in spot.hand.snapshot().seats)
        chips = matched * (2.0 * won(spot.weights, spot.board) - met(spot.weights))
        return np.where(spot.mask, chips, 0.0)

    def _own(self, spot: Spot) -> Weights:
        shares = self._shares if spot.mass() > _FAINT * self._whole else ()
        actions, choice = respond(spot.hand, spot.weights, shares, self._ask_river)
        total = np.zeros(len(spot.weights))
        for index, action in enumerate(actions):
            mask = spot.mask & (choice == index)
            if mask.any():
                total += self._after(spot, action, spot.weights, mask)
        return total

    def _rivers(self, spot: Spot) -> Weights:
        policy = self._ask_river(seen(spot.hand))
        if len(spot.board) == _TURN_CARDS:
            return self._drawn(spot, policy)
        total = np.zeros(len(spot.weights))
        for action, taken in zip(policy.actions, policy.probabilities, strict=True):
            total += self._after(spot, action, spot.weights * taken, spot.mask)
        return total

    def _drawn(self, spot: Spot, policy: RangePolicy) -> Weights:
        """Follow one of River's actions, drawn by how often its whole range takes it."""
        chances = policy.probabilities.astype(np.float64) @ spot.weights
        row = self._chance.choices(range(len(chances)), chances.tolist())[0]
        weights = spot.weights * policy.probabilities[row]
        value = self._after(spot, policy.actions[row], weights, spot.mask)
        return value * float(chances.sum() / chances[row])

    def _after(self, spot: Spot, action: Action, weights: Weights, mask: Mask) -> Weights:
        if action.kind is ActionKind.FOLD:
            put_in = {s.seat: s.put_in_chips for s in spot.hand.snapshot().seats}
            chips = put_in[action.seat] * (-1 if action.seat == self._seat else 1)
            return np.where(mask, chips * met(weights), 0.0)
        after = spot.hand.copy()
        after.apply(action)
        return self._value(Spot(after, spot.board, weights, mask))


def dealt(hand: Hand, board: tuple[Card, ...]) -> Hand:
    """Return the hand with this full board, and hole cards that it leaves possible."""
    rest = [card for card in DECK if card not in board]
    setup = hand.setup
    deck = (*rest[:4], *board, *rest[4:])
    return replay(
        HandSetup(setup.hand_id, setup.rules, setup.seats, setup.button, deck), hand.actions
    )
