"""Leaderboards with a great many players, made up from a seed."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import psycopg
import sqlalchemy as sa
from psycopg import sql
from sqlalchemy.engine import Connection, Engine

from services.ledger.days import Tally
from services.ledger.leaderboard import Scope
from services.ledger.ranks import Slot, count_ranked, save_counts
from services.ledger.rows import Row
from services.ledger.schema import PLAYERS, STANDINGS
from services.ledger.standings import Standing, StandingKey, standing_row

SCOPE = Scope("hu_river")
CHUNK = 10_000
CHIPS_A_HAND = 1_000
"""Standard deviation of one hand's result: ten big blinds, as heads-up players see it."""


def fill(engine: Engine, players: int, seed: int = 1) -> None:
    """Store so many players with results of all time; nine in ten of them ranked."""
    rng = random.Random(seed)
    counts: Counter[Slot] = Counter()
    with engine.begin() as connection:
        for numbers in _batched(range(players)):
            rows = [_row(number, rng) for number in numbers]
            _copy(connection, PLAYERS, [_player(row["player_id"]) for row in rows])
            _copy(connection, STANDINGS, rows)
            count_ranked(counts, rows)
        save_counts(connection, counts)
    _gather_statistics(engine)


def player_id(number: int) -> str:
    """Return a player's id; ids come in no order."""
    return f"u_{number * 2_654_435_761 % 2**32:08x}{number:012x}"


def _player(name: str) -> Row:
    return {"player_id": name, "display_name": name[:10], "kind": "guest", "named_us": 1}


def _row(number: int, rng: random.Random) -> Row:
    hands = int(500 * rng.paretovariate(1.1)) if rng.random() < 0.9 else rng.randint(1, 499)
    hands = min(hands, 1_000_000)
    net = round(rng.gauss(0, CHIPS_A_HAND * hands**0.5))
    tally = Tally(hands, net, CHIPS_A_HAND**2 * hands, hands // 100, 0, 1)
    key = StandingKey(player_id(number), SCOPE.board, SCOPE.period, SCOPE.version)
    return standing_row(key, Standing(tally, rng.randrange(10**15)))


def _batched(numbers: range) -> Iterator[range]:
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]


def _copy(connection: Connection, table: sa.Table, rows: list[Row]) -> None:
    """Store rows as fast as the database takes them."""
    if connection.dialect.name != "postgresql":
        connection.execute(sa.insert(table), rows)
        return
    names = list(rows[0])
    driver = cast("psycopg.Connection[Any]", connection.connection.driver_connection)
    into = sql.SQL(", ").join(map(sql.Identifier, names))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), into)
    with driver.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row([row[name] for name in names])


def _gather_statistics(engine: Engine) -> None:
    """Let the planner know what it plans for, as the database itself does after a while."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        statement = "VACUUM ANALYZE" if engine.dialect.name == "postgresql" else "ANALYZE"
        connection.exec_driver_sql(statement)
