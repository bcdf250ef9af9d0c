"""Ties a child process to its parent's life."""

import ctypes
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent dies (Linux; elsewhere no-op).

    Called in the child between fork and exec, so that a parent killed with -9 leaves no
    orphan behind holding ports and database files.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
