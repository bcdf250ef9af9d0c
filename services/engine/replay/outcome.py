"""The pots of a finished hand in the form in which records state them."""

from collections.abc import Iterable, Sequence

from poker.events import Event, Pot, PotsUpdated
from poker.snapshot import HandResult

PotOutcome = tuple[int, list[int], list[int]]
"""Chips, seats that could win them (ascending), seats that did (ascending)."""


def last_pots(events: Iterable[Event]) -> tuple[Pot, ...]:
    """Return the pots as they were last announced."""
    pots: tuple[Pot, ...] = ()
    for event in events:
        if isinstance(event, PotsUpdated):
            pots = event.pots
    return pots


def final_pots(events: Iterable[Event], result: HandResult) -> list[PotOutcome]:
    """Return the pots, main pot first, with who could win and who won each."""
    pots = last_pots(events)
    if [pot.chips for pot in pots] != [pot.chips for pot in result.pots]:
        # The announced pots are not the awarded ones: say so by an outcome nobody recorded.
        return [(pot.chips, [], sorted(seat for seat, _ in pot.winners)) for pot in result.pots]
    return [
        (pot.chips, list(pot.eligible), sorted(seat for seat, _ in award.winners))
        for pot, award in zip(pots, result.pots, strict=True)
    ]


def pots_text(pots: Sequence[PotOutcome]) -> str:
    """Write pots for a message."""
    return "; ".join(f"{chips} for {eligible} to {winners}" for chips, eligible, winners in pots)
