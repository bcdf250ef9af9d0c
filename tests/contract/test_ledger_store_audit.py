"""The audit finds what was tampered with, on SQLite and on PostgreSQL."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from services.common.database import open_engine
from services.common.eventlog.outbox import to_microseconds
from services.ledger import posting
from services.ledger.days import day_of
from services.ledger.report import Report
from services.ledger.schema import (
    BALANCES,
    DEAD_LETTERS,
    EVENTS,
    HANDS,
    MATCHES,
    MERGES,
    METADATA,
    PLAYER_DAYS,
    PLAYERS,
    POSITIONS,
    RANK_COUNTS,
    SEAT_DAYS,
    SEATS,
    STANDINGS,
    TRANSFERS,
)
from services.ledger.store import upgrade
from tests.support.ledgers import START, Script, apply_all, merged, run_audit, whole_match

Change = sa.Update | sa.Delete | sa.Insert


def _second(**values: object) -> sa.Update:
    return sa.update(EVENTS).where(EVENTS.c.event_no == 2).values(values)


def _fifth(**values: object) -> sa.Update:
    return sa.update(TRANSFERS).where(TRANSFERS.c.transfer_no == 5).values(values)


def _first_hand(**values: object) -> sa.Update:
    return sa.update(HANDS).where(HANDS.c.hand_id == "m-otter-h1").values(values)


EXTRA_HAND = {
    "hand_id": "extra",
    "match_id": "open",
    "hand_no": 99,
    "event_no": 2,
    "voided": False,
    "put_in_chips": 5,
    "won_chips": 5,
}

TAMPERINGS: dict[str, Change] = {
    "a balance": sa.update(BALANCES)
    .where(BALANCES.c.account == "stack:open:seal")
    .values(chips=BALANCES.c.chips + 1),
    "an account without chips": sa.insert(BALANCES).values(account="stack:x:y", chips=0),
    "an account of a match without chips": sa.insert(BALANCES).values(
        account="stack:open:eve", match_id="open", player_id="eve", chips=0
    ),
    "whose an account is": sa.update(BALANCES)
    .where(BALANCES.c.account == "stack:open:seal")
    .values(player_id="river"),
    "a transfer": _fifth(chips=TRANSFERS.c.chips + 1),
    "the time of a transfer": _fifth(posted_us=TRANSFERS.c.posted_us + 1),
    "the number of a transfer": _fifth(transfer_no=-5),
    "the number of the first transfer": sa.update(TRANSFERS)
    .where(TRANSFERS.c.transfer_no == 1)
    .values(transfer_no=-1),
    "the order of transfers": _fifth(transfer_no=1_000_000),
    "a transfer gone": sa.delete(TRANSFERS).where(TRANSFERS.c.transfer_no == 4),
    "a transfer more": sa.insert(TRANSFERS).values(
        event_no=1,
        debit="bank",
        credit="stack:open:seal",
        chips=1,
        kind="top_up",
        match_id="open",
        player_id="seal",
        posted_us=0,
    ),
    "a standing": sa.update(STANDINGS).values(net_chips=STANDINGS.c.net_chips + 1),
    "the order of a standing": sa.update(STANDINGS).values(average_rest=7),
    "a standing gone": sa.delete(STANDINGS),
    "a standing more": sa.insert(STANDINGS).values(
        board="hu_river", player_id="river", period="all", version=""
    ),
    "a standing of a stranger": sa.insert(STANDINGS).values(
        board="hu_river", player_id="otter", period="all", version="none"
    ),
    "the squares of a standing": sa.update(STANDINGS).values(net_squares="7"),
    "a day of a seat": sa.update(SEAT_DAYS).values(net_squares="7"),
    "a day of a seat gone": sa.delete(SEAT_DAYS),
    "a day of a seat more": sa.insert(SEAT_DAYS).values(
        match_id="open", player_id="river", day=1, version="", board="hu_river"
    ),
    "the version of a day": sa.update(SEAT_DAYS).values(version="other"),
    "a day of a player": sa.update(PLAYER_DAYS).values(hands=PLAYER_DAYS.c.hands + 1),
    "which day it was": sa.update(PLAYER_DAYS).values(day=PLAYER_DAYS.c.day + 1),
    "a day of a player gone": sa.delete(PLAYER_DAYS),
    "a day of a player more": sa.insert(PLAYER_DAYS).values(
        player_id="seal", board="hu_river", day=1, version=""
    ),
    "a count of ranked players": sa.update(RANK_COUNTS).values(players=RANK_COUNTS.c.players + 1),
    "a count gone": sa.delete(RANK_COUNTS),
    "a count more": sa.insert(RANK_COUNTS).values(
        board="hu_river", period="all", version="", level=0, slot=77, players=1
    ),
    "the type of an event": _second(type=posting.HAND_SETTLED),
    "a type of no event": _second(type="zzz"),
    "an empty type": _second(type=""),
    "the id of an event": _second(event_id="other"),
    "an empty id": _second(event_id=""),
    "the source of an event": _second(source="/elsewhere"),
    "an empty source": _second(source=""),
    "the match of an event": _second(match_id="open"),
    "an empty match": _second(match_id=""),
    "the time of an event": _second(time_us=EVENTS.c.time_us + 1),
    "a time beyond all times": _second(time_us=9 * 10**18),
    "when an event was applied": _second(applied_us=EVENTS.c.applied_us + 1),
    "the value of an event": _second(value=b"\x00"),
    "a digest": _second(digest="0" * 64),
    "a seal": _second(seal="0" * 64),
    "the number of an event without transfers": sa.update(EVENTS)
    .where(EVENTS.c.event_no == 1)
    .values(event_no=5_000),
    "a match": sa.update(MATCHES).values(hands=MATCHES.c.hands + 1),
    "the status of a match": sa.update(MATCHES).values(status="zzz"),
    "a match more": sa.insert(MATCHES).values(
        match_id="extra",
        table_id="t",
        ruleset_id="hu_river",
        big_blind_chips=100,
        status="open",
        started_us=0,
    ),
    "a seat": sa.update(SEATS).values(net_chips=SEATS.c.net_chips + 1),
    "the kind of a seat": sa.update(SEATS).values(kind="ghost"),
    "a seat more": sa.insert(SEATS).values(match_id="open", player_id="eve", number=9, kind="bot"),
    "a hand": sa.update(HANDS).values(put_in_chips=7, won_chips=7),
    "the match of a hand": _first_hand(match_id="open", hand_no=50),
    "the number of a hand": _first_hand(hand_no=50),
    "the id of a hand": _first_hand(hand_id="other"),
    "a hand more": sa.insert(HANDS).values(EXTRA_HAND),
    "the event of a hand": _first_hand(event_no=2),
    "a hand gone": sa.delete(HANDS).where(HANDS.c.hand_id == "m-otter-h1"),
    "a name": sa.update(PLAYERS).values(display_name="Mallory"),
    "the kind of a player": sa.update(PLAYERS).values(kind="ghost"),
    "a player more": sa.insert(PLAYERS).values(
        player_id="eve", display_name="Eve", kind="guest", named_us=0
    ),
    "how often a name was changed": sa.update(PLAYERS).values(name_revision=9),
    "whose line results are on": sa.update(PLAYERS)
    .where(PLAYERS.c.player_id == "ray")
    .values(owner_id=None),
    "a merge": sa.update(MERGES).values(into_id="seal"),
    "the time of a merge": sa.update(MERGES).values(merged_us=1),
    "a merge gone": sa.delete(MERGES),
    "a merge more": sa.insert(MERGES).values(
        player_id="seal", into_id="otter", merged_us=0, event_no=1
    ),
}

UNCHECKED_TAMPERINGS: dict[str, Change] = {
    "that a hand was voided": _first_hand(voided=True),
    "the kind of a transfer": _fifth(kind="rebuy"),
    "the player of a transfer": _fifth(player_id="otter"),
    "the hand of a transfer": _fifth(hand_id="m-otter-h2"),
    "the match of a transfer": _fifth(match_id="open"),
    "where a transfer went": sa.update(TRANSFERS)
    .where(TRANSFERS.c.transfer_no == 1)
    .values(credit="stack:open:seal"),
    "a kind of no transfer": _fifth(kind="zzz"),
    "a negative transfer": _fifth(chips=-5),
    "a transfer to itself": _fifth(credit=TRANSFERS.c.debit),
    "a transfer of no event": _fifth(event_no=5_000),
    "a hand of no event": _first_hand(event_no=5_000),
    "a hand of no event more": sa.insert(HANDS).values({**EXTRA_HAND, "event_no": 5_000}),
    "a hand that is not zero-sum": _first_hand(won_chips=1),
    "a seat of no match": sa.insert(SEATS).values(
        match_id="nowhere", player_id="eve", number=1, kind="bot"
    ),
    "an event gone": sa.delete(EVENTS).where(EVENTS.c.event_no == 5),
    "a match gone": sa.delete(MATCHES).where(MATCHES.c.match_id == "open"),
    "a negative stack": sa.update(BALANCES)
    .where(BALANCES.c.account == "stack:open:seal")
    .values(chips=-1),
}
"""What the database refuses while its constraints are there; SQLite can be told to look away."""

MISTYPED = {
    "text for an event's bytes": (EVENTS.c.value, "'text'"),
    "a number for an event's bytes": (EVENTS.c.value, "7"),
    "bytes for an event's id": (EVENTS.c.event_id, "CAST(event_id AS BLOB)"),
    "an id that is no UTF-8": (EVENTS.c.event_id, "CAST(x'ff' || event_no AS TEXT)"),
    "text for an event's time": (EVENTS.c.time_us, "'noon'"),
    "text for when it was applied": (EVENTS.c.applied_us, "'noon'"),
    "text for chips": (TRANSFERS.c.chips, "'many'"),
    "an account that is no UTF-8": (TRANSFERS.c.debit, "CAST(x'ff41' AS TEXT)"),
    "text for an event's number": (TRANSFERS.c.event_no, "'first'"),
    "text for a truth": (HANDS.c.voided, "'maybe'"),
    "bytes for a kind": (SEATS.c.kind, "x'6162'"),
    "text for a balance": (BALANCES.c.chips, "'some'"),
    "text for a sum": (STANDINGS.c.net_chips, "'much'"),
    "text for a day's sum": (SEAT_DAYS.c.hands, "'many'"),
    "a word for a sum of squares": (SEAT_DAYS.c.net_squares, "'large'"),
    "text for the oldest day": (STANDINGS.c.from_day, "'old'"),
    "text for a count": (RANK_COUNTS.c.players, "'some'"),
}
"""What SQLite stores in a column of another type."""


FILL_DAY = day_of(to_microseconds(START))


def _fill(ledger: Engine, *, ranked: bool = False) -> None:
    running = Script("open", "seal").sit_down()
    running.hand(40)
    nets = [100, -250, *[1] * (498 if ranked else 0)]
    people = [*whole_match("ray", [70]), merged("ray", "otter")]
    apply_all(ledger, [*whole_match("otter", nets), *running.events, *people], FILL_DAY)
    assert run_audit(ledger).findings == []


def _assert_found(report: Report) -> None:
    assert not report.ok
    assert report.findings
    assert json.loads(report.to_json())["ok"] is False


@pytest.mark.parametrize("what", TAMPERINGS)
def test_the_audit_finds_what_was_tampered_with(ledger: Engine, what: str) -> None:
    _fill(ledger, ranked=what.startswith("a count"))
    with ledger.begin() as connection:
        assert connection.execute(TAMPERINGS[what]).rowcount != 0
    _assert_found(run_audit(ledger))


@pytest.fixture
def unchecked(tmp_path: Path) -> Iterator[Engine]:
    """Open a ledger whose database checks nothing anymore."""
    engine = open_engine(f"sqlite:///{tmp_path}/ledger.sqlite3")
    upgrade(engine)
    yield engine
    engine.dispose()


def _look_away(connection: Connection, change: Change) -> int:
    """Make a change that constraints would refuse."""
    connection.exec_driver_sql("COMMIT")  # the pragma does nothing inside a transaction
    connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    connection.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    changed = connection.execute(change).rowcount
    connection.exec_driver_sql("COMMIT")
    connection.exec_driver_sql("PRAGMA foreign_keys = ON")
    connection.exec_driver_sql("PRAGMA ignore_check_constraints = OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    return changed


@pytest.mark.parametrize("what", UNCHECKED_TAMPERINGS)
def test_the_audit_finds_what_no_constraint_would_let_in(unchecked: Engine, what: str) -> None:
    _fill(unchecked)
    with unchecked.begin() as connection:
        assert _look_away(connection, UNCHECKED_TAMPERINGS[what]) >= 1
    _assert_found(run_audit(unchecked))


@pytest.mark.parametrize("what", MISTYPED)
def test_the_audit_finds_what_is_of_another_type(unchecked: Engine, what: str) -> None:
    column, value = MISTYPED[what]
    _fill(unchecked, ranked=column.table is RANK_COUNTS)
    change: sa.Update = sa.update(column.table).values({column: sa.text(value)})
    change = change.where(sa.text(f"{column.table.name}.rowid = 2"))
    with unchecked.begin() as connection:
        assert _look_away(connection, change) == 1
    _assert_found(run_audit(unchecked))


def test_every_column_of_what_follows_from_events_is_compared(ledger: Engine) -> None:
    """A column that nobody looks at could be changed without a finding."""
    _fill(ledger, ranked=True)
    tables = [table for table in METADATA.sorted_tables if table not in (DEAD_LETTERS, POSITIONS)]
    columns = [column for table in tables for column in table.columns if not column.primary_key]
    unseen = [f"{column.table.name}.{column.name}" for column in columns if _hides(ledger, column)]
    assert unseen == []
    assert run_audit(ledger).ok


def _hides(ledger: Engine, column: sa.Column[Any]) -> bool:
    """Change a column in one row, see whether the audit misses it, and change it back."""
    other: object = "zzz"
    if isinstance(column.type, sa.Boolean):
        other = sa.not_(column)
    elif isinstance(column.type, sa.BigInteger | sa.Integer):
        other = column + 1
    elif isinstance(column.type, sa.LargeBinary):
        other = b"zzz"
    keys = list(column.table.primary_key)
    with ledger.begin() as connection:
        row = connection.execute(
            sa.select(*keys, column.label("before")).order_by(*(key.desc() for key in keys))
        ).first()
    assert row is not None
    where = sa.and_(*(key == value for key, value in zip(keys, row, strict=False)))
    update = sa.update(column.table).where(where)
    try:
        with ledger.begin() as connection:
            assert connection.execute(update.values({column: other})).rowcount == 1
    except IntegrityError:
        return False  # a constraint sees it
    missed = run_audit(ledger).ok
    with ledger.begin() as connection:
        connection.execute(update.values({column: row.before}))
    return missed


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
    findings = run_audit(ledger).findings
    assert any("transfers" in finding and "another chips" in finding for finding in findings)


def test_matches_that_overlap_in_more_than_a_chunk_are_sound(
    ledger: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.ledger.replay.CHUNK", 3)
    whole = [whole_match(f"p{n}", [10, -20, 5]) for n in range(4)]
    running = [Script(f"r{n}", f"q{n}").sit_down().events for n in range(5)]
    for side_by_side in zip(*whole, strict=True):
        apply_all(ledger, side_by_side)
    for events in running:
        apply_all(ledger, events)
    report = run_audit(ledger)
    assert report.findings == []
    assert (report.matches, report.standings) == (9, 4)
