"""Members of a consumer group share its partitions, and replace members of an older kind."""

import threading
import time
from contextlib import ExitStack, closing, suppress
from typing import Any

from kafka import KafkaConsumer
from kafka.coordinator.assignors.range import RangePartitionAssignor

from services.common.eventlog.kafka import KafkaSink, KafkaSource, connect_client
from services.common.eventlog.port import Delivery, EventLogError
from tests.support.eventlogs import event

WAIT_SECONDS = 60.0
SESSION_MS = 6_000


def poll_until(source: KafkaSource, count: int) -> list[Delivery]:
    """Read so many deliveries, and count refusals as nothing."""
    found: list[Delivery] = []
    deadline = time.monotonic() + WAIT_SECONDS
    while len(found) < count:
        assert time.monotonic() < deadline, f"{len(found)} of {count} came"
        try:
            found += source.poll(100, 0.5)
        except EventLogError:
            continue
    return found


def test_a_new_member_waits_for_the_last_one_that_shares_partitions_in_the_old_way(
    kafka_bootstrap: str, kafka_topic: str
) -> None:
    options: dict[str, Any] = {
        "group_id": "g",
        "partition_assignment_strategy": (RangePartitionAssignor,),
    }
    options |= {"auto_offset_reset": "earliest", "enable_auto_commit": False}
    with ExitStack() as stack:
        sink = stack.enter_context(closing(KafkaSink(kafka_bootstrap, kafka_topic)))
        sink.publish([event(f"m{n}", "x") for n in range(30)])
        old = connect_client(kafka_bootstrap, KafkaConsumer, options)
        old.subscribe([kafka_topic])
        deadline = time.monotonic() + WAIT_SECONDS
        while len(old.assignment()) < 3:
            assert time.monotonic() < deadline
            old.poll(timeout_ms=200)
        source = KafkaSource(kafka_bootstrap, "g", kafka_topic, session_timeout_ms=SESSION_MS)
        stack.enter_context(closing(source))
        for _ in range(4):
            try:
                assert source.poll(100, 0.5) == []
            except EventLogError:
                continue
        assert len(old.assignment()) == 3, "nobody loses anything meanwhile"
        old.close()
        assert len(poll_until(source, 30)) == 30
        source.commit()


class Member(threading.Thread):
    """A member of the group that reads, confirms and takes note until it is told to stop."""

    def __init__(self, source: KafkaSource) -> None:
        super().__init__()
        self._source = source
        self._stop_it = threading.Event()
        self.places: list[tuple[str, int]] = []

    def run(self) -> None:
        while not self._stop_it.is_set():
            with suppress(EventLogError):  # in a rebalance: it is confirmed later
                found = self._source.poll(100, 0.5)
                self.places += [(delivery.partition, delivery.offset) for delivery in found]
                if found:
                    self._source.commit()
        self._source.close()

    def end(self) -> None:
        self._stop_it.set()
        self.join(WAIT_SECONDS)


def test_members_share_the_partitions_and_miss_nothing(
    kafka_bootstrap: str, kafka_topic: str
) -> None:
    with ExitStack() as stack:
        sink = stack.enter_context(closing(KafkaSink(kafka_bootstrap, kafka_topic)))
        members: list[Member] = []
        rounds = 0

        def count() -> int:
            return len({place for member in members for place in member.places})

        def share(wanted: int) -> bool:
            return sum(bool(member.places) for member in members) == wanted

        deadline = time.monotonic() + WAIT_SECONDS
        for size in (1, 2):
            source = KafkaSource(kafka_bootstrap, "g", kafka_topic, session_timeout_ms=SESSION_MS)
            members.append(Member(source))
            members[-1].start()
            stack.callback(members[-1].end)
            # Until whoever is new has got some of it.
            while not share(size) or count() < rounds * 30:
                assert time.monotonic() < deadline, [len(member.places) for member in members]
                if count() >= rounds * 30:
                    sink.publish([event(f"m{n}", str(rounds)) for n in range(30)])
                    rounds += 1
                time.sleep(0.1)
        assert count() == rounds * 30
