"""The script that makes the two databases of a deployment, against a real PostgreSQL."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import OperationalError

PAGE = Path(__file__).parents[2] / "docs/operations.md"
SCRIPT = Path(__file__).parents[2] / "k8s/overlays/local/databases.sh"
OWNERS = ("gateway", "ledger")
# A quote in the password must not end the statement.
PASSWORDS = {"GATEWAY_DB_PASSWORD": "b'1", "LEDGER_DB_PASSWORD": "b'1"}


def run_script(server: URL, passwords: dict[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PGHOST": str(server.host),
        "PGPORT": str(server.port),
        "PGUSER": str(server.username),
        "PGPASSWORD": str(server.password or ""),
        **passwords,
    }
    command = ["bash", str(SCRIPT)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def server(postgres_server_url: str) -> Iterator[URL]:
    """A server without these databases, before and after."""
    if shutil.which("psql") is None:
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing("psql is missing")
    url = make_url(postgres_server_url).set(drivername="postgresql+psycopg")
    forget(url)
    yield url
    forget(url)


def documented(word: str) -> list[str]:
    """The command with a program of PostgreSQL's that docs/operations.md tells for the ledger."""
    lines = re.findall(
        r"^    docker compose exec -T postgres (.*)$", PAGE.read_text(), re.MULTILINE
    )
    (found,) = (line for line in lines if line.startswith(word) and "ledger" in line)
    return shlex.split(re.sub(r" [<>] .*", "", found).replace("--username postgres ", ""))


def run_documented(server: URL, word: str, given: bytes = b"") -> bytes:
    environment = {
        **os.environ,
        "PGHOST": str(server.host),
        "PGPORT": str(server.port),
        "PGUSER": str(server.username),
        "PGPASSWORD": str(server.password or ""),
    }
    done = subprocess.run(
        documented(word), env=environment, input=given, capture_output=True, check=True
    )
    return done.stdout


def forget(server: URL) -> None:
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for owner in OWNERS:
            connection.execute(sa.text(f"DROP DATABASE IF EXISTS {owner}"))
            connection.execute(sa.text(f"DROP ROLE IF EXISTS {owner}"))
    engine.dispose()


def run_as(server: URL, owner: str, database: str, statement: str) -> None:
    password = PASSWORDS[f"{owner.upper()}_DB_PASSWORD"]
    engine = sa.create_engine(server.set(username=owner, password=password, database=database))
    try:
        with engine.begin() as connection:
            connection.execute(sa.text(statement))
    finally:
        engine.dispose()


def test_each_service_owns_its_database_and_cannot_enter_the_other(server: URL) -> None:
    done = run_script(server, PASSWORDS)
    assert (done.returncode, done.stderr) == (0, "")
    for owner, other in (OWNERS, OWNERS[::-1]):
        run_as(server, owner, owner, "CREATE TABLE mine (id int)")
        with pytest.raises(OperationalError, match="permission denied"):
            run_as(server, owner, other, "SELECT 1")


def test_running_again_keeps_the_data(server: URL) -> None:
    run_script(server, PASSWORDS)
    run_as(server, "ledger", "ledger", "CREATE TABLE mine (id int)")
    done = run_script(server, PASSWORDS)
    assert (done.returncode, done.stderr) == (0, "")
    run_as(server, "ledger", "ledger", "SELECT id FROM mine")


@pytest.mark.parametrize("owner", OWNERS)
def test_an_empty_password_is_refused_and_changes_nothing(server: URL, owner: str) -> None:
    done = run_script(server, {**PASSWORDS, f"{owner.upper()}_DB_PASSWORD": ""})
    assert done.returncode != 0
    assert f"{owner.upper()}_DB_PASSWORD: must not be empty" in done.stderr
    with pytest.raises(OperationalError, match="does not exist"):
        run_as(server, "gateway", "gateway", "SELECT 1")


def test_a_copy_is_put_back_as_the_page_says(server: URL) -> None:
    run_script(server, PASSWORDS)
    run_as(server, "ledger", "ledger", "CREATE TABLE chips (id int); INSERT INTO chips VALUES (7)")
    copy = run_documented(server, "pg_dump")
    run_documented(server, "dropdb")
    run_script(server, PASSWORDS)
    run_documented(server, "pg_restore", copy)
    # By its owner, who may change it as before.
    run_as(server, "ledger", "ledger", "SELECT 1 / count(*) FROM chips WHERE id = 7")
    run_as(server, "ledger", "ledger", "ALTER TABLE chips ADD COLUMN more int")
    with pytest.raises(OperationalError, match="permission denied"):
        run_as(server, "gateway", "ledger", "SELECT 1")
