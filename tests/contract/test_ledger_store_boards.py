"""Leaderboards and statements read the same on SQLite and on PostgreSQL."""

from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.ledger.boards import average_key
from services.ledger.leaderboard import Cursor, Row, Section, read_page, read_row
from services.ledger.schema import (
    PLAYERS,
    STANDINGS,
)
from services.ledger.statement import read_statement
from tests.support.ledgers import START, Script, apply_all, run_audit, whole_match


def board(engine: Engine, section: Section, size: int = 100) -> list[Row]:
    """Read a section page by page."""
    rows: list[Row] = []
    cursor: Cursor | None = None
    with reading(engine) as connection:
        while True:
            page = read_page(connection, "hu_river", section, size, cursor)
            rows += page.rows
            cursor = page.next_cursor
            if cursor is None:
                return rows


def results(total: int, hands: int) -> list[int]:
    """Return so many results with this sum."""
    return [total] + [0] * (hands - 1)


def test_a_rank_needs_500_hands(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", results(100, 499)))
    assert board(ledger, Section.RANKED) == []
    (row,) = board(ledger, Section.QUALIFYING)
    assert (row.rank, row.hands) == (None, 499)
    apply_all(ledger, whole_match("otter", [0], match_id="second"))
    (row,) = board(ledger, Section.RANKED)
    assert (row.rank, row.hands, row.net_chips) == (1, 500, 100)
    assert board(ledger, Section.QUALIFYING) == []


def test_averages_compare_exactly_and_ties_share_a_rank(ledger: Engine) -> None:
    with ledger.begin() as connection:
        _put_standing(connection, "short", 5_000, 500)
        _put_standing(connection, "long", 10_000, 1_000)
        _put_standing(connection, "almost", 4_999, 500)
    rows = board(ledger, Section.RANKED)
    # The tie lists more hands first; 9.998 reads as 10.00 but is third, not second.
    assert [(r.rank, r.player_id) for r in rows] == [(1, "long"), (1, "short"), (3, "almost")]


def test_players_of_one_rank_and_as_many_hands_are_listed_by_who_was_first(
    ledger: Engine,
) -> None:
    with ledger.begin() as connection:
        for player, settled_us in (("late", 60), ("early", 10), ("middle", 30)):
            _put_standing(connection, player, 500, 500, settled_us)
    assert [r.player_id for r in board(ledger, Section.RANKED)] == ["early", "middle", "late"]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 100])
def test_ranks_are_right_wherever_a_page_begins(ledger: Engine, size: int) -> None:
    with ledger.begin() as connection:
        for n, net in enumerate([300, 300, 300, 200, 100, 100, -50]):
            _put_standing(connection, f"p{n}", net, 500)
    assert [r.rank for r in board(ledger, Section.RANKED, size)] == [1, 1, 1, 4, 5, 5, 7]


def test_the_qualifying_section_is_ordered_by_hands_then_average(ledger: Engine) -> None:
    apply_all(ledger, whole_match("few", [900]))
    apply_all(ledger, whole_match("bad", [-5, -5, -5]))
    apply_all(ledger, whole_match("good", [5, 5, 5]))
    rows = board(ledger, Section.QUALIFYING, size=2)
    assert [r.player_id for r in rows] == ["good", "bad", "few"]
    assert {r.rank for r in rows} == {None}


def test_only_settled_matches_count(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(100)
    apply_all(ledger, script.events)
    assert board(ledger, Section.QUALIFYING) == []
    apply_all(ledger, [script.settled(pb.MATCH_END_REASON_EXPIRED)])
    assert [r.net_chips for r in board(ledger, Section.QUALIFYING)] == [100]


def test_the_house_and_bots_are_not_on_the_players_board(ledger: Engine) -> None:
    apply_all(ledger, whole_match("robot", [100], kind=pb.PARTICIPANT_KIND_BOT))
    assert board(ledger, Section.QUALIFYING) == []
    with reading(ledger) as connection:
        assert read_row(connection, "hu_river", "river") is None
        row = read_row(connection, "hu_river_bots", "robot")
    assert row is not None
    assert row.kind == "bot"


def test_a_player_with_void_hands_only_is_not_listed(ledger: Engine) -> None:
    script = Script().sit_down()
    script.voided()
    script.settled(pb.MATCH_END_REASON_VOID)
    apply_all(ledger, script.events)
    assert board(ledger, Section.QUALIFYING) == []
    with reading(ledger) as connection:
        assert read_row(connection, "hu_river", "otter") is None
    apply_all(ledger, whole_match("otter", [10]))
    (row,) = board(ledger, Section.QUALIFYING)
    assert (row.hands, row.void_hands) == (1, 1)
    assert run_audit(ledger).findings == []


def test_a_row_counts_all_matches_and_says_what_the_ai_decided(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(100)
    script.hand(-300, ai_decided=True)
    script.voided()
    script.settled()
    apply_all(ledger, script.events)
    apply_all(ledger, whole_match("otter", [50]))
    with reading(ledger) as connection:
        row = read_row(connection, "hu_river", "otter")
    assert row is not None
    assert (row.hands, row.net_chips, row.ai_decided_hands, row.void_hands) == (3, -150, 1, 1)


def test_the_latest_name_wins_whatever_the_order_of_arrival(ledger: Engine) -> None:
    old = Script("m1", name="Old", start=START)
    new = Script("m2", name="New", start=START + timedelta(days=1))
    for script in (new, old):
        script.sit_down()
        script.hand(10)
        script.settled()
        apply_all(ledger, script.events)
    (row,) = board(ledger, Section.QUALIFYING)
    assert row.display_name == "New"
    assert run_audit(ledger).findings == []


def test_a_statement_pages_from_the_newest_transfer(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [100, -50]))
    with reading(ledger) as connection:
        everything, last = read_statement(connection, "otter", 100, None)
        assert last is None
        paged, place = [], None
        while True:
            entries, place = read_statement(connection, "otter", 2, place)
            paged += entries
            if place is None:
                break
    assert paged == everything
    assert [e.kind for e in everything] == ["cash_out", "hand", "hand", "hand", "hand", "buy_in"][
        : len(everything)
    ]
    assert sum(e.chips if e.credit.startswith("stack:") else -e.chips for e in everything) == 0


def _put_standing(
    connection: sa.Connection, player_id: str, net: int, hands: int, settled_us: int = 0
) -> None:
    whole, rest = average_key(net, hands)
    name = {"display_name": player_id, "kind": "guest", "named_us": 0}
    connection.execute(sa.insert(PLAYERS).values(player_id=player_id, **name))
    row = {"board": "hu_river", "player_id": player_id, "hands": hands, "net_chips": net}
    rest_of_row = {"average_whole": whole, "average_rest": rest, "settled_us": settled_us}
    connection.execute(sa.insert(STANDINGS).values(**row, **rest_of_row))
