"""The log without a broker: a consumer tails the producer's outbox itself, read-only.

The outbox keeps nothing about its consumers. A consumer stores its position in its own
database, in the transaction that holds the effect of the events, and starts from there.
"""

import time
from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from services.common.database import reading
from services.common.eventlog.outbox import OUTBOX, read_records
from services.common.eventlog.port import Delivery, EventLogError

PARTITION = "0"
POLL_INTERVAL_SECONDS = 0.1


class EmbeddedSource:
    """Reads an outbox from a position on; an `EventSource`.

    Args:
        engine: the producer's database, best opened read-only; the caller disposes of it.
        position: the last position whose effect the consumer has stored, 0 for none.

    """

    name = "outbox"

    def __init__(self, engine: Engine, position: int) -> None:
        self._engine = engine
        self._committed = position
        self._working = position
        self._checked = False
        self._behind = 0

    def poll(self, limit: int, timeout_seconds: float) -> Sequence[Delivery]:
        """Return the next deliveries; see `EventSource.poll`."""
        deadline = time.monotonic() + timeout_seconds
        while True:
            deliveries = self._read(limit)
            remaining = deadline - time.monotonic()
            if deliveries or remaining <= 0:
                return deliveries
            time.sleep(min(POLL_INTERVAL_SECONDS, remaining))

    def commit(self) -> None:
        """Make the working position the one to go back to; storing it is the consumer's part."""
        self._committed = self._working

    def rewind(self) -> None:
        """Deliver again what was polled since the last commit."""
        self._working = self._committed

    def lag(self) -> Mapping[str, int]:
        """Return what is left; positions may have gaps, so at most that."""
        return {PARTITION: self._behind}

    def close(self) -> None:
        """Do nothing: the engine is the caller's."""

    def _read(self, limit: int) -> list[Delivery]:
        try:
            with reading(self._engine) as connection:
                if not self._checked:
                    self._refuse_another_log(connection)
                rows = read_records(connection, self._working, limit)
                full = len(rows) == limit
                self._behind = _newest(connection) - rows[-1][0] if rows and full else 0
        except SQLAlchemyError as error:
            # The producer may not have created its database yet.
            raise EventLogError(f"the outbox cannot be read: {type(error).__name__}") from error
        if rows:
            self._working = rows[-1][0]
        return [Delivery(PARTITION, position, record) for position, record in rows]

    def _refuse_another_log(self, connection: sa.Connection) -> None:
        """Raise when the log ends before our position: from another log we would miss events."""
        newest = _newest(connection)
        if newest and newest < self._working:
            raise EventLogError(
                f"the outbox ends at {newest}, but {self._working} was read from it before: "
                "it is another database or an old copy"
            )
        self._checked = True


def _newest(connection: sa.Connection) -> int:
    """Return the last position of the outbox, 0 for an empty one."""
    return int(connection.execute(sa.select(sa.func.max(OUTBOX.c.position))).scalar() or 0)
