"""The benchmark of leaderboards reads what it says, on both databases."""

import json

import pytest

from benchmarks import bench_boards
from services.common.database import reading
from services.ledger.leaderboard import Section, read_page, read_row
from tests.support.many_players import SCOPE, fill, player_id


def test_every_read_is_timed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    bench_boards.main(["200", "--rounds", "10", "--database", "sqlite"])
    first, *lines = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["filled_in_seconds"] >= 0
    reads = ["nothing", "first_page", "deep_page", "my_rank", "counted_rank"]
    assert [line["read"] for line in lines] == reads
    assert all(0 < line["p50_ms"] <= line["p99_ms"] for line in lines)
    assert {(line["players"], line["rounds"]) for line in lines} == {(200, 10)}


def test_the_players_are_made_up_the_same_every_time_and_ranked() -> None:
    found = []
    for _ in range(2):
        with bench_boards.new_ledger("sqlite") as engine:
            fill(engine, 300)
            with reading(engine) as connection:
                page = read_page(connection, SCOPE, Section.RANKED, 100, None)
                found.append([(row.rank, row.player_id, row.tally) for row in page.rows])
                assert read_row(connection, SCOPE, player_id(299)) is not None
    assert found[0] == found[1]
    assert [rank for rank, _, _ in found[0]] == list(range(1, 101))
