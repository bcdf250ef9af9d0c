"""Looks after tables that nobody is at: any number of replicas may do so at once.

A sweep ends the matches whose player stayed away too long (HU-063), drives on the tables
that wait for a program nobody is running any more, warns players whose time runs out, and
deletes what is too old. It takes work in bounded batches and leaves the rest to the next.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy.engine import Connection

from services.common import tracing
from services.common.logs import get_logger, stack_of
from services.common.tracing import Kind
from services.gateway import steps
from services.gateway.driver import Clock, Driver, program_must_act
from services.gateway.engine_client import EngineUnavailableError
from services.gateway.leaving import Leaving
from services.gateway.metrics import Metrics
from services.gateway.model import EndReason
from services.gateway.steps import Step
from services.gateway.store import claims, commits, pruning
from services.gateway.store.database import Database

PAUSE_SECONDS: Final = 15.0
BATCH: Final = 100
WORKERS: Final = 8
"""Tables that one sweep works on at the same time."""

STUCK: Final = timedelta(seconds=15)
"""Longer than River may think, so that a table that has not moved since is nobody's."""

WARN_AHEAD: Final = timedelta(hours=1)

Work = Callable[[str], Awaitable[None]]

_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep found: late matches, stuck tables, players to warn, old rows."""

    ended: int
    driven: int
    warned: int
    pruned: int

    @property
    def is_full(self) -> bool:
        """Whether there may be more to do at once."""
        return max(self.ended, self.driven, self.warned, self.pruned) >= BATCH


class Sweeper:
    """Sweeps once at the start and then now and then.

    ``keep_events`` is how long the event logs of ended matches stay; None means for ever.
    """

    def __init__(
        self,
        database: Database,
        *,
        driver: Driver,
        leaving: Leaving,
        clock: Clock,
        metrics: Metrics,
        keep_events: timedelta | None = None,
    ) -> None:
        self._database = database
        self._metrics = metrics
        self._driver = driver
        self._leaving = leaving
        self._clock = clock
        self._prunes = pruning.ALWAYS
        if keep_events is not None:
            self._prunes = (*pruning.ALWAYS, pruning.events_pruner(keep_events))
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take up every waiting table, for after a restart nobody else does; then sweep on."""
        waiting = await self._waiting(timedelta())
        self._task = asyncio.create_task(self._sweep_on(waiting))

    async def close(self) -> None:
        """Stop sweeping."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def sweep(self) -> Swept:
        """Do one batch of everything; what fails is logged and left to a later sweep."""
        now = self._clock()
        expired = await self._database.write(claims.claim_expired, now, BATCH)
        await self._each("end", self._end, expired)
        waiting = await self._waiting(STUCK)
        await self._each("drive", self._drive, waiting)
        expiring = await self._database.read(claims.find_expiring, now, WARN_AHEAD, BATCH)
        await self._each("warn", self._warn, expiring)
        pruned = [await self._database.write(prune, now, BATCH) for prune in self._prunes]
        found = Swept(len(expired), len(waiting), len(expiring), sum(pruned))
        for what, number in asdict(found).items():
            self._metrics.swept.labels(what).inc(number)
        return found

    async def _sweep_on(self, waiting: Sequence[str]) -> None:
        await self._each("drive", self._drive, waiting)
        while True:
            full = False
            try:
                full = (await self.sweep()).is_full
            except Exception as error:  # a background task has nobody else to tell
                _log.error("sweep failed", error=type(error).__name__, frames=stack_of(error))
            if not full:
                await asyncio.sleep(PAUSE_SECONDS)

    async def _waiting(self, stuck: timedelta) -> list[str]:
        return await self._database.write(claims.claim_waiting, self._clock(), stuck, BATCH)

    async def _each(self, what: str, work: Work, tables: Sequence[str]) -> None:
        gate = asyncio.Semaphore(WORKERS)

        async def one(table_id: str) -> None:
            async with gate:
                await self._try(what, work, table_id)

        await asyncio.gather(*map(one, tables))

    async def _try(self, what: str, work: Work, table_id: str) -> None:
        """Work on one table, traced by itself; a failure keeps its claim: others come first."""
        with tracing.span(f"sweep {what}", Kind.CONSUMER) as span:
            try:
                await work(table_id)
            except EngineUnavailableError as error:
                span.fail(type(error).__name__)
                _log.warning("table waits for the engine", table_id=table_id)
            except Exception as error:  # one broken table must not stop the sweep
                span.fail(type(error).__name__)
                _log.error(
                    "sweeping a table failed",
                    table_id=table_id,
                    error=type(error).__name__,
                    frames=stack_of(error),
                )

    async def _end(self, table_id: str) -> None:
        await self._leaving.leave(table_id, EndReason.EXPIRED)
        await self._database.write(claims.release, table_id)

    async def _drive(self, table_id: str) -> None:
        await self._driver.drive(table_id)
        await self._database.write(claims.release, table_id)

    async def _warn(self, table_id: str) -> None:
        scene = await self._driver.load(table_id)
        now, match = self._clock(), scene.match
        near = now < match.kept_until <= now + WARN_AHEAD
        if not near or not match.is_open or program_must_act(scene):
            return
        try:
            await self._database.write(_write_warning, steps.warn(scene, now))
        except commits.VersionConflictError:
            # Somebody is at the table after all.
            return


def _write_warning(connection: Connection, step: Step) -> None:
    match = step.scene.match
    commits.commit(connection, step)
    if not claims.note_warned(connection, match.match_id, match.kept_until):
        raise commits.VersionConflictError
