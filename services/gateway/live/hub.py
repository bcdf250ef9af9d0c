"""Waking those who wait for news of a topic: the port, and what its adapters share."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from services.gateway.store.database import Database
from services.gateway.store.hints import Hint


class Signal:
    """One subscriber's bell. It remembers that it rang, and for how new an event."""

    def __init__(self) -> None:
        self._rang = asyncio.Event()
        self._newest: int | None = 0

    def ring(self, seq: int = 0) -> None:
        """Tell of an event with this number; 0 when it is not known."""
        if seq == 0 or self._newest is None:
            self._newest = None
        else:
            self._newest = max(self._newest, seq)
        self._rang.set()

    async def wait(self, known_seq: int, seconds: float) -> bool:
        """Wait until something newer than ``known_seq`` may be there; False after ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await self._rang.wait()
                    self._rang.clear()
                    newest, self._newest = self._newest, 0
                    if newest is None or newest > known_seq:
                        return True
        except TimeoutError:
            return False


class Wakeups(Protocol):
    """Brings hints of committed transactions to the signals of this process.

    A signal rings after the commit that it tells of, never before. It may ring without need,
    and when hints may have been lost every signal rings.
    """

    async def start(self) -> None:
        """Begin to receive hints."""

    async def close(self) -> None:
        """Stop receiving; signals stay silent from then on."""

    def listen(self, topic: str) -> AbstractContextManager[Signal]:
        """Subscribe to a topic; what is committed from now on rings the signal."""


class Fanout:
    """The signals of one process by topic; belongs to one event loop."""

    def __init__(self) -> None:
        self._signals: dict[str, set[Signal]] = {}

    @contextmanager
    def listen(self, topic: str) -> Iterator[Signal]:
        """Add a signal, and remove it afterwards."""
        signal, group = Signal(), self._signals.setdefault(topic, set())
        group.add(signal)
        try:
            yield signal
        finally:
            group.discard(signal)
            if not group and self._signals.get(topic) is group:
                del self._signals[topic]

    @property
    def topics(self) -> set[str]:
        """Return what somebody waits for."""
        return set(self._signals)

    def wake(self, hints: Iterable[Hint]) -> None:
        """Ring those who wait for these topics."""
        for hint in hints:
            for signal in self._signals.get(hint.topic, ()):
                signal.ring(hint.seq)

    def wake_all(self) -> None:
        """Ring everyone: there may be news that nobody told of."""
        for group in self._signals.values():
            for signal in group:
                signal.ring()


class LocalWakeups:
    """For a database that only this process writes: a commit rings the signals itself."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._fanout = Fanout()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self) -> None:
        """Hear of every commit."""
        self._loop = asyncio.get_running_loop()
        self._database.on_commit(self._heard)

    async def close(self) -> None:
        """Hear no more."""
        self._database.on_commit(None)
        self._loop = None

    def listen(self, topic: str) -> AbstractContextManager[Signal]:
        """Subscribe to a topic."""
        return self._fanout.listen(topic)

    def _heard(self, hints: list[Hint]) -> None:
        """Pass hints on from the thread that committed."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._fanout.wake, hints)
