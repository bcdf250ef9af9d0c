"""One way to open a database, on SQLite and PostgreSQL alike.

``engine.begin()`` opens a transaction that may write: on SQLite it takes the write lock at
once (BEGIN IMMEDIATE), so two writers queue up instead of failing half-way with "database is
locked". ``reading(engine)`` opens one that only reads, all of it from one snapshot.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Final, cast

import sqlalchemy as sa
from alembic import command, context
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from pydantic import AfterValidator
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError

BUSY_TIMEOUT_SECONDS = 15
"""How long a SQLite writer waits for the one before it."""

MIGRATION_LOCK = 0x726976_6D6967
"""PostgreSQL advisory lock held while migrating, so that two jobs do not collide."""


NOTICES_SILENCE: Final[dict[str, Any]] = {
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 40_000,
}
"""How a connection to PostgreSQL learns within a minute that its machine is gone.

One that loses its power says nothing, and by itself the kernel waits for a quarter of an hour for
what was sent, and for hours where nothing was; a standby may long have taken over by then.
"""


class DatabaseUrlError(ValueError):
    """The URL names no database that the services can use; the text says why."""


class SchemaError(Exception):
    """A database has not the schema that this release works on; `migrate` makes it."""


def parse_url(text: str) -> URL:
    """Return the URL with its driver filled in.

    Accepted are ``sqlite:///relative``, ``sqlite:////absolute``, ``postgresql://`` and
    ``postgres://``; PostgreSQL always goes through psycopg 3. A SQLite database in memory is
    refused, because every thread would see a different one.

    Raises:
        DatabaseUrlError: for anything else.

    """
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise DatabaseUrlError("not a database URL") from error
    backend = url.drivername.split("+")[0]
    if backend in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise DatabaseUrlError(f"unsupported database {backend!r}: use sqlite or postgresql")
    if url.database in {None, "", ":memory:"}:
        raise DatabaseUrlError("a SQLite database needs a file")
    return url.set(drivername="sqlite+pysqlite")


def _check_url(text: str) -> str:
    parse_url(text)
    return text


DatabaseUrl = Annotated[str, AfterValidator(_check_url)]
"""A setting: what `parse_url` takes."""


def open_engine(text: str, *, read_only: bool = False, pool_size: int = 8) -> Engine:
    """Return an engine for the database at a URL; nothing is connected yet.

    Args:
        text: see `parse_url`.
        read_only: refuse writes, and refuse to create a SQLite file that is not there.
        pool_size: connections kept, at least 1; as many again are opened under load.

    Raises:
        DatabaseUrlError: when the URL is not usable.

    """
    url = parse_url(text)
    if url.get_backend_name() == "sqlite":
        return _open_sqlite(url, read_only=read_only, pool_size=pool_size)
    options: dict[str, Any] = {"connect_timeout": 10, **NOTICES_SILENCE}
    if read_only:
        options["options"] = "-c default_transaction_read_only=on"
    return sa.create_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=True,
        connect_args=options,
    )


def _open_sqlite(url: URL, *, read_only: bool, pool_size: int) -> Engine:
    path = Path(url.database or "").absolute()
    if read_only:
        # Not mode=ro: a reader of a WAL database must be able to write its shared memory.
        # query_only (below) is what refuses writes; mode=rw is what refuses to create.
        url = url.set(database=f"file:{path}", query={"mode": "rw", "uri": "true"})
    else:
        # Where that cannot be, connecting says so, as it does for every other database.
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        connect_args={"timeout": BUSY_TIMEOUT_SECONDS},
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(dbapi_connection: DBAPIConnection, _record: object) -> None:
        connection = cast("sqlite3.Connection", dbapi_connection)
        connection.isolation_level = None  # we write BEGIN ourselves, see below
        connection.execute("PRAGMA foreign_keys = ON")
        if read_only:
            connection.execute("PRAGMA query_only = ON")
        else:
            connection.execute("PRAGMA journal_mode = WAL")
            # With WAL, anything less may lose the last commits when the power goes.
            connection.execute("PRAGMA synchronous = FULL")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reads = read_only or connection.get_execution_options().get("riverboat_reads", False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that sees one snapshot and writes nothing."""
    options: dict[str, Any] = (
        {"riverboat_reads": True}
        if engine.dialect.name == "sqlite"
        else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    )
    with engine.connect().execution_options(**options) as connection, connection.begin():
        yield connection


def migrate(engine: Engine, scripts: Path) -> None:
    """Bring a database to the newest schema; harmless when it is there already.

    Forward only, and all or nothing on both databases; what takes long and needs no lock (the
    rows of before against new constraints) comes after it. Several processes may call it at the
    same time: one migrates, the others wait and find nothing to do.

    Args:
        engine: the database.
        scripts: an Alembic directory whose ``env.py`` calls `run_migrations`.

    """
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            lock = sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)
            connection.execute(sa.select(lock))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    if engine.dialect.name == "postgresql":
        _validate_constraints(engine)


def require_schema(engine: Engine, scripts: Path) -> None:
    """Raise SchemaError unless a database is migrated as far as this release needs.

    Further is fine: a release works on the schema of the next. Raises SQLAlchemyError when the
    database cannot be reached.
    """
    history = ScriptDirectory(str(scripts))
    newest = history.get_current_head()
    older = {script.revision for script in history.walk_revisions()} - {newest}
    with reading(engine) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    if found is None or found in older:
        raise SchemaError(f"the schema is {found or 'not there'}, {newest} is needed")


def _validate_constraints(engine: Engine) -> None:
    """Check the rows that were there before constraints which migrations added as NOT VALID.

    Such a constraint holds for what is written from the migration on, which takes a moment.
    This reads whole tables, but lets everybody go on reading and writing them meanwhile.
    """
    query = sa.text(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint "
        "WHERE NOT convalidated AND connamespace = current_schema()::regnamespace"
    )
    with engine.connect() as connection:
        found = connection.execute(query).all()
        quote = connection.dialect.identifier_preparer.quote
    for place, name in found:
        with engine.begin() as connection:
            statement = f"ALTER TABLE {place} VALIDATE CONSTRAINT {quote(name)}"
            connection.exec_driver_sql(statement)


def run_migrations() -> None:
    """Run what `migrate` asked for; the whole body of a service's Alembic ``env.py``."""
    connection = context.config.attributes["connection"]
    # The caller's transaction holds all of it: SQLite's DDL is transactional too once
    # BEGIN is ours.
    context.configure(connection=connection, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()
