"""What a hand is before anyone acts: the rules in force, seats, button and deck."""

from dataclasses import field
from enum import Enum, StrEnum

from poker.cards import Card
from poker.values import value


class ReopenRule(StrEnum):
    """When short all-ins give a player who already acted the right to raise again.

    CUMULATIVE: once the raises of others since their last action add up to a full raise
    (TDA). SINGLE: only when one of them was itself a full raise.
    """

    __repr__ = Enum.__str__

    CUMULATIVE = "cumulative"
    SINGLE = "single"


@value
class HandRules:
    """The options of a table that decide how one hand is played; blinds in chips."""

    small_blind_chips: int
    big_blind_chips: int
    reopen_rule: ReopenRule = ReopenRule.CUMULATIVE
    allow_fold_when_check_available: bool = False
    allow_raise_when_none_can_call: bool = False
    burn_cards: bool = False


@value
class SeatStack:
    """A dealt-in seat (number 1..10) and its stack (at least 1 chip) before blinds."""

    seat: int
    stack_chips: int


@value
class HandSetup:
    """Everything that determines a hand apart from the players' actions.

    ``seats`` holds 2..9 seats in ascending seat number, which is clockwise. ``button`` is a
    seat number 1..10 and may be an empty seat (a dead button). ``deck`` holds the cards
    from the top, at least as many as the hand can use: two a seat, five for the board and
    the burns; dealing order is one card at a time from the left of the button.
    The deck is left out of the ``repr``, so that no log can give it away.
    """

    hand_id: str
    rules: HandRules
    seats: tuple[SeatStack, ...]
    button: int
    deck: tuple[Card, ...] = field(repr=False)
