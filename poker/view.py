"""From the full hand to what one seat may know: the only place where cards are hidden."""

from dataclasses import dataclass

from poker.actions import Legal, Street
from poker.cards import Card
from poker.events import Event, HoleCards, Pot
from poker.setup import HandRules
from poker.snapshot import HandResult, HandSnapshot, PublicAction


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as the viewer sees it; ``hole_cards`` is None unless own or shown."""

    seat: int
    position: str
    start_chips: int
    stack_chips: int
    bet_chips: int
    put_in_chips: int
    folded: bool
    all_in: bool
    hole_cards: HoleCards | None


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as one seat (or, with ``viewer`` None, a spectator) may know it.

    ``legal`` is set only when it is the viewer's turn; ``turn_seat`` says whose turn it is.
    """

    viewer: int | None
    hand_id: str
    rules: HandRules
    button: int
    street: Street
    board: tuple[Card, ...]
    pots: tuple[Pot, ...]
    pot_total_chips: int
    seats: tuple[SeatView, ...]
    actions: tuple[PublicAction, ...]
    turn_seat: int | None
    legal: Legal | None
    result: HandResult | None


def view_for(snapshot: HandSnapshot, viewer: int | None) -> HandView:
    """Return what ``viewer`` (a dealt-in seat, or None for a spectator) may know.

    Raises MalformedError(UNKNOWN_SEAT) for a seat that is not in the hand.
    """
    raise NotImplementedError


def redact(event: Event, viewer: int | None) -> Event:
    """Return the event as ``viewer`` may see it; only `CardsDealt` ever changes."""
    raise NotImplementedError
