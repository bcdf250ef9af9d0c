"""Containers of the images that the Compose project names, where an engine is at hand."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import yaml

from tests.support.guarded import free_port

DEFAULT_ENGINE = "unix:///var/run/docker.sock"
COMPOSE_FILE: Final = Path(__file__).parents[2] / "docker-compose.yml"
KAFKA_PORT: Final = 9092
# Tests do not wait for members that may still come, nor long for those that are gone.
_IMPATIENT: Final = {
    "KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS": "0",
    "KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS": "1000",
}


def engine_listens() -> bool:
    """Tell whether a container engine accepts connections.

    Asked by hand: Docker's client leaves a socket open when there is none.
    """
    address = urlsplit(os.environ.get("DOCKER_HOST", DEFAULT_ENGINE))
    if address.scheme == "unix":
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(address.path) == 0
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex((address.hostname or "127.0.0.1", address.port or 2375)) == 0


def composed_service(name: str) -> dict[str, Any]:
    """A service as docker-compose.yml describes it."""
    service: dict[str, Any] = yaml.safe_load(COMPOSE_FILE.read_text())["services"][name]
    return service


@contextmanager
def kafka_container() -> Iterator[str]:
    """Compose's Kafka with Compose's settings; gives its address, where it may not answer yet.

    A broker tells its clients where it is, so its port here is chosen before it starts.
    """
    from testcontainers.core.container import DockerContainer

    service, port = composed_service("kafka"), free_port()
    advertised = {"KAFKA_ADVERTISED_LISTENERS": f"PLAINTEXT://127.0.0.1:{port}"}
    container = DockerContainer(service["image"])
    container.with_envs(**service["environment"] | advertised | _IMPATIENT)
    container.with_bind_ports(KAFKA_PORT, port)
    with container:
        yield f"127.0.0.1:{port}"


@contextmanager
def postgres_container() -> Iterator[str]:
    """Compose's PostgreSQL; gives the URL of a superuser's database."""
    from testcontainers.community.postgres import PostgresContainer

    with PostgresContainer(composed_service("postgres")["image"], driver="psycopg") as container:
        yield str(container.get_connection_url())
