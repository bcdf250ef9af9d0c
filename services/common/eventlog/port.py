"""What producers and consumers of events rely on, whatever carries the events."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol

from services.common.tracing import is_traceparent

GATEWAY_SOURCE = "/riverboat/gateway"
"""CloudEvents source of events that the gateway writes."""

MAX_ID_CHARS = 128
"""Longest event id, type, key and source."""


def is_id(text: str) -> bool:
    """Tell whether a text may be an id, type or key: 1..128 printable characters.

    Every database and header can hold such a text as it is.
    """
    return 1 <= len(text) <= MAX_ID_CHARS and text.isprintable()


TRACEPARENT_CHARS: Final = 55
"""Length of a ``traceparent``."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as it travels.

    Attributes:
        event_id: unique, see `is_id`; consumers drop an id they have seen.
        type: CloudEvents type such as ``riverboat.hand.settled.v1``.
        key: events of one key arrive in order; the id of the match, or of the player whom the event
            is about.
        value: the protobuf message, serialised.
        time: when it happened; timezone-aware, kept to the microsecond.
        source: who says so, a URI reference.
        traceparent: see `is_traceparent`; what caused the event, None when nobody traced it.

    """

    event_id: str
    type: str
    key: str
    value: bytes
    time: datetime
    source: str = GATEWAY_SOURCE
    traceparent: str | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be delivered faithfully."""
        for name in ("event_id", "type", "key", "source"):
            if not is_id(getattr(self, name)):
                raise ValueError(f"{name} needs 1..{MAX_ID_CHARS} printable characters")
        if self.time.tzinfo is None:
            raise ValueError("time needs a timezone")
        if self.traceparent is not None and not is_traceparent(self.traceparent):
            raise ValueError("traceparent is not in the form of W3C trace context")
        object.__setattr__(self, "time", self.time.astimezone(UTC))

    @property
    def digest(self) -> str:
        """Hash of what the event says: type, key and value.

        The same id with another digest is not a redelivery but a contradiction.
        """
        state = hashlib.sha256()
        for part in (self.type.encode(), self.key.encode(), self.value):
            state.update(len(part).to_bytes(8, "big"))
            state.update(part)
        return state.hexdigest()


@dataclass(frozen=True, slots=True)
class Undecodable:
    """A record in the log that is not an event, kept whole for whoever looks into it."""

    reason: str
    key: bytes
    value: bytes
    headers: tuple[tuple[str, bytes], ...] = ()


Record = Event | Undecodable
"""What a log holds at one place."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One record handed to a consumer.

    Attributes:
        partition: the part of the log it came from; order holds within one.
        offset: its place there; larger is later, gaps are normal.
        record: the event, or what could not be read as one.

    """

    partition: str
    offset: int
    record: Record


class EventLogError(Exception):
    """The log cannot be reached or refused the work; try again later."""


class EventSink(Protocol):
    """Where events are published."""

    def publish(self, records: Sequence[Record]) -> None:
        """Store records durably, in order for each key; return when all are stored.

        Consumers get an `Undecodable` as one too: only they can decide what to do with it.

        Raises:
            EventLogError: some may be stored and some not; publish all of them again.

        """

    def close(self) -> None:
        """Let go of connections."""


class EventSource(Protocol):
    """Where one consumer group reads events; for a single thread.

    ``poll`` moves a *working* position forward; ``commit`` makes it the *committed* one,
    from which the group goes on after a restart; ``rewind`` takes it back there.
    """

    @property
    def name(self) -> str:
        """Name of the log, stable over restarts; the consumer keeps positions under it."""

    def poll(self, limit: int, timeout_seconds: float) -> Sequence[Delivery]:
        """Return up to ``limit`` deliveries, or none when the timeout passes first.

        Raises:
            EventLogError: the log cannot be reached now.

        """

    def commit(self) -> None:
        """Confirm everything polled so far: the consumer's own transaction is committed.

        Raises:
            EventLogError: the confirmation may be lost; the deliveries may come again.

        """

    def rewind(self) -> None:
        """Go back to what was last committed: the consumer's transaction failed."""

    def lag(self) -> Mapping[str, int]:
        """Return how many records each partition had behind the last poll, when last heard of.

        Only partitions that are read here and known are in it.
        """

    def close(self) -> None:
        """Let go of connections; what was not committed is delivered again."""


class DeadLetters(Protocol):
    """Where a consumer puts records that it can never accept."""

    def bury(self, delivery: Delivery, reason: str, detail: str) -> None:
        """Keep a record with the reason in snake_case and a sentence for people.

        Raises:
            EventLogError: it may be kept or not; bury it again.

        """

    def close(self) -> None:
        """Let go of connections."""
