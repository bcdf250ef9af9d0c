"""From a hand's log to its events: what happened, told only when somebody asks.

Most hands are played by simulations that never look at an event. So a hand in play logs each
one as what it takes to build it, ``(make, *arguments)``: an event class, or one of the
functions here, and what to call it with. The arguments never change afterwards.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from poker.cards import Card
from poker.events import (
    AllInReveal,
    BlindPost,
    BlindsPosted,
    CardsDealt,
    Event,
    HandEnded,
    HandStarted,
    HoleCards,
    Pot,
    PotsUpdated,
    SeatResult,
    Showdown,
)
from poker.pots import pot_layers
from poker.setup import HandSetup
from poker.showdown import show_hand

Entry = tuple[Any, ...]
Hands = Sequence[tuple[int, HoleCards]]


def tell(log: Iterable[Entry]) -> tuple[Event, ...]:
    """Build the events that a log describes, in order."""
    return tuple([entry[0](*entry[1:]) for entry in log])


def hand_started(setup: HandSetup, small_blind_seat: int, big_blind_seat: int) -> HandStarted:
    """Say who has how much before the blinds, and who posts them."""
    stacks = tuple([(seat.seat, seat.stack_chips) for seat in setup.seats])
    return HandStarted(setup.hand_id, setup.button, small_blind_seat, big_blind_seat, stacks)


def blinds_posted(small: tuple[int, int, bool], big: tuple[int, int, bool]) -> BlindsPosted:
    """Say what both blinds posted: (seat, chips, all-in) each."""
    return BlindsPosted((BlindPost(*small), BlindPost(*big)))


def cards_dealt(seats: Sequence[int], holes: Sequence[HoleCards]) -> CardsDealt:
    """Say which cards everyone got."""
    return CardsDealt(tuple(zip(seats, holes, strict=True)))


def pots_updated(
    seats: Sequence[int], put_in: Sequence[int], folded: Sequence[bool]
) -> PotsUpdated:
    """Say what is in the pots once a betting round has closed."""
    return PotsUpdated(pots_by_seat(seats, put_in, folded))


def pots_by_seat(
    seats: Sequence[int], put_in: Sequence[int], folded: Sequence[bool]
) -> tuple[Pot, ...]:
    """Describe the pots by the seats that may win them."""
    pots = []
    for chips, players in pot_layers(put_in, folded):
        pots.append(Pot(chips, tuple([seats[player] for player in players])))
    return tuple(pots)


def all_in_reveal(live: Hands) -> AllInReveal:
    """Turn up every hand that is still in while the board is incomplete."""
    return AllInReveal(tuple(live))


def showdown(live: Hands, board: tuple[Card, ...]) -> Showdown:
    """Name every hand that is still in, on the full board."""
    return Showdown(tuple([show_hand(seat, cards, board) for seat, cards in live]))


def hand_ended(
    seats: Sequence[int], put_in: Sequence[int], won: Sequence[int], stacks: Sequence[int]
) -> HandEnded:
    """Say what the hand did to every seat, once the pots are paid out (SPEC ENG-090)."""
    results = [
        SeatResult(seat, paid, back, back - paid, stack)
        for seat, paid, back, stack in zip(seats, put_in, won, stacks, strict=True)
    ]
    return HandEnded(tuple(results))
