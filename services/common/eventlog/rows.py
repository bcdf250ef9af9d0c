"""Rows as they are stored, whatever that is: for readers that must survive corrupt ones.

SQLite keeps a value of any type in any column, and text that is no UTF-8. Typed reading would
raise in the middle of a result; here each value comes as the driver has it.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

import sqlalchemy as sa
from sqlalchemy.engine import Connection

RawRow = Mapping[str, object]


def read_raw(
    connection: Connection,
    table: sa.Table,
    where: sa.ColumnElement[bool],
    order_by: sa.ColumnElement[object],
    limit: int | None = None,
) -> list[RawRow]:
    """Return rows of a table by column name, not converted.

    Booleans may be 0 and 1. Bytes of a text that are no UTF-8 are surrogates in it.
    """
    columns = [sa.type_coerce(column, sa.types.NullType()).label(column.name) for column in table.c]
    query = sa.select(*columns).where(where).order_by(order_by).limit(limit)
    with any_text(connection):
        return [dict(row) for row in connection.execute(query).mappings()]


def to_bytes(value: object) -> bytes:
    """Return what a raw value holds as bytes; a text's are those that are stored."""
    if isinstance(value, bytes):
        return value
    return ("" if value is None else str(value)).encode("utf-8", "surrogateescape")


@contextmanager
def any_text(connection: Connection) -> Iterator[None]:
    """Let a connection read text that is no UTF-8, with surrogates for its bytes."""
    if connection.dialect.name != "sqlite":  # PostgreSQL holds no text that is not text
        yield
        return
    driver = cast("sqlite3.Connection", connection.connection.driver_connection)
    before = driver.text_factory
    driver.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = before
