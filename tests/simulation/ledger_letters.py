"""What a ledger refused, against what it was to refuse; and whether it has read everything."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError
from sqlalchemy.engine import Engine

from services.common.database import reading
from services.common.eventlog.kafka import DEAD_LETTER_TOPIC, MATCHES_TOPIC, connect_client
from services.common.eventlog.port import EventLogError
from services.ledger.schema import DEAD_LETTERS, POSITIONS
from tests.simulation.ledger_poison import Letter, Poison

READ_SECONDS = 60.0


def check_letters(ledger: Engine, bootstrap: str, poison: Poison) -> Counter[str]:
    """Check that the dead letters are the poison, each once, for a reason that is right.

    The topic may have a letter again that was published just before its transaction failed,
    and the neighbour may have written a record again that tells nobody who it is.
    """
    with reading(ledger) as connection:
        rows = connection.execute(sa.select(DEAD_LETTERS)).all()
    found = Counter((bytes(row.key), bytes(row.value)) for row in rows)
    written = _read_topic(bootstrap, MATCHES_TOPIC)
    twice = [
        letter
        for letter, count in found.items()
        if count != (written[letter] if letter in poison.nameless else 1)
    ]
    assert not twice, f"{len(twice)} dead letters are there twice, such as {twice[0]!r}"
    assert set(found) == set(poison.letters), (
        f"dead letters {set(found) - set(poison.letters)} too many, "
        f"{set(poison.letters) - set(found)} too few"
    )
    for row in rows:
        right = poison.letters[bytes(row.key), bytes(row.value)]
        assert row.reason in right, f"{row.event_id}: {row.reason} is none of {sorted(right)}"
    published = _read_topic(bootstrap, DEAD_LETTER_TOPIC)
    assert set(published) == set(found), "the topic of dead letters has others"
    counts = Counter(f"dead letters: {row.reason}" for row in rows)
    counts["dead letters in the topic"] = sum(published.values())
    counts["dead letters in the table"] = len(rows)
    return counts


def check_read_to_the_end(ledger: Engine, bootstrap: str) -> bool:
    """Tell whether the last record of every partition has its effect in the ledger."""
    with reading(ledger) as connection:
        stands = {row.partition: row.offset for row in connection.execute(sa.select(POSITIONS))}
    try:
        with _consumer(bootstrap) as consumer:
            ends = consumer.end_offsets(_partitions(consumer, MATCHES_TOPIC))
    except (EventLogError, KafkaError):
        return False
    return all(
        end == 0 or stands.get(str(partition.partition)) == end - 1
        for partition, end in ends.items()
    )


def _read_topic(bootstrap: str, topic: str) -> Counter[Letter]:
    found: Counter[Letter] = Counter()
    with _consumer(bootstrap) as consumer:
        partitions = _partitions(consumer, topic)
        consumer.assign(partitions)
        consumer.seek_to_beginning(*partitions)
        ends = consumer.end_offsets(partitions)
        deadline = time.monotonic() + READ_SECONDS
        while any(consumer.position(partition) < end for partition, end in ends.items()):
            assert time.monotonic() < deadline, f"{topic} is not read in time"
            for records in consumer.poll(timeout_ms=500).values():
                found.update((record.key, record.value) for record in records)
    return found


def _partitions(consumer: Any, topic: str) -> list[TopicPartition]:  # noqa: ANN401
    return [TopicPartition(topic, n) for n in consumer.partitions_for_topic(topic) or ()]


@contextmanager
def _consumer(bootstrap: str) -> Iterator[Any]:
    consumer = connect_client(bootstrap, KafkaConsumer, {"enable_auto_commit": False})
    try:
        yield consumer
    finally:
        consumer.close()
