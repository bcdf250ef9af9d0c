"""Leaderboards as they are read: pages, ranks and one player's row.

Both sections are read along an index (`schema`), a page at a time, from behind a cursor. A
rank is one more than the number of better averages, so ties share it (LDR-006).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.ledger.boards import RANKED_HANDS
from services.ledger.schema import EVENTS, PLAYERS, STANDINGS


class Section(StrEnum):
    """Part of a board: players with 500 hands or more, and the others."""

    RANKED = "ranked"
    QUALIFYING = "qualifying"


@dataclass(frozen=True, slots=True)
class Row:
    """One player on a board; ``rank`` is None while qualifying.

    Times are microseconds since 1970.
    """

    rank: int | None
    player_id: str
    display_name: str
    kind: str
    hands: int
    net_chips: int
    ai_decided_hands: int
    void_hands: int
    last_played_us: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """The place of a row in its section; the next page begins behind it."""

    average_whole: int
    average_rest: int
    hands: int
    settled_us: int
    player_id: str


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of a section and the cursor of the last one, None when no row follows."""

    rows: tuple[Row, ...]
    next_cursor: Cursor | None


_C = STANDINGS.c

# What a section is sorted by: column and whether the larger value comes first. In the
# ranked section hands and time only order players of one rank (LDR-006).
_ORDERS: dict[Section, tuple[tuple[sa.Column[Any], bool], ...]] = {
    Section.RANKED: (
        (_C.average_whole, True),
        (_C.average_rest, True),
        (_C.hands, True),
        (_C.settled_us, False),
        (_C.player_id, False),
    ),
    Section.QUALIFYING: (
        (_C.hands, True),
        (_C.average_whole, True),
        (_C.average_rest, True),
        (_C.settled_us, False),
        (_C.player_id, False),
    ),
}


def read_page(
    connection: Connection, board: str, section: Section, size: int, after: Cursor | None
) -> Page:
    """Return up to ``size`` rows of a section, at least 1, from behind a cursor."""
    order = _ORDERS[section]
    query = (
        _rows(board)
        .where(_in_section(section))
        .order_by(*(column.desc() if desc else column.asc() for column, desc in order))
        .limit(size + 1)
    )
    if after is not None:
        query = query.where(_behind(order, after))
    found = list(connection.execute(query))
    rows = found[:size]
    ranks = _ranks(connection, board, rows) if section is Section.RANKED else [None] * len(rows)
    more = len(found) > size
    return Page(
        tuple(_row(row, rank) for row, rank in zip(rows, ranks, strict=True)),
        _cursor(rows[-1]) if more else None,
    )


def read_row(connection: Connection, board: str, player_id: str) -> Row | None:
    """Return a player's row, None without a settled hand on the board."""
    query = _rows(board).where(_C.player_id == player_id, _C.hands > 0)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    ranked = row.hands >= RANKED_HANDS
    return _row(row, 1 + _count_better(connection, board, row) if ranked else None)


def as_of_us(connection: Connection) -> int:
    """Return when the last event that the boards contain was applied, 0 for none."""
    query = sa.select(EVENTS.c.applied_us).order_by(EVENTS.c.event_no.desc()).limit(1)
    return connection.execute(query).scalar_one_or_none() or 0


def _rows(board: str) -> sa.Select[Any]:
    return (
        sa.select(STANDINGS, PLAYERS.c.display_name, PLAYERS.c.kind)
        .join(PLAYERS, PLAYERS.c.player_id == _C.player_id)
        .where(_C.board == board)
    )


def _in_section(section: Section) -> sa.ColumnElement[bool]:
    if section is Section.RANKED:
        return _C.hands >= RANKED_HANDS
    return (_C.hands < RANKED_HANDS) & (_C.hands > 0)


def _behind(
    order: tuple[tuple[sa.Column[Any], bool], ...], cursor: Cursor
) -> sa.ColumnElement[bool]:
    """Return the condition that a row comes after the cursor's in an order."""
    condition: sa.ColumnElement[bool] = sa.false()
    for column, descending in reversed(order):
        value = getattr(cursor, column.name)
        further = column < value if descending else column > value
        condition = further | ((column == value) & condition)
    # Redundant, but it lets a database start at the cursor instead of at the top.
    first, descending = order[0]
    start = getattr(cursor, first.name)
    return sa.and_(first <= start if descending else first >= start, condition)


def _ranks(connection: Connection, board: str, rows: list[sa.Row[Any]]) -> list[int | None]:
    """Return the ranks of consecutive rows, counting only around the first one."""
    if not rows:
        return []
    better = _count_better(connection, board, rows[0])
    before = _count_before_in_tie(connection, board, rows[0])
    ranks: list[int | None] = []
    for index, row in enumerate(rows):
        tied = index == 0 or _average(row) == _average(rows[index - 1])
        rank = (ranks[-1] if ranks else better + 1) if tied else better + before + index + 1
        ranks.append(rank)
    return ranks


def _count_better(connection: Connection, board: str, row: sa.Row[Any]) -> int:
    better = (_C.average_whole > row.average_whole) | (
        (_C.average_whole == row.average_whole) & (_C.average_rest > row.average_rest)
    )
    # The first condition alone bounds the index scan.
    bound = _C.average_whole >= row.average_whole
    return _count(connection, board, bound & better)


def _count_before_in_tie(connection: Connection, board: str, row: sa.Row[Any]) -> int:
    tied = (_C.average_whole == row.average_whole) & (_C.average_rest == row.average_rest)
    earlier = (
        (_C.hands > row.hands)
        | ((_C.hands == row.hands) & (_C.settled_us < row.settled_us))
        | (
            (_C.hands == row.hands)
            & (_C.settled_us == row.settled_us)
            & (_C.player_id < row.player_id)
        )
    )
    return _count(connection, board, tied & earlier)


def _count(connection: Connection, board: str, condition: sa.ColumnElement[bool]) -> int:
    query = sa.select(sa.func.count()).where(
        _C.board == board, _in_section(Section.RANKED), condition
    )
    return int(connection.execute(query).scalar_one())


def _average(row: sa.Row[Any]) -> tuple[int, int]:
    return row.average_whole, row.average_rest


def _cursor(row: sa.Row[Any]) -> Cursor:
    return Cursor(row.average_whole, row.average_rest, row.hands, row.settled_us, row.player_id)


def _row(row: sa.Row[Any], rank: int | None) -> Row:
    return Row(
        rank,
        row.player_id,
        row.display_name,
        row.kind,
        row.hands,
        row.net_chips,
        row.ai_decided_hands,
        row.void_hands,
        row.last_played_us,
    )
