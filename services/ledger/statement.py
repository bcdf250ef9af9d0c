"""A player's transfers, with what they had on all tables before and after."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.ledger.lines import players_on_line
from services.ledger.schema import TRANSFERS

CHUNK: Final = 1000
"""Entries that are in memory at once."""

MAX_TIME_US: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One transfer with its place in the ledger; the time is microseconds since 1970.

    ``change_chips`` is what it did to the stack that takes part in it, never 0.
    """

    transfer_no: int
    debit: str
    credit: str
    chips: int
    change_chips: int
    kind: str
    match_id: str
    hand_id: str | None
    posted_us: int


@dataclass(frozen=True, slots=True)
class StatementPage:
    """Entries, the newest first; chips on all tables before the oldest and after the newest.

    ``next_no`` is where the next page begins, None on the last one.
    """

    entries: tuple[Entry, ...]
    opening_chips: int
    closing_chips: int
    next_no: int | None


_C = TRANSFERS.c

# Every transfer has exactly one stack on a side: see schema.
_CHANGE = sa.case((sa.func.substr(_C.credit, 1, 6) == "stack:", _C.chips), else_=-_C.chips)


def read_statement(
    connection: Connection, player_id: str, size: int, before_no: int | None
) -> StatementPage:
    """Return up to ``size`` transfers older than a number.

    Args:
        connection: a transaction.
        player_id: whose stacks take part in the transfers: theirs, and those of everybody who
            has become part of them.
        size: most entries, at least 1.
        before_no: only transfers with smaller numbers; None for the newest.

    """
    theirs: sa.ColumnElement[bool] = _C.player_id.in_(players_on_line(connection, player_id))
    if before_no is not None:
        theirs &= _C.transfer_no < before_no
    query = sa.select(TRANSFERS, _CHANGE.label("change")).where(theirs)
    query = query.order_by(_C.transfer_no.desc()).limit(size + 1)
    found = [_entry(row) for row in connection.execute(query)]
    closing = _sum(connection, theirs)
    entries = found[:size]
    opening = closing - sum(entry.change_chips for entry in entries)
    next_no = entries[-1].transfer_no if len(found) > size else None
    return StatementPage(tuple(entries), opening, closing, next_no)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time in microseconds since 1970: from ``since_us`` to before ``until_us``."""

    since_us: int = 0
    until_us: int = MAX_TIME_US


def read_opening(connection: Connection, player_id: str, period: Period) -> int:
    """Return the chips that a player had on all tables when a period began."""
    theirs = _C.player_id.in_(players_on_line(connection, player_id))
    return _sum(connection, theirs & (_C.posted_us < period.since_us))


def iterate_entries(connection: Connection, player_id: str, period: Period) -> Iterator[Entry]:
    """Yield a player's transfers of a period in the order in which they happened.

    Memory is that of a few rows, however many there are.
    """
    theirs = _C.player_id.in_(players_on_line(connection, player_id))
    within = (_C.posted_us >= period.since_us) & (_C.posted_us < period.until_us)
    query = sa.select(TRANSFERS, _CHANGE.label("change")).where(theirs & within)
    query = query.order_by(_C.posted_us, _C.transfer_no).execution_options(yield_per=CHUNK)
    for row in connection.execute(query):
        yield _entry(row)


def _sum(connection: Connection, where: sa.ColumnElement[bool]) -> int:
    query = sa.select(sa.func.coalesce(sa.func.sum(_CHANGE), 0)).where(where)
    return int(connection.execute(query).scalar_one())


def _entry(row: sa.Row[Any]) -> Entry:
    return Entry(
        row.transfer_no,
        row.debit,
        row.credit,
        row.chips,
        row.change,
        row.kind,
        row.match_id,
        row.hand_id,
        row.posted_us,
    )
