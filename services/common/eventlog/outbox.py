"""The producer's end: events written in the transaction that makes them true.

On PostgreSQL, ids of an identity column become visible in the order of the commits, not of
the ids: a reader could see 6, remember it, and never learn of 5. ``append`` therefore takes
a lock that is held until the commit, so ids become visible in order and a position is one
number. That costs producers one queue at commit time, which is why ``append`` should be the
last thing a transaction does.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from services.common.eventlog.port import MAX_ID_CHARS, Event

APPEND_LOCK = 0x726976_6F7574
"""PostgreSQL advisory lock that puts ids in commit order."""

METADATA = sa.MetaData()

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


def read_after(connection: Connection, position: int, limit: int) -> list[tuple[int, Event]]:
    """Return up to ``limit`` events behind a position, in order; 0 is the beginning."""
    query = (
        sa.select(OUTBOX).where(OUTBOX.c.position > position).order_by(OUTBOX.c.position)
    ).limit(limit)
    return [(row.position, _event(row)) for row in connection.execute(query)]


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


def _row(event: Event) -> dict[str, object]:
    return {
        "event_id": event.event_id,
        "type": event.type,
        "key": event.key,
        "value": event.value,
        "time_us": to_microseconds(event.time),
        "source": event.source,
    }


def _event(row: Row[tuple[object, ...]]) -> Event:
    return Event(
        event_id=row.event_id,
        type=row.type,
        key=row.key,
        value=bytes(row.value),
        time=from_microseconds(row.time_us),
        source=row.source,
    )
