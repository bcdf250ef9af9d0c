"""One deal, played from both seats."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from poker.actions import Street
from poker.cards import DECK, Card
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from poker.view import view_for
from services.bot.arena.chance import showdown_share
from services.bot.baselines import Player
from services.bot.view import BOARD_SIZES, from_hand_view

RULES: Final = HandRules(small_blind_chips=50, big_blind_chips=100)
BUTTON: Final = 1
BIG_BLIND: Final = 2
_SEED_LIMIT: Final = 2**64


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that is over, with what the button won or lost.

    ``net_chips`` as it fell, ``expected_chips`` with the luck of all-ins taken out: the two
    differ only when the chips went in before the river. ``board`` is what was dealt at the last
    decision.
    """

    hand: Hand
    board: tuple[Card, ...]
    net_chips: int
    expected_chips: float


def shuffled(seed: str) -> tuple[Card, ...]:
    """Return the deck that this seed deals."""
    return tuple(random.Random(seed).sample(DECK, len(DECK)))  # noqa: S311 - reproducible


def new_hand(deck: Sequence[Card], stack_chips: int) -> Hand:
    """Return a heads-up hand with equal stacks, seat 1 on the button."""
    seats = (SeatStack(BUTTON, stack_chips), SeatStack(BIG_BLIND, stack_chips))
    return Hand(HandSetup("arena", RULES, seats, BUTTON, tuple(deck)))


def play_hand(hand: Hand, button: Player, big_blind: Player, chance: random.Random) -> Played:
    """Play a new hand to its end; ``chance`` gives every decision its seed."""
    street = Street.PREFLOP
    while hand.legal is not None:
        view = from_hand_view(view_for(hand.snapshot(), hand.legal.seat))
        street = view.street
        player = button if view.seat == BUTTON else big_blind
        hand.apply(player.act(view, chance.randrange(_SEED_LIMIT)))
    return _booked(hand, street)


def _booked(hand: Hand, street: Street) -> Played:
    """Book a hand whose last decision was made on ``street``."""
    snapshot = hand.snapshot()
    if snapshot.result is None:
        raise RuntimeError("a hand without a turn must have a result")
    board = snapshot.board[: BOARD_SIZES[street]]
    net = next(seat.net_chips for seat in snapshot.result.seats if seat.seat == BUTTON)
    if street is Street.RIVER or any(seat.folded for seat in snapshot.seats):
        return Played(hand, board, net, float(net))
    own, other = (seat.hole_cards for seat in snapshot.seats)
    share = showdown_share(own, other, board)
    return Played(hand, board, net, matched_chips(hand) * (2.0 * share - 1.0))


def matched_chips(hand: Hand) -> int:
    """Return what each of two players stands to lose at a showdown."""
    return min(seat.put_in_chips for seat in hand.snapshot().seats)
