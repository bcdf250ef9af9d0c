"""Leaderboards filled and read without playing every hand."""

from collections.abc import Iterable
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import reading
from services.common.eventlog.outbox import to_microseconds
from services.ledger.days import Tally, day_of
from services.ledger.leaderboard import Cursor, Row, Scope, Section, read_page, read_row
from services.ledger.projections import replace_standings
from services.ledger.schema import METADATA, PLAYERS
from services.ledger.standings import Standing, StandingKey
from tests.support.ledgers import START

SCOPE = Scope("hu_river")
DAY = day_of(to_microseconds(START))
"""The day in which scripted matches are played."""

PROJECTIONS = ("seat_days", "player_days", "standings", "rank_counts")


@dataclass(frozen=True)
class Made:
    """A row as a test wants it."""

    player_id: str
    net_chips: int
    hands: int = 500
    settled_us: int = 0
    scope: Scope = SCOPE


def put(connection: Connection, rows: Iterable[Made]) -> None:
    """Store rows of players that are new, and the counts that go with them."""
    standings = {}
    for row in rows:
        name = {"display_name": row.player_id, "kind": "guest", "named_us": 0}
        connection.execute(sa.insert(PLAYERS).values(player_id=row.player_id, **name))
        scope = row.scope
        key = StandingKey(row.player_id, scope.board, scope.period, scope.version)
        standings[key] = Standing(Tally(row.hands, row.net_chips), row.settled_us)
    replace_standings(connection, {}, standings)


def board(
    engine: Engine, section: Section = Section.RANKED, size: int = 100, scope: Scope = SCOPE
) -> list[Row]:
    """Read a section page by page."""
    rows: list[Row] = []
    cursor: Cursor | None = None
    with reading(engine) as connection:
        while True:
            page = read_page(connection, scope, section, size, cursor)
            rows += page.rows
            cursor = page.next_cursor
            if cursor is None:
                return rows


def row_of(engine: Engine, player_id: str, scope: Scope = SCOPE) -> Row | None:
    """Read one player's row."""
    with reading(engine) as connection:
        return read_row(connection, scope, player_id)


def sums(engine: Engine, player_id: str, scope: Scope = SCOPE) -> tuple[int, int] | None:
    """Read one player's hands and net chips."""
    row = row_of(engine, player_id, scope)
    return None if row is None else (row.tally.hands, row.tally.net_chips)


def projections(engine: Engine) -> dict[str, list[dict[str, object]]]:
    """Return everything that the leaderboards are made of, in order."""
    tables = [METADATA.tables[name] for name in PROJECTIONS]
    with reading(engine) as connection:
        return {
            table.name: [
                dict(row)
                for row in connection.execute(
                    sa.select(table).order_by(*table.primary_key)
                ).mappings()
            ]
            for table in tables
        }
