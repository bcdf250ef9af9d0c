"""The event log behind each adapter, driven in one way by the contract suite."""

import uuid
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy.engine import Engine

from services.common.eventlog import outbox
from services.common.eventlog.embedded import EmbeddedSource
from services.common.eventlog.port import Delivery, Event, EventSource

START = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def event(key: str, text: str, event_id: str | None = None) -> Event:
    """Return an event whose value is a text."""
    return Event(event_id or uuid.uuid4().hex, "riverboat.test.v1", key, text.encode(), START)


class Log(ABC):
    """One log, from the producer's end to one consumer group's."""

    @abstractmethod
    def append(self, events: Sequence[Event]) -> None:
        """Make events available to consumers."""

    @abstractmethod
    def open_source(self) -> EventSource:
        """Return a new member of the group, which goes on where the group committed."""

    def acknowledge(self, source: EventSource, deliveries: Sequence[Delivery]) -> None:
        """Do what a consumer does after storing the effect of deliveries."""
        assert deliveries
        source.commit()

    @abstractmethod
    def close(self) -> None:
        """Release what the log holds."""


class EmbeddedLog(Log):
    """An outbox that the consumer tails; the consumer's database is a number here."""

    def __init__(self, writer: Engine, reader: Engine) -> None:
        self.writer, self.reader = writer, reader
        self.position = 0
        with writer.begin() as connection:
            outbox.create_tables(connection)

    def append(self, events: Sequence[Event]) -> None:
        with self.writer.begin() as connection:
            outbox.append(connection, events)

    def open_source(self) -> EventSource:
        return EmbeddedSource(self.reader, self.position)

    def acknowledge(self, source: EventSource, deliveries: Sequence[Delivery]) -> None:
        self.position = deliveries[-1].offset
        super().acknowledge(source, deliveries)

    def close(self) -> None:
        self.writer.dispose()
        self.reader.dispose()


class KafkaLog(Log):
    """A topic on a real broker."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        from services.common.eventlog.kafka import KafkaSink

        self.bootstrap, self.topic = bootstrap, topic
        self.sink = KafkaSink(bootstrap, topic)

    def append(self, events: Sequence[Event]) -> None:
        self.sink.publish(events)

    def open_source(self) -> EventSource:
        from services.common.eventlog.kafka import KafkaSource

        group = f"group-{self.topic}"
        return KafkaSource(self.bootstrap, group, self.topic, session_timeout_ms=6_000)

    def close(self) -> None:
        self.sink.close()
