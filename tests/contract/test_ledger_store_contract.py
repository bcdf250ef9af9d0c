"""The ledger behaves the same on SQLite and on PostgreSQL."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from proto.events.v1 import events_pb2 as pb
from services.common.database import open_engine, reading
from services.common.eventlog.port import Event
from services.ledger import posting
from services.ledger.audit import Report, check_sums
from services.ledger.boards import average_key
from services.ledger.leaderboard import Cursor, Row, Section, read_page, read_row
from services.ledger.matches import RejectedError
from services.ledger.replay import Replay
from services.ledger.schema import (
    BALANCES,
    EVENTS,
    HANDS,
    MATCHES,
    METADATA,
    PLAYERS,
    SEATS,
    STANDINGS,
    TRANSFERS,
)
from services.ledger.statement import read_statement
from services.ledger.store import apply_events, load_matches, upgrade
from services.ledger.workspace import Outcome
from tests.support.ledgers import START, Script, whole_match, wrap


@pytest.fixture
def ledger(database_url: str) -> Iterator[Engine]:
    engine = open_engine(database_url)
    upgrade(engine)
    yield engine
    engine.dispose()


def apply_all(engine: Engine, events: Sequence[Event]) -> list[Outcome]:
    with engine.begin() as connection:
        return apply_events(connection, events)


def contents(engine: Engine) -> dict[str, list[Any]]:
    """Return every row of the ledger, without the clock's time."""
    with reading(engine) as connection:
        return {
            table.name: [
                {name: value for name, value in row.items() if name != "applied_us"}
                for row in connection.execute(sa.select(table)).mappings()
            ]
            for table in METADATA.sorted_tables
        }


def run_audit(engine: Engine) -> Report:
    report = Report()
    with reading(engine) as connection:
        check_sums(connection, report)
        Replay(connection, report).run()
    return report


def balances(engine: Engine) -> dict[str, int]:
    with reading(engine) as connection:
        rows = connection.execute(sa.select(BALANCES.c.account, BALANCES.c.chips))
        return {row.account: row.chips for row in rows}


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


def test_migrating_makes_the_tables_that_the_code_expects(ledger: Engine) -> None:
    upgrade(ledger)  # again: nothing to do
    inspector = sa.inspect(ledger)
    for table in METADATA.sorted_tables:
        found = {column["name"]: column["nullable"] for column in inspector.get_columns(table.name)}
        assert found == {column.name: column.nullable for column in table.columns}
        checks = {check["name"] for check in inspector.get_check_constraints(table.name)}
        unique = {item["name"] for item in inspector.get_unique_constraints(table.name)}
        for constraint in table.constraints:
            if isinstance(constraint, sa.CheckConstraint):
                assert constraint.name in checks
            if isinstance(constraint, sa.UniqueConstraint) and constraint.name:
                assert constraint.name in unique


def test_a_match_leaves_chips_where_the_events_say(ledger: Engine) -> None:
    script = Script().sit_down(3_000)
    script.hand(500)
    assert set(apply_all(ledger, script.events)) == {Outcome.APPLIED}
    assert balances(ledger) == {"bank": -13_000, "stack:m1:otter": 3_500, "stack:m1:river": 9_500}
    assert run_audit(ledger).findings == []


def test_a_settled_match_leaves_nothing_on_the_table(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [100, -250, 30]))
    assert set(balances(ledger).values()) == {0}
    report = run_audit(ledger)
    assert report.ok
    assert (report.events, report.matches, report.standings) == (8, 1, 1)


def test_a_redelivered_event_changes_nothing(ledger: Engine) -> None:
    events = whole_match("otter", [100, -250])
    apply_all(ledger, events)
    before = contents(ledger)
    assert set(apply_all(ledger, [*events, *reversed(events)])) == {Outcome.DUPLICATE}
    assert contents(ledger) == before


def test_the_same_event_id_with_other_content_is_a_conflict(ledger: Engine) -> None:
    script = Script().sit_down()
    first = script.hand(100)
    apply_all(ledger, script.events)
    before = contents(ledger)
    message = script.hand_message(900)
    forged = wrap(posting.HAND_SETTLED, "m1", message, START, first.event_id)
    with pytest.raises(RejectedError, match="event_conflict"):
        apply_all(ledger, [forged])
    with pytest.raises(RejectedError, match="event_conflict"):
        apply_all(ledger, [replace(first, value=b"\xff")])
    assert contents(ledger) == before


def test_a_hand_settled_again_under_another_event_id_is_a_duplicate(ledger: Engine) -> None:
    script = Script().sit_down()
    hand = script.hand(100)
    apply_all(ledger, script.events)
    assert apply_all(ledger, [replace(hand, event_id="other")]) == [Outcome.DUPLICATE]
    assert balances(ledger)["stack:m1:otter"] == 10_100


def test_a_hand_settled_again_with_other_results_is_a_conflict(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(100)
    apply_all(ledger, script.events)
    message = script.hand_message(700)
    message.hand_id = "m1-h1"
    with pytest.raises(RejectedError, match="hand_conflict"):
        apply_all(ledger, [wrap(posting.HAND_SETTLED, "m1", message, START)])
    assert balances(ledger)["stack:m1:otter"] == 10_100


def test_a_hand_of_another_match_cannot_be_settled_again(ledger: Engine) -> None:
    one, other = Script("m1").sit_down(), Script("m2", "seal").sit_down()
    one.hand(100)
    apply_all(ledger, [*one.events, *other.events])
    message = other.hand_message(100)
    message.hand_id = "m1-h1"
    with pytest.raises(RejectedError, match="hand_conflict"):
        apply_all(ledger, [wrap(posting.HAND_SETTLED, "m2", message, START)])


def test_a_refused_event_changes_nothing(ledger: Engine) -> None:
    script = Script().sit_down()
    apply_all(ledger, script.events)
    before = contents(ledger)
    with pytest.raises(RejectedError):
        apply_all(ledger, [script.settled(otter=1)])
    assert contents(ledger) == before


def test_events_of_unknown_kinds_are_passed_over(ledger: Engine) -> None:
    event = wrap("riverboat.party.started.v1", "p1", pb.MatchStarted(), START)
    assert apply_all(ledger, [event]) == [Outcome.IGNORED]


def test_a_match_reads_back_as_it_was_posted(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(100, ai_decided=True)
    script.voided()
    expected = None
    for event in script.events:
        expected = posting.post(expected, posting.read_message(event), event).match
    apply_all(ledger, script.events)
    with reading(ledger) as connection:
        assert load_matches(connection, ["m1", "m2"]) == {"m1": expected}


@pytest.mark.parametrize(
    "row",
    [
        {"chips": 0},
        {"chips": -5},
        {"credit": "bank"},
        {"kind": "gift"},
        {"event_no": 999},
    ],
)
def test_the_database_refuses_what_is_no_transfer(ledger: Engine, row: dict[str, Any]) -> None:
    apply_all(ledger, Script().sit_down().events)
    good = {
        "event_no": 1,
        "debit": "bank",
        "credit": "stack:m1:otter",
        "chips": 5,
        "kind": "buy_in",
        "match_id": "m1",
        "player_id": "otter",
        "posted_us": 0,
    }
    with pytest.raises(IntegrityError), ledger.begin() as connection:
        connection.execute(sa.insert(TRANSFERS).values({**good, **row}))


def test_the_database_refuses_a_negative_stack_and_a_hand_that_is_not_zero_sum(
    ledger: Engine,
) -> None:
    apply_all(ledger, whole_match("otter", [100]))
    stack = BALANCES.c.account == "stack:m-otter:otter"
    with pytest.raises(IntegrityError), ledger.begin() as connection:
        connection.execute(sa.update(BALANCES).where(stack).values(chips=-1))
    with pytest.raises(IntegrityError), ledger.begin() as connection:
        connection.execute(sa.update(HANDS).values(won_chips=HANDS.c.won_chips + 1))


# --- boards ------------------------------------------------------------------------------


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


# --- audit -------------------------------------------------------------------------------

TAMPERINGS: dict[str, sa.Update | sa.Delete] = {
    "a balance": sa.update(BALANCES)
    .where(BALANCES.c.account == "stack:open:seal")
    .values(chips=BALANCES.c.chips + 1),
    "a transfer": sa.update(TRANSFERS)
    .where(TRANSFERS.c.transfer_no == 5)
    .values(chips=TRANSFERS.c.chips + 1),
    "where a transfer went": sa.update(TRANSFERS)
    .where(TRANSFERS.c.transfer_no == 1)
    .values(credit="stack:open:seal"),
    "a transfer gone": sa.delete(TRANSFERS).where(TRANSFERS.c.transfer_no == 4),
    "a standing": sa.update(STANDINGS).values(net_chips=STANDINGS.c.net_chips + 1),
    "the order of a standing": sa.update(STANDINGS).values(average_rest=7),
    "a standing gone": sa.delete(STANDINGS),
    "an event": sa.update(EVENTS).where(EVENTS.c.event_no == 2).values(type=posting.HAND_SETTLED),
    "a digest": sa.update(EVENTS).where(EVENTS.c.event_no == 3).values(digest="0" * 64),
    "a match": sa.update(MATCHES).values(hands=MATCHES.c.hands + 1),
    "a seat": sa.update(SEATS).values(net_chips=SEATS.c.net_chips + 1),
    "a hand": sa.update(HANDS).values(put_in_chips=7, won_chips=7),
    "a name": sa.update(PLAYERS).values(display_name="Mallory"),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_the_audit_finds_what_was_tampered_with(ledger: Engine, what: str) -> None:
    running = Script("open", "seal").sit_down()
    running.hand(40)
    apply_all(ledger, [*whole_match("otter", [100, -250]), *running.events])
    assert run_audit(ledger).findings == []
    with ledger.begin() as connection:
        assert connection.execute(TAMPERINGS[what]).rowcount >= 1
    report = run_audit(ledger)
    assert not report.ok
    assert report.findings


def test_the_audit_finds_a_consistent_theft(ledger: Engine) -> None:
    """Transfers and balances agree with each other, but not with the events."""
    script = Script().sit_down()
    apply_all(ledger, script.events)
    with ledger.begin() as connection:
        first = TRANSFERS.c.transfer_no == 1
        connection.execute(sa.update(TRANSFERS).where(first).values(chips=20_000))
        for account, delta in (("bank", -10_000), ("stack:m1:otter", 10_000)):
            where = BALANCES.c.account == account
            changed = sa.update(BALANCES).where(where)
            connection.execute(changed.values(chips=BALANCES.c.chips + delta))
    assert any("transfers of event" in finding for finding in run_audit(ledger).findings)
