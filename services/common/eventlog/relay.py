"""Carries events from an outbox to a sink, at least once and in order for each key.

Any number of relays may run on one outbox: a lease lets one of them work, the others take
over when it stops renewing. The lease only saves work. Should two relays run at once (a
paused process, a clock that is off), each sends every event in order starting from what is
known to be stored, so the *first* copy of every event still arrives in order, and consumers
drop the later ones.

While the sink is away the events stay in the outbox; a relay holds one batch in memory.
"""

import threading
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from services.common import tracing
from services.common.database import reading
from services.common.eventlog.backoff import backoff_seconds, describe
from services.common.eventlog.outbox import OUTBOX, RELAYS, prune, read_records
from services.common.eventlog.port import EventLogError, EventSink, Record, Undecodable
from services.common.logs import get_logger
from services.common.tracing import Kind

LEASE_SECONDS = 10.0
BATCH_EVENTS = 500
IDLE_SECONDS = 0.1
KEEP = timedelta(days=7)
"""How long published events stay in the outbox, for whoever looks into an incident."""
PRUNE_SECONDS = 3600.0

_AWAY = (EventLogError, OperationalError, InterfaceError, NoConnectionError)
"""What passes: the sink or the database is away, or the pool has no connection left."""

Batch = list[tuple[int, Record]]

_log = get_logger(__name__)


class Relay:
    """One worker that publishes an outbox.

    Args:
        engine: the producer's database.
        sink: where the events go; the caller closes it.
        name: relays of one name share their work; give each destination its own.
        holder: who this worker is, unique among the workers of that name.
        clock: seconds since 1970.

    """

    def __init__(
        self,
        engine: Engine,
        sink: EventSink,
        *,
        name: str = "kafka",
        holder: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._engine = engine
        self._sink = sink
        self._name = name
        self._holder = holder or uuid.uuid4().hex
        self._clock = clock
        self._held_until = 0.0
        self._pruned_at = clock()

    def run_once(self) -> int:
        """Publish up to one batch and return its size; 0 when idle or when another works.

        Raises:
            EventLogError: the sink is away; nothing is lost, call again later.
            sqlalchemy.exc.OperationalError: so is the database.

        """
        if not self._hold_lease():
            return 0
        with reading(self._engine) as connection:
            batch = read_records(connection, self._position(connection), BATCH_EVENTS)
        if batch:
            _report(batch)
            _publish(self._sink, [record for _, record in batch])
            self._remember(batch[-1][0])
        return len(batch)

    def run(self, stop: threading.Event) -> None:
        """Publish until told to stop, then let go of the lease; waits out every outage."""
        failures = 0
        while not stop.is_set():
            try:
                idle = self.run_once() == 0
                if idle and self._clock() - self._pruned_at > PRUNE_SECONDS:
                    self.prune()
                failures = 0
            except _AWAY as error:
                failures += 1
                _log.warning("relay_waits", error=describe(error), failures=failures)
                stop.wait(backoff_seconds(failures))
            else:
                if idle:
                    stop.wait(IDLE_SECONDS)
        self.release()

    def prune(self) -> int:
        """Delete published events older than `KEEP`; return how many.

        Only for outboxes that no embedded consumer tails.
        """
        self._pruned_at = self._clock()
        before = datetime.fromtimestamp(self._clock(), UTC) - KEEP
        with self._engine.begin() as connection:
            return prune(connection, self._position(connection), before)

    def release(self) -> None:
        """Let another worker take over at once."""
        mine = (RELAYS.c.name == self._name) & (RELAYS.c.holder == self._holder)
        self._held_until = 0.0
        try:
            with self._engine.begin() as connection:
                connection.execute(sa.update(RELAYS).where(mine).values(held_until_us=0))
        except _AWAY as error:
            # The lease runs out by itself.
            _log.warning("relay_lease_kept", error=describe(error))

    def lag(self) -> int:
        """Return how many positions of the outbox are not published yet; an upper bound."""
        with reading(self._engine) as connection:
            newest = connection.execute(sa.select(sa.func.max(OUTBOX.c.position))).scalar()
            return max(0, (newest or 0) - self._position(connection))

    def _hold_lease(self) -> bool:
        """Take or renew the lease, touching the row only in the second half of its time."""
        now = self._clock()
        if self._held_until - now > LEASE_SECONDS / 2:
            return True
        until = now + LEASE_SECONDS
        free = (RELAYS.c.holder == self._holder) | (RELAYS.c.held_until_us < _us(now))
        with reading(self._engine) as connection:
            row = connection.execute(self._row().add_columns(free.label("free"))).one_or_none()
        if row is not None and not row.free:
            return False
        values = {"holder": self._holder, "held_until_us": _us(until)}
        try:
            with self._engine.begin() as connection:
                if row is None:
                    new = {"name": self._name, "position": 0, **values}
                    connection.execute(sa.insert(RELAYS).values(new))
                    taken = True
                else:
                    mine = sa.update(RELAYS).where(RELAYS.c.name == self._name, free)
                    taken = connection.execute(mine.values(values)).rowcount == 1
        except IntegrityError:  # another worker made the row first
            taken = False
        self._held_until = until if taken else 0.0
        return taken

    def _remember(self, position: int) -> None:
        forward = (RELAYS.c.name == self._name) & (RELAYS.c.position < position)
        with self._engine.begin() as connection:
            connection.execute(sa.update(RELAYS).where(forward).values(position=position))

    def _position(self, connection: sa.Connection) -> int:
        row = connection.execute(self._row()).one_or_none()
        return 0 if row is None else int(row.position)

    def _row(self) -> sa.Select[tuple[int]]:
        return sa.select(RELAYS.c.position).where(RELAYS.c.name == self._name)


@dataclass(frozen=True, slots=True)
class Backlog:
    """What an outbox holds that is not published: at most so many events, and the first's age."""

    events: int
    age_seconds: float


def backlog(connection: sa.Connection, name: str = "kafka") -> Backlog | None:
    """Return what waits for the relays of a name, None when there never was one."""
    position = connection.execute(
        sa.select(RELAYS.c.position).where(RELAYS.c.name == name)
    ).scalar()
    if position is None:
        return None
    behind = OUTBOX.c.position > position
    oldest = connection.execute(
        sa.select(OUTBOX.c.time_us).where(behind).order_by(OUTBOX.c.position).limit(1)
    ).scalar()
    if oldest is None:
        return Backlog(0, 0.0)
    newest = connection.execute(sa.select(sa.func.max(OUTBOX.c.position))).scalar_one()
    return Backlog(newest - position, max(0.0, time.time() - oldest / 1_000_000))


def _publish(sink: EventSink, records: list[Record]) -> None:
    """Publish records; each event leaves a span, which is then what its consumers follow."""
    if not tracing.is_recording():
        sink.publish(records)
        return
    with ExitStack() as stack:
        sink.publish([_traced(record, stack) for record in records])


def _traced(record: Record, stack: ExitStack) -> Record:
    if isinstance(record, Undecodable) or record.traceparent is None:
        return record
    span = tracing.span(f"publish {record.type}", Kind.PRODUCER, parent=record.traceparent)
    stack.enter_context(span)
    return replace(record, traceparent=span.traceparent)


def _report(batch: Batch) -> None:
    for position, record in batch:
        if isinstance(record, Undecodable):
            _log.error("outbox_row_is_no_event", position=position, reason=record.reason)


def _us(seconds: float) -> int:
    return int(seconds * 1_000_000)
