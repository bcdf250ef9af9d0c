"""Two relays on one outbox, PostgreSQL to Kafka; the one at work is killed."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.common.database import open_engine, reading
from services.common.eventlog import outbox
from services.common.eventlog.kafka import KafkaSource
from services.common.eventlog.outbox import RELAYS
from services.common.eventlog.port import Event
from services.common.eventlog.relay import BATCH_EVENTS, Relay
from tests.support.eventlogs import event
from tests.support.guarded import guarded

REPO = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 120.0
KEYS = 5
ROUNDS = 120


@pytest.fixture
def gateway(postgres_url: str) -> Iterator[Engine]:
    engine = open_engine(postgres_url)
    with engine.begin() as connection:
        outbox.create_tables(connection)
    yield engine
    engine.dispose()


@contextmanager
def relay(url: str, brokers: str, topic: str, holder: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.support.relay_process", url, brokers, topic, holder]
    process = subprocess.Popen([*guarded(signal.SIGKILL), *command], cwd=REPO)
    try:
        yield process
    finally:
        process.kill()
        process.wait(WAIT_SECONDS)


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.02)


def holder_of(engine: Engine) -> str:
    with reading(engine) as connection:
        holders = connection.execute(sa.select(RELAYS.c.holder)).scalars().all()
    return holders[0] if holders else ""


def position_of(engine: Engine) -> int:
    with reading(engine) as connection:
        found = connection.execute(sa.select(RELAYS.c.position)).scalars().all()
    return int(found[0]) if found else 0


def write(engine: Engine, sent: list[Event], done: threading.Event) -> None:
    """Play so many rounds: an event for every key, each in a transaction of its own."""
    for number in range(ROUNDS):
        for key in range(KEYS):
            fact = event(f"m{key}", str(number))
            with engine.begin() as connection:
                outbox.append(connection, [fact])
            sent.append(fact)
    done.set()


def test_a_killed_relay_is_taken_over_and_order_holds_for_every_key(
    gateway: Engine, postgres_url: str, kafka_bootstrap: str, kafka_topic: str
) -> None:
    sent: list[Event] = []
    done = threading.Event()
    with ExitStack() as stack:
        processes = {
            name: stack.enter_context(relay(postgres_url, kafka_bootstrap, kafka_topic, name))
            for name in ("one", "two")
        }
        until(lambda: holder_of(gateway) in processes, "a relay holds the lease")
        first = holder_of(gateway)
        writer = threading.Thread(target=write, args=(gateway, sent, done))
        writer.start()
        until(lambda: position_of(gateway) > KEYS * ROUNDS // 10, "events are relayed")
        assert holder_of(gateway) == first, "one works, the other stands by"
        processes[first].kill()
        until(lambda: holder_of(gateway) not in {first, ""}, "the other takes over")
        assert done.wait(WAIT_SECONDS)
        writer.join(WAIT_SECONDS)
        arrived = read_all(kafka_bootstrap, kafka_topic, {fact.event_id for fact in sent})
    assert {fact.event_id for fact in arrived} == {fact.event_id for fact in sent}
    for key in range(KEYS):
        wanted = [fact for fact in sent if fact.key == f"m{key}"]
        firsts = dict.fromkeys(fact for fact in arrived if fact.key == f"m{key}")
        assert list(firsts) == wanted
    assert len(arrived) - len(sent) <= BATCH_EVENTS, "at most the batch in hand comes twice"


def read_all(brokers: str, topic: str, wanted: set[str]) -> list[Event]:
    """Read the topic until everything has come."""
    arrived: list[Event] = []
    source = KafkaSource(brokers, "readers", topic)
    deadline = time.monotonic() + WAIT_SECONDS
    try:
        while not wanted <= {fact.event_id for fact in arrived}:
            assert time.monotonic() < deadline, f"{len(arrived)} of {len(wanted)} events came"
            records = [delivery.record for delivery in source.poll(500, 0.5)]
            arrived += [record for record in records if isinstance(record, Event)]
    finally:
        source.close()
    return arrived


def test_a_relay_outlives_a_pool_without_a_free_connection(database_url: str) -> None:
    """The requests of a busy gateway hold every connection for a while."""
    engine = open_engine(database_url)
    with engine.begin() as connection:
        outbox.create_tables(connection)
        outbox.append(connection, [event("m", "one")])

    class Sink:
        def __init__(self) -> None:
            self.published = threading.Event()

        def publish(self, records: object) -> None:
            self.published.set()

        def close(self) -> None:
            pass

    stop, sink, full = threading.Event(), Sink(), threading.Event()
    relay = Relay(engine, sink)
    original = relay.run_once

    def without_connection() -> int:
        if not full.is_set():
            full.set()
            raise sa.exc.TimeoutError("QueuePool limit reached")
        return original()

    relay.run_once = without_connection  # type: ignore[method-assign]  # a pool that is full once
    thread = threading.Thread(target=relay.run, args=(stop,))
    thread.start()
    assert sink.published.wait(WAIT_SECONDS)
    stop.set()
    thread.join(WAIT_SECONDS)
    engine.dispose()
