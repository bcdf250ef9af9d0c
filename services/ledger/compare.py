"""Rows that follow from the events against the rows that are stored, whatever the table."""

from collections import Counter
from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.common.eventlog.rows import RawRow, read_raw
from services.ledger.report import Report

Key = tuple[object, ...]


class Comparison:
    """Compares slices of tables in both directions, and in the end that nothing was left out.

    Slices of one table must not overlap. Memory is that of the largest slice.
    """

    def __init__(self, connection: Connection, report: Report) -> None:
        self._connection = connection
        self._report = report
        self._seen: Counter[sa.Table] = Counter()

    def compare(
        self,
        table: sa.Table,
        where: sa.ColumnElement[bool],
        expected: Iterable[RawRow],
        key: tuple[str, ...] = (),
    ) -> list[RawRow]:
        """Compare the stored rows of a slice with the expected ones; return the stored.

        Args:
            table: the table.
            where: which of its rows are the slice.
            expected: what they should be, in the columns that the expectation names.
            key: columns that tell rows apart; the primary key when empty.

        """
        names = key or tuple(column.name for column in table.primary_key)
        order = next(iter(table.primary_key))
        stored = read_raw(self._connection, table, where, order)
        self._seen[table] += len(stored)
        unexplained: dict[Key, RawRow] = {}
        for row in stored:
            if _key(row, names) in unexplained:
                self._find(table, _key(row, names), "is there twice")
            unexplained[_key(row, names)] = row
        for row in expected:
            found = unexplained.pop(_key(row, names), None)
            if found is None:
                self._find(table, _key(row, names), "is missing")
                continue
            wrong = [name for name, value in row.items() if found[name] != value]
            if wrong:
                what = f"has another {', '.join(wrong)} than follows from the events"
                self._find(table, _key(row, names), what)
        for left in unexplained:
            self._find(table, left, "follows from no event")
        return stored

    def saw(self, table: sa.Table, rows: int) -> None:
        """Take note that so many rows of a table were looked at elsewhere."""
        self._seen[table] += rows

    def finish(self, tables: Iterable[sa.Table]) -> None:
        """Find the rows of these tables that were in no slice."""
        for table in tables:
            query = sa.select(sa.func.count()).select_from(table)
            left = int(self._connection.execute(query).scalar_one()) - self._seen[table]
            if left:
                self._report.find(f"{left} rows of {table.name} belong to nothing in the journal")

    def _find(self, table: sa.Table, key: Key, what: str) -> None:
        place = " ".join(str(part) for part in key)
        self._report.find(f"{table.name} {place} {what}")


def _key(row: RawRow, names: tuple[str, ...]) -> Key:
    return tuple(row[name] for name in names)
