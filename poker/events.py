"""What happens in a hand, in order, as values.

Events are the *full* record: `poker.view.redact` is the only way from here to a player.
Each class carries the name that clients know it by in ``NAME``.
"""

from dataclasses import field
from typing import ClassVar

from poker.actions import ActionKind, Street
from poker.cards import Card
from poker.values import value

HoleCards = tuple[Card, Card]


@value
class HandStarted:
    """A hand begins; blinds are not posted yet. ``stacks`` is (seat, chips) in seat order."""

    NAME: ClassVar = "hand.started"
    hand_id: str
    button: int
    small_blind_seat: int
    big_blind_seat: int
    stacks: tuple[tuple[int, int], ...]


@value
class BlindPost:
    """One blind: ``chips`` is less than nominal only when the post is all-in."""

    seat: int
    chips: int
    all_in: bool


@value
class BlindsPosted:
    """Small blind, then big blind."""

    NAME: ClassVar = "blinds.posted"
    posts: tuple[BlindPost, BlindPost]


@value
class CardsDealt:
    """Hole cards by seat, in seat order; None stands for cards the reader may not see.

    The ``repr`` leaves the cards out.
    """

    NAME: ClassVar = "cards.dealt"
    hands: tuple[tuple[int, HoleCards | None], ...] = field(repr=False)


@value
class TurnStarted:
    """The seat must act."""

    NAME: ClassVar = "turn.started"
    seat: int


@value
class ActionTaken:
    """A seat acted: ``to_chips`` its total this round, ``added_chips`` what left its stack."""

    NAME: ClassVar = "action.taken"
    seat: int
    kind: ActionKind
    to_chips: int
    added_chips: int
    all_in: bool


@value
class BetReturned:
    """The part of a bet that nobody matched goes back to its owner."""

    NAME: ClassVar = "bet.returned"
    seat: int
    chips: int


@value
class StreetDealt:
    """Community cards turned face up: three for the flop, one for turn and river."""

    NAME: ClassVar = "street.dealt"
    street: Street
    cards: tuple[Card, ...]


@value
class Pot:
    """One layer, main pot first: its chips and the seats (ascending) that may win it."""

    chips: int
    eligible: tuple[int, ...]


@value
class PotsUpdated:
    """The pots after a betting round closed and uncalled chips went back."""

    NAME: ClassVar = "pots.updated"
    pots: tuple[Pot, ...]


@value
class AllInReveal:
    """No more betting is possible: every live hand is turned up before the run-out."""

    NAME: ClassVar = "all_in.reveal"
    hands: tuple[tuple[int, HoleCards], ...]


@value
class ShownHand:
    """A hand at showdown: its class, English name and winning five of its seven cards."""

    seat: int
    hole_cards: HoleCards
    category: str
    name: str
    best_five: tuple[Card, ...]


@value
class Showdown:
    """All live hands, in the order in which they are shown."""

    NAME: ClassVar = "showdown"
    hands: tuple[ShownHand, ...]


@value
class PotAwarded:
    """A pot (0 is the main pot) goes to its winners: (seat, chips) left of the button first."""

    NAME: ClassVar = "pot.awarded"
    pot_no: int
    chips: int
    winners: tuple[tuple[int, int], ...]


@value
class SeatResult:
    """What a hand did to a seat; ``net_chips = won_chips - put_in_chips``.

    Uncalled chips that went back are neither put in nor won.
    """

    seat: int
    put_in_chips: int
    won_chips: int
    net_chips: int
    stack_chips: int


@value
class HandEnded:
    """The pot has been awarded; results in seat order, nets summing to zero."""

    NAME: ClassVar = "hand.ended"
    results: tuple[SeatResult, ...]


Event = (
    HandStarted
    | BlindsPosted
    | CardsDealt
    | TurnStarted
    | ActionTaken
    | BetReturned
    | StreetDealt
    | PotsUpdated
    | AllInReveal
    | Showdown
    | PotAwarded
    | HandEnded
)
