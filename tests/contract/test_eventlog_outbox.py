"""The outbox and its relay behave the same on SQLite and on PostgreSQL."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from services.common.database import open_engine, reading
from services.common.eventlog import outbox
from services.common.eventlog.cloudevents import decode, encode
from services.common.eventlog.embedded import EmbeddedSource
from services.common.eventlog.outbox import OUTBOX
from services.common.eventlog.port import Event, EventLogError, Record, Undecodable
from services.common.eventlog.relay import KEEP, LEASE_SECONDS, Relay
from tests.support.eventlogs import START, event

WAIT_SECONDS = 30.0
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def gateway(database_url: str) -> Iterator[Engine]:
    engine = open_engine(database_url)
    with engine.begin() as connection:
        outbox.create_tables(connection)
    yield engine
    engine.dispose()


class RecordingSink:
    """A sink in memory that can be away."""

    def __init__(self) -> None:
        self.events: list[Record] = []
        self.away = False
        self.stored_before_failing = 0

    def publish(self, records: Sequence[Record]) -> None:
        if self.away:
            self.events += records[: self.stored_before_failing]
            raise EventLogError("away")
        self.events += records

    def close(self) -> None:
        pass


class Clock:
    """A clock that goes when told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def put(engine: Engine, events: Sequence[Event]) -> None:
    with engine.begin() as connection:
        outbox.append(connection, events)


def events_after(engine: Engine, position: int) -> list[tuple[int, Event]]:
    with reading(engine) as connection:
        return outbox.read_after(connection, position, 1000)


def test_events_are_read_in_the_order_they_were_appended(gateway: Engine) -> None:
    sent = [event(f"m{n % 3}", str(n)) for n in range(30)]
    put(gateway, sent[:10])
    put(gateway, sent[10:])
    assert [e for _, e in events_after(gateway, 0)] == sent


def test_a_rolled_back_transaction_leaves_no_event(gateway: Engine) -> None:
    with gateway.connect() as connection, connection.begin() as transaction:
        outbox.append(connection, [event("m", "never")])
        transaction.rollback()
    put(gateway, [event("m", "kept")])
    assert [e.value for _, e in events_after(gateway, 0)] == [b"kept"]


def test_an_event_id_is_appended_once(gateway: Engine) -> None:
    put(gateway, [event("m", "one", "id")])
    with pytest.raises(IntegrityError):
        put(gateway, [event("m", "two", "id")])


def test_appending_nothing_is_harmless(gateway: Engine) -> None:
    put(gateway, [])
    assert events_after(gateway, 0) == []


def test_a_reader_never_passes_an_event_that_commits_later(gateway: Engine) -> None:
    """The first producer takes its position first and commits last."""
    appended, release = threading.Event(), threading.Event()

    def slow() -> None:
        with gateway.begin() as connection:
            outbox.append(connection, [event("m1", "slow")])
            appended.set()
            release.wait(WAIT_SECONDS)

    def fast() -> None:
        put(gateway, [event("m2", "fast")])

    threads = [threading.Thread(target=slow), threading.Thread(target=fast)]
    threads[0].start()
    assert appended.wait(WAIT_SECONDS)
    threads[1].start()
    seen = events_after(gateway, 0)
    threads[1].join(0.3)
    position = max((p for p, _ in seen), default=0)
    seen += events_after(gateway, position)
    release.set()
    for thread in threads:
        thread.join(WAIT_SECONDS)
    position = max((p for p, _ in seen), default=0)
    seen += events_after(gateway, position)
    assert [e.value for _, e in seen] == [b"slow", b"fast"]


def test_pruning_removes_old_events_up_to_a_position(gateway: Engine) -> None:
    sent = [event("m", str(n)) for n in range(5)]
    put(gateway, sent)
    later = sent[0].time.replace(year=2030)
    third = events_after(gateway, 0)[2][0]
    with gateway.begin() as connection:
        assert outbox.prune(connection, third, sent[0].time) == 0
        assert outbox.prune(connection, third, later) == 3
    assert [e for _, e in events_after(gateway, 0)] == sent[3:]


# --- rows that are no events (anymore) ---------------------------------------------------

CORRUPTIONS: dict[str, tuple[sa.Column[Any], str]] = {
    "no id": (OUTBOX.c.event_id, "''"),
    "a line break in the key": (OUTBOX.c.key, "'line\nbreak'"),
    "a time after the end of time": (OUTBOX.c.time_us, "9000000000000000000"),
    "a time before the beginning": (OUTBOX.c.time_us, "-9000000000000000000"),
    "no source": (OUTBOX.c.source, "''"),
    "no type": (OUTBOX.c.type, "''"),
}
"""The column that is to blame, and the SQL of what it is made."""

SQLITE_CORRUPTIONS: dict[str, tuple[sa.Column[Any], str]] = {
    "text for bytes": (OUTBOX.c.value, "'text'"),
    "a number for bytes": (OUTBOX.c.value, "7"),
    "bytes for text": (OUTBOX.c.event_id, "x'6162'"),
    "text that is no UTF-8": (OUTBOX.c.event_id, "CAST(x'ff41' AS TEXT)"),
    "a value that is no UTF-8": (OUTBOX.c.value, "CAST(x'ff41' AS TEXT)"),
    "text for a number": (OUTBOX.c.time_us, "'noon'"),
    "a fraction for a number": (OUTBOX.c.time_us, "1.5"),
}
"""What only SQLite lets in."""


def corrupt(engine: Engine, column: sa.Column[Any], value: str) -> None:
    """Spoil the second of the events."""
    spoil = sa.update(OUTBOX).where(OUTBOX.c.position == 2).values({column: sa.text(value)})
    with engine.begin() as connection:
        assert connection.execute(spoil).rowcount == 1


@pytest.mark.parametrize("what", CORRUPTIONS)
def test_a_corrupt_row_reaches_every_consumer_as_undecodable(gateway: Engine, what: str) -> None:
    _reaches_as_undecodable(gateway, *CORRUPTIONS[what])


@pytest.mark.parametrize("what", SQLITE_CORRUPTIONS)
def test_so_does_what_only_sqlite_lets_in(tmp_path: Path, what: str) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/gateway.sqlite3")
    with engine.begin() as connection:
        outbox.create_tables(connection)
    _reaches_as_undecodable(engine, *SQLITE_CORRUPTIONS[what])
    engine.dispose()


def _reaches_as_undecodable(gateway: Engine, column: sa.Column[Any], value: str) -> None:
    sent = [event("m", str(n)) for n in range(3)]
    put(gateway, sent)
    corrupt(gateway, column, value)
    deliveries = EmbeddedSource(gateway, 0).poll(10, 0)
    assert [delivery.offset for delivery in deliveries] == [1, 2, 3]
    sink = RecordingSink()
    assert Relay(gateway, sink).run_once() == 3
    for records in (
        [delivery.record for delivery in deliveries],
        [decode(*encode(record)) for record in sink.events],  # as it is read from a topic
    ):
        first, spoilt, last = records
        assert (first, last) == (sent[0], sent[2])
        assert isinstance(spoilt, Undecodable)
        assert column.name in spoilt.reason
    with pytest.raises(ValueError, match="position 2"):
        events_after(gateway, 0)


# --- the relay ---------------------------------------------------------------------------


def test_a_relay_publishes_everything_once_and_in_order(gateway: Engine) -> None:
    sent = [event(f"m{n % 3}", str(n)) for n in range(20)]
    put(gateway, sent)
    sink = RecordingSink()
    relay = Relay(gateway, sink)
    assert relay.lag() == 20
    assert relay.run_once() == 20
    assert relay.run_once() == 0
    assert relay.lag() == 0
    assert sink.events == sent


def test_a_relay_hands_the_trace_on_as_a_header(gateway: Engine) -> None:
    sent = [replace(event("m", "0"), traceparent=TRACE), event("m", "1")]
    put(gateway, sent)
    sink = RecordingSink()
    Relay(gateway, sink).run_once()
    traces = [dict(encode(record)[2]).get("traceparent") for record in sink.events]
    assert traces == [TRACE.encode(), None]


def test_a_trace_that_is_none_makes_no_event_unreadable(gateway: Engine) -> None:
    sent = event("m", "0")
    put(gateway, [sent])
    with gateway.begin() as connection:
        connection.execute(sa.update(OUTBOX).values(traceparent="nonsense"))
    ((_, found),) = events_after(gateway, 0)
    assert found == sent


def test_a_producer_of_before_goes_on_writing_to_the_table(gateway: Engine) -> None:
    with gateway.begin() as connection:
        statement = sa.text(
            "INSERT INTO outbox (event_id, type, key, value, time_us, source) "
            "VALUES ('e', 'riverboat.test.v1', 'm', :value, 0, '/riverboat/gateway')"
        )
        connection.execute(statement, {"value": b""})
    ((_, found),) = events_after(gateway, 0)
    assert (found.event_id, found.traceparent) == ("e", None)


def test_a_relay_goes_on_where_the_last_one_stopped(gateway: Engine) -> None:
    sink = RecordingSink()
    put(gateway, [event("m", "one")])
    first = Relay(gateway, sink)
    first.run_once()
    first.release()
    put(gateway, [event("m", "two")])
    Relay(gateway, sink).run_once()
    assert [e.value for e in sink.events] == [b"one", b"two"]


def test_while_the_sink_is_away_events_wait_in_the_outbox(gateway: Engine) -> None:
    sent = [event("m", str(n)) for n in range(5)]
    put(gateway, sent)
    sink = RecordingSink()
    sink.away, sink.stored_before_failing = True, 2
    relay = Relay(gateway, sink)
    for _ in range(3):
        with pytest.raises(EventLogError):
            relay.run_once()
    sink.away = False
    assert relay.run_once() == 5
    # Copies are allowed, but the first copy of every event arrives in order.
    assert list(dict.fromkeys(sink.events)) == sent


def test_only_the_holder_of_the_lease_works(gateway: Engine) -> None:
    clock, one, other = Clock(), RecordingSink(), RecordingSink()
    holder = Relay(gateway, one, clock=clock)
    standby = Relay(gateway, other, clock=clock)
    put(gateway, [event("m", "one")])
    assert (holder.run_once(), standby.run_once()) == (1, 0)
    clock.now += LEASE_SECONDS * 0.6
    put(gateway, [event("m", "two")])
    assert (standby.run_once(), holder.run_once()) == (0, 1)  # and renewed its lease
    clock.now += LEASE_SECONDS * 0.6
    assert standby.run_once() == 0
    assert [e.value for e in one.events] == [b"one", b"two"]


def test_a_standby_takes_over_when_the_holder_is_silent(gateway: Engine) -> None:
    clock, one, other = Clock(), RecordingSink(), RecordingSink()
    holder, standby = Relay(gateway, one, clock=clock), Relay(gateway, other, clock=clock)
    put(gateway, [event("m", "one")])
    holder.run_once()
    put(gateway, [event("m", "two")])
    clock.now += LEASE_SECONDS + 1
    assert standby.run_once() == 1
    assert holder.run_once() == 0
    assert [e.value for e in other.events] == [b"two"]


def test_a_released_lease_is_free_at_once(gateway: Engine) -> None:
    clock, sink = Clock(), RecordingSink()
    holder, standby = Relay(gateway, sink, clock=clock), Relay(gateway, sink, clock=clock)
    put(gateway, [event("m", "one")])
    assert holder.run_once() == 1
    holder.release()
    put(gateway, [event("m", "two")])
    assert standby.run_once() == 1


def test_a_late_relay_cannot_take_the_position_back(gateway: Engine) -> None:
    """A paused relay publishes its batch again after another one went further."""
    sent = [event("m", str(n)) for n in range(3)]
    clock = Clock()
    fast = RecordingSink()

    class PausedSink(RecordingSink):
        def publish(self, records: Sequence[Record]) -> None:
            clock.now += LEASE_SECONDS + 1
            put(gateway, sent[1:])
            assert Relay(gateway, fast, clock=clock).run_once() == 3
            super().publish(records)

    put(gateway, sent[:1])
    Relay(gateway, PausedSink(), clock=clock).run_once()
    assert fast.events == sent
    clock.now += LEASE_SECONDS + 1
    assert Relay(gateway, fast, clock=clock).run_once() == 0


def test_relays_in_threads_share_the_work_without_losing_any(gateway: Engine) -> None:
    sink, stop = RecordingSink(), threading.Event()
    relays = [Relay(gateway, sink) for _ in range(3)]
    threads = [threading.Thread(target=relay.run, args=(stop,)) for relay in relays]
    for thread in threads:
        thread.start()
    sent = [event(f"m{n % 5}", str(n)) for n in range(60)]
    for start in range(0, 60, 10):
        put(gateway, sent[start : start + 10])
    waiting = threading.Event()
    for _ in range(int(WAIT_SECONDS / 0.05)):
        if len(set(sink.events)) == 60:
            break
        waiting.wait(0.05)
    stop.set()
    for thread in threads:
        thread.join(WAIT_SECONDS)
    assert list(dict.fromkeys(sink.events)) == sent


def test_a_relay_prunes_only_what_is_published_and_old(gateway: Engine) -> None:
    clock, sink = Clock(), RecordingSink()
    clock.now = START.timestamp() + KEEP.total_seconds() + 60
    relay = Relay(gateway, sink, clock=clock)
    old = [event("m", str(n)) for n in range(3)]
    fresh = replace(event("m", "fresh"), time=START + KEEP)
    put(gateway, [*old, fresh])
    assert relay.prune() == 0
    relay.run_once()
    put(gateway, [event("m", "not published")])
    assert relay.prune() == 3
    assert [e.value for _, e in events_after(gateway, 0)] == [b"fresh", b"not published"]
    assert relay.run_once() == 1
