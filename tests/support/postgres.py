"""A real PostgreSQL server for tests.

In this order: the server of TEST_POSTGRES_URL, PostgreSQL's own programs on this machine, a
container. `UnavailableError` says what was tried.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from tests.support.containers import engine_listens, postgres_container
from tests.support.guarded import ServerProcess, free_port
from tests.support.kafka import UnavailableError

READY_SECONDS = 30.0
ROOT_STAND_IN = "postgres"
"""PostgreSQL refuses to run as root; its package brings this user along."""


class PostgresServer:
    """One PostgreSQL server that keeps what it acknowledges, with a directory of its own."""

    def __init__(self, home: Path) -> None:
        binaries = _binaries()
        self.port = free_port()
        self.url = f"postgresql://riverboat@127.0.0.1:{self.port}/postgres"
        user = ROOT_STAND_IN if os.geteuid() == 0 else None
        data, sockets = home / "data", home / "sockets"
        sockets.mkdir()
        if user:
            owner = pwd.getpwnam(user)
            for path in (home, sockets):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        options = ["-A", "trust", "-U", "riverboat", "-E", "UTF8", "--no-locale"]
        done = subprocess.run(
            [binaries / "initdb", "-D", data, *options],
            user=user,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise UnavailableError(f"initdb failed: {done.stderr}")
        listen = ["-h", "127.0.0.1", "-p", str(self.port), "-k", str(sockets)]
        self.server = ServerProcess(
            [str(binaries / "postgres"), "-D", str(data), *listen],
            home / "postgres.log",
            user=user,
            stop_signal=signal.SIGINT,  # SIGTERM would wait for clients
            orphan_signal=signal.SIGQUIT,
        )

    def start(self) -> None:
        """Start, again if need be, and return when queries are answered."""
        self.server.start()
        deadline = time.monotonic() + READY_SECONDS
        while not _answers(self.url):
            if not self.server.running or time.monotonic() > deadline:
                self.server.stop()
                raise UnavailableError(f"PostgreSQL did not start:\n{self.server.tail()}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop in an orderly way."""
        self.server.stop()

    def kill(self) -> None:
        """End at once (kill -9)."""
        self.server.kill()


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run a server of one's own, for tests that kill it.

    Raises:
        UnavailableError: without PostgreSQL's programs.

    """
    home = Path(tempfile.mkdtemp(prefix="riverboat-pg-"))
    try:
        server = PostgresServer(home)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextlib.contextmanager
def postgres_server_url() -> Iterator[str]:
    """Give the URL of a running server's maintenance database.

    Raises:
        UnavailableError: when there is no way to get one.

    """
    given = os.environ.get("TEST_POSTGRES_URL")
    if given:
        if not _answers(given):
            raise UnavailableError("the server of TEST_POSTGRES_URL does not answer")
        yield given
        return
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(postgres_server()).url
        except UnavailableError as local:
            url = _container(stack, local)
        yield url


@contextlib.contextmanager
def fresh_database(server_url: str) -> Iterator[str]:
    """Give the URL of an empty database, dropped afterwards."""
    name = f"test_{uuid.uuid4().hex}"
    _administer(server_url, f'CREATE DATABASE "{name}"')
    try:
        yield make_url(server_url).set(database=name).render_as_string(hide_password=False)
    finally:
        _administer(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')


def _administer(server_url: str, statement: str) -> None:
    engine = sa.create_engine(
        make_url(server_url).set(drivername="postgresql+psycopg"),
        isolation_level="AUTOCOMMIT",
        poolclass=sa.NullPool,
    )
    with engine.connect() as connection:
        connection.exec_driver_sql(statement)


def _answers(url: str) -> bool:
    try:
        _administer(url, "SELECT 1")
    except OperationalError:
        return False
    return True


def _binaries() -> Path:
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if not found:
        raise UnavailableError("no server in TEST_POSTGRES_URL, no initdb on this machine")
    return found[-1].parent


def _container(stack: contextlib.ExitStack, local: UnavailableError) -> str:
    if not engine_listens():
        raise UnavailableError(f"{local}; no container engine either") from local
    return stack.enter_context(postgres_container())
