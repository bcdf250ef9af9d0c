"""The Compose project as plain processes: for machines without a container engine.

Compose itself reads the project; from what it makes of it come the commands, variables, probes
and the order of starting. Only what a container would bring along is replaced: host names and
ports by addresses on loopback, mounted files by their sources, and the images of PostgreSQL
and Kafka by servers that run already. Whatever cannot be replaced so is a `DriftError`.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.support.guarded import ServerProcess, free_port
from tests.support.manifests import tool
from tests.support.system import until

ROOT: Final = Path(__file__).parents[2]
COMPOSE_FILE: Final = ROOT / "docker-compose.yml"
SECRETS: Final = {
    name: f"test-{name.lower().replace('_', '-')}-0123456789abcdef"
    for name in ("POSTGRES_PASSWORD", "GATEWAY_DB_PASSWORD", "LEDGER_DB_PASSWORD", "GRPC_TOKEN")
}
_PROGRAMS: Final = {"python": sys.executable, "bash": "bash"}
_ADDRESS: Final = re.compile(r"(?<![\w.-])([a-z0-9][a-z0-9.-]*):(\d+)(?![\w.-])")

Service = dict[str, Any]


class DriftError(AssertionError):
    """The project describes something that the code cannot be; the text says what and where."""


@dataclass(frozen=True)
class Stores:
    """The servers that run already: their addresses, and how an administrator signs in."""

    postgres: str
    kafka: str
    administrator: Mapping[str, str]

    @property
    def addresses(self) -> dict[str, str]:
        return {"postgres:5432": self.postgres, "kafka:9092": self.kafka}


def project(file: Path = COMPOSE_FILE) -> dict[str, Service]:
    """The services as Compose understands them, with secrets filled in.

    Raises:
        DriftError: Compose refuses the file.

    """
    names = {"PATH", "HOME"} & os.environ.keys()
    environment = {name: os.environ[name] for name in names} | SECRETS
    command = [tool("docker-compose"), "--file", str(file), "config", "--format", "json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise DriftError(done.stderr)
    services: dict[str, Service] = json.loads(done.stdout)["services"]
    return services


class Composed:
    """A project translated to this machine."""

    def __init__(self, services: dict[str, Service], stores: Stores) -> None:
        self.services = services
        self._stores = stores
        self._addresses = stores.addresses | {
            f"{name}:{port}": f"127.0.0.1:{free_port()}"
            for name, service in services.items()
            for port in _listened_ports(service)
        }
        given = {address.split(":")[0] for address in stores.addresses}
        self.own = [name for name in self.order() if name not in given]

    def order(self) -> list[str]:
        """Everything, after what it waits for."""
        done: list[str] = []
        while len(done) < len(self.services):
            ready = [
                name
                for name, service in self.services.items()
                if name not in done and (service.get("depends_on") or {}).keys() <= set(done)
            ]
            done += ready
        return done

    def is_job(self, name: str) -> bool:
        """Whether others wait for its end; else it is a server, and has a probe."""
        return any(
            (service.get("depends_on") or {}).get(name, {}).get("condition")
            == "service_completed_successfully"
            for service in self.services.values()
        )

    def address(self, name: str, port: int) -> str:
        """Where a port of a container is on this machine.

        Raises:
            DriftError: nothing in that container listens there.

        """
        try:
            return self._addresses[f"{name}:{port}"]
        except KeyError:
            raise DriftError(f"{name}:{port} is an address that nobody listens on") from None

    def command(self, name: str) -> list[str]:
        return self._run_here(name, self.services[name].get("command") or [])

    def probe(self, name: str) -> list[str]:
        """The command of the health check."""
        kind, *test = (self.services[name].get("healthcheck") or {}).get("test") or ["none"]
        if kind != "CMD":
            raise DriftError(f"{name} is probed by {kind}")
        return self._run_here(name, [self._here(name, word) for word in test])

    def environment(self, name: str) -> dict[str, str]:
        """Only what the description gives; nothing leaks in from this process."""
        given: dict[str, str] = self.services[name].get("environment") or {}
        here = {key: self._here(name, value) for key, value in given.items()}
        if {"HOST", "PORT"} <= given.keys():
            here["HOST"], here["PORT"] = self.address(name, int(given["PORT"])).split(":")
        if "PGHOST" in given:
            here |= self._signing_in(given["PGHOST"])
        return here | {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}

    def _signing_in(self, host: str) -> dict[str, str]:
        server, port = self.address(host, 5432).split(":")
        return {"PGHOST": server, "PGPORT": port, **self._stores.administrator}

    def _run_here(self, name: str, command: list[str]) -> list[str]:
        mounts = {
            volume["target"]: volume["source"]
            for volume in self.services[name].get("volumes") or []
        }
        if not command or command[0] not in _PROGRAMS:
            raise DriftError(f"{name} runs {command}, which this machine has not")
        return [_PROGRAMS[command[0]], *(mounts.get(word, word) for word in command[1:])]

    def _here(self, name: str, value: str) -> str:
        """A value with every address of a container replaced."""

        def replaced(match: re.Match[str]) -> str:
            host, port = match[1], int(match[2])
            return self.address(name if host in {"0.0.0.0", "127.0.0.1"} else host, port)  # noqa: S104

        return _ADDRESS.sub(replaced, value)

    def run(self, name: str, command: list[str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run a job, or another command in its place, to its end."""
        return subprocess.run(
            command or self.command(name),
            env=self.environment(name),
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )

    def is_healthy(self, name: str) -> bool:
        return self.run(name, self.probe(name)).returncode == 0


def _listened_ports(service: Service) -> set[int]:
    given: dict[str, str] = service.get("environment") or {}
    listening = [value for key, value in given.items() if key.endswith("_LISTEN")]
    if "HOST" in given:
        listening.append(f"{given['HOST']}:{given.get('PORT', 0)}")
    return {int(value.rpartition(":")[2]) for value in listening}


@contextmanager
def running(system: Composed, logs: Path) -> Iterator[Composed]:
    """Jobs run to their ends and servers up, in Compose's order; each stops by itself after."""
    with ExitStack() as stack:
        for name in system.own:
            if system.is_job(name):
                done = system.run(name)
                assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
                continue
            process = ServerProcess(
                system.command(name), logs / f"{name}.log", env=system.environment(name)
            )
            process.start()
            stack.callback(_stop_cleanly, name, process)
            until(partial(_up, system, name, process), f"{name} is healthy")
        yield system


def _up(system: Composed, name: str, process: ServerProcess) -> bool:
    assert process.running, f"{name} ended:\n{process.tail()}"
    return system.is_healthy(name)


def _stop_cleanly(name: str, server: ServerProcess) -> None:
    server.stop()
    assert server.process is not None
    assert server.process.returncode == 0, f"{name}:\n{server.tail()}"
