"""From a hand in play to the values that describe it: seats, actions, results."""

from collections.abc import Iterable, Sequence

from poker.actions import Street
from poker.betting import Betting
from poker.events import (
    ActionTaken,
    BetReturned,
    Event,
    HandEnded,
    HoleCards,
    PotAwarded,
    SeatResult,
    Showdown,
    ShownHand,
    StreetDealt,
)
from poker.positions import position_labels
from poker.setup import HandSetup
from poker.snapshot import HandResult, PotResult, PublicAction, SeatSnapshot


def seat_snapshots(
    setup: HandSetup, betting: Betting, holes: Sequence[HoleCards], *, shown: bool
) -> tuple[SeatSnapshot, ...]:
    """Describe every seat in full; ``shown`` says that the live hands have been turned up."""
    labels = position_labels(betting.seats, setup.button)
    return tuple(
        SeatSnapshot(
            seat=start.seat,
            position=labels[start.seat],
            start_chips=start.stack_chips,
            stack_chips=betting.stacks[player],
            bet_chips=betting.bets[player],
            put_in_chips=betting.put_in[player],
            folded=betting.folded[player],
            all_in=not betting.folded[player] and betting.put_in[player] == start.stack_chips,
            hole_cards=holes[player],
            shown=shown and not betting.folded[player],
        )
        for player, start in enumerate(setup.seats)
    )


def hand_result(events: Iterable[Event]) -> HandResult:
    """Sum up a hand that is over from its events."""
    pots: list[PotResult] = []
    returned: list[tuple[int, int]] = []
    seats: tuple[SeatResult, ...] = ()
    shown: tuple[ShownHand, ...] = ()
    for event in events:
        if isinstance(event, BetReturned):
            returned.append((event.seat, event.chips))
        elif isinstance(event, Showdown):
            shown = event.hands
        elif isinstance(event, PotAwarded):
            pots.append(PotResult(event.chips, event.winners))
        elif isinstance(event, HandEnded):
            seats = event.results
    return HandResult(seats, tuple(pots), tuple(returned), shown)


def public_actions(events: Iterable[Event]) -> tuple[PublicAction, ...]:
    """Return the actions among a hand's events, each with the street it belongs to."""
    street = Street.PREFLOP
    actions = []
    for event in events:
        if isinstance(event, StreetDealt):
            street = event.street
        elif isinstance(event, ActionTaken):
            actions.append(
                PublicAction(
                    street=street,
                    seat=event.seat,
                    kind=event.kind,
                    to_chips=event.to_chips,
                    added_chips=event.added_chips,
                    all_in=event.all_in,
                )
            )
    return tuple(actions)
