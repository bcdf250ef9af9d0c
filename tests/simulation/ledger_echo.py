"""A bad neighbour on the topic: repeats events out of order, contradicts them, writes junk."""

import contextlib
import random
import threading
from collections.abc import Sequence

import sqlalchemy as sa
from kafka import KafkaProducer
from kafka.errors import KafkaError
from sqlalchemy.engine import Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from services.common.database import reading
from services.common.eventlog.cloudevents import encode
from services.common.eventlog.kafka import MATCHES_TOPIC, connect_client
from services.common.eventlog.outbox import RELAYS, read_records
from services.common.eventlog.port import Event, EventLogError, Record
from tests.simulation.ledger_poison import Headers, Poison

CHUNK = 500
PAUSE_SECONDS = 0.3

Raw = tuple[bytes, bytes, Headers]


class Echo:
    """Publishes a share of what the relay has published once more, and the poison that no
    outbox would take.

    Args:
        gateway: the database with the outbox.
        bootstrap: the broker.
        poison: what to add.
        share: of the events, how many are repeated.
        seed: says which.

    """

    def __init__(
        self, gateway: Engine, bootstrap: str, poison: Poison, share: float, seed: int
    ) -> None:
        self._gateway, self._bootstrap = gateway, bootstrap
        self._poison, self._share = poison, share
        self._rng = random.Random(f"echo {seed}")
        self._junk = list(poison.junk)
        self._conflicts = dict(poison.conflicts)
        self._position = 0
        self._finishing = False
        self._producer: KafkaProducer | None = None
        self.repeated = 0
        self.added = 0

    def run(self, stop: threading.Event) -> None:
        """Go on until told to stop; waits out every outage."""
        pending: list[Raw] = []
        while not stop.is_set():
            try:
                pending = pending or self.next()
                if pending:
                    self._publish(pending)
                    pending = []
                    continue
            except (KafkaError, EventLogError, OperationalError, InterfaceError):
                self.close()  # published or not, it is published again
            stop.wait(PAUSE_SECONDS)
        self.close()

    def finish(self) -> None:
        """Add what junk is left without waiting for events to put it between."""
        self._finishing = True

    @property
    def done(self) -> bool:
        """Whether all the poison is out."""
        return not self._junk and not self._conflicts

    @property
    def position(self) -> int:
        """How far it has followed the relay in the outbox."""
        return self._position

    def close(self) -> None:
        """Disconnect."""
        producer, self._producer = self._producer, None
        if producer is not None:
            with contextlib.suppress(KafkaError):
                producer.close(timeout=1)

    def next(self) -> list[Raw]:
        """Return what to publish next: nothing of it before the relay has published its events."""
        with reading(self._gateway) as connection:
            relayed = connection.execute(sa.select(sa.func.max(RELAYS.c.position))).scalar() or 0
            records = read_records(connection, self._position, CHUNK)
        records = [entry for entry in records if entry[0] <= relayed]
        if not records:
            return self._litter(0) if self._finishing else []
        self._position = records[-1][0]
        events = [record for _, record in records if isinstance(record, Event)]
        raw = self._repeat(events) + self._contradict(events) + self._litter(len(events))
        self._rng.shuffle(raw)
        return raw

    def _repeat(self, events: Sequence[Record]) -> list[Raw]:
        chosen = [event for event in events if self._rng.random() < self._share]
        self.repeated += len(chosen)
        return [encode(event) for event in chosen]

    def _contradict(self, events: Sequence[Event]) -> list[Raw]:
        found = [self._conflicts.pop(event.event_id, None) for event in events]
        lies = [encode(event) for event in found if event is not None]
        self.added += len(lies)
        return lies

    def _litter(self, events: int) -> list[Raw]:
        """Spread the junk: about three records in a thousand."""
        count = min(len(self._junk), 1 + events * 3 // 1000)
        junk = [self._junk.pop() for _ in range(count)]
        self.added += len(junk)
        return junk

    def _publish(self, raw: Sequence[Raw]) -> None:
        if self._producer is None:
            options = {"acks": "all", "enable_idempotence": True, "delivery_timeout_ms": 6_000}
            options |= {"request_timeout_ms": 3_000, "max_block_ms": 3_000}
            self._producer = connect_client(self._bootstrap, KafkaProducer, options)
        futures = [
            self._producer.send(MATCHES_TOPIC, key=key, value=value, headers=headers)
            for key, value, headers in raw
        ]
        self._producer.flush(timeout=10)
        for future in futures:
            future.get(timeout=10)  # type: ignore[no-untyped-call]
