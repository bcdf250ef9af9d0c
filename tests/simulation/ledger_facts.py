"""Everything that a ledger says, in a form in which two ledgers can be compared.

What depends on when and in which order events were applied is left out: numbers of rows and
the time of applying.
"""

from collections import Counter
from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import reading
from services.ledger.boards import BOARDS
from services.ledger.leaderboard import Scope, Section, read_page
from services.ledger.schema import EVENTS, HANDS, MERGES, METADATA, TRANSFERS

PLAIN = (
    "balances",
    "matches",
    "seats",
    "players",
    "seat_days",
    "player_days",
    "standings",
    "rank_counts",
)
"""Tables that say the same whatever the order of the events."""

PERIODS = ("all", "30d")

Facts = Mapping[str, list[tuple[object, ...]]]


def facts_of(engine: Engine) -> Facts:
    """Return every fact by the table, or the board, that tells it."""
    with reading(engine) as connection:
        found = {name: _rows(connection, _whole(METADATA.tables[name])) for name in PLAIN}
        found["events"] = _rows(connection, _without(EVENTS, "event_no", "applied_us", "seal"))
        for table in (TRANSFERS, HANDS, MERGES):
            found[table.name] = _rows(connection, _by_event(table))
        for board in BOARDS:
            for period in PERIODS:
                found[f"board {board} {period}"] = _board(connection, Scope(board, period))
    return found


def difference(left: Facts, right: Facts) -> str:
    """Say where two ledgers differ first; empty when they say the same."""
    for name in sorted({*left, *right}):
        one, other = Counter(left.get(name, ())), Counter(right.get(name, ()))
        if one != other:
            only = [list((a - b).elements())[:3] for a, b in ((one, other), (other, one))]
            return f"{name}: {only[0]} against {only[1]}"
    return ""


def _whole(table: sa.Table) -> sa.Select[tuple[object, ...]]:
    return sa.select(table)


def _without(table: sa.Table, *names: str) -> sa.Select[tuple[object, ...]]:
    return sa.select(*(column for column in table.c if column.name not in names))


def _by_event(table: sa.Table) -> sa.Select[tuple[object, ...]]:
    """Select rows with the ids of their events in place of numbers."""
    columns = [c for c in table.c if c.name not in {"transfer_no", "event_no"}]
    query = sa.select(EVENTS.c.event_id, *columns)
    return query.join(table, table.c.event_no == EVENTS.c.event_no)


def _rows(connection: Connection, query: sa.Select[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(query)]


def _board(connection: Connection, scope: Scope) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for section in Section:
        cursor = None
        while True:
            page = read_page(connection, scope, section, 100, cursor)
            rows += [(section.value, row.rank, row.player_id, row.tally) for row in page.rows]
            cursor = page.next_cursor
            if cursor is None:
                break
    return rows
