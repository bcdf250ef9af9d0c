"""Decisions off the event loop: a pool of processes that survives the loss of a worker.

A decision is pure CPU for up to some hundred milliseconds and holds the interpreter's
lock, so threads would stop the health service along with everything else.
"""

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from services.bot import worker
from services.bot.budget import Budget
from services.bot.strategy import Decision
from services.common.codec import BotView
from services.common.logs import get_logger

WAITING_PER_WORKER_MAX: Final = 64
"""Decisions that may wait or run for each worker; beyond, callers are turned away."""

_log = get_logger(__name__)


class PoolFullError(Exception):
    """Too many decisions are waiting; try again later or elsewhere."""


class DecisionPool:
    """``workers`` processes that decide; `start` it before use and `close` it after.

    A decision takes the work that ``budget`` allows.
    """

    def __init__(self, workers: int, budget: Budget | None = None) -> None:
        self._workers = workers
        self._budget = budget or Budget()
        self._waiting = 0
        self._executor = self._new_executor()
        self._renewal = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """How many decisions wait or are being made."""
        return self._waiting

    async def start(self) -> None:
        """Start every worker and warm it up. Raises BrokenProcessPool when one cannot."""
        loop = asyncio.get_running_loop()
        # With no worker idle yet, each of these calls starts one.
        ready = [loop.run_in_executor(self._executor, worker.ready) for _ in range(self._workers)]
        await asyncio.gather(*ready)

    async def decide(self, view: BotView, seed: int) -> Decision:
        """Decide in a worker process.

        A worker that dies is replaced and the decision made again, once: it depends on
        nothing but its arguments. Raises PoolFullError, or BrokenProcessPool when the
        second worker dies too.
        """
        if self._waiting >= WAITING_PER_WORKER_MAX * self._workers:
            raise PoolFullError
        self._waiting += 1
        try:
            return await self._decide(view, seed)
        finally:
            self._waiting -= 1

    async def _decide(self, view: BotView, seed: int) -> Decision:
        executor = self._executor
        try:
            return await self._submit(executor, view, seed)
        except BrokenProcessPool:
            await self._renew(executor)
        return await self._submit(self._executor, view, seed)

    async def _submit(self, executor: ProcessPoolExecutor, view: BotView, seed: int) -> Decision:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(executor, worker.decide, view, seed, self._budget)

    async def _renew(self, broken: ProcessPoolExecutor) -> None:
        """Replace a broken executor, once however many decisions it took down."""
        async with self._renewal:
            if self._executor is broken:
                _log.warning("decision process lost, starting new ones")
                self._executor = self._new_executor()
                broken.shutdown(wait=False)

    def close(self) -> None:
        """Dismiss the workers and wait until they have ended."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _new_executor(self) -> ProcessPoolExecutor:
        # Fresh interpreters: a forked gRPC server would inherit threads that do not exist.
        return ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=worker.start,
            initargs=(self._budget,),
        )
