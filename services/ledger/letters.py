"""Dead letters given another chance, when the ledger or what it lacked has been mended.

A letter is applied as the consumer would apply the record now: everything that follows from
it, and the mark that it was replayed, are one transaction. Letters are taken in the order in
which they were buried, so that the rest of a match follows its missing hand.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from services.common.database import reading
from services.common.eventlog.outbox import from_microseconds
from services.common.eventlog.port import Event
from services.ledger.matches import RejectedError
from services.ledger.posting import concerns_ledger
from services.ledger.schema import DEAD_LETTERS
from services.ledger.store import load, now_us, save
from services.ledger.workspace import Outcome

RACES_TOLERATED: Final = 5
"""Times that another consumer may be faster before that is an error."""

_C = DEAD_LETTERS.c


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of a letter; ``reason`` is empty unless it was refused again."""

    letter_no: int
    event_id: str | None
    accepted: bool
    reason: str = ""
    detail: str = ""


def replay_letters(engine: Engine, numbers: Collection[int] = ()) -> Iterator[Replayed]:
    """Apply dead letters again, in order, and yield what became of each.

    Args:
        engine: the ledger's database; each letter is a transaction.
        numbers: which letters; all that were not replayed yet when empty.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: the database is away; what was yielded is stored.

    """
    waiting: sa.ColumnElement[bool] = _C.replayed_us.is_(None)
    if numbers:
        waiting &= _C.letter_no.in_(numbers)
    with reading(engine) as connection:
        query = sa.select(_C.letter_no).where(waiting).order_by(_C.letter_no)
        found = list(connection.execute(query).scalars())
    for number in found:
        replayed = _replay(engine, number)
        if replayed is not None:
            yield replayed


def _replay(engine: Engine, number: int) -> Replayed | None:
    """Replay a letter, None if somebody else just has."""
    for races in range(RACES_TOLERATED + 1):
        try:
            with engine.begin() as connection:
                return _replay_in(connection, number)
        except IntegrityError:
            if races == RACES_TOLERATED:
                raise
    raise AssertionError("either returned or raised")


def _replay_in(connection: Connection, number: int) -> Replayed | None:
    query = sa.select(DEAD_LETTERS).where(_C.letter_no == number, _C.replayed_us.is_(None))
    row = connection.execute(query.with_for_update()).one_or_none()
    if row is None:
        return None
    try:
        _apply(connection, _event_of(row))
    except RejectedError as error:
        return Replayed(number, row.event_id, False, error.reason, error.detail)
    mark = sa.update(DEAD_LETTERS).where(_C.letter_no == number)
    connection.execute(mark.values(replayed_us=now_us()))
    return Replayed(number, row.event_id, True)


def _apply(connection: Connection, event: Event) -> None:
    if not concerns_ledger(event.type):
        raise RejectedError("unknown_type", f"{event.type!r} is none of the ledger's")
    workspace = load(connection, [event])
    if workspace.apply(event) is Outcome.APPLIED:
        save(connection, workspace)


def _event_of(row: sa.Row[Any]) -> Event:
    """Return the event in a letter; raises RejectedError for what is none."""
    if row.event_id is None or row.type is None:
        raise RejectedError("not_an_event", "the record is no event and never will be one")
    if row.source is None or row.time_us is None:
        detail = "it was buried before letters kept time and source: read it from the log again"
        raise RejectedError("not_kept_whole", detail)
    try:
        key, time = row.key.decode(), from_microseconds(row.time_us)
        return Event(row.event_id, row.type, key, row.value, time, row.source)
    except (ValueError, OverflowError, OSError) as error:
        raise RejectedError("not_an_event", str(error)) from error
