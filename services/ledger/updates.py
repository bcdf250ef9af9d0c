"""Whole rows written over stored ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection


def update_rows(connection: Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows, at least one, over those with the same primary key."""
    keys = [column.name for column in table.primary_key]
    where = sa.and_(*(table.c[name] == sa.bindparam(f"old_{name}") for name in keys))
    keyed = [{**row, **{f"old_{name}": row[name] for name in keys}} for row in rows]
    connection.execute(sa.update(table).where(where), keyed)
