"""River's first strategy, or a caller, behind the bot's real service and its pool of processes.

``python -m tests.support.quick_river VERSION`` serves like ``python -m services.bot``, but decides
in about a millisecond: what is measured or broken is then everything but River's thinking.
"""

import asyncio
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import grpc

from proto.bot.v1 import bot_pb2_grpc
from services.bot.baselines import Caller
from services.bot.config import BotSettings
from services.bot.pool import DecisionPool
from services.bot.service import SERVICE_NAME, BotServicer
from services.bot.strategy import Decision, Strategy, first_river
from services.common.codec import BotView
from services.common.grpc_server import ServerOptions, serve, stop_on_signals
from services.common.logs import configure_logging
from services.common.settings import load

VERSIONS = ("river-0.1", "caller")


@cache
def _strategy() -> Strategy:
    return first_river()


def decide(version: str, view: BotView, seed: int) -> Decision:
    """Decide in a worker process."""
    if version == "caller":
        return Decision(Caller().act(view, seed), "caller", "caller")
    return _strategy().decide(view, seed)


def start() -> None:
    """Prepare a worker process: its end, its signals, its tables."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    _strategy()


def _follow(sentinel: int) -> None:
    """End this process when its parent's does, even by SIGKILL."""
    multiprocessing.connection.wait([sentinel])
    os._exit(0)


class QuickPool(DecisionPool):
    """The bot's own pool with another strategy in its processes."""

    def __init__(self, workers: int, version: str) -> None:
        self._version = version
        super().__init__(workers)

    async def _submit(self, executor: ProcessPoolExecutor, view: BotView, seed: int) -> Decision:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(executor, decide, self._version, view, seed)

    def _new_executor(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, mp_context=context, initializer=start)


async def _serve(settings: BotSettings, version: str) -> None:
    stop = stop_on_signals()
    pool = QuickPool(settings.bot_workers, version)
    try:
        await pool.start()

        def register(server: grpc.aio.Server) -> None:
            bot_pb2_grpc.add_BotServiceServicer_to_server(BotServicer(pool), server)

        await serve(register, (SERVICE_NAME,), ServerOptions(settings.bot_listen), stop=stop)
    finally:
        pool.close()


def main() -> None:
    """Serve until SIGTERM."""
    (version,) = sys.argv[1:]
    assert version in VERSIONS, version
    settings = load(BotSettings)
    configure_logging("bot", settings.log_level)
    asyncio.run(_serve(settings, version))


if __name__ == "__main__":
    main()
