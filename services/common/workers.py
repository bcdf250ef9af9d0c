"""Several processes of one service on one machine, sharing its port."""

import asyncio
import multiprocessing
import multiprocessing.connection
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from services.common.logs import get_logger
from services.common.settings import split_address

T = TypeVar("T")

_log = get_logger(__name__)


def run_workers(work: Callable[[T], None], argument: T, count: int) -> int:
    """Run ``work(argument)`` in ``count`` fresh processes until one ends or a signal comes.

    ``work`` is a module-level function that serves until SIGTERM. Returns the exit status:
    0 after SIGTERM or SIGINT, 1 when a worker ended by itself; either way all have ended.
    """
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=work, args=(argument,)) for _ in range(count)]
    asked: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        for worker in workers:
            if worker.is_alive():
                worker.terminate()

    for worker in workers:
        worker.start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    multiprocessing.connection.wait([worker.sentinel for worker in workers])
    ended_by_itself = not asked
    if ended_by_itself:
        _log.error("a worker ended", exit_codes=[worker.exitcode for worker in workers])
        stop(signal.SIGTERM, None)
    for worker in workers:
        worker.join()
    return int(ended_by_itself)


def stop_with_parent(stop: asyncio.Event) -> None:
    """In a worker: set ``stop`` when the parent process is gone, so that none is orphaned."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    loop = asyncio.get_running_loop()
    sentinel = parent.sentinel

    def parent_is_gone() -> None:
        loop.remove_reader(sentinel)
        stop.set()

    loop.add_reader(sentinel, parent_is_gone)


def check_port_is_free(address: str) -> None:
    """Raise OSError when another process listens on ``host:port``.

    Workers share their port, so without this check a second service would join the first.
    """
    host, port = split_address(address)
    for family, kind, protocol, _, target in socket.getaddrinfo(
        host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    ):
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(target)
