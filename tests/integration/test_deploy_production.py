"""The Compose project's own commands and variables, as processes on real stores.

There is no container engine here, so names of containers become loopback addresses; all else
is taken from docker-compose.yml as it stands: what runs, in which order, with which settings.
"""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yaml
from sqlalchemy.engine import URL, make_url

from services.common.healthcheck import grpc_problem, http_problem
from tests.support.guarded import ServerProcess, free_port
from tests.support.player import Player, careful
from tests.support.system import until

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "k8s/overlays/local/databases.sh"
JOBS = ("gateway-migrate", "ledger-migrate", "ledger-topics")
SERVICES = ("engine", "bot", "ledger", "gateway")
OWNERS = ("gateway", "ledger")


@dataclass(frozen=True)
class Production:
    """The project, translated to this machine."""

    services: dict[str, Any]
    addresses: dict[str, str]

    def command(self, name: str) -> list[str]:
        return [sys.executable, *self.services[name]["command"][1:]]

    def environment(self, name: str) -> dict[str, str]:
        """Only what the description gives; nothing leaks in from this process."""
        given: Mapping[str, str] = self.services[name].get("environment", {})
        base = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
        return base | {key: self._here(name, key, value) for key, value in given.items()}

    def _here(self, name: str, key: str, value: str) -> str:
        value = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)
        value = re.sub(r"\$\{\w+:\?[^}]*\}", "secret", value)
        if key in {"HOST", "PORT"}:
            host, port = self.addresses["gateway"].split(":")
            return host if key == "HOST" else port
        for container, address in self.addresses.items():
            value = re.sub(rf"(?<![\w/]){container}:\d+", address, value)
        return re.sub(r"0\.0\.0\.0:\d+", self.addresses.get(name, ""), value)

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(name),
            env=self.environment(name),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )


@contextmanager
def databases(server: URL) -> Iterator[None]:
    """The two databases, made as a deployment makes them."""
    forget_databases(server)
    environment = {
        **os.environ,
        "PGHOST": str(server.host),
        "PGPORT": str(server.port),
        "PGUSER": str(server.username),
        "PGPASSWORD": str(server.password or ""),
        "GATEWAY_DB_PASSWORD": "secret",
        "LEDGER_DB_PASSWORD": "secret",
    }
    subprocess.run(["bash", str(SCRIPT)], env=environment, check=True, capture_output=True)
    yield
    forget_databases(server)


def forget_databases(server: URL) -> None:
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for owner in OWNERS:
            connection.execute(sa.text(f"DROP DATABASE IF EXISTS {owner} WITH (FORCE)"))
            connection.execute(sa.text(f"DROP ROLE IF EXISTS {owner}"))
    engine.dispose()


@pytest.fixture(scope="module")
def production(
    postgres_server_url: str, kafka_bootstrap: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Production]:
    """Everything running, in the order in which Compose would start it."""
    server = make_url(postgres_server_url).set(drivername="postgresql+psycopg")
    addresses = {name: f"127.0.0.1:{free_port()}" for name in SERVICES}
    addresses |= {"postgres": f"{server.host}:{server.port}", "kafka": kafka_bootstrap}
    project = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    system = Production(project["services"], addresses)
    logs = tmp_path_factory.mktemp("logs")
    with databases(server), ExitStack() as running:
        for job in JOBS:
            done = system.run(job)
            assert done.returncode == 0, done.stderr
        for name in SERVICES:
            process = ServerProcess(
                system.command(name), logs / f"{name}.log", env=system.environment(name)
            )
            process.start()
            running.callback(stop_cleanly, process)
            until(partial(is_healthy, system, name), f"{name} is healthy")
        yield system


def stop_cleanly(server: ServerProcess) -> None:
    server.stop()
    assert server.process is not None
    assert server.process.returncode == 0, server.tail()


def is_healthy(system: Production, name: str) -> bool:
    """Probe as the container would."""
    target = system.services[name]["healthcheck"]["test"][-1]
    target = re.sub(r"127\.0\.0\.1:\d+", system.addresses[name], target)
    probe = http_problem if target.startswith("http://") else grpc_problem
    return probe(target) is None


def test_a_match_reaches_the_leaderboard_through_postgresql_and_kafka(
    production: Production,
) -> None:
    with Player(f"http://{production.addresses['gateway']}") as player:
        player.join("Ada")
        seat, rng = player.sit_down(), random.Random(7)
        seat.finish_hand(careful, rng)
        for _ in range(4):
            if seat.state["match"]["state"] == "between_hands":
                seat.next_hand()
                seat.finish_hand(careful, rng)
        summary = seat.settle()

        def standing() -> dict[str, Any]:
            return player.get("/v1/leaderboards/hu_river/me")

        until(lambda: standing()["row"] is not None, "the ledger knows the match")
        row = standing()["row"]
        assert (row["hands"], row["net_chips"]) == (summary["hands"], summary["net_chips"])


def test_every_chip_is_where_it_should_be(production: Production) -> None:
    audit = subprocess.run(
        [sys.executable, "-m", "services.ledger", "audit"],
        env=production.environment("ledger-migrate"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert audit.returncode == 0, audit.stdout + audit.stderr
    assert json.loads(audit.stdout.splitlines()[-1])


@pytest.mark.parametrize("job", JOBS)
def test_every_job_is_safe_to_repeat(production: Production, job: str) -> None:
    done = production.run(job)
    assert done.returncode == 0, done.stderr
