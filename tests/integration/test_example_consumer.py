"""The consumer that outsiders start from: run as a person would, on an outbox and on Kafka."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from services.common.database import open_engine
from services.common.eventlog import outbox
from services.common.eventlog.kafka import KafkaSink
from services.common.eventlog.port import Event
from services.common.eventlog.topics import create_topics
from tests.support.event_examples import example_event, example_messages
from tests.support.guarded import guarded
from tests.support.kafka import KafkaServer
from tests.support.ledgers import whole_match
from tests.support.player import Player, careful
from tests.support.system import running_system

REPO = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 90.0

EXAMPLE_LINE = "m-7QK2 hand 1: u-41 +600, river -600; seat 1 shows Two pair, aces and eights\n"


def examples() -> list[Event]:
    """One event of each type."""
    return [example_event(kind, message) for kind, message in example_messages().items()]


class Consumer:
    """A running example, whose lines are read as they come."""

    def __init__(self, address: str, state: Path) -> None:
        self.state = state
        self.process = subprocess.Popen(
            [
                *guarded(signal.SIGKILL),
                *(sys.executable, "-m", "examples.consumer", address, str(state)),
            ],
            cwd=REPO,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def lines(self, count: int) -> list[str]:
        """Return the next lines; the test's own time limit is the deadline."""
        assert self.process.stdout is not None
        return [self.process.stdout.readline() for _ in range(count)]

    def wait_until_seen(self, events: int) -> None:
        """Return when it has stored that it saw so many events."""
        deadline = time.monotonic() + WAIT_SECONDS
        while self.seen() < events:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def seen(self) -> int:
        with closing(sqlite3.connect(self.state, timeout=30)) as state:
            return int(state.execute("SELECT count(*) FROM seen").fetchone()[0])

    def stop(self, signum: signal.Signals = signal.SIGINT) -> tuple[list[str], str]:
        """End it; return what else it printed, and what it said on standard error."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.process.send_signal(signum)
        # Not by communicate(), which would pass over what readline() has in store.
        with self.process.stdout as stdout, self.process.stderr as stderr:
            lines, errors = stdout.readlines(), stderr.read()
        self.process.wait(WAIT_SECONDS)
        return lines, errors


@contextmanager
def consuming(address: str, state: Path) -> Iterator[Consumer]:
    consumer = Consumer(address, state)
    try:
        yield consumer
    finally:
        if consumer.process.returncode is None:
            consumer.stop(signal.SIGKILL)


def restarts(address: str, state: Path, publish: Callable[[list[Event]], None]) -> None:
    """Show that each hand is printed once, over a repetition and a restart."""
    first, later = whole_match("otter", [100, -30]), whole_match("seal", [7])
    publish(first)
    with consuming(address, state) as consumer:
        assert consumer.lines(2) == [
            "m-otter hand 1: otter +100, river -100\n",
            "m-otter hand 2: otter -30, river +30\n",
        ]
        publish(examples())
        assert consumer.lines(1) == [EXAMPLE_LINE]
        consumer.wait_until_seen(len(first) + 5)
        assert consumer.stop()[0] == []
        assert consumer.process.returncode == 0
    publish(later)
    with consuming(address, state) as consumer:
        assert consumer.lines(1) == ["m-seal hand 1: seal +7, river -7\n"]
        consumer.wait_until_seen(len(first) + 5 + len(later))


@pytest.fixture
def outbox_url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    engine = open_engine(url)
    with engine.begin() as connection:
        outbox.create_tables(connection)
    engine.dispose()
    return url


def append(url: str, events: list[Event]) -> None:
    engine = open_engine(url)
    with engine.begin() as connection:
        outbox.append(connection, events)
    engine.dispose()


def test_it_follows_an_outbox_and_goes_on_after_a_restart(outbox_url: str, tmp_path: Path) -> None:
    restarts(outbox_url, tmp_path / "state", lambda events: append(outbox_url, events))


def test_it_follows_kafka_and_goes_on_after_a_restart(
    kafka_process: KafkaServer, tmp_path: Path
) -> None:
    create_topics(kafka_process.bootstrap, partitions=3, replicas=1)
    with closing(KafkaSink(kafka_process.bootstrap)) as sink:

        def publish(events: list[Event]) -> None:
            # Twice, as a relay does that did not learn of its success.
            sink.publish(events)
            sink.publish(events)

        restarts(kafka_process.bootstrap, tmp_path / "state", publish)


def test_it_follows_the_games_of_make_play(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'home' / 'tables.sqlite3'}"
    with (
        running_system(tmp_path / "home", RATE_LIMITS="off") as system,
        Player(system.base_url) as player,
        consuming(address, tmp_path / "state") as consumer,
    ):
        player.join("Otter-41")
        ended = player.sit_down().finish_hand(careful, random.Random(7))
        (line,) = consumer.lines(1)
    nets = {result["seat"]: result["net"] for result in ended["results"]}
    assert " hand 1: " in line
    assert f" {nets[1]:+}, river {nets[2]:+}" in line


def test_killed_at_any_moment_it_misses_no_hand(outbox_url: str, tmp_path: Path) -> None:
    hands = 1500
    append(outbox_url, whole_match("otter", range(1, hands + 1)))
    printed: list[str] = []
    for lines in (1, 200, 700):
        with consuming(outbox_url, tmp_path / "state") as consumer:
            printed += consumer.lines(lines)
            printed += consumer.stop(signal.SIGKILL)[0]
    with consuming(outbox_url, tmp_path / "state") as consumer:
        consumer.wait_until_seen(hands + 5)
        printed += consumer.stop()[0]
    # Where it was killed between printing and storing it prints again, but never skips.
    assert {line.split(":")[0] for line in printed} == {
        f"m-otter hand {number}" for number in range(1, hands + 1)
    }


def test_it_waits_for_a_log_that_is_away_and_sets_aside_what_it_cannot_read(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with consuming(url, tmp_path / "state") as consumer:
        assert consumer.process.stderr is not None
        assert consumer.process.stderr.readline().startswith("waiting: the outbox cannot be read")
        engine = open_engine(url)
        with engine.begin() as connection:
            outbox.create_tables(connection)
        engine.dispose()
        kind, message = "riverboat.hand.settled.v1", example_messages()
        good = example_event(kind, message[kind])
        damaged = Event("damaged", kind, "m", b"\xff", good.time)
        new = Event("new", "riverboat.hand.seen.v9", "m", b"\xff", good.time)
        append(url, [damaged, new, good])
        assert consumer.lines(1) == [EXAMPLE_LINE]
        consumer.wait_until_seen(3)
        _, errors = consumer.stop()
    assert "set aside: damaged is no hand" in errors


def test_it_says_how_it_is_used() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "examples.consumer"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "python -m examples.consumer" in done.stderr
