"""A channel in memory, for tests of who follows it: events appear when the test says so."""

from collections.abc import Callable, Coroutine
from typing import Any

from services.gateway.live.channels import Snapshot
from services.gateway.live.hub import Fanout
from services.gateway.store.feeds import TrimmedError
from services.gateway.store.hints import Hint

Json = dict[str, Any]
Hook = Callable[[], Coroutine[Any, Any, None]]


class FakeWakeups(Fanout):
    """Hints by hand."""

    async def start(self) -> None:
        """Nothing to begin."""

    async def close(self) -> None:
        """Nothing to end."""


class FakeChannel:
    """Counts up; ``first_kept`` is where the log begins. Hooks run inside of a read."""

    name = "fake"
    topic = "t_fake"

    def __init__(self, wakeups: FakeWakeups, last_seq: int = 0) -> None:
        self.wakeups = wakeups
        self.last_seq = last_seq
        self.first_kept = 1
        self.reads = 0
        self.before_read: list[Hook] = []
        self.after_read: list[Hook] = []
        self.failures: list[Exception] = []

    def commit(self, count: int = 1, *, hint: bool = True) -> None:
        """Let events happen."""
        self.last_seq += count
        if hint:
            self.wakeups.wake([Hint(self.topic, self.last_seq)])

    async def snapshot(self) -> Snapshot:
        await self._hook(self.before_read)
        found = Snapshot(self.last_seq, {"total": self.last_seq})
        await self._hook(self.after_read)
        return found

    async def events(self, after_seq: int, limit: int) -> list[Json]:
        self.reads += 1
        await self._hook(self.before_read)
        first, last = after_seq + 1, min(self.last_seq, after_seq + limit)
        if after_seq > self.last_seq or (first < self.first_kept and after_seq < self.last_seq):
            raise TrimmedError
        found = [
            {"seq": seq, "type": "tick", "at": "now", "data": {}} for seq in range(first, last + 1)
        ]
        await self._hook(self.after_read)
        return found

    async def _hook(self, hooks: list[Hook]) -> None:
        if self.failures:
            raise self.failures.pop(0)
        if hooks:
            await hooks.pop(0)()
