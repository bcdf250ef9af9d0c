"""From the gateway's outbox through a real broker to balances on PostgreSQL."""

import gc
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.common.database import open_engine, reading
from services.common.eventlog import outbox
from services.common.eventlog.kafka import KafkaDeadLetters, KafkaSink, KafkaSource
from services.common.eventlog.port import Event, EventLogError
from services.common.eventlog.relay import Relay
from services.common.eventlog.topics import create_topics
from services.ledger.consumer import Consumer
from services.ledger.leaderboard import Scope, read_row
from services.ledger.schema import DEAD_LETTERS, EVENTS
from services.ledger.store import upgrade
from tests.support.kafka import KafkaServer, fresh_topic
from tests.support.ledgers import Script, run_audit, whole_match

WAIT_SECONDS = 90.0

pytestmark = pytest.mark.kafka


def eventually(read: Callable[[], object], wanted: object) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while (got := read()) != wanted:
        assert time.monotonic() < deadline, f"{got!r} is not {wanted!r}"
        time.sleep(0.1)


@contextmanager
def running(*loops: Callable[[threading.Event], None]) -> Iterator[None]:
    """Run loops in threads; stop them at the end and show what they raised."""
    stop, faults = threading.Event(), []

    def guard(loop: Callable[[threading.Event], None]) -> None:
        try:
            loop(stop)
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=guard, args=(loop,)) for loop in loops]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(WAIT_SECONDS)
    assert faults == []


@pytest.fixture
def gateway(postgres_url: str) -> Iterator[Engine]:
    """The gateway's and the ledger's tables side by side, as two schemas would be."""
    engine = open_engine(postgres_url)
    with engine.begin() as connection:
        outbox.create_tables(connection)
    upgrade(engine)
    yield engine
    engine.dispose()


def append(engine: Engine, events: list[Event]) -> None:
    with engine.begin() as connection:
        outbox.append(connection, events)


def count(engine: Engine, table: sa.Table) -> int:
    with reading(engine) as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def result(engine: Engine, player_id: str) -> tuple[int, int] | None:
    with reading(engine) as connection:
        row = read_row(connection, Scope("hu_river"), player_id)
    return (row.tally.hands, row.tally.net_chips) if row else None


def test_from_the_outbox_through_kafka_to_the_board(
    gateway: Engine, kafka_bootstrap: str, kafka_topic: str
) -> None:
    matches = [whole_match(f"p{n}", [10 * n, -5, 3]) for n in range(6)]
    with ExitStack() as stack:
        dead_topic = stack.enter_context(fresh_topic(kafka_bootstrap, partitions=1))
        dead = stack.enter_context(closing(KafkaDeadLetters(kafka_bootstrap, dead_topic)))
        sink = stack.enter_context(closing(KafkaSink(kafka_bootstrap, kafka_topic)))
        # Two relays and two consumers, as two replicas of each service would run them.
        sources = [
            stack.enter_context(
                closing(KafkaSource(kafka_bootstrap, "g", kafka_topic, session_timeout_ms=6000))
            )
            for _ in range(2)
        ]
        loops = [Relay(gateway, sink).run, Relay(gateway, sink).run]
        loops += [Consumer(gateway, source, dead_letters=dead).run for source in sources]
        with running(*loops):
            for match in matches:
                append(gateway, match)
            append(gateway, [Script("nowhere").sit_down().hand(5)])
            append(gateway, whole_match("p0", [1], match_id="again"))
            expected = sum(len(match) for match in matches) + 6
            eventually(lambda: count(gateway, EVENTS), expected)
            eventually(lambda: count(gateway, DEAD_LETTERS), 1)
        reader = stack.enter_context(
            closing(KafkaSource(kafka_bootstrap, "dead-reader", dead_topic))
        )
        letter = _first(reader)
    assert letter.key == "nowhere"
    assert [result(gateway, f"p{n}") for n in range(6)] == [(4, -1)] + [
        (3, 10 * n - 2) for n in range(1, 6)
    ]
    assert run_audit(gateway).findings == []


def test_a_corrupt_row_of_the_outbox_is_a_dead_letter_of_the_topic_too(
    gateway: Engine, kafka_bootstrap: str, kafka_topic: str
) -> None:
    append(gateway, whole_match("otter", [100]))
    append(gateway, [Script("corrupt").sit_down().events[0]])
    append(gateway, whole_match("seal", [7]))
    spoil = sa.update(outbox.OUTBOX).where(outbox.OUTBOX.c.key == "corrupt")
    with gateway.begin() as connection:
        assert connection.execute(spoil.values(time_us=9 * 10**18)).rowcount == 1
    with ExitStack() as stack:
        sink = stack.enter_context(closing(KafkaSink(kafka_bootstrap, kafka_topic)))
        assert Relay(gateway, sink).run_once() == 13
        source = stack.enter_context(closing(KafkaSource(kafka_bootstrap, "g", kafka_topic)))
        _apply_deliveries(Consumer(gateway, source), 13)
    with reading(gateway) as connection:
        letter = connection.execute(sa.select(DEAD_LETTERS)).one()
    assert (letter.reason, letter.key) == ("not_an_event", b"corrupt")
    assert "time_us" in letter.detail
    assert (result(gateway, "otter"), result(gateway, "seal")) == ((1, 100), (1, 7))


def _first(source: KafkaSource) -> Event:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        for delivery in source.poll(1, 1.0):
            assert isinstance(delivery.record, Event)
            return delivery.record
    raise AssertionError("no dead letter in the topic")


def _apply_deliveries(consumer: Consumer, count: int) -> None:
    """Run until so many deliveries were applied, and not one more."""
    deadline, seen = time.monotonic() + WAIT_SECONDS, 0
    while seen < count and time.monotonic() < deadline:
        seen += consumer.run_once()
    assert seen == count


def test_a_new_consumer_that_gets_everything_again_counts_nothing_twice(
    gateway: Engine, kafka_bootstrap: str, kafka_topic: str
) -> None:
    events = whole_match("otter", [100, -30])
    with closing(KafkaSink(kafka_bootstrap, kafka_topic)) as sink:
        sink.publish([*events, *events])
    for group in ("first", "second"):
        with closing(KafkaSource(kafka_bootstrap, group, kafka_topic)) as source:
            _apply_deliveries(Consumer(gateway, source), 2 * len(events))
        assert count(gateway, EVENTS) == len(events)
    assert count(gateway, DEAD_LETTERS) == 0
    assert run_audit(gateway).findings == []


def test_dying_after_the_transaction_and_before_the_offset_counts_once(
    gateway: Engine, kafka_bootstrap: str, kafka_topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = whole_match("otter", [100, -30])
    with closing(KafkaSink(kafka_bootstrap, kafka_topic)) as sink:
        sink.publish(events)

    def die(_source: KafkaSource) -> None:
        raise EventLogError("killed here")

    with closing(KafkaSource(kafka_bootstrap, "g", kafka_topic)) as source:
        monkeypatch.setattr(KafkaSource, "commit", die)
        with pytest.raises(EventLogError, match="killed here"):
            _apply_deliveries(Consumer(gateway, source), 1)
        monkeypatch.undo()
    assert count(gateway, EVENTS) == len(events)
    with closing(KafkaSource(kafka_bootstrap, "g", kafka_topic)) as source:
        _apply_deliveries(Consumer(gateway, source), len(events))
    assert count(gateway, EVENTS) == len(events)
    assert run_audit(gateway).findings == []


@pytest.fixture
def collected(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Collect what a lost broker leaves behind while its warnings are still expected."""
    # Captured records would keep the connections that they speak of alive.
    with caplog.at_level(logging.CRITICAL, "kafka"):
        yield
    gc.collect()


# kafka-python leaves the sockets of failed reconnects to the garbage collector.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
@pytest.mark.usefixtures("collected")
def test_nothing_is_lost_when_the_broker_is_killed_and_comes_back(
    gateway: Engine, kafka_process: KafkaServer
) -> None:
    server = kafka_process
    with ExitStack() as stack:
        assert sorted(create_topics(server.bootstrap, partitions=3, replicas=1)) == [
            "riverboat.matches.v1",
            "riverboat.matches.v1.dead",
        ]
        assert create_topics(server.bootstrap, partitions=3, replicas=1) == []
        sink = stack.enter_context(closing(KafkaSink(server.bootstrap)))
        source = stack.enter_context(
            closing(KafkaSource(server.bootstrap, "g", session_timeout_ms=6000))
        )
        with running(Relay(gateway, sink).run, Consumer(gateway, source).run):
            append(gateway, whole_match("before", [1, 2]))
            eventually(lambda: result(gateway, "before"), (2, 3))
            server.kill()
            for n in range(10):
                append(gateway, whole_match(f"during{n}", [n]))
            server.start()
            append(gateway, whole_match("after", [3]))
            eventually(lambda: result(gateway, "after"), (1, 3))
            eventually(
                lambda: [result(gateway, f"during{n}") for n in range(10)],
                [(1, n) for n in range(10)],
            )
    assert count(gateway, DEAD_LETTERS) == 0
    assert run_audit(gateway).findings == []
