"""Real servers for the tests that need them, started once and only when asked for."""

import logging
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
import structlog
from sqlalchemy.engine import Engine

if TYPE_CHECKING:
    from tests.support.kafka import KafkaServer
    from tests.support.postgres import PostgresServer

Server = TypeVar("Server")

MARK_OF_FIXTURE = {
    "kafka_bootstrap": "kafka",
    "kafka_topic": "kafka",
    "kafka_process": "kafka",
    "postgres_url": "postgres",
    "postgres_server_url": "postgres",
    "postgres_process": "postgres",
}


def pytest_configure(config: pytest.Config) -> None:
    """Let kafka-python be imported: it reads its schemas by a function deprecated in 3.11."""
    config.addinivalue_line(
        "filterwarnings", "ignore:(read|open)_text is deprecated:DeprecationWarning"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by the servers they use, so that ``-m "not kafka"`` means what it says."""
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in MARK_OF_FIXTURE:
                item.add_marker(MARK_OF_FIXTURE[fixture])


@pytest.fixture(autouse=True)
def _logging_as_found() -> Iterator[None]:
    """Fail what configures logs and leaves them so: loggers used meanwhile would keep it."""
    yield
    assert not structlog.get_config()["cache_logger_on_first_use"]


@pytest.fixture
def restored_logging() -> Iterator[None]:
    """Leave the process's logging as it was: configuring is for ``__main__`` only."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level, logging.getLogger("grpc").level)
    yield
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    logging.getLogger("grpc").setLevel(before[2])
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


@pytest.fixture(scope="session")
def kafka_bootstrap() -> Iterator[str]:
    """Address of a real Apache Kafka broker, shared by the session."""
    from tests.support.kafka import kafka_bootstrap_servers

    yield from _real(kafka_bootstrap_servers())


@pytest.fixture
def kafka_topic(kafka_bootstrap: str) -> Iterator[str]:
    """Name of an empty topic of the test's own, with three partitions."""
    from tests.support.kafka import fresh_topic

    with fresh_topic(kafka_bootstrap, partitions=3) as topic:
        yield topic


@pytest.fixture
def kafka_process() -> Iterator["KafkaServer"]:
    """Run a broker of the test's own, to be killed and started again."""
    from tests.support.kafka import kafka_server

    yield from _real(kafka_server())


@pytest.fixture(scope="session")
def postgres_server_url() -> Iterator[str]:
    """URL of a real PostgreSQL server, shared by the session."""
    from tests.support.postgres import postgres_server_url as server

    yield from _real(server())


@pytest.fixture
def postgres_url(postgres_server_url: str) -> Iterator[str]:
    """URL of an empty PostgreSQL database of the test's own."""
    from tests.support.postgres import fresh_database

    with fresh_database(postgres_server_url) as url:
        yield url


@pytest.fixture
def postgres_process() -> Iterator["PostgresServer"]:
    """Run a PostgreSQL server of the test's own, to be killed and started again."""
    from tests.support.postgres import postgres_server

    yield from _real(postgres_server())


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/database.sqlite3"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def ledger(database_url: str) -> Iterator[Engine]:
    """Open an empty ledger, once on SQLite and once on PostgreSQL."""
    from services.common.database import open_engine
    from services.ledger.store import upgrade

    engine = open_engine(database_url)
    upgrade(engine)
    yield engine
    engine.dispose()


def _real(server: AbstractContextManager[Server]) -> Iterator[Server]:
    """Give the server, or skip with the reason; in CI a missing server is a failure."""
    from tests.support.kafka import UnavailableError

    with ExitStack() as stack:
        try:
            running = stack.enter_context(server)
        except UnavailableError as error:
            if os.environ.get("CI") == "true":
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield running
