"""A live connection of either kind: it talks, it is looked after, and it ends once."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, ParamSpec

from sqlalchemy.exc import SQLAlchemyError

from services.common.logs import get_logger, stack_of
from services.gateway.live import envelope
from services.gateway.live.envelope import Farewell
from services.gateway.live.hub import Signal
from services.gateway.live.settings import LiveSettings
from services.gateway.model import User

Json = dict[str, Any]
P = ParamSpec("P")
Send = Callable[[str], Awaitable[None]]

_log = get_logger(__name__)


class GoneError(Exception):
    """The peer has closed the connection."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who is connected; ``is_signed_in`` looks whether their session still lives.

    ``listen`` gives a signal that rings when the session ends; without it that is only seen
    at the next look.
    """

    user: User
    is_signed_in: Callable[[], Awaitable[bool]]
    listen: Callable[[], AbstractContextManager[Signal]] = lambda: nullcontext(Signal())


def to_text(message: Json) -> str:
    """Write a message as JSON."""
    return json.dumps(message, separators=(",", ":"))


class Line:
    """One connection. Jobs run until one of them, or somebody else, ends it.

    ``send`` waits until the peer takes more, so what is queued for a peer is bounded: a peer
    that takes nothing for too long is let go.
    """

    def __init__(self, viewer: Viewer, send: Send, settings: LiveSettings) -> None:
        self.viewer = viewer
        self._send = send
        self._settings = settings
        self._turn = asyncio.Lock()
        self._ended: asyncio.Future[Farewell | None] = asyncio.get_running_loop().create_future()
        self._jobs: set[asyncio.Task[None]] = set()

    def end(self, farewell: Farewell | None) -> None:
        """End soon; the first call counts. None: the peer is gone already."""
        if self._ended.done():
            return
        if farewell is not None and farewell.retry_ms is not None:
            # Spread out, so that not everybody returns in the same moment.
            wait_ms = farewell.retry_ms + random.randrange(farewell.retry_ms)  # noqa: S311
            farewell = replace(farewell, retry_ms=wait_ms)
        self._ended.set_result(farewell)

    async def write(self, text: str) -> None:
        """Send one piece; ends the line of a peer that does not take it in time."""
        async with self._turn:
            try:
                async with asyncio.timeout(self._settings.send_seconds):
                    await self._send(text)
            except TimeoutError:
                self.end(envelope.SLOW)
                raise GoneError from None

    async def say(self, message: Json) -> None:
        """Send one message."""
        await self.write(to_text(message))

    def start(
        self, job: Callable[P, Coroutine[Any, Any, None]], *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Task[None]:
        """Run something for as long as the line is open."""
        # Called in the task, so that one cancelled before it began leaves nothing behind.
        task = asyncio.create_task(self._guard(lambda: job(*args, **kwargs)))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return task

    async def until_ended(self) -> Farewell | None:
        """Wait for the end, stop all jobs, and return why it ended."""
        self.start(self._watch_session)
        try:
            return await self._ended
        finally:
            jobs = list(self._jobs)
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)

    async def _guard(self, job: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await job()
        except GoneError:
            self.end(None)
        except Exception as error:  # a job has nobody else to tell
            _log.error("live failed", error=type(error).__name__, frames=stack_of(error))
            self.end(envelope.INTERNAL)

    async def _watch_session(self) -> None:
        with self.viewer.listen() as signal:
            # Looked at at once, too: the session may have ended before anybody listened.
            while await self._is_signed_in():
                await signal.wait(0, self._settings.session_seconds)
        self.end(envelope.NO_SESSION)

    async def _is_signed_in(self) -> bool:
        try:
            return await self.viewer.is_signed_in()
        except SQLAlchemyError as error:
            # A database that is away for a moment signs nobody out.
            _log.warning("session not checked", error=type(error).__name__)
            return True
