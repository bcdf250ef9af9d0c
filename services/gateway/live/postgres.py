"""Wake-ups between gateways on PostgreSQL: LISTEN on one connection a process, and NOTIFY."""

import asyncio
import uuid
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Final

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from services.common.database import NOTICES_SILENCE
from services.common.eventlog.backoff import backoff_seconds
from services.common.logs import get_logger, stack_of
from services.gateway.live.hub import Fanout, Signal
from services.gateway.store.database import Database
from services.gateway.store.hints import Hint

CHANNEL: Final = "riverboat_live"
"""The name that gateways LISTEN to; one a database."""
APPLICATION_NAME: Final = "riverboat-live"
CONNECT_SECONDS: Final = 10
FAREWELL_SECONDS: Final = 2.0
GATHER_SECONDS: Final = 0.005
"""How long hints are gathered before the other gateways are told; one's own hear at once."""
SEQ_DIGITS_MAX: Final = 18
"""Digits of an event's number in a hint."""

_TELL: Final = sa.text(
    "SELECT set_config('synchronous_commit', 'off', true), pg_notify(:channel, payload)"
    " FROM unnest(CAST(:payloads AS text[])) AS payload"
)

_log = get_logger(__name__)


class PostgresWakeups:
    """Tells the other gateways of this one's commits, and this one of theirs.

    Whenever a connection begins to listen, every signal rings: what was told in between was
    told to nobody. Hints that pile up are told together.
    """

    def __init__(self, engine: Engine, database: Database) -> None:
        self._engine = engine
        self._database = database
        self._origin = uuid.uuid4().hex
        self._fanout = Fanout()
        self._untold: dict[str, Hint] = {}
        self._has_untold = asyncio.Event()
        self._closing = asyncio.Event()
        self._listening = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listener: asyncio.Task[None] | None = None
        self._teller: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin in the background; returns at once, the server may still be away."""
        self._loop = asyncio.get_running_loop()
        self._listener = asyncio.create_task(self._keep_listening())
        self._teller = asyncio.create_task(self._keep_telling())
        self._database.on_commit(self._heard)

    async def close(self) -> None:
        """Stop listening; what is still to be told is told if the server takes it soon."""
        self._database.on_commit(None)
        self._loop = None
        self._closing.set()
        self._has_untold.set()
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
            # A task that was cancelled keeps its frames, and with them a half-made connection.
            self._listener = None
        if self._teller is not None:
            await asyncio.wait([self._teller], timeout=FAREWELL_SECONDS)
            self._teller.cancel()
            await asyncio.gather(self._teller, return_exceptions=True)

    def listen(self, topic: str) -> AbstractContextManager[Signal]:
        """Subscribe to a topic."""
        return self._fanout.listen(topic)

    async def listening(self) -> None:
        """Wait until the server has accepted the LISTEN."""
        await self._listening.wait()

    def _heard(self, hints: list[Hint]) -> None:
        """Take hints over from the thread that committed."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self.spread, hints)

    def spread(self, hints: list[Hint]) -> None:
        """Ring one's own signals, and tell the other processes soon; on the event loop."""
        self._fanout.wake(hints)
        for hint in hints:
            self._gather(hint)
        self._has_untold.set()

    def _gather(self, hint: Hint) -> None:
        """Keep the newest hint of each topic; threads tell of their commits in any order."""
        known = self._untold.get(hint.topic)
        if known is None or hint.seq == 0 or 0 < known.seq < hint.seq:
            self._untold[hint.topic] = hint

    async def _keep_telling(self) -> None:
        failures = 0
        while not self._closing.is_set() or self._untold:
            await self._has_untold.wait()
            if not self._closing.is_set():
                await asyncio.sleep(GATHER_SECONDS)
            self._has_untold.clear()
            batch, self._untold = self._untold, {}
            try:
                if batch:
                    await asyncio.to_thread(self._tell, list(batch.values()))
                failures = 0
            except Exception as error:  # whatever it is, the others wait for these hints
                failures += 1
                _complain("telling again", error, failures)
                for hint in batch.values():
                    self._gather(hint)
                self._has_untold.set()
                await asyncio.sleep(backoff_seconds(failures))

    def _tell(self, hints: Iterable[Hint]) -> None:
        """Notify in a transaction of its own, which need not wait for the disk."""
        payloads = [f"{self._origin} {hint.topic} {hint.seq}" for hint in hints]
        with self._engine.connect() as connection:
            # One statement, its own transaction: one way to the server and back.
            own = connection.execution_options(isolation_level="AUTOCOMMIT")
            own.execute(_TELL, {"channel": CHANNEL, "payloads": payloads})

    async def _keep_listening(self) -> None:
        failures = 0
        while True:
            try:
                connection = await self._connect()
                try:
                    await self._listen_on(connection)
                finally:
                    # Nothing waits here: `async with` would roll back first, and a second
                    # cancellation meanwhile would leave the connection open.
                    await connection.close()
            except Exception as error:  # whatever it is, this process must hear the others
                failures = 1 if self._listening.is_set() else failures + 1
                _complain("listening again", error, failures)
            self._listening.clear()
            await asyncio.sleep(backoff_seconds(failures))

    async def _connect(self) -> psycopg.AsyncConnection:
        url = self._engine.url.set(drivername="postgresql")
        return await psycopg.AsyncConnection.connect(
            url.render_as_string(hide_password=False),
            autocommit=True,
            application_name=APPLICATION_NAME,
            connect_timeout=CONNECT_SECONDS,
            **NOTICES_SILENCE,
        )

    async def _listen_on(self, connection: psycopg.AsyncConnection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._listening.set()
        self._fanout.wake_all()
        async for notification in connection.notifies():
            origin, _, rest = notification.payload.partition(" ")
            hint = _read_hint(rest)
            if hint is None:
                # Somebody else's; a hint that cannot be read only delays.
                _log.warning("foreign notification")
            elif origin != self._origin:
                self._fanout.wake([hint])


def _read_hint(text: str) -> Hint | None:
    topic, _, seq = text.partition(" ")
    if topic and seq.isascii() and seq.isdecimal() and len(seq) <= SEQ_DIGITS_MAX:
        return Hint(topic, int(seq))
    return None


def _complain(what: str, error: Exception, failures: int) -> None:
    """Log a failure: a server that is away by name, anything else with where it was."""
    if isinstance(error, SQLAlchemyError | psycopg.Error | OSError):
        _log.warning(what, error=type(error).__name__, failures=failures)
    else:
        _log.error(what, error=type(error).__name__, failures=failures, frames=stack_of(error))
