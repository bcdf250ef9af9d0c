"""Tests that run in containers use the images and settings of the Compose project."""

from typing import Any, ClassVar, Self

import pytest
import yaml

from tests.support.containers import COMPOSE_FILE, kafka_container, postgres_container

SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE_FILE.read_text())["services"]


class Recorded:
    """Stands for a container: remembers what was asked for."""

    asked: ClassVar[list[Self]] = []

    def __init__(self, image: str, **options: str) -> None:
        self.image, self.options = image, options
        self.environment: dict[str, str] = {}
        self.ports: dict[int, int] = {}
        Recorded.asked.append(self)

    def with_envs(self, **environment: str) -> Self:
        self.environment |= environment
        return self

    def with_bind_ports(self, inside: int, outside: int) -> Self:
        self.ports[inside] = outside
        return self

    def get_connection_url(self) -> str:
        return "postgresql+psycopg://test:test@127.0.0.1:6000/test"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Recorded]:
    monkeypatch.setattr(Recorded, "asked", [])
    monkeypatch.setattr("testcontainers.core.container.DockerContainer", Recorded)
    monkeypatch.setattr("testcontainers.community.postgres.PostgresContainer", Recorded)
    return Recorded.asked


def test_kafka_runs_as_in_compose_at_the_address_that_it_tells() -> None:
    with kafka_container() as address:
        (container,) = Recorded.asked
        assert container.image == SERVICES["kafka"]["image"]
        assert address == f"127.0.0.1:{container.ports[9092]}"
        changed = dict(container.environment.items() - SERVICES["kafka"]["environment"].items())
        assert changed.pop("KAFKA_ADVERTISED_LISTENERS") == f"PLAINTEXT://{address}"
        assert all(name.startswith("KAFKA_GROUP_") for name in changed)
        assert SERVICES["kafka"]["environment"].keys() <= container.environment.keys()


def test_postgresql_runs_the_image_of_compose() -> None:
    with postgres_container() as url:
        (container,) = Recorded.asked
        assert container.image == SERVICES["postgres"]["image"]
        assert url.startswith("postgresql+psycopg://")
