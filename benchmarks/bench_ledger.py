"""How many events a second go from Kafka into a committed ledger. JSON lines on stdout.

Matches made up from a seed are published once, to a topic of a real broker. Then, round by
round and in turn, each on an empty database and with a consumer group of its own:

- ``ledger``: the ledger's consumer as it is in service, one process, until all is committed;
- ``bare_consumer``: kafka-python with the same settings reads the topic and drops the records;
- ``bare_insert``: the rows that the ledger wrote, into the same tables with the same indexes
  and constraints, by INSERT in batches, as many events a transaction; nothing is read, computed
  or updated.

Clocks start at the first records, when the group has come together. ``of_the_lower`` is the
ledger's rate over that of the slower of the two others; the aim is 0.4. ``cpu_us`` is what an
event took on processors, of the reading or writing process and, for a server on this machine
(Linux), of PostgreSQL's own; a busy machine disturbs it less. ``cpu_of_the_lower`` compares that.

    python -m benchmarks.bench_ledger                    # 20,000 hands, 5 rounds
    python -m benchmarks.bench_ledger --hands 5000 --rounds 3

The servers are those of KAFKA_BOOTSTRAP_SERVERS and TEST_POSTGRES_URL, or started for the run.
"""

import argparse
import json
import random
import statistics
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Engine

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # in kafka-python
    from services.common.eventlog.kafka import KafkaDeadLetters, KafkaSink, KafkaSource

from benchmarks.ledger_rows import Rows, read_rows
from services.common.database import open_engine
from services.common.eventlog.port import Event
from services.ledger.consumer import BATCH_EVENTS, Consumer
from services.ledger.store import upgrade
from tests.support.kafka import fresh_topic, kafka_bootstrap_servers
from tests.support.played_matches import Season, interleaved
from tests.support.postgres import fresh_database, postgres_server_url

PARTITIONS = 12
OPEN_AT_ONCE = 200
"""Matches that are played beside each other."""

AIM = 0.4


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench_ledger", description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    season = Season(options.seed, options.hands, max(2, options.hands // 800))
    events = interleaved(list(season.matches()), random.Random(options.seed), OPEN_AT_ONCE)
    with ExitStack() as stack:
        bootstrap = stack.enter_context(kafka_bootstrap_servers())
        server = stack.enter_context(postgres_server_url())
        topic = stack.enter_context(fresh_topic(bootstrap, PARTITIONS))
        stage = Stage(server, bootstrap, topic, events)
        stage.publish()
        found: dict[str, list[Took]] = {}
        for _ in range(options.rounds):
            for name, measure in stage.subjects().items():
                found.setdefault(name, []).append(measure())
        for line in summary(found, len(events)):
            print(json.dumps(line), flush=True)


@dataclass(frozen=True)
class Took:
    """Events a second, and microseconds on processors an event."""

    rate: float
    cpu_us: float


class Stage:
    """The topic with its events, and the three that are measured on it."""

    def __init__(self, server: str, bootstrap: str, topic: str, events: Sequence[Event]) -> None:
        self._server, self._bootstrap, self._topic = server, bootstrap, topic
        self._events = events
        self._rows: list[Rows] = []

    def publish(self) -> None:
        """Put every event into the topic."""
        with closing(KafkaSink(self._bootstrap, self._topic)) as sink:
            for start in range(0, len(self._events), 1_000):
                sink.publish(self._events[start : start + 1_000])

    def subjects(self) -> dict[str, Callable[[], Took]]:
        """Return what is measured, in turn."""
        return {
            "ledger": self.ledger,
            "bare_consumer": self.bare_consumer,
            "bare_insert": self.bare_insert,
        }

    def ledger(self) -> Took:
        """Consume everything into an empty ledger."""
        with self._new_ledger() as engine, ExitStack() as stack:
            source = stack.enter_context(closing(self._source()))
            dead_letters = stack.enter_context(closing(KafkaDeadLetters(self._bootstrap)))
            consumer = Consumer(engine, source, dead_letters=dead_letters)
            took = _timed(lambda: consumer.run_once(1.0), len(self._events), engine)
            self._rows = self._rows or read_rows(engine, BATCH_EVENTS)
            assert sum(len(rows.events) for rows in self._rows) == len(self._events)
            return took

    def bare_consumer(self) -> Took:
        """Read everything and drop it."""
        with closing(self._source()) as source:
            kafka = source._connected()

            def read() -> int:
                batches = kafka.poll(timeout_ms=1_000, max_records=BATCH_EVENTS)
                return sum(len(records) for records in batches.values())

            return _timed(read, len(self._events))

    def bare_insert(self) -> Took:
        """Insert the ledger's rows."""
        with self._new_ledger() as engine:
            batches = iter(self._rows)

            def insert() -> int:
                rows = next(batches)
                with engine.begin() as connection:
                    rows.insert(connection)
                return len(rows.events)

            return _timed(insert, len(self._events), engine)

    def _source(self) -> KafkaSource:
        return KafkaSource(self._bootstrap, uuid.uuid4().hex, self._topic)

    @contextmanager
    def _new_ledger(self) -> Iterator[Engine]:
        with fresh_database(self._server) as url:
            engine = open_engine(url)
            try:
                upgrade(engine)
                yield engine
            finally:
                engine.dispose()


def _timed(step: Callable[[], int], events: int, engine: Engine | None = None) -> Took:
    """Repeat a step until so many events are done; return what those after the first took."""
    done = 0
    while not done:
        done = step()
    first, began, on_processor = done, time.perf_counter(), _on_processors(engine)
    while done < events:
        done += step()
    seconds = time.perf_counter() - began
    used = _on_processors(engine) - on_processor
    return Took((events - first) / seconds, used * 1e6 / (events - first))


def _on_processors(engine: Engine | None) -> float:
    """Return the seconds that this process and the database's have been on processors."""
    used = time.process_time()
    if engine is not None:
        query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
        with engine.connect() as connection:
            pids = connection.exec_driver_sql(query).scalars().all()
        places = [Path(f"/proc/{pid}/schedstat") for pid in pids]
        used += sum(int(place.read_text().split()[0]) for place in places if place.exists()) / 1e9
    return used


def summary(found: dict[str, list[Took]], events: int) -> list[dict[str, Any]]:
    """Return a line for each subject, and how the ledger compares; medians of rounds."""
    about = {"bench": "ledger", "events": events, "batch": BATCH_EVENTS}
    rates = {name: statistics.median(took.rate for took in all_) for name, all_ in found.items()}
    costs = {name: statistics.median(took.cpu_us for took in all_) for name, all_ in found.items()}
    lines: list[dict[str, Any]] = [
        {
            **about,
            "subject": name,
            "events_per_second": round(rates[name]),
            "rounds": [round(took.rate) for took in all_],
            "cpu_us": round(costs[name]),
        }
        for name, all_ in found.items()
    ]
    lower = min(("bare_consumer", "bare_insert"), key=lambda name: rates[name])
    ratios = [
        round(one.rate / other.rate, 3)
        for one, other in zip(found["ledger"], found[lower], strict=True)
    ]
    compared = {
        "lower": lower,
        "of_the_lower": round(rates["ledger"] / rates[lower], 3),
        "rounds": ratios,
        "cpu_of_the_lower": round(costs[lower] / costs["ledger"], 3),
        "aim": AIM,
    }
    return [*lines, {**about, **compared}]


if __name__ == "__main__":
    main()
