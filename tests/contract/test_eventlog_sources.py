"""What a consumer may rely on, whatever carries the events."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from services.common.database import open_engine
from services.common.eventlog.port import Delivery, Event, EventSource
from tests.support.eventlogs import START, EmbeddedLog, KafkaLog, Log, event

DEADLINE_SECONDS = 40.0


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgres", marks=pytest.mark.postgres),
        pytest.param("kafka", marks=pytest.mark.kafka),
    ]
)
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    made = _LOGS[request.param](request, tmp_path)
    yield made
    made.close()


def _sqlite(_request: pytest.FixtureRequest, tmp_path: Path) -> Log:
    url = f"sqlite:///{tmp_path}/gateway.db"
    return EmbeddedLog(open_engine(url), open_engine(url, read_only=True))


def _postgres(request: pytest.FixtureRequest, _tmp_path: Path) -> Log:
    url = request.getfixturevalue("postgres_url")
    return EmbeddedLog(open_engine(url), open_engine(url, read_only=True))


def _kafka(request: pytest.FixtureRequest, _tmp_path: Path) -> Log:
    bootstrap = request.getfixturevalue("kafka_bootstrap")
    return KafkaLog(bootstrap, request.getfixturevalue("kafka_topic"))


_LOGS: dict[str, Callable[[pytest.FixtureRequest, Path], Log]] = {
    "sqlite": _sqlite,
    "postgres": _postgres,
    "kafka": _kafka,
}


def drain(source: EventSource, count: int, limit: int = 500) -> list[Delivery]:
    """Poll until so many deliveries came, and not one more."""
    seen: list[Delivery] = []
    deadline = time.monotonic() + DEADLINE_SECONDS
    while len(seen) < count and time.monotonic() < deadline:
        seen += source.poll(limit, 0.5)
    assert len(seen) == count
    return seen


def events_of(deliveries: Sequence[Delivery]) -> list[Event]:
    records = [delivery.record for delivery in deliveries]
    assert all(isinstance(record, Event) for record in records)
    return [record for record in records if isinstance(record, Event)]


def test_events_arrive_exactly_as_they_were_written(log: Log) -> None:
    odd = Event(
        "id with ünïcode",
        "riverboat.test.v1",
        "key/🂡",
        bytes(range(256)),
        START.astimezone(timezone(timedelta(hours=5, minutes=30))),
        "/elsewhere",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    )
    empty = event("k", "")
    log.append([odd, empty])
    with closing(log.open_source()) as source:
        assert {e.event_id: e for e in events_of(drain(source, 2))} == {
            odd.event_id: odd,
            empty.event_id: empty,
        }


def test_events_of_a_key_arrive_in_order(log: Log) -> None:
    sent = [event(f"match-{n % 7}", str(n)) for n in range(200)]
    for start in range(0, 200, 50):
        log.append(sent[start : start + 50])
    with closing(log.open_source()) as source:
        got = events_of(drain(source, 200, limit=17))
    for key in {e.key for e in sent}:
        assert [e for e in got if e.key == key] == [e for e in sent if e.key == key]


def test_offsets_rise_within_a_partition(log: Log) -> None:
    log.append([event(f"match-{n}", str(n)) for n in range(50)])
    with closing(log.open_source()) as source:
        got = drain(source, 50, limit=9)
    for partition in {d.partition for d in got}:
        offsets = [d.offset for d in got if d.partition == partition]
        assert offsets == sorted(set(offsets))


def test_poll_gives_no_more_than_asked_for(log: Log) -> None:
    log.append([event("m", str(n)) for n in range(20)])
    with closing(log.open_source()) as source:
        drain(source, 1, limit=1)
        assert len(source.poll(5, 5.0)) <= 5


def test_poll_of_an_empty_log_gives_nothing(log: Log) -> None:
    with closing(log.open_source()) as source:
        assert list(source.poll(10, 0.3)) == []


def test_what_was_not_committed_is_delivered_again_after_a_restart(log: Log) -> None:
    log.append([event("m", str(n)) for n in range(6)])
    with closing(log.open_source()) as source:
        first = drain(source, 3, limit=3)
        log.acknowledge(source, first)
        lost = drain(source, 3)
    with closing(log.open_source()) as source:
        assert drain(source, 3) == lost


def test_what_was_committed_is_not_delivered_again(log: Log) -> None:
    log.append([event("m", str(n)) for n in range(4)])
    with closing(log.open_source()) as source:
        log.acknowledge(source, drain(source, 4))
    later = event("m", "later")
    log.append([later])
    with closing(log.open_source()) as source:
        assert events_of(drain(source, 1)) == [later]
        assert list(source.poll(10, 0.3)) == []


def test_rewinding_delivers_again_from_the_last_commit(log: Log) -> None:
    log.append([event("m", str(n)) for n in range(5)])
    with closing(log.open_source()) as source:
        log.acknowledge(source, drain(source, 2, limit=2))
        first = drain(source, 3)
        source.rewind()
        assert drain(source, 3) == first


def test_committing_nothing_is_harmless(log: Log) -> None:
    log.append([event("m", "one")])
    with closing(log.open_source()) as source:
        source.commit()
        source.rewind()
        drain(source, 1)


def test_a_source_sees_events_that_come_while_it_is_open(log: Log) -> None:
    with closing(log.open_source()) as source:
        assert list(source.poll(10, 0.2)) == []
        log.append([event("m", "now")])
        assert events_of(drain(source, 1))[0].value == b"now"


def test_the_name_of_a_log_is_stable(log: Log) -> None:
    with closing(log.open_source()) as one, closing(log.open_source()) as other:
        assert one.name == other.name
