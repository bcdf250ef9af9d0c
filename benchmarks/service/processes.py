"""Servers under measurement, each in a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.subjects import COMPILED, ROOT

_READY_SECONDS: Final = 60
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Server:
    """A running server at a loopback address."""

    address: str
    pid: int

    def cpu_seconds(self) -> float:
        """Return the CPU time that it and its workers have used."""
        return sum(_cpu_seconds(pid) for pid in self._pids())

    def resident_bytes(self) -> int:
        """Return the memory that it and its workers hold."""
        pages = (int(_read(pid, "statm").split()[1]) for pid in self._pids())
        return sum(pages) * _PAGE_BYTES

    def _pids(self) -> list[int]:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text("ascii")
        return [self.pid, *map(int, children.split())]


@contextmanager
def echo(answer: bytes, kind: str) -> Iterator[Server]:
    """Run an echo of some kind (`benchmarks.service.echo`)."""
    address = f"127.0.0.1:{free_port()}"
    module = ["benchmarks.service.echo", address, answer.hex(), kind]
    with _running(module, address, {}) as server:
        yield server


@contextmanager
def engine(*, workers: int = 1, compiled: bool = False) -> Iterator[Server]:
    """Run the engine service as it is deployed."""
    address = f"127.0.0.1:{free_port()}"
    settings = {"ENGINE_LISTEN": address, "ENGINE_WORKERS": str(workers)}
    if compiled:
        settings["PYTHONPATH"] = f"{COMPILED}{os.pathsep}{ROOT}"
    with _running(["services.engine"], address, settings) as server:
        yield server


def free_port() -> int:
    """Return a port of this machine that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def _running(module: Sequence[str], address: str, settings: dict[str, str]) -> Iterator[Server]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", *module],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **settings},
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_listening(process, address)
        yield Server(address, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def _wait_until_listening(process: subprocess.Popen[bytes], address: str) -> None:
    host, port = address.rsplit(":", 1)
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection((host, int(port))).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nothing listens on {address}")


def _cpu_seconds(pid: int) -> float:
    # User and system time are fields 14 and 15; the command's name may hold spaces.
    fields = _read(pid, "stat").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _read(pid: int, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text("utf-8")
