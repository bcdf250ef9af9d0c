"""The live side of one gateway: its hints, its connections, its tickets."""

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy.engine import Engine

from services.gateway.driver import Clock
from services.gateway.identity import token_hash
from services.gateway.live.envelope import Farewell
from services.gateway.live.hub import LocalWakeups, Wakeups
from services.gateway.live.postgres import PostgresWakeups
from services.gateway.live.registry import Registry
from services.gateway.live.settings import LiveSettings
from services.gateway.metrics import Metrics
from services.gateway.model import User
from services.gateway.store import tickets
from services.gateway.store.database import Database
from services.gateway.store.tickets import Admission

TICKET_LIFE: Final = timedelta(seconds=30)
TICKET_CHARS_MAX: Final = 128
DRAIN_SECONDS: Final = 5.0
"""How long a drain waits for connections to hear that they end."""


@dataclass(frozen=True, slots=True)
class Live:
    """What the handlers of live connections work with."""

    wakeups: Wakeups
    registry: Registry
    settings: LiveSettings
    tickets: "Tickets"
    metrics: Metrics

    async def start(self) -> None:
        """Begin to receive hints."""
        await self.wakeups.start()

    async def close(self) -> None:
        """End what is connected and stop receiving hints."""
        await self.drain()
        await self.wakeups.close()

    @contextmanager
    def counted(self, transport: str) -> Iterator[None]:
        """Count a connection as open."""
        self.metrics.live_open.labels(transport).inc()
        try:
            yield
        finally:
            self.metrics.live_open.labels(transport).dec()

    def count_end(self, transport: str, farewell: Farewell | None) -> None:
        """Count how a connection ended; None: the peer left."""
        code = 0 if farewell is None else farewell.code
        self.metrics.live_closes.labels(transport, str(code)).inc()

    async def drain(self) -> None:
        """Refuse new connections, say goodbye to the open ones, and wait until they are gone."""
        self.registry.drain()
        give_up = asyncio.get_running_loop().time() + DRAIN_SECONDS
        while len(self.registry) and asyncio.get_running_loop().time() < give_up:
            await asyncio.sleep(0.02)


class Tickets:
    """Lets those in who cannot send a cookie or a header with their handshake."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def issue(self, user: User, token: str) -> str:
        """Return a ticket for one connection within `TICKET_LIFE`; told only once."""
        ticket, now = secrets.token_urlsafe(32), self._clock()
        admission = Admission(user, token_hash(token))
        await self._database.write(
            tickets.issue, token_hash(ticket), admission, now + TICKET_LIFE, now
        )
        return ticket

    async def redeem(self, ticket: str) -> Admission | None:
        """Use a ticket up; None when it lets nobody in."""
        if not 0 < len(ticket) <= TICKET_CHARS_MAX or not ticket.isascii():
            return None
        return await self._database.write(tickets.redeem, token_hash(ticket), self._clock())

    async def is_signed_in(self, session_hash: str) -> bool:
        """Return whether the session or token with this hash is still alive."""
        found = await self._database.read(tickets.find_signed_in, session_hash, self._clock())
        return found is not None


def open_live(
    sql_engine: Engine,
    database: Database,
    clock: Clock,
    metrics: Metrics,
    settings: LiveSettings | None = None,
) -> Live:
    """Put the live side together for a database; `Live.start` makes it hear."""
    settings = settings or LiveSettings()
    local = sql_engine.dialect.name == "sqlite"
    wakeups = LocalWakeups(database) if local else PostgresWakeups(sql_engine, database)
    return Live(wakeups, Registry(settings), settings, Tickets(database, clock), metrics)
