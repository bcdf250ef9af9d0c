"""All four services as real processes on this machine: what ``make play`` runs.

They talk gRPC over loopback, keep SQLite files in ``RIVERBOAT_HOME`` (default
``.riverboat``) and need no broker. The web page is served on ``PORT`` (default 8000). A
service that dies is started again; SIGTERM and Ctrl-C stop all of them in order.
"""

import asyncio
import contextlib
import fcntl
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import httpx

from services.common.processes import die_with_parent

STOP_SECONDS: Final = 15.0
START_SECONDS: Final = 180.0
"""River compiles its inner loops at its first start: 20 seconds of work for one core."""
MAX_QUICK_DEATHS: Final = 5
QUICK_SECONDS: Final = 10.0
PAUSE_SECONDS_MAX: Final = 10.0
LOG_BYTES_MAX: Final = 5_000_000
PRODUCTION_ONLY: Final = {"KAFKA_BOOTSTRAP_SERVERS", "DATABASE_URL"}


class StartError(Exception):
    """The system cannot start; the message says what a person can do about it."""


@dataclass(frozen=True)
class Service:
    """A service to run as ``python -m module`` with these settings in its environment."""

    name: str
    settings: Mapping[str, str]

    @property
    def module(self) -> str:
        """The module that runs the service."""
        return f"services.{self.name}"


@dataclass
class Supervisor:
    """Keeps services running until it is told to stop."""

    services: list[Service]
    log_dir: Path
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    ready: asyncio.Event = field(default_factory=asyncio.Event)

    async def keep(self, service: Service) -> None:
        """Run a service, again after every death.

        Raises StartError when it keeps dying before the system was ever ready. Later it is
        tried for ever: the others can go on without it, and whatever ails it may pass.
        """
        loop = asyncio.get_running_loop()
        quick_deaths = 0
        while not self.stopping.is_set():
            started = loop.time()
            code = await self._run_once(service)
            if self.stopping.is_set():
                return
            quick_deaths = quick_deaths + 1 if loop.time() - started < QUICK_SECONDS else 1
            if quick_deaths > MAX_QUICK_DEATHS and not self.ready.is_set():
                raise StartError(
                    f"{service.name} keeps dying (exit {code}); see {self._log_path(service)}"
                )
            say(f"{service.name} stopped (exit {code}), starting it again")
            await self._pause(min(0.1 * 2 ** (quick_deaths - 1), PAUSE_SECONDS_MAX))

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.stopping.wait(), seconds)

    async def _run_once(self, service: Service) -> int:
        with self._open_log(service) as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                service.module,
                env=environment(service.settings),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        # Who reads it finds a whole number, at any moment.
        fresh = self.log_dir / f"{service.name}.pid.new"
        fresh.write_text(str(process.pid))
        fresh.replace(self.log_dir / f"{service.name}.pid")
        ended = asyncio.create_task(process.wait())
        stop = asyncio.create_task(self.stopping.wait())
        await asyncio.wait({ended, stop}, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if not ended.done():
            process.terminate()
            try:
                await asyncio.wait_for(asyncio.shield(ended), STOP_SECONDS)
            except TimeoutError:
                say(f"{service.name} did not stop in {STOP_SECONDS:.0f} s, killing it")
                process.kill()
        return await ended

    def _log_path(self, service: Service) -> Path:
        return self.log_dir / f"{service.name}.log"

    def _open_log(self, service: Service) -> IO[bytes]:
        path = self._log_path(service)
        if path.exists() and path.stat().st_size > LOG_BYTES_MAX:
            path.replace(path.with_suffix(".log.1"))
        return path.open("ab")


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return this process's environment with the service's settings; never a broker."""
    inherited = {name: value for name, value in os.environ.items() if name not in PRODUCTION_ONLY}
    return {**inherited, **settings}


def say(line: str) -> None:
    """Tell the person at the terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def free_ports(count: int) -> list[int]:
    """Return distinct loopback ports that nobody listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for held in sockets:
            held.bind(("127.0.0.1", 0))
        return [int(held.getsockname()[1]) for held in sockets]


def plan(home: Path, host: str, port: int) -> list[Service]:
    """Return the four services, wired to one another, callees first."""
    engine, bot, ledger = (f"127.0.0.1:{free}" for free in free_ports(3))
    tables = f"sqlite:///{home / 'tables.sqlite3'}"
    chips = f"sqlite:///{home / 'ledger.sqlite3'}"
    gateway = {
        "HOST": host,
        "PORT": str(port),
        "DATABASE_URL": tables,
        "ENGINE_TARGET": engine,
        "BOT_TARGET": bot,
        "LEDGER_TARGET": ledger,
    }
    ledger_settings = {
        "LEDGER_LISTEN": ledger,
        "DATABASE_URL": chips,
        "OUTBOX_DATABASE_URL": tables,
    }
    return [
        Service("engine", {"ENGINE_LISTEN": engine}),
        Service("bot", {"BOT_LISTEN": bot}),
        Service("gateway", gateway),
        Service("ledger", ledger_settings),
    ]


@contextlib.contextmanager
def only_one(home: Path) -> Iterator[None]:
    """Hold the home directory; raises StartError when another Riverboat has it."""
    with (home / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartError(f"another Riverboat is running in {home}") from None
        yield


def parse_port(text: str) -> int:
    """Read a port, 1..65535; raises StartError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65_535):
        raise StartError(f"PORT must be a number from 1 to 65535, not {text!r}")
    return int(text)


def check_port(host: str, port: int) -> None:
    """Raise StartError when the web port cannot be had."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise StartError(
                f"port {port} on {host} cannot be used ({error.strerror}); "
                f"choose another with PORT={port + 1} make play"
            ) from None


async def wait_ready(base_url: str) -> None:
    """Return once the gateway and everything behind it answers; StartError when late."""
    loop = asyncio.get_running_loop()
    give_up = loop.time() + START_SECONDS
    async with httpx.AsyncClient(trust_env=False, timeout=5.0) as client:
        while loop.time() < give_up:
            with contextlib.suppress(httpx.TransportError):
                if (await client.get(f"{base_url}/readyz")).status_code == 200:
                    return
            await asyncio.sleep(0.1)
    raise StartError(f"the services are not healthy after {START_SECONDS:.0f} s")


async def announce(base_url: str, home: Path, ready: asyncio.Event) -> None:
    """Print the address when all services are healthy."""
    await wait_ready(base_url)
    ready.set()
    say(f"\n  Riverboat is ready: {base_url}\n  Games and logs: {home}   Stop: Ctrl-C\n")


async def run(home: Path, host: str, port: int) -> None:
    """Run everything until SIGINT or SIGTERM; raises StartError when it cannot."""
    log_dir = home / "logs"
    log_dir.mkdir(parents=True, exist_ok=True)
    with only_one(home):
        check_port(host, port)
        supervisor = Supervisor(plan(home, host, port), log_dir)
        loop = asyncio.get_running_loop()
        for signum in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signum, supervisor.stopping.set)
        # One name for this machine everywhere: cookies, and so seats, belong to a name.
        browser_host = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::"} else host  # noqa: S104
        base_url = f"http://{browser_host}:{port}"
        announcing = asyncio.create_task(announce(base_url, home, supervisor.ready))
        keeping = [asyncio.create_task(supervisor.keep(one)) for one in supervisor.services]
        stop = asyncio.create_task(supervisor.stopping.wait())
        try:
            await first_failure({announcing, *keeping}, stop)
        finally:
            supervisor.stopping.set()
            announcing.cancel()
            await asyncio.gather(announcing, *keeping, stop, return_exceptions=True)


async def first_failure(tasks: set[asyncio.Task[None]], stop: asyncio.Task[bool]) -> None:
    """Wait for ``stop``; raise as soon as one of the tasks fails."""
    pending: set[asyncio.Task[None] | asyncio.Task[bool]] = {*tasks, stop}
    while not stop.done():
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()


def main() -> int:
    """Read the environment and run; the exit code is 0 after a requested stop."""
    home = Path(os.environ.get("RIVERBOAT_HOME") or ".riverboat").resolve()
    try:
        port = parse_port(os.environ.get("PORT") or "8000")
        asyncio.run(run(home, os.environ.get("HOST") or "127.0.0.1", port))
    except StartError as error:
        say(f"Riverboat cannot run: {error}")
        return 1
    say("Riverboat has stopped; your match waits where you left it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
