"""The benchmarks of the ledger measure what they say, on real servers."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.played_matches import Season, interleaved

REPO = Path(__file__).resolve().parents[2]


def lines(module: str, *options: str, **env: str) -> list[dict[str, Any]]:
    """Run a benchmark in a process of its own, as its clients of Kafka warn at the end."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", f"benchmarks.{module}", *options],
        cwd=REPO,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_ledger_is_measured_beside_both_limits(
    kafka_bootstrap: str, postgres_server_url: str
) -> None:
    servers = {
        "KAFKA_BOOTSTRAP_SERVERS": kafka_bootstrap,
        "TEST_POSTGRES_URL": postgres_server_url,
    }
    *subjects, compared = lines("bench_ledger", "--hands", "3000", "--rounds", "2", **servers)
    found = {line["subject"]: line for line in subjects}
    assert list(found) == ["ledger", "bare_consumer", "bare_insert"]
    assert all(len(line["rounds"]) == 2 and min(line["rounds"]) > 0 for line in subjects)
    assert all(line["events"] > 3000 and line["cpu_us"] > 0 for line in subjects)
    rate = {name: line["events_per_second"] for name, line in found.items()}
    lower = min(rate["bare_consumer"], rate["bare_insert"])
    assert compared["lower"] in {name for name in rate if rate[name] == lower}
    assert compared["of_the_lower"] == pytest.approx(rate["ledger"] / lower, abs=0.02)


def test_every_hand_is_rebuilt(postgres_server_url: str) -> None:
    (line,) = lines("bench_rebuild", "400", TEST_POSTGRES_URL=postgres_server_url)
    assert line["hands"] == 400
    assert line["hands_per_second"] > 0
    assert 0 < line["started_mib"] <= line["peak_mib"]


def test_matches_are_the_same_for_a_seed_and_keep_their_order_when_mixed() -> None:
    season = Season(seed=5, hands=300, players=4, hands_a_match=20)
    matches = list(season.matches())
    assert matches == list(season.matches())
    assert sum("hand" in event.type for match in matches for event in match) == 300
    mixed = interleaved(matches, random.Random(1), open_at_once=5)
    assert len(mixed) == len({event.event_id for event in mixed})
    for match in matches:
        assert [event for event in mixed if event.key == match[0].key] == match
    assert mixed != [event for match in matches for event in match]
