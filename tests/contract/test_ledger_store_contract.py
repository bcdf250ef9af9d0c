"""The ledger keeps chips the same way on SQLite and on PostgreSQL."""

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.ledger import posting
from services.ledger.matches import RejectedError
from services.ledger.schema import (
    BALANCES,
    HANDS,
    METADATA,
    TRANSFERS,
)
from services.ledger.store import load_matches, upgrade
from services.ledger.workspace import Outcome
from tests.support.ledger_schemas import first_schema
from tests.support.ledgers import START, Script, apply_all, run_audit, whole_match, wrap


def contents(engine: Engine) -> dict[str, list[Any]]:
    """Return every row of the ledger, without the clock's time."""
    with reading(engine) as connection:
        return {
            table.name: [
                {name: value for name, value in row.items() if name != "applied_us"}
                for row in connection.execute(
                    sa.select(table).order_by(*table.primary_key)
                ).mappings()
            ]
            for table in METADATA.sorted_tables
        }


def balances(engine: Engine) -> dict[str, int]:
    with reading(engine) as connection:
        rows = connection.execute(sa.select(BALANCES.c.account, BALANCES.c.chips))
        return {row.account: row.chips for row in rows}


def test_migrating_makes_the_tables_that_the_code_expects(ledger: Engine) -> None:
    upgrade(ledger)  # again: nothing to do
    inspector = sa.inspect(ledger)
    for table in METADATA.sorted_tables:
        found = {column["name"]: column["nullable"] for column in inspector.get_columns(table.name)}
        assert found == {column.name: column.nullable for column in table.columns}
        indexes = {index["name"] for index in inspector.get_indexes(table.name)}
        assert {index.name for index in table.indexes} <= indexes
        checks = {check["name"] for check in inspector.get_check_constraints(table.name)}
        unique = {item["name"] for item in inspector.get_unique_constraints(table.name)}
        for constraint in table.constraints:
            if isinstance(constraint, sa.CheckConstraint):
                assert constraint.name in checks
            if isinstance(constraint, sa.UniqueConstraint) and constraint.name:
                assert constraint.name in unique


def test_events_that_are_there_already_are_sealed_by_the_migration(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [100, -250]))
    before = contents(ledger)
    with ledger.begin() as connection:
        first_schema(connection)
    upgrade(ledger)
    assert contents(ledger) == before
    assert run_audit(ledger).ok


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


def test_a_redelivered_event_changes_nothing_eng_093(ledger: Engine) -> None:
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


def test_a_hand_settled_again_under_another_event_id_is_a_duplicate_eng_093(ledger: Engine) -> None:
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
