"""The rows of a ledger, cut into batches as its consumer wrote them."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, cast

import psycopg
import sqlalchemy as sa
from psycopg import sql
from sqlalchemy.engine import Connection, Engine

from services.common.database import reading
from services.ledger import schema

ORDER = (
    schema.EVENTS,
    schema.PLAYERS,
    schema.MERGES,
    schema.MATCHES,
    schema.SEATS,
    schema.BALANCES,
    schema.HANDS,
    schema.TRANSFERS,
    schema.SEAT_DAYS,
    schema.PLAYER_DAYS,
    schema.STANDINGS,
    schema.RANK_COUNTS,
)
"""Every table of a ledger that events fill, those that others refer to first."""

Values = tuple[Any, ...]


@dataclass
class Rows:
    """What a batch of events left behind."""

    tables: dict[str, list[Values]] = field(default_factory=lambda: defaultdict(list))

    @property
    def events(self) -> list[Values]:
        """Rows of the journal, one an event."""
        return self.tables[schema.EVENTS.name]

    def insert(self, connection: Connection) -> None:
        """Insert them by the driver itself, a statement a table."""
        driver = cast("psycopg.Connection[Any]", connection.connection.driver_connection)
        with driver.cursor() as cursor:
            for table in ORDER:
                rows = self.tables[table.name]
                if rows:
                    cursor.executemany(_INSERTS[table.name], rows)


def _insert(table: sa.Table) -> sql.Composed:
    names = [column.name for column in table.c]
    return sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(table.name),
        sql.SQL(", ").join(map(sql.Identifier, names)),
        sql.SQL(", ").join(sql.Placeholder() * len(names)),
    )


_INSERTS = {table.name: _insert(table) for table in ORDER}


def read_rows(engine: Engine, batch: int) -> list[Rows]:
    """Return all rows, so many events a batch, and with them what came or changed then.

    A row that events change again and again is there once, with the last of them.
    """
    with reading(engine) as connection:
        tables = {table: _read(connection, table) for table in ORDER}
    events = tables[schema.EVENTS]
    batches = [Rows() for _ in range(0, len(events), batch)]
    place = {row.event_no: number // batch for number, row in enumerate(events)}
    first = {row.match_id: place[row.event_no] for row in reversed(events)}
    for table, rows in tables.items():
        for number, row in enumerate(rows):
            if "event_no" in table.c:
                where = place[row.event_no]
            elif table in {schema.MATCHES, schema.SEATS, schema.BALANCES, schema.SEAT_DAYS}:
                where = first[row.match_id]
            elif table is schema.PLAYERS:
                where = 0  # others refer to them
            else:
                where = number * len(batches) // len(rows)
            batches[where].tables[table.name].append(tuple(row))
    return batches


def _read(connection: Connection, table: sa.Table) -> list[Any]:
    query = sa.select(table).order_by(*table.primary_key)
    if table is schema.BALANCES:
        query = query.where(table.c.match_id.is_not(None))  # the bank is there from the beginning
    return list(connection.execute(query))
