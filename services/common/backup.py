"""Copies of a database taken while it is used, and put back into an empty one.

A copy is one moment of the database: what was committed before is in it, nothing of what came
after. SQLite copies itself; PostgreSQL is copied by its own programs, which have to be on this
machine and not older than the server.
"""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from services.common.database import BUSY_TIMEOUT_SECONDS, open_engine, parse_url
from services.common.logs import get_logger

COPYING: Final = ("backup", "restore")
"""Commands of `copy`."""

_UNFINISHED: Final = ".part"

_log = get_logger(__name__)


class BackupError(Exception):
    """There is no copy, or nothing was put back; the text says why."""


def copy(command: str, database_url: str, file: Path) -> int:
    """Do what a service's command ``backup`` or ``restore`` says; returns its exit status."""
    try:
        if command == "backup":
            back_up(database_url, file)
        else:
            restore(file, database_url)
    except (BackupError, OSError, SQLAlchemyError) as error:
        # A database's own message may quote what is in it.
        told = type(error).__name__ if isinstance(error, SQLAlchemyError) else str(error)
        _log.error("not done", command=command, error=told)
        return 1
    _log.info("done", command=command, file=str(file), file_bytes=file.stat().st_size)
    return 0


def back_up(database_url: str, file: Path) -> None:
    """Write a copy of a database to a file that does not exist yet.

    The file appears when it is complete and on the disk.

    Raises BackupError, and leaves no file then.
    """
    if file.exists():
        raise BackupError(f"{file} exists")
    url = parse_url(database_url)
    unfinished = file.with_name(file.name + _UNFINISHED)
    try:
        if url.get_backend_name() == "sqlite":
            _copy_sqlite(Path(url.database or ""), unfinished)
        else:
            _run("pg_dump", url, "--format=custom", "--no-owner", f"--file={unfinished}")
        _sync(unfinished)
        unfinished.rename(file)
        _sync(file.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def restore(file: Path, database_url: str) -> None:
    """Put a copy back into a database that is empty, or a SQLite file that is not there.

    All of it or nothing. Raises BackupError.
    """
    if not file.is_file():
        raise BackupError(f"{file} is no file")
    url = parse_url(database_url)
    if url.get_backend_name() == "sqlite":
        _restore_sqlite(file, Path(url.database or ""))
        return
    engine = open_engine(database_url, read_only=True)
    try:
        if sa.inspect(engine).get_table_names():
            raise BackupError("the database is not empty")
    finally:
        engine.dispose()
    _run("pg_restore", url, "--no-owner", "--single-transaction", "--exit-on-error", str(file))


def _copy_sqlite(source: Path, target: Path) -> None:
    if not source.is_file():
        raise BackupError(f"{source} is no file")
    try:
        with (
            closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT_SECONDS)) as live,
            closing(sqlite3.connect(target)) as copy,
        ):
            # In one step: a reader of one moment, which stops no writer.
            live.backup(copy)
            problems = copy.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.Error as error:
        raise BackupError(f"not copied: {error}") from error
    if problems != [("ok",)]:
        raise BackupError("the copy is damaged")


def _restore_sqlite(file: Path, target: Path) -> None:
    if target.exists():
        raise BackupError(f"{target} exists")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(target.name + _UNFINISHED)
    try:
        _copy_sqlite(file, unfinished)
        _sync(unfinished)
        unfinished.rename(target)
        _sync(target.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _run(program: str, url: URL, *arguments: str) -> None:
    """Run one of PostgreSQL's programs on a database; the password is not on its command line."""
    path = shutil.which(program)
    if path is None:
        raise BackupError(f"{program} is not on this machine: install PostgreSQL's client")
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment = dict(os.environ)
    if url.password is not None:
        environment["PGPASSWORD"] = str(url.password)
    done = subprocess.run(  # noqa: S603 - the program is PostgreSQL's, the rest are settings
        [path, "--no-password", f"--dbname={address}", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()}")


def _sync(path: Path) -> None:
    """Return when a file, or what a folder lists, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
