"""Which card of the deck goes where (SPEC ENG-010, ENG-011)."""

from collections.abc import Sequence

from poker.actions import Street
from poker.cards import Card
from poker.events import HoleCards

BOARD_SIZES = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}
NEXT_STREET = {
    Street.PREFLOP: Street.FLOP,
    Street.FLOP: Street.TURN,
    Street.TURN: Street.RIVER,
}


def cards_needed(players: int, *, burn: bool) -> int:
    """Return how many cards a hand can use at most."""
    return 2 * players + 5 + (3 if burn else 0)


def deal_holes(deck: Sequence[Card], players: int, first: int) -> list[HoleCards]:
    """Deal two cards each, one at a time, clockwise from the player with index ``first``."""
    holes = []
    for index in range(players):
        at = (index - first) % players
        holes.append((deck[at], deck[players + at]))
    return holes


def deal_board(deck: Sequence[Card], players: int, *, burn: bool) -> tuple[Card, ...]:
    """Return the five community cards in the order in which they are turned up.

    With ``burn`` the card before the flop, the turn and the river is thrown away unseen.
    """
    at = 2 * players
    if burn:
        return (*deck[at + 1 : at + 4], deck[at + 5], deck[at + 7])
    return tuple(deck[at : at + 5])
