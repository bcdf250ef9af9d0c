"""What Linux tells about a process and its children."""

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def members(pid: int) -> list[int]:
    """Return a process and all below it that are alive."""
    found = [pid]
    for parent in found:
        found += _children(parent)
    return found


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and all below it, those that have ended included."""
    return sum(map(_cpu_seconds, members(pid)))


def memory_bytes(pid: int) -> int:
    """Return the memory of a process and all below it; what they share is counted once."""
    return sum(map(_memory_bytes, members(pid)))


def machine_busy_seconds() -> float:
    """Return the time that the machine's processors have worked, for anybody."""
    fields = list(map(int, Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:9]))
    idle = fields[3] + fields[4]
    return (sum(fields) - idle) / _TICKS


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in _listed(Path(f"/proc/{pid}/task")):
        found += map(int, _read(task / "children").split())
    return found


def _cpu_seconds(pid: int) -> float:
    # User and system time are fields 14 and 15, those of ended children 16 and 17; the
    # command's name may hold spaces.
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS if fields else 0.0


def _memory_bytes(pid: int) -> int:
    for line in _read(Path(f"/proc/{pid}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    fields = _read(Path(f"/proc/{pid}/statm")).split()
    return int(fields[1]) * _PAGE_BYTES if fields else 0


def _listed(path: Path) -> list[Path]:
    try:
        return list(path.iterdir())
    except OSError:  # it has ended
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:  # it has ended
        return ""
