"""The producer's end: events written in the transaction that makes them true.

On PostgreSQL, ids of an identity column become visible in the order of the commits, not of
the ids: a reader could see 6, remember it, and never learn of 5. ``append`` therefore takes
a lock that is held until the commit, so ids become visible in order and a position is one
number. That costs producers one queue at commit time, which is why ``append`` should be the
last thing a transaction does.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.common.eventlog.port import (
    MAX_ID_CHARS,
    TRACEPARENT_CHARS,
    Event,
    Record,
    Undecodable,
)
from services.common.eventlog.rows import RawRow, read_raw, to_bytes
from services.common.tracing import is_traceparent

APPEND_LOCK = 0x726976_6F7574
"""PostgreSQL advisory lock that puts ids in commit order."""

METADATA = sa.MetaData()

Value = TypeVar("Value")

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TEXT = sa.String(MAX_ID_CHARS)

OUTBOX = sa.Table(
    "outbox",
    METADATA,
    sa.Column("position", _ID, primary_key=True, autoincrement=True),
    sa.Column("event_id", _TEXT, nullable=False, unique=True),
    sa.Column("type", _TEXT, nullable=False),
    sa.Column("key", _TEXT, nullable=False),
    sa.Column("value", sa.LargeBinary, nullable=False),
    # Microseconds since 1970: SQLite has no type for a time with a zone.
    sa.Column("time_us", sa.BigInteger, nullable=False),
    sa.Column("source", _TEXT, nullable=False),
    sa.Column("traceparent", sa.String(TRACEPARENT_CHARS)),
    sqlite_autoincrement=True,  # a pruned position is never given out again
)

RELAYS = sa.Table(
    "outbox_relays",
    METADATA,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("position", sa.BigInteger, nullable=False),
    sa.Column("holder", sa.String(64), nullable=False),
    sa.Column("held_until_us", sa.BigInteger, nullable=False),
)


def create_tables(connection: Connection) -> None:
    """Create the outbox, first version; to be called in the producer's own migration."""
    METADATA.create_all(connection)


def append(connection: Connection, events: Sequence[Event]) -> None:
    """Write events inside the caller's transaction, as the last thing before its commit.

    They are delivered exactly when the transaction commits, in this order for each key,
    provided that transactions on one key exclude each other (a row lock on the table).

    Raises:
        sqlalchemy.exc.IntegrityError: an event id was appended before.

    """
    if not events:
        return
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(APPEND_LOCK)))
    connection.execute(sa.insert(OUTBOX), [_row(event) for event in events])


def read_records(connection: Connection, position: int, limit: int) -> list[tuple[int, Record]]:
    """Return up to ``limit`` records behind a position, in order; 0 is the beginning.

    A row that is no event (anymore) comes as `Undecodable`, so that it stops nobody.
    """
    behind = OUTBOX.c.position > position
    rows = read_raw(connection, OUTBOX, behind, OUTBOX.c.position, limit)
    return [(int(str(row["position"])), _record(row)) for row in rows]


def read_after(connection: Connection, position: int, limit: int) -> list[tuple[int, Event]]:
    """Return up to ``limit`` events behind a position, for whoever wrote them.

    Raises:
        ValueError: a row is no event.

    """
    found = []
    for place, record in read_records(connection, position, limit):
        if isinstance(record, Undecodable):
            raise ValueError(f"position {place}: {record.reason}")
        found.append((place, record))
    return found


def prune(connection: Connection, upto: int, before: datetime) -> int:
    """Delete events up to a position that every reader has passed, if old enough.

    Returns:
        Number of events deleted.

    """
    old = (OUTBOX.c.position <= upto) & (OUTBOX.c.time_us < to_microseconds(before))
    return connection.execute(sa.delete(OUTBOX).where(old)).rowcount


def to_microseconds(time: datetime) -> int:
    """Return a time as whole microseconds since 1970, exactly."""
    since = time - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def from_microseconds(microseconds: int) -> datetime:
    """Return the UTC time of whole microseconds since 1970, exactly."""
    seconds, rest = divmod(microseconds, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)


def to_event(row: RawRow, key_column: str = "key") -> Event:
    """Return the event in a raw row with the outbox's columns.

    Args:
        row: see `read_raw`; one without a trace is an event that nobody traced.
        key_column: name of the column that holds the event's key.

    Raises:
        ValueError: it is none; the text names the column.

    """
    names = ("event_id", "type", key_column, "source")
    event_id, event_type, key, source = (_typed(row, name, str) for name in names)
    value, time_us = _typed(row, "value", bytes), _typed(row, "time_us", int)
    try:
        time = from_microseconds(time_us)
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError(f"time_us is out of range: {time_us}") from error
    trace = row.get("traceparent")
    # What a trace says of itself must not make an event unreadable.
    traceparent = trace if isinstance(trace, str) and is_traceparent(trace) else None
    return Event(event_id, event_type, key, value, time, source, traceparent)


def _typed(row: RawRow, name: str, kind: type[Value]) -> Value:
    value = row[name]
    if not isinstance(value, kind):
        raise ValueError(f"{name} is stored as {type(value).__name__}")
    return value


def _record(row: RawRow) -> Record:
    try:
        return to_event(row)
    except ValueError as error:
        names = {
            "event_id": "ce_id",
            "type": "ce_type",
            "source": "ce_source",
            "time_us": "ce_time",
        }
        headers = tuple((header, to_bytes(row[name])) for name, header in names.items())
        return Undecodable(str(error), to_bytes(row["key"]), to_bytes(row["value"]), headers)


def _row(event: Event) -> dict[str, object]:
    return {
        "event_id": event.event_id,
        "type": event.type,
        "key": event.key,
        "value": event.value,
        "time_us": to_microseconds(event.time),
        "source": event.source,
        "traceparent": event.traceparent,
    }
