"""What a caller of the engine does with the answer to an action: bring its position up to date.

The engine answers an action with events alone (and what may be done next), which is all that
changed; a snapshot of the whole hand for every action would cost it more than the rules do.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from poker.actions import ActionKind, Legal
from poker.events import (
    ActionTaken,
    AllInReveal,
    BetReturned,
    Event,
    HandEnded,
    PotAwarded,
    PotsUpdated,
    Showdown,
    StreetDealt,
)
from poker.snapshot import HandResult, HandSnapshot, PotResult, PublicAction, SeatSnapshot
from services.common.codec import refuse


def advance(before: HandSnapshot, events: Sequence[Event], legal: Legal | None) -> HandSnapshot:
    """Return the position that ``events``, caused by one action, lead to.

    ``legal`` is what may be done next, None when the events end the hand; raises
    MalformedError when it is neither somebody's turn nor the end, or both.
    """
    result = result_of(events)
    if (legal is None) == (result is None):
        raise refuse("legal")
    position = before
    for event in events:
        step = _STEPS.get(type(event))
        if step is not None:
            position = step(position, event)
    return replace(position, legal=legal, result=result)


def result_of(events: Iterable[Event]) -> HandResult | None:
    """Return how the hand ended, or None when these events do not end it.

    Chips go back and pots are paid only by the action that ends a hand.
    """
    ended = [event for event in events if isinstance(event, HandEnded)]
    if not ended:
        return None
    return HandResult(
        seats=ended[0].results,
        pots=tuple(PotResult(e.chips, e.winners) for e in events if isinstance(e, PotAwarded)),
        returned=tuple((e.seat, e.chips) for e in events if isinstance(e, BetReturned)),
        shown=next((e.hands for e in events if isinstance(e, Showdown)), ()),
    )


def _act(position: HandSnapshot, event: ActionTaken) -> HandSnapshot:
    action = PublicAction(
        street=position.street,
        seat=event.seat,
        kind=event.kind,
        to_chips=event.to_chips,
        added_chips=event.added_chips,
        all_in=event.all_in,
    )
    folds = event.kind is ActionKind.FOLD
    pots = position.pots
    if folds:
        pots = tuple(
            replace(pot, eligible=tuple(seat for seat in pot.eligible if seat != event.seat))
            for pot in pots
        )
    return replace(
        _put_in(position, event.seat, event.added_chips, folds=folds),
        actions=(*position.actions, action),
        pots=pots,
    )


def _return(position: HandSnapshot, event: BetReturned) -> HandSnapshot:
    return _put_in(position, event.seat, -event.chips)


def _put_in(
    position: HandSnapshot, number: int, chips: int, *, folds: bool = False
) -> HandSnapshot:
    """Move chips from a seat's stack to its bet."""

    def moved(seat: SeatSnapshot) -> SeatSnapshot:
        folded, put_in = seat.folded or folds, seat.put_in_chips + chips
        return replace(
            seat,
            stack_chips=seat.stack_chips - chips,
            bet_chips=seat.bet_chips + chips,
            put_in_chips=put_in,
            folded=folded,
            all_in=not folded and put_in == seat.start_chips,
        )

    seats = tuple(moved(seat) if seat.seat == number else seat for seat in position.seats)
    return replace(position, seats=seats, pot_total_chips=position.pot_total_chips + chips)


def _close_round(position: HandSnapshot, event: PotsUpdated) -> HandSnapshot:
    seats = tuple(replace(seat, bet_chips=0) for seat in position.seats)
    return replace(position, seats=seats, pots=event.pots)


def _deal(position: HandSnapshot, event: StreetDealt) -> HandSnapshot:
    return replace(position, street=event.street, board=position.board + event.cards)


def _show(position: HandSnapshot, _event: AllInReveal | Showdown) -> HandSnapshot:
    seats = tuple(replace(seat, shown=not seat.folded) for seat in position.seats)
    return replace(position, seats=seats)


def _end(position: HandSnapshot, event: HandEnded) -> HandSnapshot:
    seats = tuple(
        replace(seat, stack_chips=result.stack_chips)
        for seat, result in zip(position.seats, event.results, strict=True)
    )
    return replace(position, seats=seats, pots=(), pot_total_chips=0)


_STEPS: Final[dict[type[Any], Callable[[HandSnapshot, Any], HandSnapshot]]] = {
    ActionTaken: _act,
    BetReturned: _return,
    PotsUpdated: _close_round,
    StreetDealt: _deal,
    AllInReveal: _show,
    Showdown: _show,
    HandEnded: _end,
}
