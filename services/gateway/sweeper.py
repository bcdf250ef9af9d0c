"""Finds tables that wait for a program nobody is running any more, and drives them on."""

import asyncio
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from services.common.logs import get_logger
from services.gateway.driver import Driver
from services.gateway.store import queries
from services.gateway.store.database import Database

PAUSE_SECONDS: Final = 15.0
"""Longer than River may think, so that a table seen twice at one version is stuck."""

_log = get_logger(__name__)


class Sweeper:
    """Sweeps once at the start and then now and then."""

    def __init__(
        self, database: Database, driver: Driver, *, pause_seconds: float = PAUSE_SECONDS
    ) -> None:
        self._database = database
        self._driver = driver
        self._pause_seconds = pause_seconds
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Drive every waiting table: after a restart nobody else does."""
        waiting = await self._database.read(queries.waiting_tables)
        for table_id, _ in waiting:
            self._driver.nudge(table_id)
        self._task = asyncio.create_task(self._sweep_on())

    async def close(self) -> None:
        """Stop sweeping."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _sweep_on(self) -> None:
        before: set[tuple[str, int]] = set()
        while True:
            await asyncio.sleep(self._pause_seconds)
            try:
                waiting = set(await self._database.read(queries.waiting_tables))
            except SQLAlchemyError as error:
                _log.warning("sweep failed", error=type(error).__name__)
                continue
            for table_id, _ in waiting & before:
                self._driver.nudge(table_id)
            before = waiting
