"""Topics on a real broker: made once, compared, widened only on request; traces pass through."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType

from services.common.eventlog.kafka import (
    DEAD_LETTER_TOPIC,
    MATCHES_TOPIC,
    KafkaDeadLetters,
    KafkaSink,
    KafkaSource,
)
from services.common.eventlog.kafka_client import tidy_client
from services.common.eventlog.port import Delivery, Event
from services.common.eventlog.topics import compare_topics, create_topics, raise_partitions
from tests.support.eventlogs import event
from tests.support.kafka import KafkaServer

REPO = Path(__file__).resolve().parents[2]
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
WAIT_SECONDS = 60.0

pytestmark = pytest.mark.kafka


@pytest.fixture
def broker(kafka_process: KafkaServer) -> str:
    """Address of a broker without topics, as their names are always the same."""
    return kafka_process.bootstrap


def run_topics(broker: str, *options: str, partitions: int = 3) -> tuple[int, list[dict[str, Any]]]:
    """Run the command; return its status and its log lines."""
    shape = {"LEDGER_TOPIC_PARTITIONS": str(partitions), "LEDGER_TOPIC_REPLICAS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "services.ledger", "topics", *options],
        cwd=REPO,
        env={**os.environ, "KAFKA_BOOTSTRAP_SERVERS": broker, **shape},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    lines = (done.stdout + done.stderr).splitlines()
    return done.returncode, [json.loads(line) for line in lines if line.startswith("{")]


def change_config(broker: str, topic: str, configs: dict[str, str]) -> None:
    admin = KafkaAdminClient(bootstrap_servers=broker, kafka_client=tidy_client)
    with closing(admin):
        admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, configs)])


def found(broker: str, partitions: int) -> dict[tuple[str, str], tuple[str, str]]:
    """What differs: topic and setting, to how it is wanted and how it is."""
    differences = compare_topics(broker, partitions=partitions, replicas=1)
    return {(one.topic, one.setting): (one.wanted, one.found) for one in differences}


def test_topics_are_made_once_and_compared_ever_after(broker: str) -> None:
    missing = {(name, "topic"): ("there", "") for name in (MATCHES_TOPIC, DEAD_LETTER_TOPIC)}
    assert found(broker, 3) == missing
    assert create_topics(broker, partitions=3, replicas=1) == [MATCHES_TOPIC, DEAD_LETTER_TOPIC]
    assert found(broker, 3) == {}
    assert create_topics(broker, partitions=3, replicas=1) == []
    change_config(broker, MATCHES_TOPIC, {"cleanup.policy": "compact", "retention.ms": "1000"})
    assert create_topics(broker, partitions=5, replicas=1) == []
    assert found(broker, 5) == {
        (MATCHES_TOPIC, "partitions"): ("5", "3"),
        (MATCHES_TOPIC, "cleanup.policy"): ("delete", "compact"),
        (MATCHES_TOPIC, "retention.ms"): ("2592000000", "1000"),
    }


def test_partitions_are_raised_on_request_only_and_never_lowered(broker: str) -> None:
    assert raise_partitions(broker, 5) == []
    create_topics(broker, partitions=3, replicas=1)
    assert raise_partitions(broker, 5) == [MATCHES_TOPIC]
    assert found(broker, 5) == {}
    assert raise_partitions(broker, 4) == []
    assert found(broker, 4) == {(MATCHES_TOPIC, "partitions"): ("4", "5")}


def test_the_command_makes_checks_and_widens(broker: str) -> None:
    status, _ = run_topics(broker, "--check")
    assert status == 1
    assert found(broker, 3).keys() == {(MATCHES_TOPIC, "topic"), (DEAD_LETTER_TOPIC, "topic")}
    status, lines = run_topics(broker)
    assert (status, lines[-1]["created"]) == (0, [MATCHES_TOPIC, DEAD_LETTER_TOPIC])
    status, lines = run_topics(broker, partitions=4)
    assert (status, lines[-1]["created"], lines[-1]["differences"]) == (0, [], 1)
    warning = lines[-2]
    assert (warning["setting"], warning["wanted"], warning["found"]) == ("partitions", "4", "3")
    assert run_topics(broker, "--check", partitions=4)[0] == 1
    status, lines = run_topics(broker, "--raise-partitions", partitions=4)
    assert (status, lines[-1]["widened"], lines[-1]["differences"]) == (0, [MATCHES_TOPIC], 0)
    assert run_topics(broker, "--check", partitions=4)[0] == 0


@pytest.fixture
def traced() -> Event:
    return replace(event("m", "x"), traceparent=TRACE)


def test_a_trace_passes_through_the_topic(
    kafka_bootstrap: str, kafka_topic: str, traced: Event
) -> None:
    with closing(KafkaSink(kafka_bootstrap, kafka_topic)) as sink:
        sink.publish([traced])
    assert first_event(kafka_bootstrap, kafka_topic) == traced


def test_a_trace_passes_into_the_dead_letters(
    kafka_bootstrap: str, kafka_topic: str, traced: Event
) -> None:
    with closing(KafkaDeadLetters(kafka_bootstrap, kafka_topic)) as letters:
        letters.bury(Delivery("0", 7, traced), "unknown_match", "no match m")
    assert first_event(kafka_bootstrap, kafka_topic) == traced


def first_event(bootstrap: str, topic: str) -> Event:
    """Return what the topic holds first."""
    return next(events(bootstrap, topic))


def events(bootstrap: str, topic: str) -> Iterator[Event]:
    deadline = time.monotonic() + WAIT_SECONDS
    with closing(KafkaSource(bootstrap, f"group-{topic}", topic)) as source:
        while time.monotonic() < deadline:
            for delivery in source.poll(10, 0.5):
                assert isinstance(delivery.record, Event)
                yield delivery.record
    raise AssertionError("nothing came")
