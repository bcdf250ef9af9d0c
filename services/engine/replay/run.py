"""A whole run: reads the files, replays hand after hand, counts, reports what differs."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Final

from proto.engine.v1 import engine_pb2_grpc
from services.common.channels import open_channel
from services.common.credentials import OPEN, CallSecurity
from services.engine.replay.expectations import check_scenario
from services.engine.replay.hands import check_hand
from services.engine.replay.reading import read_records
from services.engine.replay.records import HandRecord
from services.engine.replay.scenarios import Scenario
from services.engine.replay.tables import (
    EngineUnavailableError,
    LocalTable,
    OpenTable,
    RemoteTable,
)
from services.engine.replay.tally import Tally

CONNECTIONS: Final = 4
HANDS_IN_FLIGHT: Final = 16
CONNECT_SECONDS: Final = 10.0
CALL_SECONDS: Final = 30.0

Report = Callable[[str], object]
OnBytes = Callable[[int], object]
Job = tuple[HandRecord | Scenario, OpenTable]


async def run(
    files: list[Path],
    scenarios: list[Path],
    target: str | None,
    *,
    report: Report,
    on_bytes: OnBytes,
    security: CallSecurity = OPEN,
) -> Tally:
    """Replay everything and return the counts; ``report`` gets one line a difference.

    Without ``target`` the library plays, else the engine at ``HOST:PORT``, to which we prove
    ourselves by ``security``. Raises UnreadableError at the first input that cannot be read,
    EngineUnavailableError when the engine does not answer, CredentialsError.
    """
    records = _records(files, scenarios, on_bytes)
    tally = Tally()
    async with AsyncExitStack() as stack:
        if target is None:
            await _work(((record, LocalTable.open) for record in records), tally, report)
            return tally
        tables = cycle([await _connect(stack, target, security) for _ in range(CONNECTIONS)])
        jobs = ((record, next(tables)) for record in records)
        await _all([_work(jobs, tally, report) for _ in range(HANDS_IN_FLIGHT)])
    return tally


def _records(
    files: list[Path], scenarios: list[Path], on_bytes: OnBytes
) -> Iterator[HandRecord | Scenario]:
    for path in files:
        yield from read_records(path, HandRecord, on_bytes)
    for path in scenarios:
        yield from read_records(path, Scenario, on_bytes)


async def _connect(stack: AsyncExitStack, target: str, security: CallSecurity) -> OpenTable:
    channel = open_channel(target, deadline_seconds=CALL_SECONDS, security=security)
    await stack.enter_async_context(channel)
    try:
        await asyncio.wait_for(channel.channel_ready(), CONNECT_SECONDS)
    except TimeoutError:
        raise EngineUnavailableError(f"no engine at {target}") from None
    return partial(RemoteTable.open, engine_pb2_grpc.EngineServiceStub(channel))


async def _all(workers: list[Awaitable[None]]) -> None:
    """Run workers together; the first failure ends the others and is raised."""
    tasks = [asyncio.ensure_future(worker) for worker in workers]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _work(jobs: Iterator[Job], tally: Tally, report: Report) -> None:
    """Take hands from the shared iterator until there are none left."""
    for record, open_table in jobs:
        reason = record.skip_reason
        if reason is not None:
            tally.skipped[reason] += 1
            continue
        if isinstance(record, HandRecord):
            problems = await check_hand(open_table, record)
        else:
            problems = await check_scenario(open_table, record)
        tally.replayed += 1
        tally.mismatches += bool(problems)
        for problem in problems:
            report(f"{record.id}: {problem}")
