"""Numbered tasks spread over processes; the results are the same as in one."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from typing import Any

Task = Callable[[int], Any]

_prepared: list[Task] = []


def spread(prepare: Callable[[], Task], count: int, processes: int) -> Iterator[Any]:
    """Do tasks 0..count-1 in this many processes (1: in this one); yields results in order.

    Each process calls ``prepare`` once for what does its tasks; it must be picklable.
    """
    if processes == 1:
        task = prepare()
        yield from map(task, range(count))
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _start, (prepare,)) as pool:
        yield from pool.imap(_do, range(count))


def _start(prepare: Callable[[], Task]) -> None:
    # Ctrl-C goes to the whole group; the parent ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _prepared.append(prepare())


def _do(number: int) -> Any:  # noqa: ANN401 - whatever the task returns
    return _prepared[0](number)
