"""Seasons, 30 days and River's versions, on SQLite and on PostgreSQL; and all of it rebuilt."""

import asyncio
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.ledger.days import WINDOW_DAYS
from services.ledger.leaderboard import Scope, Section, read_filters
from services.ledger.rebuild import rebuild_boards
from services.ledger.schema import SEATS, STANDINGS
from services.ledger.store import upgrade
from services.ledger.windows import keep_rolling, roll
from tests.support.boards import DAY, SCOPE, board, projections, row_of, sums
from tests.support.ledger_schemas import before_boards
from tests.support.ledgers import START, Script, apply_all, run_audit, whole_match

RECENT = Scope("hu_river", "30d")


def season(name: str) -> Scope:
    return Scope("hu_river", name)


def test_a_hand_counts_in_the_season_in_which_it_ended_ldr_014(ledger: Engine) -> None:
    """However late the match is settled: START is in March, the second hand in April."""
    script = Script().sit_down()
    script.hand(100)
    script.start += timedelta(days=31)
    script.hand(-30)
    script.start += timedelta(days=200)
    script.settled()
    apply_all(ledger, script.events, DAY)
    assert sums(ledger, "otter") == (2, 70)
    assert sums(ledger, "otter", season("2026-Q1")) == (1, 100)
    assert sums(ledger, "otter", season("2026-Q2")) == (1, -30)
    assert sums(ledger, "otter", season("2026-Q4")) is None
    assert run_audit(ledger, today=DAY).findings == []


def test_a_board_can_be_asked_for_one_version_of_river_ldr_014(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [5, 5], match_id="m1", version="river-1"))
    apply_all(ledger, whole_match("otter", [-2], match_id="m2", version="river-2"))
    apply_all(ledger, whole_match("seal", [1], version="river-2"))
    assert sums(ledger, "otter") == (3, 8)
    assert sums(ledger, "otter", Scope("hu_river", version="river-1")) == (2, 10)
    second = Scope("hu_river", "2026-Q1", "river-2")
    rows = board(ledger, Section.QUALIFYING, scope=second)
    assert [(row.player_id, row.tally.net_chips) for row in rows] == [("seal", 1), ("otter", -2)]
    assert board(ledger, Section.QUALIFYING, scope=Scope("hu_river", version="river-3")) == []
    with reading(ledger) as connection:
        assert read_filters(connection, "hu_river") == (["2026-Q1"], ["river-1", "river-2"])
        assert read_filters(connection, "hu_river_bots") == ([], [])
    assert run_audit(ledger).findings == []


def test_days_fall_out_of_the_rolling_window_ldr_014(ledger: Engine) -> None:
    later = START + timedelta(days=10)
    apply_all(ledger, whole_match("otter", [100], match_id="m1", version="river-1"), DAY)
    apply_all(ledger, whole_match("otter", [7], match_id="m2", start=later), DAY + 10)
    assert sums(ledger, "otter", RECENT) == (2, 107)
    last = DAY + WINDOW_DAYS - 1
    assert roll(ledger, last) == 0
    assert sums(ledger, "otter", RECENT) == (2, 107)
    assert roll(ledger, last + 1) == 1
    assert sums(ledger, "otter", RECENT) == (1, 7)
    assert sums(ledger, "otter", Scope("hu_river", "30d", "river-1")) is None
    assert run_audit(ledger, today=last + 1).findings == []
    assert roll(ledger, last + 10) == 0
    assert roll(ledger, last + 11) == 1
    assert sums(ledger, "otter", RECENT) is None
    assert sums(ledger, "otter") == (2, 107)
    assert run_audit(ledger, today=last + 11).findings == []


def test_ranks_in_the_rolling_window_follow_who_is_still_in_it_ldr_014(ledger: Engine) -> None:
    later = START + timedelta(days=5)
    apply_all(ledger, whole_match("early", [9] * 500), DAY)
    apply_all(ledger, whole_match("late", [3] * 500, start=later), DAY + 5)
    assert [row.player_id for row in board(ledger, scope=RECENT)] == ["early", "late"]
    assert roll(ledger, DAY + WINDOW_DAYS) == 1
    (row,) = board(ledger, scope=RECENT)
    assert (row.rank, row.player_id) == (1, "late")
    assert [row.player_id for row in board(ledger)] == ["early", "late"]
    assert run_audit(ledger, today=DAY + WINDOW_DAYS).findings == []


def test_a_match_that_is_settled_long_after_its_hands_is_not_recent_ldr_014(
    ledger: Engine,
) -> None:
    apply_all(ledger, whole_match("otter", [100]), DAY + WINDOW_DAYS)
    assert sums(ledger, "otter", RECENT) is None
    assert sums(ledger, "otter") == (1, 100)
    assert run_audit(ledger, today=DAY + WINDOW_DAYS).findings == []


def test_rolling_on_in_chunks_reaches_everyone(
    ledger: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.ledger.windows.CHUNK", 2)
    for n in range(5):
        apply_all(ledger, whole_match(f"p{n}", [n], version="river-1"), DAY)
    assert roll(ledger, DAY + WINDOW_DAYS) == 5
    assert board(ledger, Section.QUALIFYING, scope=RECENT) == []


def test_a_running_ledger_rolls_the_window_on_by_itself_ldr_014(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [100]), DAY)
    assert sums(ledger, "otter", RECENT) == (1, 100)

    async def run_a_while() -> None:
        stop = asyncio.Event()
        rolling = asyncio.create_task(keep_rolling(ledger, stop, lambda: DAY + WINDOW_DAYS))
        async with asyncio.timeout(30):
            while await asyncio.to_thread(sums, ledger, "otter", RECENT) is not None:
                await asyncio.sleep(0.02)
        stop.set()
        await rolling

    asyncio.run(run_a_while())
    assert run_audit(ledger, today=DAY + WINDOW_DAYS).findings == []


def test_a_window_that_lags_is_sound_and_one_that_runs_ahead_is_not(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [100]), DAY)
    assert run_audit(ledger, today=DAY + 300).findings == []
    roll(ledger, DAY + WINDOW_DAYS)
    assert any("standings" in text for text in run_audit(ledger, today=DAY).findings)


def busy(ledger: Engine) -> None:
    """Play on several days, against several versions, with void and unsettled matches."""
    for n in range(6):
        start = START + timedelta(days=9 * n)
        name = f"p{n % 4}"
        events = whole_match(name, [n, -3, 40], match_id=f"m{n}", start=start, version=f"r{n % 2}")
        apply_all(ledger, events, DAY + 9 * n)
    apply_all(ledger, whole_match("robot", [4], kind=pb.PARTICIPANT_KIND_BOT), DAY + 45)
    void, running = Script("void", "p1").sit_down(), Script("open", "p2").sit_down()
    void.voided()
    void.settled(pb.MATCH_END_REASON_VOID)
    running.hand(40, bot_version="no proper\nversion")
    apply_all(ledger, [*void.events, *running.events], DAY + 45)
    apply_all(ledger, whole_match("p3", [1] * 500, match_id="long"), DAY + 45)
    roll(ledger, DAY + 45)


def test_everything_is_rebuilt_from_the_events_to_identical_numbers_ldr_011(
    ledger: Engine,
) -> None:
    busy(ledger)
    before = projections(ledger)
    assert all(before.values())
    with ledger.begin() as connection:
        connection.execute(sa.update(STANDINGS).values(net_chips=1))
        assert rebuild_boards(connection, DAY + 45) == 521
    assert projections(ledger) == before
    assert run_audit(ledger, today=DAY + 45).findings == []


def test_the_migration_sums_up_what_is_stored_ldr_011(
    ledger: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.ledger.rebuild.CHUNK", 2)
    busy(ledger)
    lasting = [row for row in projections(ledger)["standings"] if row["period"] != "30d"]
    with ledger.begin() as connection:
        before_boards(connection)
    upgrade(ledger)
    after = [row for row in projections(ledger)["standings"] if row["period"] != "30d"]
    assert after == lasting
    assert run_audit(ledger).findings == []
    apply_all(ledger, whole_match("p0", [8], match_id="next"))
    assert run_audit(ledger).findings == []


def test_the_order_of_arrival_does_not_change_a_number_ldr_011(ledger: Engine) -> None:
    starts = [START + timedelta(days=3 * n) for n in range(5)]
    matches = [
        whole_match("otter", [n, -1], match_id=f"m{n}", start=start, version=f"r{n % 2}")
        for n, start in enumerate(starts)
    ]
    for events in reversed(matches):
        apply_all(ledger, events, DAY + 12)
    before = projections(ledger)
    with ledger.begin() as connection:
        rebuild_boards(connection, DAY + 12)
    assert projections(ledger) == before


def test_hands_on_the_board_are_the_hands_of_the_ledger_ldr_012(ledger: Engine) -> None:
    busy(ledger)
    with reading(ledger) as connection:
        query = sa.select(SEATS.c.player_id, sa.func.sum(SEATS.c.hands))
        query = query.where(SEATS.c.match_id != "open", SEATS.c.player_id.startswith("p"))
        stored = dict(connection.execute(query.group_by(SEATS.c.player_id)).tuples().all())
    for player_id, hands in stored.items():
        row = row_of(ledger, player_id, SCOPE)
        assert row is not None
        assert row.tally.hands == hands
        seasons = [sums(ledger, player_id, season(name)) for name in ("2026-Q1", "2026-Q2")]
        assert sum(found[0] for found in seasons if found) == hands
