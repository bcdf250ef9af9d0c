"""The log on Apache Kafka.

Publishing is idempotent, with acks from all replicas in sync, and one event of a key is
sent only when the one before it is stored: order per key survives any failure. Consuming
commits offsets by hand, after the consumer's own transaction.
"""

import contextlib
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from kafka import (
    ConsumerRebalanceListener,
    KafkaConsumer,
    KafkaProducer,
    OffsetAndMetadata,
    TopicPartition,
)
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.errors import KafkaError
from kafka.producer.future import FutureRecordMetadata

from services.common.eventlog.cloudevents import Headers, decode, encode, encode_letter
from services.common.eventlog.kafka_client import tidy_client
from services.common.eventlog.port import Delivery, Event, EventLogError, Record

MATCHES_TOPIC = "riverboat.matches.v1"
DEAD_LETTER_TOPIC = "riverboat.matches.v1.dead"

DELIVERY_TIMEOUT_SECONDS = 15.0
CONNECT_TIMEOUT_SECONDS = 10.0
CLOSE_SECONDS = 5.0
"""How long a producer may take to end."""
RECONNECT_MS = 2_000
"""Longest pause between attempts: a board must not stay behind a broker that is back."""

Client = TypeVar("Client")
AnyRecord = TypeVar("AnyRecord", bound=Record)


class KafkaSink:
    """Publishes events to a topic; an `EventSink`.

    Connects on first use and again after a failure, so it may be made while the broker is
    away.
    """

    def __init__(self, bootstrap_servers: str, topic: str = MATCHES_TOPIC) -> None:
        self._topic = topic
        self._producer = _LazyProducer(bootstrap_servers)

    def publish(self, records: Sequence[Record]) -> None:
        """Store records; see `EventSink.publish`."""
        for turn in _turns(records):
            self._producer.send_all((self._topic, *encode(record)) for record in turn)

    def close(self) -> None:
        """Disconnect."""
        self._producer.close()


class KafkaDeadLetters:
    """Publishes unacceptable records as they came, with the reason in headers."""

    def __init__(self, bootstrap_servers: str, topic: str = DEAD_LETTER_TOPIC) -> None:
        self._topic = topic
        self._producer = _LazyProducer(bootstrap_servers)

    def bury(self, delivery: Delivery, reason: str, detail: str) -> None:
        """Keep a record; see `DeadLetters.bury`."""
        letter = encode_letter(delivery, reason, detail)
        self._producer.send_all([(self._topic, *letter)])

    def close(self) -> None:
        """Disconnect."""
        self._producer.close()


class KafkaSource:
    """Reads a topic as a member of a consumer group; an `EventSource`.

    Args:
        bootstrap_servers: ``host:port``, several separated by commas.
        group: consumer group; its members share the partitions.
        topic: what to read.
        session_timeout_ms: silence after which the broker gives a member's partitions to
            others.

    """

    def __init__(
        self,
        bootstrap_servers: str,
        group: str,
        topic: str = MATCHES_TOPIC,
        *,
        session_timeout_ms: int = 10_000,
    ) -> None:
        self.name = f"kafka:{topic}"
        self._topic = topic
        self._servers = bootstrap_servers
        self._options: dict[str, Any] = {
            "group_id": group,
            "enable_auto_commit": False,
            # Whoever keeps a partition in a rebalance goes on reading it meanwhile.
            "partition_assignment_strategy": (CooperativeStickyAssignor,),
            "auto_offset_reset": "earliest",
            "isolation_level": "read_committed",
            "session_timeout_ms": session_timeout_ms,
            "heartbeat_interval_ms": session_timeout_ms // 3,
            "allow_auto_create_topics": False,
            "metadata_max_age_ms": 30_000,
            "bootstrap_timeout_ms": int(CONNECT_TIMEOUT_SECONDS * 1000),
            "reconnect_backoff_max_ms": RECONNECT_MS,
        }
        self._consumer: KafkaConsumer | None = None
        self._first: dict[TopicPartition, int] = {}
        self._next: dict[TopicPartition, int] = {}
        self._unconfirmed: dict[TopicPartition, int] = {}

    def poll(self, limit: int, timeout_seconds: float) -> Sequence[Delivery]:
        """Return the next deliveries; see `EventSource.poll`."""
        with _translated("polling"):
            consumer = self._connected()
            batches = consumer.poll(timeout_ms=int(timeout_seconds * 1000), max_records=limit)
        if not batches:
            # A quiet topic would show a lag for ever, had a commit failed at its end.
            self._confirm()
        deliveries = []
        for partition, records in batches.items():
            self._first.setdefault(partition, records[0].offset)
            self._next[partition] = records[-1].offset + 1
            deliveries += [
                Delivery(
                    str(partition.partition),
                    record.offset,
                    decode(record.key, record.value, record.headers),
                )
                for record in records
            ]
        return deliveries

    def commit(self) -> None:
        """Commit the offsets of everything polled; see `EventSource.commit`.

        What cannot be confirmed now is confirmed later, while its partition is ours.
        """
        self._unconfirmed |= self._next
        self._first.clear()
        self._next.clear()
        self._confirm()

    def rewind(self) -> None:
        """Go back to the first record that was not committed."""
        if self._consumer is not None:
            assigned = self._consumer.assignment()
            for partition, offset in self._first.items():
                if partition in assigned:
                    self._consumer.seek(partition, offset)
        self._first.clear()
        self._next.clear()

    def lag(self) -> Mapping[str, int]:
        """Return how far behind the log each of our partitions is; see `EventSource.lag`."""
        consumer = self._consumer
        if consumer is None:
            return {}
        lags = {}
        with _translated("measuring"):
            for partition in consumer.assignment():
                end = consumer.highwater(partition)
                # Known ends came with a fetch, so the position is known and nothing waits.
                at = None if end is None else consumer.position(partition, timeout_ms=100)
                if end is not None and at is not None:
                    lags[str(partition.partition)] = max(0, end - at)
        return lags

    def close(self) -> None:
        """Leave the group, so that others take over at once."""
        if self._consumer is not None:
            self._consumer.close(autocommit=False, timeout_ms=5_000)
            self._consumer = None

    def _connected(self) -> KafkaConsumer:
        if self._consumer is None:
            self._consumer = connect_client(self._servers, KafkaConsumer, self._options)
            self._consumer.subscribe([self._topic], listener=_ForgetRevoked(self._forget))
        return self._consumer

    def _confirm(self) -> None:
        if self._consumer is None or not self._unconfirmed:
            return
        offsets = {
            partition: OffsetAndMetadata(offset, "", -1)
            for partition, offset in self._unconfirmed.items()
        }
        with _translated("committing"):
            self._consumer.commit(offsets, timeout_ms=CONNECT_TIMEOUT_SECONDS * 1000)
        self._unconfirmed.clear()

    def _forget(self, partitions: Iterable[TopicPartition]) -> None:
        for partition in partitions:
            for offsets in (self._first, self._next, self._unconfirmed):
                offsets.pop(partition, None)


class _ForgetRevoked(ConsumerRebalanceListener):
    """What was polled from a partition that is no longer ours is the new owner's to commit."""

    def __init__(self, forget: Callable[[Iterable[TopicPartition]], None]) -> None:
        self._forget = forget

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        self._forget(tuple(revoked))

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        pass


class _LazyProducer:
    """A producer that is made on first use and thrown away after a failure."""

    def __init__(self, bootstrap_servers: str) -> None:
        self._servers = bootstrap_servers
        self._producer: KafkaProducer | None = None

    def send_all(self, records: Iterable[tuple[str, bytes, bytes, Headers]]) -> None:
        """Send records and return when all are stored."""
        with _translated("publishing"):
            producer = self._connected()
            futures = [
                producer.send(topic, key=key, value=value, headers=headers)
                for topic, key, value, headers in records
            ]
            producer.flush()
            failure = _first_failure(futures)
        if failure is not None:
            self.close()
            raise EventLogError(f"publishing failed: {type(failure).__name__}") from failure

    def close(self) -> None:
        producer, self._producer = self._producer, None
        if producer is not None:
            # What is still in flight was given up before: its caller publishes it again.
            with contextlib.suppress(KafkaError):
                producer.close(timeout=CLOSE_SECONDS)

    def _connected(self) -> KafkaProducer:
        if self._producer is None:
            options: dict[str, Any] = {
                "acks": "all",
                "enable_idempotence": True,
                "delivery_timeout_ms": int(DELIVERY_TIMEOUT_SECONDS * 1000),
                "request_timeout_ms": 5_000,
                "max_block_ms": int(CONNECT_TIMEOUT_SECONDS * 1000),
                "bootstrap_timeout_ms": int(CONNECT_TIMEOUT_SECONDS * 1000),
                "allow_auto_create_topics": False,
                "reconnect_backoff_max_ms": RECONNECT_MS,
            }
            self._producer = connect_client(self._servers, KafkaProducer, options)
        return self._producer


def _first_failure(futures: Sequence[FutureRecordMetadata]) -> BaseException | None:
    """Wait until every record is stored or given up; none may be in flight afterwards."""
    failures = []
    for future in futures:
        try:
            future.get(timeout=DELIVERY_TIMEOUT_SECONDS + 5)  # type: ignore[no-untyped-call]
        except KafkaError as error:
            failures.append(error)
    return failures[0] if failures else None


def _turns(records: Sequence[AnyRecord]) -> list[list[AnyRecord]]:
    """Split records so that a turn has each key at most once, in order over the turns."""
    turns: list[list[AnyRecord]] = []
    seen: dict[bytes, int] = {}
    for record in records:
        key = record.key.encode() if isinstance(record, Event) else record.key
        turn = seen.get(key, 0)
        seen[key] = turn + 1
        if turn == len(turns):
            turns.append([])
        turns[turn].append(record)
    return turns


def connect_client(
    bootstrap_servers: str, client: Callable[..., Client], options: dict[str, Any]
) -> Client:
    """Make a client, but only when a broker listens: a failed attempt leaks its sockets."""
    if not any(_listens(server) for server in bootstrap_servers.split(",")):
        raise EventLogError(f"no broker listens at {bootstrap_servers}")
    return client(bootstrap_servers=bootstrap_servers, kafka_client=tidy_client, **options)


def _listens(server: str) -> bool:
    host, _, port = server.strip().rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=3):
            return True
    except (OSError, ValueError):
        return False


@contextlib.contextmanager
def _translated(doing: str) -> Iterator[None]:
    try:
        yield
    except KafkaError as error:
        raise EventLogError(f"{doing} failed: {type(error).__name__}") from error
