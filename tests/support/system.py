"""The whole system as ``make play`` runs it, for tests that go through the front door."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from services.local import free_ports
from tests.support.guarded import guarded

REPO = Path(__file__).resolve().parents[2]
READY_SECONDS = 90.0


@dataclass
class System:
    """A running Riverboat in ``home``, reachable at ``base_url``."""

    home: Path
    port: int = field(default_factory=lambda: free_ports(1)[0])
    extra_env: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start and return once it says that it is ready."""
        env = {
            **os.environ,
            "PORT": str(self.port),
            "RIVERBOAT_HOME": str(self.home),
            **self.extra_env,
        }
        self.process = subprocess.Popen(
            [*guarded(signal.SIGTERM), sys.executable, "-m", "services.local"],
            cwd=REPO,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        seen = []
        for line in self.process.stdout:
            seen.append(line)
            if f"is ready: http://localhost:{self.port}" in line:
                return
        raise AssertionError(f"the system did not start:\n{''.join(seen)}\n{self.logs()[-4000:]}")

    def stop(self, signum: int = signal.SIGTERM) -> int:
        """Stop as a person or an operator would; return the exit code."""
        assert self.process is not None
        with self.process as process:
            process.send_signal(signum)
            process.communicate(timeout=60)
            return process.returncode

    def pid_of(self, service: str) -> int:
        return int((self.home / "logs" / f"{service}.pid").read_text())

    def kill(self, service: str) -> None:
        """``kill -9`` one service and wait until all are healthy again."""
        before = self.pid_of(service)

        os.kill(before, signal.SIGKILL)
        until(lambda: self.pid_of(service) != before, f"{service} is started again")
        self.wait_ready()

    def wait_ready(self) -> None:
        def ready() -> bool:
            with contextlib.suppress(httpx.TransportError):
                return httpx.get(f"{self.base_url}/readyz", trust_env=False).status_code == 200
            return False

        until(ready, "every service is healthy")

    def logs(self) -> str:
        """Everything that the services have logged."""
        files = sorted((self.home / "logs").glob("*.log*"))
        return "".join(file.read_text() for file in files)

    def ledger_audit(self) -> subprocess.CompletedProcess[str]:
        """Run the audit against this system's ledger."""
        url = f"sqlite:///{self.home / 'ledger.sqlite3'}"
        return subprocess.run(
            [sys.executable, "-m", "services.ledger", "audit"],
            cwd=REPO,
            env={**os.environ, "DATABASE_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )


def until(condition: Callable[[], bool], what: str, seconds: float = READY_SECONDS) -> None:
    """Poll until the condition holds; fail with its name when it never does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.05)


@contextlib.contextmanager
def running_system(home: Path, **extra_env: str) -> Iterator[System]:
    """Start the system, hand it over, and stop it whatever happens."""
    system = System(home, extra_env=extra_env)
    system.start()
    try:
        yield system
    finally:
        if system.process is not None and system.process.poll() is None:
            assert system.stop() == 0
