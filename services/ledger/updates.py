"""Many rows written at once, by the fastest way that each database has.

PostgreSQL takes new rows by COPY and changed ones by one statement over arrays: a row then
costs neither a message nor a plan of its own. SQLite has no such way and needs none, as it
runs within the process.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, cast

import psycopg
import sqlalchemy as sa
from psycopg import sql
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

Row = Mapping[str, Any]


def insert_rows(connection: Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Write new rows, all with the columns of the first, in this order.

    Raises:
        sqlalchemy.exc.IntegrityError: one is there already, or breaks another constraint.

    """
    if not rows:
        return
    if connection.dialect.name != "postgresql":
        connection.execute(sa.insert(table), rows)
        return
    names = tuple(rows[0])
    statement = _copy(table.name, names)
    with (
        _driver(connection) as driver,
        driver.cursor() as cursor,
        cursor.copy(statement) as copy,
    ):
        for row in rows:
            copy.write_row([row[name] for name in names])


def insert_numbered(connection: Connection, table: sa.Table, rows: Sequence[Row]) -> list[int]:
    """Write new rows and return the numbers that they got, which rise in the order of the rows.

    Args:
        connection: a transaction that writes.
        table: has a number as its primary key, which the database counts up.
        rows: at least one, without the number.

    """
    (number,) = table.primary_key
    if connection.dialect.name != "postgresql":
        insert = sa.insert(table).returning(number, sort_by_parameter_order=True)
        return list(connection.execute(insert, rows).scalars())
    # Taken first, so that nothing has to come back from the rows.
    sequence = sa.func.pg_get_serial_sequence(table.name, number.name)
    each = sa.func.generate_series(1, len(rows)).table_valued("n")
    taken = sa.select(sa.func.nextval(sequence)).select_from(each)
    numbers = sorted(connection.execute(taken).scalars())
    numbered = [{number.name: n, **row} for n, row in zip(numbers, rows, strict=True)]
    insert_rows(connection, table, numbered)
    return numbers


def update_rows(connection: Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Write rows over those with the same primary key."""
    if not rows:
        return
    keys = [column.name for column in table.primary_key]
    if connection.dialect.name != "postgresql":
        where = sa.and_(*(table.c[name] == sa.bindparam(f"old_{name}") for name in keys))
        keyed = [{**row, **{f"old_{name}": row[name] for name in keys}} for row in rows]
        connection.execute(sa.update(table).where(where), keyed)
        return
    news = _arrays(table, rows)
    same = (table.c[name] == news.c[name] for name in keys)
    values = {name: news.c[name] for name in rows[0] if name not in keys}
    connection.execute(sa.update(table).where(*same).values(values))


def add_to_rows(
    connection: Connection, table: sa.Table, name: str, changes: Mapping[str, int]
) -> None:
    """Add to a column of a table by its primary key, which is one column."""
    (key,), column = table.primary_key, table.c[name]
    rows = [{key.name: which, name: changes[which]} for which in sorted(changes)]
    if not rows:
        return
    if connection.dialect.name != "postgresql":
        update = sa.update(table).where(key == sa.bindparam("which"))
        update = update.values({column: column + sa.bindparam("more")})
        named = [{"which": row[key.name], "more": row[name]} for row in rows]
        connection.execute(update, named)
        return
    news = _arrays(table, rows)
    update = sa.update(table).where(key == news.c[key.name])
    connection.execute(update.values({column: column + news.c[name]}))


def _arrays(table: sa.Table, rows: Sequence[Row]) -> sa.TableValuedAlias:
    """Return rows as a table whose columns are arrays, which is one statement for any number."""
    arrays = [
        sa.bindparam(None, [row[name] for row in rows], type_=postgresql.ARRAY(table.c[name].type))
        for name in rows[0]
    ]
    columns = [sa.column(name, table.c[name].type) for name in rows[0]]
    return sa.func.unnest(*arrays).table_valued(*columns, name="news").render_derived()


@contextmanager
def _driver(connection: Connection) -> Iterator["psycopg.Connection[Any]"]:
    """Give the driver's connection; what it raises becomes what SQLAlchemy would raise."""
    driver = cast("psycopg.Connection[Any]", connection.connection.driver_connection)
    try:
        yield driver
    except psycopg.Error as error:
        if driver.closed:
            connection.invalidate(error)
        raise DBAPIError.instance("COPY", None, error, psycopg.Error) from error


@lru_cache
def _copy(table: str, names: tuple[str, ...]) -> sql.Composed:
    into = sql.SQL(", ").join(map(sql.Identifier, names))
    return sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), into)
