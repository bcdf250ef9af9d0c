"""From the full hand to what one seat may know: the only place where cards are hidden."""

from dataclasses import dataclass

from poker.actions import Legal, Street
from poker.cards import Card
from poker.errors import MalformedError, Reason
from poker.events import CardsDealt, Event, HoleCards, Pot
from poker.setup import HandRules
from poker.snapshot import HandResult, HandSnapshot, PublicAction, SeatSnapshot


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
    if viewer is not None and all(seat.seat != viewer for seat in snapshot.seats):
        raise MalformedError(Reason.UNKNOWN_SEAT, seat=viewer)
    turn_seat = snapshot.legal.seat if snapshot.legal else None
    return HandView(
        viewer=viewer,
        hand_id=snapshot.hand_id,
        rules=snapshot.rules,
        button=snapshot.button,
        street=snapshot.street,
        board=snapshot.board,
        pots=snapshot.pots,
        pot_total_chips=snapshot.pot_total_chips,
        seats=tuple(_seat_view(seat, viewer) for seat in snapshot.seats),
        actions=snapshot.actions,
        turn_seat=turn_seat,
        legal=snapshot.legal if viewer is not None and turn_seat == viewer else None,
        result=snapshot.result,
    )


def redact(event: Event, viewer: int | None) -> Event:
    """Return the event as ``viewer`` may see it; only `CardsDealt` ever changes."""
    if not isinstance(event, CardsDealt):
        return event
    return CardsDealt(
        tuple((seat, cards if seat == viewer else None) for seat, cards in event.hands)
    )


def _seat_view(seat: SeatSnapshot, viewer: int | None) -> SeatView:
    visible = seat.shown or seat.seat == viewer
    return SeatView(
        seat=seat.seat,
        position=seat.position,
        start_chips=seat.start_chips,
        stack_chips=seat.stack_chips,
        bet_chips=seat.bet_chips,
        put_in_chips=seat.put_in_chips,
        folded=seat.folded,
        all_in=seat.all_in,
        hole_cards=seat.hole_cards if visible else None,
    )
