"""What the Kafka adapter does when its client fails half-way."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from kafka import OffsetAndMetadata, TopicPartition
from kafka.errors import CommitFailedError, KafkaTimeoutError

from services.common.eventlog import kafka
from services.common.eventlog.kafka import KafkaSink, KafkaSource
from services.common.eventlog.port import EventLogError
from tests.support.eventlogs import event

PARTITION = TopicPartition("t", 0)


class StuckProducer:
    """A producer that stores nothing and cannot even be closed in time."""

    def send(self, *_args: object, **_options: object) -> None:
        raise KafkaTimeoutError("no metadata")

    def close(self, timeout: float) -> None:
        raise KafkaTimeoutError(f"records in flight after {timeout} s")


def test_a_sink_that_cannot_be_closed_in_time_is_left_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[StuckProducer] = []

    def connect(*_args: object) -> StuckProducer:
        made.append(StuckProducer())
        return made[-1]

    monkeypatch.setattr(kafka, "connect_client", connect)
    sink = KafkaSink("nowhere:1")
    for _ in range(2):
        with pytest.raises(EventLogError, match="KafkaTimeoutError"):
            sink.publish([event("m", "x")])
        sink.close()
    assert len(made) == 2, "a new producer after the old one was closed"


class RebalancingConsumer:
    """A consumer with one record whose first commit comes in the middle of a rebalance."""

    def __init__(self) -> None:
        self.commits = 0
        self.committed: dict[TopicPartition, int] = {}
        self.listener: Any = None
        self._records = [SimpleNamespace(offset=7, key=None, value=None, headers=[])]

    def subscribe(self, _topics: list[str], listener: object) -> None:
        self.listener = listener

    def poll(self, timeout_ms: int, max_records: int) -> dict[TopicPartition, list[object]]:
        assert timeout_ms >= 0
        records, self._records = self._records[:max_records], []
        return {PARTITION: list(records)} if records else {}

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], timeout_ms: int) -> None:
        assert timeout_ms > 0
        self.commits += 1
        if self.commits == 1:
            raise CommitFailedError("rebalancing")
        self.committed |= {partition: found.offset or 0 for partition, found in offsets.items()}


@pytest.fixture
def consumer(monkeypatch: pytest.MonkeyPatch) -> RebalancingConsumer:
    found = RebalancingConsumer()
    monkeypatch.setattr(kafka, "connect_client", lambda *_: found)
    return found


def test_an_offset_that_could_not_be_committed_is_committed_once_it_is_quiet(
    consumer: RebalancingConsumer,
) -> None:
    source = KafkaSource("nowhere:1", "g")
    assert [delivery.offset for delivery in source.poll(10, 0)] == [7]
    with pytest.raises(EventLogError, match="CommitFailedError"):
        source.commit()
    for _ in range(2):
        assert source.poll(10, 0) == []
    assert (consumer.committed, consumer.commits) == ({PARTITION: 8}, 2)


def test_an_offset_of_a_partition_that_went_elsewhere_is_not_committed_late(
    consumer: RebalancingConsumer,
) -> None:
    source = KafkaSource("nowhere:1", "g")
    source.poll(10, 0)
    with pytest.raises(EventLogError, match="CommitFailedError"):
        source.commit()
    consumer.listener.on_partitions_revoked({PARTITION})
    assert source.poll(10, 0) == []
    assert (consumer.committed, consumer.commits) == ({}, 1)
