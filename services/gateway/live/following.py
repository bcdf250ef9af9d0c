"""Following a channel: first what there is, then what comes, each event once and in order.

The bell is hung up before anything is read, and every read starts behind the last event that
was told. So an event committed at any moment is either in the read or rings the bell for the
next one; nothing falls between a snapshot and what follows it.

Events are fetched page by page as they are taken: a slow reader costs one page of memory.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Final, TypeVar

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from services.common.eventlog.backoff import backoff_seconds
from services.common.logs import get_logger
from services.gateway.engine_client import EngineUnavailableError
from services.gateway.live import envelope
from services.gateway.live.channels import Channel
from services.gateway.live.hub import Wakeups
from services.gateway.store.feeds import TrimmedError

Json = dict[str, Any]
T = TypeVar("T")

PAGE_EVENTS: Final = 100

_AWAY: Final = (OperationalError, InterfaceError, PoolTimeoutError, EngineUnavailableError)

_log = get_logger(__name__)


async def follow(
    channel: Channel, wakeups: Wakeups, since: int | None, poll_seconds: float
) -> AsyncGenerator[Json]:
    """Yield the messages of a subscription, for ever.

    A snapshot comes first when ``since`` is None, and whenever the channel no longer has (or
    never had) what follows the last number. ``poll_seconds`` bounds the delay of lost hints.
    """
    with wakeups.listen(channel.topic) as signal:
        seq, in_sync = since, False
        while True:
            if seq is None:
                snapshot = await _patiently(channel.snapshot)
                seq = snapshot.seq
                yield envelope.snap(channel.name, seq, snapshot.data)
            page = await _patiently(_reading(channel, seq))
            if page is None:
                seq = None
                continue
            for event in page:
                yield envelope.ev(channel.name, event)
                seq = int(event["seq"])
            if len(page) == PAGE_EVENTS:
                continue
            if not in_sync:
                in_sync = True
                yield envelope.synced(channel.name, seq)
            await signal.wait(seq, poll_seconds)


def _reading(channel: Channel, after_seq: int) -> Callable[[], Awaitable[list[Json] | None]]:
    async def read() -> list[Json] | None:
        try:
            return await channel.events(after_seq, PAGE_EVENTS)
        except TrimmedError:
            return None

    return read


async def _patiently(read: Callable[[], Awaitable[T]]) -> T:
    """Read, however long the database or the engine is away."""
    failures = 0
    while True:
        try:
            return await read()
        except _AWAY as error:
            failures += 1
            _log.warning("live waits", error=type(error).__name__, failures=failures)
            await asyncio.sleep(backoff_seconds(failures))
