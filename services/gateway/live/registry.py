"""The open connections of this process: how many, whose, and how to end them all."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from services.gateway.live import envelope
from services.gateway.live.envelope import Farewell
from services.gateway.live.settings import LiveSettings


class Endable(Protocol):
    """A connection that can be told to end."""

    def end(self, farewell: Farewell) -> None:
        """End soon, with these words; the first call counts."""


class Registry:
    """Counts connections by address and by person; each process counts its own."""

    def __init__(self, settings: LiveSettings) -> None:
        self._settings = settings
        self._by_address: Counter[str] = Counter()
        # Oldest first.
        self._by_user: defaultdict[str, list[Endable]] = defaultdict(list)
        self.draining = False

    def __len__(self) -> int:
        return sum(map(len, self._by_user.values()))

    @contextmanager
    def arriving(self, address: str) -> Iterator[Farewell | None]:
        """Hold a place for an address; yields the reason to refuse it, None if it may come."""
        refusal = None
        full = self._by_address[address] >= self._settings.address_connections
        if self.draining:
            refusal = envelope.RESTART
        elif full and self._settings.limits_on:
            refusal = envelope.TOO_OFTEN
        self._by_address[address] += 1
        try:
            yield refusal
        finally:
            self._by_address[address] -= 1
            if self._by_address[address] == 0:
                del self._by_address[address]

    @contextmanager
    def held(self, user_id: str, line: Endable) -> Iterator[None]:
        """Count a person's connection; their oldest ones end when there are too many."""
        lines = self._by_user[user_id]
        lines.append(line)
        for old in lines[: -self._settings.user_connections]:
            old.end(envelope.REPLACED)
        if self.draining:
            line.end(envelope.RESTART)
        try:
            yield
        finally:
            lines.remove(line)
            if not lines:
                self._by_user.pop(user_id, None)

    def drain(self) -> None:
        """Refuse newcomers and end everyone."""
        self.draining = True
        for lines in self._by_user.values():
            for line in lines:
                line.end(envelope.RESTART)
