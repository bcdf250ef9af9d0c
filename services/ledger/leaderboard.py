"""Leaderboards as they are read: pages, ranks and one player's row.

Both sections are read along an index (`schema`), a page at a time, from behind a cursor: a
row that does not change while somebody pages is on exactly one of their pages. A rank is one
more than the number of better averages, so ties share it (LDR-006); `ranks` counts them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.ledger.boards import RANKED_HANDS
from services.ledger.days import Tally
from services.ledger.ranks import BETTER, better_values, is_ranked
from services.ledger.schema import EVENTS, PLAYERS, STANDINGS
from services.ledger.standings import ALL_TIME, ANY_VERSION, StoredRow, standing_of


class Section(StrEnum):
    """Part of a board: players with 500 hands or more, and the others."""

    RANKED = "ranked"
    QUALIFYING = "qualifying"


@dataclass(frozen=True, slots=True)
class Scope:
    """Which hands a leaderboard is made of; see `standings.StandingKey`."""

    board: str
    period: str = ALL_TIME
    version: str = ANY_VERSION


@dataclass(frozen=True, slots=True)
class Row:
    """One player on a board; ``rank`` is None while qualifying."""

    rank: int | None
    player_id: str
    display_name: str
    kind: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class NextRank:
    """The nearest better average, in chips a hand, and the rank that it has."""

    rank: int
    average: Fraction


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

# What a section is sorted by, the largest first. In the ranked section hands only order
# players of one rank (LDR-006).
_ORDERS: dict[Section, tuple[sa.Column[Any], ...]] = {
    Section.RANKED: (_C.average_whole, _C.average_rest, _C.hands),
    Section.QUALIFYING: (_C.hands, _C.average_whole, _C.average_rest),
}
# And after that, the smallest first.
_LAST = (_C.settled_us, _C.player_id)


def _is_qualifying() -> sa.ColumnElement[bool]:
    """Return the condition as it is written in the index that holds these rows."""
    return (_C.hands < sa.literal_column(str(RANKED_HANDS))) & (_C.hands > sa.literal_column("0"))


def _in_scope() -> list[sa.ColumnElement[bool]]:
    return [_C[name] == sa.bindparam(name) for name in ("board", "period", "version")]


def _after(columns: tuple[sa.Column[Any], ...]) -> list[sa.BindParameter[Any]]:
    return [sa.bindparam(f"after_{column.name}", type_=column.type) for column in columns]


def _first(section: Section) -> sa.Select[Any]:
    return (
        sa.select(STANDINGS)
        .where(*_in_scope(), is_ranked() if section is Section.RANKED else _is_qualifying())
        .order_by(*(column.desc() for column in _ORDERS[section]), *_LAST)
        .limit(sa.bindparam("size", type_=sa.Integer))
    )


def _tied(section: Section) -> sa.Select[Any]:
    order = _ORDERS[section]
    ties = [column == value for column, value in zip(order, _after(order), strict=True)]
    return _first(section).where(*ties, sa.tuple_(*_LAST) > sa.tuple_(*_after(_LAST)))


def _behind(section: Section) -> sa.Select[Any]:
    order = _ORDERS[section]
    return _first(section).where(sa.tuple_(*order) < sa.tuple_(*_after(order)))


# Statements are built once: building takes longer than running them. Behind a row come those
# that tie with it in all that counts, then those that do not. Each of the two is one stretch
# of an index; asked for both in one query, databases choose worse plans.
_FIRST = {section: _first(section) for section in Section}
_TIED = {section: _tied(section) for section in Section}
_BEHIND = {section: _behind(section) for section in Section}

ROW = (
    sa.select(STANDINGS, PLAYERS.c.display_name, PLAYERS.c.kind)
    .join(PLAYERS, PLAYERS.c.player_id == _C.player_id)
    .where(*_in_scope(), _C.player_id == sa.bindparam("player_id"), _C.hands > 0)
)
"""A player's row, for a scope and a player_id."""

NEXT = (
    sa.select(STANDINGS)
    .where(*_in_scope(), is_ranked())
    .where(
        sa.tuple_(_C.average_whole, _C.average_rest)
        > sa.tuple_(*_after((_C.average_whole, _C.average_rest)))
    )
    .order_by(_C.average_whole.asc(), _C.average_rest.asc())
    .limit(1)
)
"""The row with the nearest better average, for a scope and an average to come after."""

_NAMES = sa.select(PLAYERS).where(PLAYERS.c.player_id.in_(sa.bindparam("ids", expanding=True)))


def read_page(
    connection: Connection, scope: Scope, section: Section, size: int, after: Cursor | None
) -> Page:
    """Return up to ``size`` rows of a section, at least 1, from behind a cursor."""
    found: list[StoredRow] = []
    for query, values in page_queries(scope, section, after):
        limited = {**values, "size": size + 1 - len(found)}
        found += connection.execute(query, limited).mappings()
        if len(found) > size:
            break
    rows = found[:size]
    ranks = _ranks(connection, scope, rows) if section is Section.RANKED else [None] * len(rows)
    names = _names(connection, [row["player_id"] for row in rows])
    return Page(
        tuple(
            _row(row, names[row["player_id"]], rank) for row, rank in zip(rows, ranks, strict=True)
        ),
        _cursor(rows[-1]) if len(found) > size else None,
    )


def page_queries(
    scope: Scope, section: Section, after: Cursor | None
) -> list[tuple[sa.Select[Any], dict[str, Any]]]:
    """Return queries with parameters (but "size") whose rows, in turn, are behind a cursor."""
    values = asdict(scope)
    if after is None:
        return [(_FIRST[section], values)]
    values |= {f"after_{name}": value for name, value in asdict(after).items()}
    return [(_TIED[section], values), (_BEHIND[section], values)]


def read_row(connection: Connection, scope: Scope, player_id: str) -> Row | None:
    """Return a player's row, None without a settled hand on the board."""
    row = _stored(connection, scope, player_id)
    if row is None:
        return None
    ranked = row["hands"] >= RANKED_HANDS
    return _row(row, row, 1 + _count_better(connection, scope, row) if ranked else None)


def read_next_rank(connection: Connection, scope: Scope, row: Row) -> NextRank | None:
    """Return what a ranked row has to reach to rise; None at the top and while qualifying."""
    if row.rank is None or row.rank == 1:
        return None
    stored = _stored(connection, scope, row.player_id)
    if stored is None:
        return None
    whole, rest = _average(stored)
    values = {**asdict(scope), "after_average_whole": whole, "after_average_rest": rest}
    better = connection.execute(NEXT, values).mappings().one_or_none()
    if better is None:
        return None
    rank = 1 + _count_better(connection, scope, better)
    return NextRank(rank, Fraction(better["net_chips"], better["hands"]))


def read_filters(connection: Connection, board: str) -> tuple[list[str], list[str]]:
    """Return the seasons (newest first) and River's versions that a board can be asked for."""
    seasons = [period for period in _distinct(connection, board, _C.period) if "-Q" in period]
    versions = _distinct(connection, board, _C.version, _C.period == ALL_TIME)
    return sorted(seasons, reverse=True), sorted(version for version in versions if version)


def as_of_us(connection: Connection) -> int:
    """Return when the last event that the boards contain was applied, 0 for none."""
    query = sa.select(EVENTS.c.applied_us).order_by(EVENTS.c.event_no.desc()).limit(1)
    return connection.execute(query).scalar_one_or_none() or 0


def _stored(connection: Connection, scope: Scope, player_id: str) -> StoredRow | None:
    values = {**asdict(scope), "player_id": player_id}
    return connection.execute(ROW, values).mappings().one_or_none()


def _ranks(connection: Connection, scope: Scope, rows: Sequence[StoredRow]) -> list[int | None]:
    """Return the ranks of consecutive rows.

    Players are counted above the first row, and above the first that does not tie with it:
    from there on, places on the page tell.
    """
    ranks: list[int | None] = []
    base: tuple[int, int] | None = None
    for index, row in enumerate(rows):
        if index and _average(row) == _average(rows[index - 1]):
            ranks.append(ranks[-1])
        elif index == 0 or base is None:
            ranks.append(1 + _count_better(connection, scope, row))
            base = (index, ranks[-1] or 0) if index else None
        else:
            ranks.append(base[1] + index - base[0])
    return ranks


def _count_better(connection: Connection, scope: Scope, row: StoredRow) -> int:
    values = better_values(scope.board, scope.period, scope.version, _average(row))
    return int(connection.execute(BETTER, values).scalar_one())


def _distinct(
    connection: Connection,
    board: str,
    column: sa.Column[Any],
    *where: sa.ColumnElement[bool],
) -> list[str]:
    """Return the few values of an index's column, jumping from one to the next."""
    found: list[str] = []
    query = sa.select(sa.func.min(column)).where(_C.board == board, *where)
    for ranked in (is_ranked(), _is_qualifying()):
        last: str | None = None
        while True:
            step = query.where(ranked)
            if last is not None:
                step = step.where(column > last)
            last = connection.execute(step).scalar_one()
            if last is None:
                break
            found.append(last)
    return list(dict.fromkeys(found))


def _average(row: StoredRow) -> tuple[int, int]:
    return row["average_whole"], row["average_rest"]


def _cursor(row: StoredRow) -> Cursor:
    place = row["hands"], row["settled_us"], row["player_id"]
    return Cursor(*_average(row), *place)


def _names(connection: Connection, player_ids: list[str]) -> dict[str, StoredRow]:
    found = connection.execute(_NAMES, {"ids": player_ids}).mappings()
    return {row["player_id"]: row for row in found}


def _row(row: StoredRow, name: StoredRow, rank: int | None) -> Row:
    _, standing = standing_of(row)
    return Row(rank, row["player_id"], name["display_name"], name["kind"], standing.tally)
