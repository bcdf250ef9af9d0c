"""Copies of a database taken while it is used, and put back into an empty one.

A copy is one moment of the database: what was committed before is in it, nothing of what came
after. SQLite copies itself; PostgreSQL is copied by its own programs, which have to be on this
machine and not older than the server.
"""

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from services.common.database import BUSY_TIMEOUT_SECONDS, open_engine, parse_url
from services.common.logs import get_logger

COPYING: Final = ("backup", "restore")
"""Commands of `copy`."""

ANY_TABLE: Final = "alembic_version"
"""A table that every database of ours has."""

_UNFINISHED: Final = ".part"
_BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database that is in use, or was when its process died."""

_log = get_logger(__name__)


class BackupError(Exception):
    """There is no copy, or nothing was put back; the text says why."""


def copy(command: str, database_url: str, file: Path, table: str) -> int:
    """Do what a service's command ``backup`` or ``restore`` says; returns its exit status.

    ``table`` is one that only this service's database has.
    """
    try:
        if command == "backup":
            back_up(database_url, file, table)
        else:
            restore(file, database_url, table)
    except (BackupError, OSError, SQLAlchemyError) as error:
        # A database's own message may quote what is in it.
        told = type(error).__name__ if isinstance(error, SQLAlchemyError) else str(error)
        _log.error("not done", command=command, error=told)
        return 1
    _log.info("done", command=command, file=str(file), file_bytes=file.stat().st_size)
    return 0


def back_up(database_url: str, file: Path, table: str = ANY_TABLE) -> None:
    """Write a copy of a database to a file that does not exist yet, for nobody else to read.

    The file appears when it is complete and on the disk. Raises BackupError, and leaves no file
    then, also when there is no such ``table``: it is another database.
    """
    if file.exists():
        raise BackupError(f"{file} exists")
    url = parse_url(database_url)
    with _appearing(file) as unfinished:
        if url.get_backend_name() == "sqlite":
            _copy_sqlite(Path(url.database or ""), unfinished, table)
        else:
            target = ("--format=custom", "--no-owner", f"--file={unfinished}")
            _run("pg_dump", *_address(url), *target, password=url.password)
            _check_archive(unfinished, table)


def restore(file: Path, database_url: str, table: str = ANY_TABLE) -> None:
    """Put a copy back into a database that is empty, or a SQLite file that is not there.

    All of it or nothing. Raises BackupError, also for a copy without such a ``table``.
    """
    if not file.is_file():
        raise BackupError(f"{file} is no file")
    url = parse_url(database_url)
    if url.get_backend_name() == "sqlite":
        _restore_sqlite(file, Path(url.database or ""), table)
        return
    _check_archive(file, table)
    engine = open_engine(database_url, read_only=True)
    try:
        if sa.inspect(engine).get_table_names():
            raise BackupError("the database is not empty")
    finally:
        engine.dispose()
    how = ("--no-owner", "--single-transaction", "--exit-on-error", str(file))
    _run("pg_restore", *_address(url), *how, password=url.password)


@contextmanager
def _appearing(file: Path) -> Iterator[Path]:
    """Give a path to write to, which becomes ``file`` when it is on the disk; else goes away."""
    unfinished = file.with_name(file.name + _UNFINISHED)
    try:
        # Hands and addresses are in it.
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as error:
        raise BackupError(f"{unfinished} exists: somebody writes it, or was cut off") from error
    try:
        yield unfinished
        _sync(unfinished)
        unfinished.rename(file)
        _sync(file.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _copy_sqlite(source: Path, target: Path, table: str) -> None:
    if not source.is_file():
        raise BackupError(f"{source} is no file")
    try:
        with (
            closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT_SECONDS)) as live,
            closing(sqlite3.connect(target)) as copied,
        ):
            # In one step: a reader of one moment, which stops no writer.
            live.backup(copied)
            problems = copied.execute("PRAGMA integrity_check").fetchall()
            named = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
            is_ours = copied.execute(named, (table,)).fetchone() is not None
    except sqlite3.Error as error:
        raise BackupError(f"not copied: {error}") from error
    if problems != [("ok",)]:
        raise BackupError("the copy is damaged")
    if not is_ours:
        raise _foreign(table)


def _restore_sqlite(file: Path, target: Path, table: str) -> None:
    if target.exists():
        raise BackupError(f"{target} exists")
    for suffix in _BESIDE:
        beside = target.with_name(target.name + suffix)
        if beside.exists():
            # SQLite would take it for the copy's own and write it over the copy.
            raise BackupError(f"{beside} exists: it is of the database that was here")
    target.parent.mkdir(parents=True, exist_ok=True)
    with _appearing(target) as unfinished:
        _copy_sqlite(file, unfinished, table)


def _check_archive(file: Path, table: str) -> None:
    """Raise BackupError unless a file is a copy by ``pg_dump`` with such a table."""
    contents = _run("pg_restore", "--list", str(file))
    if not re.search(rf"^\d+; \d+ \d+ TABLE \S+ {re.escape(table)} ", contents, re.MULTILINE):
        raise _foreign(table)


def _foreign(table: str) -> BackupError:
    return BackupError(f"it is another database's: it has no table {table}")


def _address(url: URL) -> tuple[str, str]:
    """Return how PostgreSQL's programs are told of a database; the password apart."""
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    return "--no-password", f"--dbname={address}"


def _run(program: str, *arguments: str, password: object = None) -> str:
    """Run one of PostgreSQL's programs and return what it prints.

    The password is not on its command line.
    """
    path = shutil.which(program)
    if path is None:
        raise BackupError(f"{program} is not on this machine: install PostgreSQL's client")
    environment = dict(os.environ)
    if password is not None:
        environment["PGPASSWORD"] = str(password)
    done = subprocess.run(  # noqa: S603 - the program is PostgreSQL's, the rest are settings
        [path, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {_own_words(program, done.stderr)}")
    return done.stdout


def _own_words(program: str, told: str) -> str:
    """Return what a program says itself: DETAIL and CONTEXT of a server quote rows."""
    lines = [line for line in told.splitlines() if line.startswith(f"{program}: ")]
    return "; ".join(lines) or "it does not say why"


def _sync(path: Path) -> None:
    """Return when a file, or what a folder lists, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
