"""Wake-ups between gateways: LISTEN on PostgreSQL, one connection a process."""

import asyncio
from contextlib import AbstractContextManager
from typing import Final

import psycopg
from sqlalchemy.engine import URL

from services.common.eventlog.backoff import backoff_seconds
from services.common.logs import get_logger
from services.gateway.live.hub import Fanout, Signal
from services.gateway.store.hints import CHANNEL, from_text

APPLICATION_NAME: Final = "riverboat-live"
CONNECT_SECONDS: Final = 10

_log = get_logger(__name__)


class PostgresWakeups:
    """Listens for as long as it is open, however often the server goes away.

    Whenever a connection begins to listen, every signal rings: what was told in between was
    told to nobody.
    """

    def __init__(self, url: URL) -> None:
        self._conninfo = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._fanout = Fanout()
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    async def start(self) -> None:
        """Listen in the background; returns at once, the server may still be away."""
        self._task = asyncio.create_task(self._keep_listening())

    async def close(self) -> None:
        """Stop listening and let go of the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def listen(self, topic: str) -> AbstractContextManager[Signal]:
        """Subscribe to a topic."""
        return self._fanout.listen(topic)

    async def listening(self) -> None:
        """Wait until the server has accepted the LISTEN."""
        await self._listening.wait()

    async def _keep_listening(self) -> None:
        failures = 0
        while True:
            try:
                async with await self._connect() as connection:
                    failures = 0
                    await self._listen_on(connection)
            except (psycopg.Error, OSError) as error:
                failures += 1
                _log.warning("listening again", error=type(error).__name__, failures=failures)
            finally:
                self._listening.clear()
            await asyncio.sleep(backoff_seconds(failures))

    async def _connect(self) -> psycopg.AsyncConnection:
        return await psycopg.AsyncConnection.connect(
            self._conninfo,
            autocommit=True,
            application_name=APPLICATION_NAME,
            connect_timeout=CONNECT_SECONDS,
            # A server that vanished without a word is noticed within a minute.
            keepalives_idle=20,
            keepalives_interval=10,
            keepalives_count=3,
        )

    async def _listen_on(self, connection: psycopg.AsyncConnection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._listening.set()
        self._fanout.wake_all()
        async for notification in connection.notifies():
            try:
                self._fanout.wake([from_text(notification.payload)])
            except ValueError:
                # Somebody else's; a hint that cannot be read only delays.
                _log.warning("foreign notification")
