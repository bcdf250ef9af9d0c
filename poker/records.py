"""From a hand in play to the values that describe it: seats, actions, results."""

from collections.abc import Iterable, Sequence

from poker.actions import Street
from poker.betting import Betting
from poker.events import ActionTaken, Event, HoleCards, SeatResult, StreetDealt
from poker.positions import position_labels
from poker.setup import HandSetup
from poker.snapshot import PublicAction, SeatSnapshot


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


def seat_results(betting: Betting, won: Sequence[int]) -> tuple[SeatResult, ...]:
    """Say what the hand did to every seat, once the pots are paid out (SPEC ENG-090)."""
    return tuple(
        SeatResult(seat, paid, back, back - paid, stack)
        for seat, paid, back, stack in zip(
            betting.seats, betting.put_in, won, betting.stacks, strict=True
        )
    )


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
