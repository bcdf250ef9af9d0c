"""Leaderboards and statements read the same on SQLite and on PostgreSQL."""

from datetime import timedelta

import pytest
from sqlalchemy.engine import Engine

from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.ledger.leaderboard import (
    Scope,
    Section,
    read_next_rank,
    read_page,
    read_row,
)
from services.ledger.statement import Entry, read_statement
from tests.support.boards import SCOPE, Made, board, put, row_of, sums
from tests.support.ledgers import START, Script, apply_all, run_audit, whole_match


def test_a_rank_needs_500_hands_ldr_002(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [100] + [0] * 498))
    assert board(ledger, Section.RANKED) == []
    (row,) = board(ledger, Section.QUALIFYING)
    assert (row.rank, row.tally.hands) == (None, 499)
    apply_all(ledger, whole_match("otter", [0], match_id="second"))
    (row,) = board(ledger, Section.RANKED)
    assert (row.rank, row.tally.hands, row.tally.net_chips) == (1, 500, 100)
    assert board(ledger, Section.QUALIFYING) == []
    assert run_audit(ledger).findings == []


def test_averages_compare_exactly_and_ties_share_a_rank_ldr_005(ledger: Engine) -> None:
    rows = [Made("short", 5_000, 500), Made("long", 10_000, 1_000), Made("almost", 4_999, 500)]
    with ledger.begin() as connection:
        put(connection, rows)
    # The tie lists more hands first; 9.998 reads as 10.00 but is third, not second.
    assert [(r.rank, r.player_id) for r in board(ledger)] == [
        (1, "long"),
        (1, "short"),
        (3, "almost"),
    ]


def test_fractions_that_no_float_tells_apart_do_not_tie_ldr_005(ledger: Engine) -> None:
    most = 2**31 - 1
    above, below = Made("above", most - 1, most), Made("below", most - 2, most - 1)
    assert above.net_chips / above.hands - below.net_chips / below.hands < 1e-18
    with ledger.begin() as connection:
        put(connection, [below, above])
    assert [(r.rank, r.player_id) for r in board(ledger)] == [(1, "above"), (2, "below")]


def test_players_of_one_rank_are_listed_by_hands_then_by_who_was_first_ldr_006(
    ledger: Engine,
) -> None:
    rows = [Made(name, 500, 500, at) for name, at in (("late", 60), ("early", 10), ("mid", 30))]
    with ledger.begin() as connection:
        put(connection, [*rows, Made("more", 1_000, 1_000, 90), Made("next", 499, 500)])
    assert [(r.rank, r.player_id) for r in board(ledger)] == [
        (1, "more"),
        (1, "early"),
        (1, "mid"),
        (1, "late"),
        (5, "next"),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 100])
def test_ranks_are_right_wherever_a_page_begins_ldr_006(ledger: Engine, size: int) -> None:
    nets = [300, 300, 300, 200, 100, 100, -50]
    with ledger.begin() as connection:
        put(connection, [Made(f"p{n}", net) for n, net in enumerate(nets)])
    assert [r.rank for r in board(ledger, size=size)] == [1, 1, 1, 4, 5, 5, 7]


def test_ranks_are_right_across_all_stretches_of_averages(ledger: Engine) -> None:
    """Averages chips apart, a chip apart, less than 1/64 chip apart, and equal; both signs."""
    nets = [-9_000_000, -40_000, -32_500, -32_000, -31_999, -8, -7, -7, -1, 0]
    nets += [0, 1, 7, 8, 499, 500, 501, 31_999, 32_000, 32_001, 9_000_000]
    with ledger.begin() as connection:
        put(connection, [Made(f"p{n:02}", net) for n, net in enumerate(nets)])
    expected = [1 + sum(other > net for other in nets) for net in nets]
    ranks = {row.player_id: row.rank for row in board(ledger, size=4)}
    assert [ranks[f"p{n:02}"] for n in range(len(nets))] == expected
    mine = [row_of(ledger, f"p{n:02}") for n in range(len(nets))]
    assert [row.rank for row in mine if row is not None] == expected


def test_pages_go_on_where_they_were_while_rows_change(ledger: Engine) -> None:
    rows = [Made(f"p{n}", 900 - 100 * n) for n in range(6)]
    with ledger.begin() as connection:
        put(connection, rows)
    with reading(ledger) as connection:
        first = read_page(connection, SCOPE, Section.RANKED, 2, None)
    assert [row.player_id for row in first.rows] == ["p0", "p1"]
    with ledger.begin() as connection:  # two come in above the place, one below it
        put(connection, [Made("new1", 2_000), Made("new2", 850), Made("new3", 650)])
    with reading(ledger) as connection:
        rest = read_page(connection, SCOPE, Section.RANKED, 100, first.next_cursor)
    # Nobody twice, nobody left out, and the ranks are those of now.
    assert [(row.rank, row.player_id) for row in rest.rows] == [
        (5, "p2"),
        (6, "new3"),
        (7, "p3"),
        (8, "p4"),
        (9, "p5"),
    ]


def test_the_next_rank_is_that_of_the_nearest_better_average_ldr_010(ledger: Engine) -> None:
    rows = [Made("top", 5_000), Made("tie1", 4_000), Made("tie2", 8_000, 1_000), Made("me", 3_000)]
    with ledger.begin() as connection:
        put(connection, [*rows, Made("qualifying", 9_000, 499)])
        found = {}
        for name in ("me", "tie1", "tie2", "top", "qualifying"):
            row = read_row(connection, SCOPE, name)
            assert row is not None
            better = read_next_rank(connection, SCOPE, row)
            found[name] = None if better is None else (better.rank, float(better.average))
    assert found == {
        "me": (2, 8.0),
        "tie1": (1, 10.0),
        "tie2": (1, 10.0),
        "top": None,
        "qualifying": None,
    }


def test_the_qualifying_section_is_ordered_by_hands_then_average_ldr_003(ledger: Engine) -> None:
    apply_all(ledger, whole_match("few", [900]))
    apply_all(ledger, whole_match("bad", [-5, -5, -5]))
    apply_all(ledger, whole_match("good", [5, 5, 5]))
    rows = board(ledger, Section.QUALIFYING, size=2)
    assert [r.player_id for r in rows] == ["good", "bad", "few"]
    assert {r.rank for r in rows} == {None}


def test_only_settled_matches_count_ldr_004(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(100)
    apply_all(ledger, script.events)
    assert board(ledger, Section.QUALIFYING) == []
    apply_all(ledger, [script.settled(pb.MATCH_END_REASON_EXPIRED)])
    assert [r.tally.net_chips for r in board(ledger, Section.QUALIFYING)] == [100]


def test_the_house_and_bots_are_not_on_the_players_board_ldr_009(ledger: Engine) -> None:
    apply_all(ledger, whole_match("robot", [100], kind=pb.PARTICIPANT_KIND_BOT))
    assert board(ledger, Section.QUALIFYING) == []
    assert row_of(ledger, "river") is None
    row = row_of(ledger, "robot", Scope("hu_river_bots"))
    assert row is not None
    assert row.kind == "bot"


def test_a_void_hand_is_left_out_alone_and_a_void_match_as_a_whole_ldr_007(
    ledger: Engine,
) -> None:
    script = Script().sit_down()
    script.voided()
    script.settled(pb.MATCH_END_REASON_VOID)
    apply_all(ledger, script.events)
    assert board(ledger, Section.QUALIFYING) == []
    assert row_of(ledger, "otter") is None
    other = Script("m2").sit_down()
    other.hand(10)
    other.voided()
    other.hand(-3)
    other.settled()
    apply_all(ledger, other.events)
    (row,) = board(ledger, Section.QUALIFYING)
    assert (row.tally.hands, row.tally.net_chips, row.tally.void_hands) == (2, 7, 2)
    assert run_audit(ledger).findings == []


def test_buy_ins_and_top_ups_do_not_change_a_result_ldr_008(ledger: Engine) -> None:
    small, large = Script("m1", "small").sit_down(3_000), Script("m2", "large").sit_down(10_000)
    for script in (small, large):
        script.hand(-2_000)
        if script is small:
            script.bought(9_000, source=pb.CHIP_SOURCE_TOP_UP)
        script.hand(500)
        script.settled()
        apply_all(ledger, script.events)
    first, second = board(ledger, Section.QUALIFYING)
    assert first.tally.net_chips == second.tally.net_chips == -1_500
    assert first.tally.net_squares == second.tally.net_squares == 2_000**2 + 500**2


def test_a_row_counts_all_matches_and_says_what_the_ai_decided_ldr_009(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(100)
    script.hand(-300, ai_decided=True)
    script.voided()
    script.settled()
    apply_all(ledger, script.events)
    apply_all(ledger, whole_match("otter", [50]))
    row = row_of(ledger, "otter")
    assert row is not None
    tally = row.tally
    assert (tally.hands, tally.net_chips, tally.net_squares) == (3, -150, 102_500)
    assert (tally.ai_decided_hands, tally.void_hands) == (1, 1)


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
    assert sums(ledger, "otter") == (2, 20)
    assert run_audit(ledger).findings == []


def test_a_statement_pages_from_the_newest_transfer(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [100, -50]))
    with reading(ledger) as connection:
        whole = read_statement(connection, "otter", 100, None)
        everything = list(whole.entries)
        assert (whole.next_no, whole.opening_chips, whole.closing_chips) == (None, 0, 0)
        paged: list[Entry] = []
        place, closing = None, 0
        while True:
            page = read_statement(connection, "otter", 2, place)
            assert page.closing_chips == closing
            place, closing = page.next_no, page.opening_chips
            paged += page.entries
            if place is None:
                break
    assert (paged, closing) == (everything, 0)
    assert [e.kind for e in everything] == ["cash_out", "hand", "hand", "hand", "hand", "buy_in"][
        : len(everything)
    ]
    assert sum(e.chips if e.credit.startswith("stack:") else -e.chips for e in everything) == 0
    assert [entry.change_chips for entry in everything] == [
        e.chips if e.credit.startswith("stack:") else -e.chips for e in everything
    ]
