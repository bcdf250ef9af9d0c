"""The servers that tests start: they die with the tests, and survive being killed."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from services.common.database import open_engine
from tests.support.guarded import ServerProcess
from tests.support.postgres import PostgresServer, fresh_database

REPO = Path(__file__).resolve().parents[2]
DEADLINE_SECONDS = 30.0

ORPHANING = """
import pathlib, sys, time
from tests.support.guarded import ServerProcess
server = ServerProcess(["sleep", "600"], pathlib.Path(sys.argv[1]))
server.start()
print(server.process.pid, flush=True)
time.sleep(600)
"""


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _is_gone(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's help is Linux's")
def test_a_server_dies_with_the_tests_even_by_kill_9(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ORPHANING, str(tmp_path / "log")],
        cwd=REPO,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert not _is_gone(pid)
        parent.kill()
    eventually(lambda: _is_gone(pid))


def test_a_server_can_be_stopped_killed_and_started_again(tmp_path: Path) -> None:
    server = ServerProcess(["sleep", "600"], tmp_path / "log", stop_signal=signal.SIGTERM)
    server.stop()  # never started: nothing to do
    for end in (server.stop, server.kill):
        server.start()
        assert server.running
        end()
        assert not server.running


def test_postgres_keeps_what_it_acknowledged_when_killed(
    postgres_process: PostgresServer,
) -> None:
    with fresh_database(postgres_process.url) as url:
        _write_kill_and_read(postgres_process, url)


def _write_kill_and_read(server: PostgresServer, url: str) -> None:
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE kept (n int)")
    for n in range(50):
        with engine.begin() as connection:
            connection.execute(sa.text("INSERT INTO kept VALUES (:n)"), {"n": n})
    engine.dispose()
    server.kill()
    eventually(lambda: not server.server.running)
    server.start()
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM kept")).scalar() == 50
    engine.dispose()
