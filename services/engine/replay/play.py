"""Plays a list of actions at a table and notes whatever the rules see differently."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from poker.actions import Action, ActionKind, Legal, Street
from poker.errors import PokerError
from poker.events import ActionTaken, Event, StreetDealt
from poker.setup import HandSetup
from poker.snapshot import HandResult
from services.engine.replay.probes import illegal_probe
from services.engine.replay.tables import OpenTable, RefusalChangedHandError, Step, Table


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """A decision as recorded; None where the record does not say (chips, street)."""

    action: Action
    street: Street | None = None
    added_chips: int | None = None
    to_chips: int | None = None


@dataclass(slots=True)
class Played:
    """How far a hand could be replayed, and what differed on the way.

    ``steps[0]`` is the deal and ``steps[k]`` what action ``k`` led to. They are empty when
    the setup was refused and end early when an action was; ``problems`` then says so.
    """

    steps: list[Step] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        """All events in order."""
        return [event for step in self.steps for event in step.events]

    @property
    def result(self) -> HandResult | None:
        """How the hand ended; None when the replay did not get there."""
        return self.steps[-1].result if self.steps else None


async def play(
    open_table: OpenTable, setup: HandSetup, recorded: Sequence[RecordedAction]
) -> Played:
    """Replay a hand: every recorded action must be legal, and one illegal one refused a turn."""
    played = Played()
    # Seeded by the hand, so that a run can be repeated; nothing secret depends on it.
    random = Random(setup.hand_id)  # noqa: S311
    seats = [seat.seat for seat in setup.seats]
    try:
        table, step = await open_table(setup)
    except PokerError as error:
        played.problems.append(f"setup refused: {error}")
        return played
    played.steps.append(step)
    street = Street.PREFLOP
    for number, item in enumerate(recorded, start=1):
        legal = step.legal
        if legal is None:
            played.problems.append(f"action {number}: the hand is already over")
            return played
        street = _street_of(step.events, street)
        played.problems += _turn_problems(number, item, street, legal)
        played.problems += await _probe(table, legal, seats, number, random)
        try:
            step = await table.act(item.action)
        except PokerError as error:
            played.problems.append(f"action {number} ({_describe(item)}): refused: {error}")
            return played
        played.steps.append(step)
        played.problems += _chips_problems(number, item, step.events)
    if step.legal is not None:
        played.problems += await _probe(table, step.legal, seats, len(recorded) + 1, random)
    return played


def _street_of(events: Sequence[Event], street: Street) -> Street:
    """Return the street after these events."""
    dealt = [event.street for event in events if isinstance(event, StreetDealt)]
    return dealt[-1] if dealt else street


def _turn_problems(number: int, item: RecordedAction, street: Street, legal: Legal) -> list[str]:
    """Compare a recorded action with the turn it answers."""
    problems = []
    if item.street is not None and item.street is not street:
        problems.append(f"action {number}: recorded on the {item.street}, played on the {street}")
    if not _allows(legal, item.action):
        problems.append(f"action {number} ({_describe(item)}): not among the legal actions")
    return problems


def _allows(legal: Legal, action: Action) -> bool:
    """Say whether the turn, as announced, includes the action."""
    if action.seat != legal.seat:
        return False
    match action.kind:
        case ActionKind.FOLD:
            return legal.can_fold
        case ActionKind.CHECK:
            return legal.can_check
        case ActionKind.CALL:
            return legal.to_call_chips > 0
        case ActionKind.BET | ActionKind.RAISE:
            raises, to_chips = legal.raises, action.to_chips or 0
            return (
                raises is not None
                and raises.kind is action.kind
                and raises.min_to_chips <= to_chips <= raises.max_to_chips
            )


def _chips_problems(number: int, item: RecordedAction, events: Sequence[Event]) -> list[str]:
    """Compare what an action cost with what it is recorded to have cost."""
    taken = next((event for event in events if isinstance(event, ActionTaken)), None)
    if taken is None:
        return [f"action {number}: no event says that it was taken"]
    problems = []
    if item.added_chips not in {None, taken.added_chips}:
        problems.append(f"action {number}: adds {taken.added_chips}, recorded {item.added_chips}")
    if item.to_chips not in {None, taken.to_chips}:
        problems.append(f"action {number}: to {taken.to_chips}, recorded {item.to_chips}")
    return problems


async def _probe(
    table: Table, legal: Legal, seats: Sequence[int], number: int, random: Random
) -> list[str]:
    """Try one illegal action; it must be refused for a fitting reason."""
    probe = illegal_probe(legal, seats, random)
    try:
        await table.try_out(probe.action)
    except RefusalChangedHandError:
        return [f"turn {number}: refusing {_name(probe.action)} changed the hand"]
    except PokerError as error:
        if error.reason in probe.reasons:
            return []
        return [f"turn {number}: {_name(probe.action)} refused for {error.reason.value}"]
    return [f"turn {number}: illegal {_name(probe.action)} was accepted"]


def _describe(item: RecordedAction) -> str:
    return _name(item.action)


def _name(action: Action) -> str:
    amount = "" if action.to_chips is None else f" to {action.to_chips}"
    return f"seat {action.seat} {action.kind.value}{amount}"
