"""Leaderboards are read along indexes, however many players there are: PostgreSQL says so."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import open_engine, reading
from services.ledger.leaderboard import (
    NEXT,
    ROW,
    Cursor,
    Section,
    page_queries,
    read_page,
    read_row,
)
from services.ledger.ranks import BETTER, better_values
from services.ledger.schema import STANDINGS
from services.ledger.store import upgrade
from tests.support.many_players import SCOPE, fill, player_id

PLAYERS = 20_000
PAGE = 50

Json = dict[str, Any]


@pytest.fixture(scope="module")
def crowded(postgres_server_url: str) -> Iterator[Engine]:
    """Open a ledger with many players, for tests that only read."""
    from tests.support.postgres import fresh_database

    with fresh_database(postgres_server_url) as url:
        engine = open_engine(url)
        upgrade(engine)
        fill(engine, PLAYERS)
        yield engine
        engine.dispose()


def nodes(plan: Json) -> Iterator[Json]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def explained(connection: Connection, query: sa.Select[Any], values: Json) -> list[Json]:
    """Run a query and return the nodes of its plan, with what they really read."""
    compiled = query.compile(dialect=connection.dialect)
    text = f"EXPLAIN (ANALYZE, FORMAT JSON) {compiled}"
    (found,) = connection.exec_driver_sql(text, {**compiled.params, **values}).one()
    return list(nodes(found[0]["Plan"]))


def assert_read_along(found: list[Json], index: str, rows_max: int) -> None:
    """Check that the index was used, no table was scanned, and few rows were looked at."""
    kinds = {node["Node Type"] for node in found}
    assert kinds & {"Seq Scan", "Sort", "Bitmap Heap Scan"} == set(), kinds
    assert index in {node.get("Index Name") for node in found}
    for node in found:
        rows = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        assert rows * node["Actual Loops"] <= rows_max, node


def place(connection: Connection, section: Section, offset: int) -> Cursor:
    """Return the cursor of the row at a place of a section."""
    ((query, values),) = page_queries(SCOPE, section, None)
    row = connection.execute(query.offset(offset), {**values, "size": 1}).mappings().one()
    average = row["average_whole"], row["average_rest"]
    return Cursor(*average, row["hands"], row["settled_us"], row["player_id"])


@pytest.mark.parametrize(
    ("section", "index", "depth"),
    [
        (Section.RANKED, "standings_ranked", None),
        (Section.RANKED, "standings_ranked", 9_000),
        (Section.RANKED, "standings_ranked", 17_000),
        (Section.QUALIFYING, "standings_qualifying", None),
        (Section.QUALIFYING, "standings_qualifying", 1_500),
    ],
)
def test_a_page_reads_its_own_rows_only_however_deep(
    crowded: Engine, section: Section, index: str, depth: int | None
) -> None:
    with reading(crowded) as connection:
        after = None if depth is None else place(connection, section, depth)
        for query, values in page_queries(SCOPE, section, after):
            found = explained(connection, query, {**values, "size": PAGE})
            assert_read_along(found, index, PAGE)


def test_a_rank_is_counted_without_reading_the_players_above(crowded: Engine) -> None:
    with reading(crowded) as connection:
        for depth in (0, 5_000, 17_000):
            cursor = place(connection, Section.RANKED, depth)
            average = cursor.average_whole, cursor.average_rest
            values = better_values(SCOPE.board, SCOPE.period, SCOPE.version, average)
            assert_read_along(explained(connection, BETTER, values), "standings_ranked", 150)
            assert connection.execute(BETTER, values).scalar_one() == depth


def test_the_next_rank_is_the_row_before_in_the_index(crowded: Engine) -> None:
    with reading(crowded) as connection:
        cursor = place(connection, Section.RANKED, 9_000)
        values = {f"after_{name}": value for name, value in asdict(cursor).items()}
        found = explained(connection, NEXT, {**asdict(SCOPE), **values})
        assert_read_along(found, "standings_ranked", 2)


def test_one_s_own_row_is_found_by_its_key(crowded: Engine) -> None:
    with reading(crowded) as connection:
        found = explained(connection, ROW, {**asdict(SCOPE), "player_id": player_id(77)})
        assert_read_along(found, "standings_pkey", 1)


def test_ranks_of_many_are_the_places_in_the_exact_order_ldr_006(crowded: Engine) -> None:
    c = STANDINGS.c
    with reading(crowded) as connection:
        everyone = connection.execute(sa.select(c.player_id, c.net_chips, c.hands)).all()
        ranked = [row for row in everyone if row.hands >= 500]
        some = ranked[:: len(ranked) // 40]
        for mine in some:
            better = sum(row.net_chips * mine.hands > mine.net_chips * row.hands for row in ranked)
            row = read_row(connection, SCOPE, mine.player_id)
            assert row is not None
            assert row.rank == better + 1
        page = read_page(connection, SCOPE, Section.RANKED, 100, None)
    assert [row.rank for row in page.rows] == list(range(1, 101))
