"""How far the ledger has read, and what it refused; in the ledger's own database.

Stored in the transaction that holds the effect of the events, so after a crash both say
the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.common.eventlog.outbox import to_microseconds
from services.common.eventlog.port import Delivery, Record, Undecodable, is_id
from services.ledger.schema import DEAD_LETTERS, POSITIONS
from services.ledger.store import now_us


@dataclass(slots=True)
class Progress:
    """Where one partition of a log stands.

    ``offset`` is the last one whose effect is stored, 0 for none; ``poison_run`` the dead
    letters since the last event that was accepted.
    """

    offset: int = 0
    poison_run: int = 0


def load_offset(connection: Connection, log: str, partition: str) -> int:
    """Return the last offset whose effect is stored, 0 for none."""
    query = sa.select(POSITIONS.c.offset).where(_at(log, partition))
    return connection.execute(query).scalar_one_or_none() or 0


def lock_progress(
    connection: Connection, log: str, partitions: Iterable[str]
) -> dict[str, Progress]:
    """Return where partitions stand, and keep other readers of the same ones waiting."""
    wanted = (POSITIONS.c.log == log) & POSITIONS.c.partition.in_(set(partitions))
    query = sa.select(POSITIONS).where(wanted).order_by(POSITIONS.c.partition)
    rows = connection.execute(query.with_for_update())
    return {row.partition: Progress(row.offset, row.poison_run) for row in rows}


def save_progress(
    connection: Connection, log: str, partition: str, progress: Progress, *, new: bool
) -> None:
    """Store where a partition stands.

    Raises:
        sqlalchemy.exc.IntegrityError: another reader stored it first; run again.

    """
    row = {
        "offset": progress.offset,
        "poison_run": progress.poison_run,
        "updated_us": now_us(),
    }
    if new:
        connection.execute(sa.insert(POSITIONS).values(log=log, partition=partition, **row))
        return
    connection.execute(sa.update(POSITIONS).where(_at(log, partition)).values(row))


def forgive(connection: Connection) -> list[dict[str, str | int]]:
    """Count dead letters in a row from nothing again; return where there were some."""
    behind = POSITIONS.c.poison_run > 0
    query = sa.select(POSITIONS).where(behind).order_by(POSITIONS.c.log, POSITIONS.c.partition)
    found: list[dict[str, str | int]] = [
        {
            "log": row.log,
            "partition": row.partition,
            "offset": row.offset,
            "dead_letters": row.poison_run,
        }
        for row in connection.execute(query.with_for_update())
    ]
    connection.execute(sa.update(POSITIONS).where(behind).values(poison_run=0))
    return found


def is_buried(connection: Connection, log: str, delivery: Delivery) -> bool:
    """Tell whether this record was refused before: at its place, or from another one.

    A relay that dies sends its batch again, and then the same record has two places in a topic.
    It is the same by its id and content; what has no id is another record at every place.
    """
    c = DEAD_LETTERS.c
    here = (c.partition == delivery.partition) & (c.offset == delivery.offset)
    if _any(connection, (c.log == log) & here):
        return True
    row = _identity(delivery.record)
    if row["event_id"] is None:
        return False
    same = (c[name].is_not_distinct_from(value) for name, value in row.items())
    return _any(connection, sa.and_(c.log == log, *same))


def _any(connection: Connection, where: sa.ColumnElement[bool]) -> bool:
    query = sa.select(DEAD_LETTERS.c.letter_no).where(where).limit(1)
    return connection.execute(query).first() is not None


def bury(connection: Connection, log: str, delivery: Delivery, reason: str, detail: str) -> None:
    """Keep a refused record with the reason."""
    row = {
        "log": log,
        "partition": delivery.partition,
        "offset": delivery.offset,
        **_identity(delivery.record),
        **_origin(delivery.record),
        "reason": reason,
        "detail": detail,
        "buried_us": now_us(),
    }
    connection.execute(sa.insert(DEAD_LETTERS).values(row))


def _identity(record: Record) -> dict[str, object]:
    """Return the columns that say which record it is; what is no event may name its id still."""
    if isinstance(record, Undecodable):
        named = dict(record.headers).get("ce_id", b"").decode(errors="replace")
        event_id = named if is_id(named) else None
        return {"event_id": event_id, "type": None, "key": record.key, "value": record.value}
    return {
        "event_id": record.event_id,
        "type": record.type,
        "key": record.key.encode(),
        "value": record.value,
    }


def _origin(record: Record) -> dict[str, object]:
    """Return the columns without which an event could not be applied later."""
    if isinstance(record, Undecodable):
        return {"source": None, "time_us": None}
    return {"source": record.source, "time_us": to_microseconds(record.time)}


def _at(log: str, partition: str) -> sa.ColumnElement[bool]:
    return sa.and_(POSITIONS.c.log == log, POSITIONS.c.partition == partition)
