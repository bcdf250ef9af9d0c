"""Long measurements on a terminal: progress, and an early end that keeps what there is."""

import signal
import sys
from collections.abc import Iterable
from types import FrameType
from typing import Final, TypeVar

from tqdm import tqdm

EXIT_INTERRUPTED: Final = 130

T = TypeVar("T")


def collect(results: Iterable[T], total: int, unit: str) -> tuple[list[T], bool]:
    """Return the results, or after Ctrl-C or SIGTERM those so far and True.

    Progress is shown on stderr when that is a terminal.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    found: list[T] = []
    try:
        with tqdm(total=total, unit=unit, disable=not sys.stderr.isatty()) as progress:
            for result in results:
                found.append(result)
                progress.update()
    except KeyboardInterrupt:
        return found, True
    return found, False


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
