"""Reads the event log and applies it, a transaction a batch.

The order is what makes chips safe: effect, dedupe key and position are one transaction,
and only then is the log told. A crash before the transaction changes nothing; a crash after
it brings deliveries again, which are duplicates.

A record that can never be accepted goes to the dead letters. Too many in a row mean that
the consumer is wrong, not the records: it halts instead of draining the log, and halts again
after a restart until a version comes that accepts the next record, or until somebody who has
looked lets it go on (`progress.forgive`).
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext

from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError, OperationalError

from services.common import tracing
from services.common.eventlog.backoff import backoff_seconds, describe
from services.common.eventlog.port import (
    DeadLetters,
    Delivery,
    Event,
    EventLogError,
    EventSource,
)
from services.common.logs import get_logger
from services.common.tracing import Kind
from services.ledger.batch import Batch
from services.ledger.metrics import Metrics

BATCH_EVENTS = 1_000
POLL_SECONDS = 0.5
POISON_LIMIT = 10
RACES_TOLERATED = 5
"""Integrity errors in a row that may be races with another consumer; more are a fault."""

_log = get_logger(__name__)


class HaltedError(Exception):
    """Too many records in a row were refused; a person must look."""


class Consumer:
    """Applies one event log to one ledger; for a single thread.

    Args:
        engine: the ledger's database.
        source: the log; the caller closes it.
        dead_letters: where refused records go besides the database, None for nowhere.
        poison_limit: refused records in a row, per partition, before the consumer halts.
        metrics: counters to report to.

    """

    def __init__(
        self,
        engine: Engine,
        source: EventSource,
        *,
        dead_letters: DeadLetters | None = None,
        poison_limit: int = POISON_LIMIT,
        metrics: Metrics | None = None,
    ) -> None:
        self._engine = engine
        self._source = source
        self._dead_letters = dead_letters
        self._poison_limit = poison_limit
        self._metrics = metrics or Metrics()

    def run(self, stop: threading.Event) -> None:
        """Apply events until told to stop; waits out every outage.

        Raises:
            HaltedError: see `run_once`.

        """
        failures = races = 0
        while not stop.is_set():
            try:
                self.run_once()
                failures = races = 0
            except IntegrityError as error:
                races += 1
                if races > RACES_TOLERATED:
                    raise
                self._retry(stop, races, error)
            except (EventLogError, OperationalError) as error:
                failures += 1
                self._retry(stop, failures, error)

    def run_once(self, timeout_seconds: float = POLL_SECONDS) -> int:
        """Apply up to one batch and return how many deliveries it had.

        Raises:
            HaltedError: what came before the halt is stored.
            EventLogError: the log is away; call again later.
            sqlalchemy.exc.SQLAlchemyError: the batch was rolled back; call again later.

        """
        deliveries = self._source.poll(BATCH_EVENTS, timeout_seconds)
        if not deliveries:
            self._note_progress(deliveries)
            return 0
        try:
            with _spans_of(deliveries), self._engine.begin() as connection:
                batch = Batch(connection, self._source.name, self._poison_limit, self._dead_letters)
                excess = batch.apply(deliveries)
        except BaseException:
            self._source.rewind()
            raise
        self._report(batch)
        if excess is not None:
            self._source.rewind()
            self._metrics.halted.set(1)
            raise HaltedError(f"{self._poison_limit} dead letters in a row, then {excess.error}")
        self._source.commit()
        self._note_progress(deliveries)
        return len(deliveries)

    def _note_progress(self, deliveries: Sequence[Delivery]) -> None:
        self._metrics.polled.set_to_current_time()
        self._metrics.note_lag(self._source.lag())
        times = [d.record.time for d in deliveries if isinstance(d.record, Event)]
        if times:
            self._metrics.event_age.set(max(0.0, time.time() - max(times).timestamp()))

    def _report(self, batch: Batch) -> None:
        for outcome, count in batch.outcomes.items():
            self._metrics.events.labels(outcome.value).inc(count)
        for refusal in batch.refusals:
            self._metrics.dead_letters.labels(refusal.error.reason).inc()
            # A conflict means that somebody wrote two truths: it alarms at a higher level.
            alarm = refusal.error.reason.endswith("_conflict")
            with _trace_of(refusal.delivery):
                _log.log(
                    logging.CRITICAL if alarm else logging.ERROR,
                    "dead_letter",
                    reason=refusal.error.reason,
                    detail=refusal.error.detail,
                    partition=refusal.delivery.partition,
                    offset=refusal.delivery.offset,
                )

    def _retry(self, stop: threading.Event, failures: int, error: Exception) -> None:
        self._metrics.failures.inc()
        _log.warning("consumer_waits", error=describe(error), failures=failures)
        stop.wait(backoff_seconds(failures))


@contextmanager
def _spans_of(deliveries: Sequence[Delivery]) -> Iterator[None]:
    """Leave a span for each event, from before the transaction to after its commit."""
    with ExitStack() as stack:
        if tracing.is_recording():
            for delivery in deliveries:
                record = delivery.record
                if isinstance(record, Event) and record.traceparent is not None:
                    name, parent = f"apply {record.type}", record.traceparent
                    stack.enter_context(tracing.span(name, Kind.CONSUMER, parent=parent))
        yield


def _trace_of(delivery: Delivery) -> AbstractContextManager[None]:
    record = delivery.record
    if isinstance(record, Event) and record.traceparent is not None:
        return tracing.traced_as(record.traceparent)
    return nullcontext()
