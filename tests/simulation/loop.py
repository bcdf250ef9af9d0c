"""An event loop whose time is imagined, and processes in it that can be killed.

Nothing here waits: the loop jumps from one timer to the next, and work for threads runs at a
moment drawn from a seed. So one seed means one order of everything. Whatever a gateway does
runs inside a `Process`; killing it drops all of its tasks at once, as ``kill -9`` would.
"""

import asyncio
import contextlib
import contextvars
import heapq
import itertools
import random
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar, TypeVarTuple, cast

from tests.simulation.door import LostError

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

THREAD_SECONDS: Final = 0.002
"""Mean time until a thread has done its work."""


class KilledError(BaseException):
    """The process that runs this is dead: no handler of errors may see it."""


class StuckError(AssertionError):
    """Everybody waits and nothing will ever happen."""


class Process:
    """What lives and dies together: the tasks that were started in its context."""

    def __init__(self, loop: "SimLoop") -> None:
        self._loop = loop
        self._context = contextvars.copy_context()
        self._context.run(_PROCESS.set, self)
        # In the order of their beginning: that of a set would differ from run to run.
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self._calls: dict[asyncio.Future[Any], None] = {}
        self.alive = True
        self.on_death: Callable[[], None] = lambda: None

    def call(self, work: Coroutine[Any, Any, T]) -> "asyncio.Future[T]":
        """Run work in this process for somebody outside, who gets LostError if it dies."""
        outside: asyncio.Future[T] = self._loop.create_future()
        if not self.alive:
            work.close()
            outside.set_exception(LostError())
            return outside
        self._calls[outside] = None
        task = self._loop.create_task(work, context=self._context)

        def deliver(done: asyncio.Task[T]) -> None:
            self._calls.pop(outside, None)
            if outside.done():
                return
            if done.cancelled():
                outside.cancel()
                return
            error = done.exception()
            if error is None:
                outside.set_result(done.result())
            else:
                outside.set_exception(error)

        task.add_done_callback(deliver)
        return outside

    def run(self, function: Callable[[], T]) -> T:
        """Run something that does not wait as a part of this process."""
        return self._context.run(function)

    def joined(self, task: "asyncio.Task[Any]") -> None:
        """Take note of a task that was started in here."""
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))

    def kill(self) -> None:
        """End here and now; nothing of this process runs any more."""
        if not self.alive:
            return
        self.alive = False
        for task in list(self._tasks):
            # It will never be scheduled again, and nobody needs to be told.
            vars_of_task: Any = task
            vars_of_task._log_destroy_pending = False
            coroutine: Any = task.get_coro()
            # What it would do on the way out, it would do in a dead process.
            with contextlib.suppress(RuntimeError):
                self._context.run(coroutine.close)
        for call in list(self._calls):
            if not call.done():
                call.set_exception(LostError())
        self._calls.clear()
        self.on_death()


_PROCESS: Final[contextvars.ContextVar[Process | None]] = contextvars.ContextVar(
    "process", default=None
)


class SimLoop(asyncio.BaseEventLoop):
    """An event loop without a world around it; ``rng`` decides how long threads take."""

    def __init__(self, rng: random.Random) -> None:
        self._running = False
        super().__init__()
        self._rng = rng
        self._now = 0.0
        self._serial = itertools.count()
        self._agenda: list[tuple[float, int, contextvars.Context, asyncio.TimerHandle]] = []
        self._failure: BaseException | None = None

    def time(self) -> float:
        """Return the imagined time in seconds since the beginning."""
        return self._now

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run until ``main`` is done; raises StuckError when nothing can happen any more."""
        asyncio._set_running_loop(self)
        self._running = True
        try:
            task: asyncio.Task[T] = self.create_task(main)
            while not task.done():
                self._step()
                if self._failure is not None:
                    raise self._failure
            return task.result()
        finally:
            self._running = False
            asyncio._set_running_loop(None)

    def _step(self) -> None:
        if not self._agenda:
            raise StuckError("everybody waits and nothing will ever happen")
        when, _, context, handle = heapq.heappop(self._agenda)
        self._now = max(self._now, when)
        process = context.get(_PROCESS)
        if not handle.cancelled() and (process is None or process.alive):
            handle._run()

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback at a time; of several at one time the first asked for comes first."""
        context = contextvars.copy_context() if context is None else context
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._agenda, (when, next(self._serial), context, handle))
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback after a while."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_soon(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        """Run a callback next, after those that were asked for before."""
        return self.call_at(self._now, callback, *args, context=context)

    # There are no threads to be safe from.
    call_soon_threadsafe = call_soon

    def create_future(self) -> "asyncio.Future[Any]":
        """Return a future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: object,
        *,
        name: object = None,
        context: contextvars.Context | None = None,
    ) -> "asyncio.Task[Any]":
        """Start a task, in the process whose context it gets."""
        context = contextvars.copy_context() if context is None else context
        title = str(name or f"task-{next(self._serial):09d}")
        task: asyncio.Task[Any] = asyncio.Task(
            cast("Coroutine[Any, Any, Any]", coro), loop=self, name=title, context=context
        )
        process = context.get(_PROCESS)
        if process is not None:
            process.joined(task)
        return task

    def run_in_executor(
        self,
        executor: object,
        func: Callable[[*Ts], T],
        *args: *Ts,
    ) -> "asyncio.Future[T]":
        """Run a function in one go, at a moment that the seed decides."""
        del executor
        future: asyncio.Future[T] = self.create_future()
        self.call_later(self._rng.expovariate(1 / THREAD_SECONDS), self._work, future, func, args)
        return future

    def _work(
        self, future: "asyncio.Future[T]", func: Callable[[*Ts], T], args: tuple[*Ts]
    ) -> None:
        try:
            result = func(*args)
        except KilledError:
            process = _PROCESS.get()
            assert process is not None
            process.kill()
        except Exception as error:  # it belongs to whoever waits for the result
            if not future.done():
                future.set_exception(error)
        else:
            # A thread cannot be stopped, but nobody may be waiting any more.
            if not future.done():
                future.set_result(result)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Let no error pass that nobody waits for."""
        error = context.get("exception")
        self._failure = error if isinstance(error, BaseException) else StuckError(str(context))

    def get_debug(self) -> bool:
        """Return False: the loop is exact anyway."""
        return False

    def is_running(self) -> bool:
        """Return whether the loop is in `run`."""
        return self._running

    def is_closed(self) -> bool:
        """Return whether the loop is not in `run`: there is nothing else to close."""
        return not self._running

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Leave it where it is: it is passed over when its time comes."""
