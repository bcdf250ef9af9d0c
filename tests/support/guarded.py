"""Server processes that never outlive the tests that started them.

Run as a script, it becomes another program after asking the kernel to end it together with
its parent: ``guarded.py PARENT_PID SIGNAL USER COMMAND...``, USER empty for the current one.
"""

import contextlib
import ctypes
import os
import pwd
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1


def guarded(orphan_signal: signal.Signals, user: str | None = None) -> list[str]:
    """Return what to put before a command so that it gets the signal when this process dies."""
    own = [sys.executable, "-I", "-S", __file__, str(os.getpid())]
    return [*own, str(int(orphan_signal)), user or ""]


class ServerProcess:
    """A server that can be started, stopped, killed and started again.

    Args:
        command: program and arguments.
        log: file that collects its output.
        user: user to run as, or None for the current one.
        stop_signal: asks for an orderly stop.
        orphan_signal: sent by the kernel when the test process dies in whatever way.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        *,
        user: str | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
        orphan_signal: signal.Signals = signal.SIGKILL,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.command = list(command)
        self.log = log
        self.user = user
        self.stop_signal = stop_signal
        self.orphan_signal = orphan_signal
        self.env = dict(env or os.environ)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        """Whether the server is alive now."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start the server; it may not be ready yet."""
        assert not self.running
        guard = guarded(self.orphan_signal, self.user)
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                guard + self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self.env,
                cwd="/",
            )

    def stop(self, timeout_seconds: float = 30.0) -> None:
        """Stop in an orderly way; by force when it takes too long."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(timeout_seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the server at once, as a power cut would (kill -9)."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def tail(self, chars: int = 3000) -> str:
        """Return the end of its output."""
        return self.log.read_text(errors="replace")[-chars:] if self.log.exists() else ""


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _become(parent: int, orphan_signal: int, user: str, command: list[str]) -> None:
    if user:
        entry = pwd.getpwnam(user)
        os.initgroups(user, entry.pw_gid)
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)
    # Elsewhere than on Linux the session fixture and its finalizer are all there is.
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, orphan_signal)  # a new user would reset it
        if os.getppid() != parent:  # it died before we asked
            sys.exit(1)
    os.execvp(command[0], command)  # noqa: S606 - becoming a program is the point


if __name__ == "__main__":
    _become(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
