"""Ranks without counting players one by one: how many there are in each stretch of averages.

``rank_counts`` counts the ranked players of a board, period and version by the average that
their `boards.average_key` holds, at three levels: stretches of 64 chips a hand, of one chip,
and of 1/64 chip. How many are better is then a sum of a few dozen counts and of the players
in one stretch of 1/64 chip, which the index of ``standings`` gives. All of it is integers.

The counts follow from ``standings`` alone, so the audit makes them again and compares.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from services.ledger.boards import FRACTION_BITS, RANKED_HANDS
from services.ledger.schema import RANK_COUNTS, STANDINGS
from services.ledger.standings import Row

STRETCH_BITS: Final = 6
_FINE_BITS: Final = FRACTION_BITS - STRETCH_BITS

Slot = tuple[str, str, str, int, int]
"""Board, period, version, level and number of a stretch; numbers rise with the average."""

SLOT_COLUMNS: Final = ("board", "period", "version", "level", "slot")


def slots_of(average_whole: int, average_rest: int) -> tuple[int, int, int]:
    """Return the numbers of the stretches that an average is in, the widest first."""
    fine = (average_whole << STRETCH_BITS) | (average_rest >> _FINE_BITS)
    return average_whole >> STRETCH_BITS, average_whole, fine


def count_ranked(counts: Counter[Slot], rows: Iterable[Row], sign: int = 1) -> None:
    """Add rows of ``standings`` to counts, or take them away."""
    for row in rows:
        if row["hands"] >= RANKED_HANDS:
            numbers = slots_of(row["average_whole"], row["average_rest"])
            for level, number in enumerate(numbers):
                counts[row["board"], row["period"], row["version"], level, number] += sign


def save_counts(connection: Connection, changes: Mapping[Slot, int]) -> None:
    """Add changes to the stored counts, in one order, so that nobody waits in a circle."""
    rows: list[dict[str, Any]] = [
        {**dict(zip(SLOT_COLUMNS, slot, strict=True)), "players": change}
        for slot, change in sorted(changes.items())
        if change
    ]
    if not rows:
        return
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    insert = make(RANK_COUNTS)
    players = RANK_COUNTS.c.players + insert.excluded.players
    upsert = insert.on_conflict_do_update(index_elements=SLOT_COLUMNS, set_={"players": players})
    connection.execute(upsert, rows)
    fewer = [
        {f"old_{name}": row[name] for name in SLOT_COLUMNS} for row in rows if row["players"] < 0
    ]
    if fewer:
        same = (RANK_COUNTS.c[name] == sa.bindparam(f"old_{name}") for name in SLOT_COLUMNS)
        connection.execute(sa.delete(RANK_COUNTS).where(*same, RANK_COUNTS.c.players == 0), fewer)


def is_ranked() -> sa.ColumnElement[bool]:
    """Return the condition of a rank, written as in the index that holds the ranked rows."""
    return STANDINGS.c.hands >= sa.literal_column(str(RANKED_HANDS))


def _sum(level: int, after: str, end: str | None) -> sa.ColumnElement[int]:
    c = RANK_COUNTS.c
    players = sa.cast(sa.func.coalesce(sa.func.sum(c.players), 0), sa.BigInteger)
    query = sa.select(players).where(*_in_scope(c), c.level == sa.literal_column(str(level)))
    query = query.where(c.slot > sa.bindparam(after, type_=sa.BigInteger))
    if end is not None:
        query = query.where(c.slot < sa.bindparam(end, type_=sa.BigInteger))
    return query.scalar_subquery()


def _near() -> sa.ColumnElement[int]:
    c = STANDINGS.c
    query = sa.select(sa.func.count()).where(*_in_scope(c), is_ranked())
    return query.where(
        c.average_whole == sa.bindparam("whole", type_=sa.BigInteger),
        c.average_rest > sa.bindparam("rest", type_=sa.BigInteger),
        c.average_rest < sa.bindparam("edge", type_=sa.BigInteger),
    ).scalar_subquery()


def _in_scope(c: sa.ColumnCollection[str, sa.Column[Any]]) -> list[sa.ColumnElement[bool]]:
    return [c[name] == sa.bindparam(name) for name in ("board", "period", "version")]


BETTER: Final = sa.select(
    _sum(0, "wide", None) + _sum(1, "whole", "next_wide") + _sum(2, "fine", "next_whole") + _near()
)
"""How many ranked players have a better average; for `better_values`."""


def better_values(
    board: str, period: str, version: str, average: tuple[int, int]
) -> dict[str, str | int]:
    """Return the parameters of `BETTER` for the average of a row."""
    wide, whole, fine = slots_of(*average)
    return {
        "board": board,
        "period": period,
        "version": version,
        "wide": wide,
        "next_wide": (wide + 1) << STRETCH_BITS,
        "whole": whole,
        "next_whole": (whole + 1) << STRETCH_BITS,
        "fine": fine,
        "rest": average[1],
        # Within one stretch of 1/64 chip, the whole is the same.
        "edge": ((fine + 1) << _FINE_BITS) - (whole << FRACTION_BITS),
    }
