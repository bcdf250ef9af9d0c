"""Whether the ledger has applied its log up to where it says that it has read it.

Only the log itself can tell: the journal has what was applied, not what there was.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import reading
from services.common.eventlog.embedded import EmbeddedSource
from services.common.eventlog.outbox import OUTBOX, read_records
from services.common.eventlog.port import Event, Record
from services.common.eventlog.rows import read_raw
from services.ledger.matches import RejectedError
from services.ledger.posting import concerns_ledger, read_message
from services.ledger.report import Report
from services.ledger.schema import DEAD_LETTERS, EVENTS, HANDS, POSITIONS
from services.ledger.workspace import hand_of

CHUNK = 1000
"""Records that are looked up at once."""


def check_position(ledger: Connection, outbox: Engine | None, report: Report) -> None:
    """Find records of the log that the ledger has passed over.

    Args:
        ledger: a snapshot of the ledger.
        outbox: the log that it tails, None when that is not at hand.
        report: where findings go, and what cannot be known.

    """
    for row in read_raw(ledger, POSITIONS, sa.true(), POSITIONS.c.log):
        log, partition, offset = row["log"], row["partition"], row["offset"]
        if not isinstance(offset, int):
            report.find(f"positions {log} {partition} holds no number")
        elif log != EmbeddedSource.name:
            report.unknown.append(
                f"whether all of {log} {partition} up to {offset} was applied: the offset of the "
                "consumer group says where reading goes on, not this one"
            )
        elif outbox is None:
            report.unknown.append(
                f"whether all of the outbox up to {offset} was applied: set OUTBOX_DATABASE_URL"
            )
        else:
            with reading(outbox) as connection:
                _check_outbox(ledger, connection, offset, report)


def _check_outbox(ledger: Connection, outbox: Connection, offset: int, report: Report) -> None:
    newest = outbox.execute(sa.select(sa.func.max(OUTBOX.c.position))).scalar()
    if newest is not None and newest < offset:
        report.find(f"positions: {offset} was read from an outbox that ends at {newest}")
    last = 0
    while last < offset and (records := read_records(outbox, last, CHUNK)):
        last = records[-1][0]
        read = [entry for entry in records if entry[0] <= offset]
        for place in _passed_over(ledger, read):
            report.find(f"position {place} of the outbox was passed over")


def _passed_over(ledger: Connection, records: Sequence[tuple[int, Record]]) -> list[int]:
    """Return the places of records that were neither applied nor refused."""
    query = sa.select(DEAD_LETTERS.c.offset).where(
        DEAD_LETTERS.c.log == EmbeddedSource.name,
        DEAD_LETTERS.c.offset.in_([place for place, _ in records]),
    )
    refused = set(ledger.execute(query).scalars())
    ids = [record.event_id for _, record in records if isinstance(record, Event)]
    applied = ledger.execute(sa.select(EVENTS.c.event_id).where(EVENTS.c.event_id.in_(ids)))
    known = set(applied.scalars())
    return [
        place
        for place, record in records
        if place not in refused and not _is_done(ledger, record, known)
    ]


def _is_done(ledger: Connection, record: Record, applied: set[str]) -> bool:
    if not isinstance(record, Event):
        return False
    if not concerns_ledger(record.type) or record.event_id in applied:
        return True
    try:
        hand_id = hand_of(read_message(record))
    except RejectedError:
        return False
    # A hand that came again under another id was passed over rightly.
    query = sa.select(HANDS.c.hand_id).where(HANDS.c.hand_id == hand_id)
    return ledger.execute(query).one_or_none() is not None
