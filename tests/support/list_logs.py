"""Logs in memory, whose every failure a test decides."""

from collections.abc import Mapping, Sequence

from services.common.eventlog.port import Delivery, EventLogError, Record
from services.ledger.consumer import Consumer


class ListSource:
    """A log in memory whose commit can fail."""

    name = "list"

    def __init__(self, records: Sequence[Record], committed: int = 0) -> None:
        self.records = list(records)
        self.committed = committed
        self.working = committed
        self.commit_fails = False

    def poll(self, limit: int, timeout_seconds: float) -> Sequence[Delivery]:
        start, self.working = self.working, min(len(self.records), self.working + limit)
        return [Delivery("0", n, self.records[n]) for n in range(start, self.working)]

    def commit(self) -> None:
        if self.commit_fails:
            raise EventLogError("gone")
        self.committed = self.working

    def rewind(self) -> None:
        self.working = self.committed

    def lag(self) -> Mapping[str, int]:
        return {"0": len(self.records) - self.working}

    def close(self) -> None:
        pass


class ListSink:
    """A broker in memory."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def publish(self, records: Sequence[Record]) -> None:
        self.records += records

    def close(self) -> None:
        pass


class ListDeadLetters:
    """Dead letters in memory that can be away."""

    def __init__(self) -> None:
        self.buried: list[tuple[int, str]] = []
        self.away = False

    def bury(self, delivery: Delivery, reason: str, detail: str) -> None:
        if self.away:
            raise EventLogError("away")
        assert detail
        self.buried.append((delivery.offset, reason))

    def close(self) -> None:
        pass


def drain(consumer: Consumer) -> None:
    while consumer.run_once(0):
        pass
