"""The audit compares the ledger with the log it reads, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.common.database import open_engine
from services.common.eventlog import outbox
from services.common.eventlog.embedded import EmbeddedSource
from services.common.eventlog.port import Event
from services.ledger.consumer import Consumer
from services.ledger.schema import POSITIONS
from tests.support.ledgers import START, Script, run_audit, whole_match


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Engine]:
    """Open the database of a producer."""
    engine = open_engine(f"sqlite:///{tmp_path}/gateway.sqlite3")
    with engine.begin() as connection:
        outbox.create_tables(connection)
    yield engine
    engine.dispose()


def _consume(ledger: Engine, gateway: Engine, events: list[Event]) -> None:
    with gateway.begin() as connection:
        outbox.append(connection, events)
    consumer = Consumer(ledger, EmbeddedSource(gateway, 0))
    while consumer.run_once(0):
        pass


def _log() -> list[Event]:
    script = Script().sit_down()
    hand = script.hand(100)
    again = replace(hand, event_id="again")  # passed over rightly: the hand is known
    other = Event("party", "riverboat.party.started.v1", "m1", b"", START)
    refused = Script("nowhere").sit_down().hand(5)
    return [*script.events, again, other, refused]


def test_a_ledger_that_read_all_of_its_log_is_sound(ledger: Engine, gateway: Engine) -> None:
    _consume(ledger, gateway, _log())
    report = run_audit(ledger, gateway)
    assert (report.findings, report.unknown, report.dead_letters) == ([], [], 1)


def test_the_audit_says_what_it_cannot_know_without_the_log(
    ledger: Engine, gateway: Engine
) -> None:
    _consume(ledger, gateway, _log())
    report = run_audit(ledger)
    assert report.ok
    assert ["OUTBOX_DATABASE_URL" in text for text in report.unknown] == [True]


def test_the_audit_finds_events_that_the_position_skips(
    ledger: Engine, gateway: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.ledger.position.CHUNK", 3)
    _consume(ledger, gateway, _log())
    more = [*whole_match("seal", [7]), Script("m9").sit_down().hand(1)]
    with gateway.begin() as connection:
        outbox.append(connection, more)
    assert run_audit(ledger, gateway).ok
    with ledger.begin() as connection:
        connection.execute(sa.update(POSITIONS).values(offset=POSITIONS.c.offset + 2))
    report = run_audit(ledger, gateway)
    assert report.findings == [
        "position 8 of the outbox was passed over",
        "position 9 of the outbox was passed over",
    ]


def test_the_audit_finds_a_position_behind_the_end_of_the_log(
    ledger: Engine, gateway: Engine
) -> None:
    _consume(ledger, gateway, _log())
    with ledger.begin() as connection:
        connection.execute(sa.update(POSITIONS).values(offset=1_000))
    assert any("ends at 7" in finding for finding in run_audit(ledger, gateway).findings)
