"""Gateways that are served for real, in a thread or in a process of their own, to be watched.

The rules run in the gateway and River is scripted, so nothing else has to be started.
"""

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import grpc
import httpx
from fastapi import FastAPI

from services.common.database import migrate, open_engine
from services.gateway.app import MIGRATIONS, http_server
from services.gateway.gateway import Gateway, assemble
from services.gateway.http_app import create_app
from services.gateway.ledger_client import LedgerClient
from services.gateway.lifecycle import Lifecycle
from services.gateway.live.settings import LiveSettings
from services.gateway.ratelimit import RateLimiter
from services.local import free_ports
from tests.support.gateways import Clock, LocalEngine, ScriptedRiver, StackedDealer, whimsical
from tests.support.guarded import guarded
from tests.support.system import until

REPO = Path(__file__).resolve().parents[2]
JOIN_SECONDS = 30.0

CALM = LiveSettings(
    limits_on=False, silence_seconds=1_000.0, session_seconds=1_000.0, poll_seconds=1_000.0
)
"""Nothing happens by the clock: however slow the machine, what is told was told by a hint."""

T = TypeVar("T")


@dataclass
class Served:
    """A gateway in a thread; its parts can be reached into."""

    url: str
    live: LiveSettings = CALM
    clock: Clock = field(default_factory=Clock)
    engine: LocalEngine = field(default_factory=LocalEngine)
    river: ScriptedRiver = field(default_factory=ScriptedRiver)
    dealer: StackedDealer = field(default_factory=StackedDealer)
    port: int = field(default_factory=lambda: free_ports(1)[0])
    web_root: Path = Path("/nonexistent")
    lifecycle: Lifecycle = field(default_factory=Lifecycle)

    def __post_init__(self) -> None:
        self.sql_engine = open_engine(self.url)
        migrate(self.sql_engine, MIGRATIONS)
        self.app: FastAPI
        self.gateway: Gateway
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._ready = threading.Event()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/v1/ws"

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(JOIN_SECONDS)
        until(lambda: self._server.started or not self._thread.is_alive(), "the gateway serves")
        assert self._thread.is_alive()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something on the gateway's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(JOIN_SECONDS)

    def stop(self) -> None:
        """Stop as SIGTERM does: drain, then close."""
        if self._thread.is_alive():
            self.run(self.gateway.live.drain())
            self._server.should_exit = True
            self._thread.join(JOIN_SECONDS)
        assert not self._thread.is_alive()
        self.sql_engine.dispose()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        channel = grpc.aio.insecure_channel("127.0.0.1:1")
        self.gateway = assemble(
            self.sql_engine,
            engine=self.engine,
            river=self.river,
            ledger=LedgerClient(channel, deadline_seconds=0.2),
            dealer=self.dealer,
            clock=self.clock,
            limiter=RateLimiter(enabled=False),
            live=self.live,
            lifecycle=self.lifecycle,
            web_root=self.web_root,
        )
        self.app = create_app(self.gateway)
        self._server = http_server(self.app, "127.0.0.1", self.port)
        self._ready.set()
        try:
            await self._server.serve()
        finally:
            await channel.close()


@contextlib.contextmanager
def served(url: str, **parts: Any) -> Iterator[Served]:  # noqa: ANN401
    """Run a gateway in a thread."""
    gateway = Served(url, **parts)
    gateway.start()
    try:
        yield gateway
    finally:
        gateway.stop()


@dataclass
class ServedProcess:
    """A gateway in a process of its own."""

    base_url: str
    process: subprocess.Popen[bytes]

    @property
    def ws_url(self) -> str:
        return f"{self.base_url.replace('http', 'ws', 1)}/v1/ws"

    def kill(self) -> None:
        """End at once (kill -9)."""
        self.process.kill()
        self.process.wait(JOIN_SECONDS)


@contextlib.contextmanager
def served_process(url: str, port: int) -> Iterator[ServedProcess]:
    """Run a gateway in a process of its own."""
    command = [*guarded(signal.SIGTERM), sys.executable, "-m", __name__, url, str(port)]
    base_url = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, cwd=REPO, env=dict(os.environ)) as process:
        try:
            until(lambda: process.poll() is not None or answers(base_url), "the gateway serves")
            assert process.poll() is None
            yield ServedProcess(base_url, process)
        finally:
            process.terminate()
            process.wait(JOIN_SECONDS)


def answers(base_url: str) -> bool:
    try:
        return httpx.get(f"{base_url}/healthz", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def main() -> None:
    """Serve one gateway until SIGTERM."""
    url, port = sys.argv[1], int(sys.argv[2])
    rng = random.Random(port)
    river = ScriptedRiver(whimsical(rng.randrange(1_000)))
    with served(url, port=port, river=river):
        signal.sigwait({signal.SIGTERM})


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    main()
