"""The load benchmark plays the real system and tells what it promises."""

import json
from typing import Any

import pytest

from benchmarks import bench_load
from tests.support.whole_site import Wiring


def lines(capsys: pytest.CaptureFixture[str], arguments: str) -> list[dict[str, Any]]:
    bench_load.main(arguments.split())
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_players_are_served_and_everything_is_accounted_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # However slow the machine is: sooner or later somebody has acted.
    for seconds in (3, 15, 60):
        options = f"--players 2 --seconds {seconds} --warm-up 1 --think 0.1"
        ramp, saturation = lines(capsys, f"ramp {options}")
        if ramp["commands_per_s"] > 0:
            break
    assert ramp["players"] == 2
    assert ramp["commands_per_s"] > 0
    assert ramp["failures"] == {}
    assert set(ramp["cores"]) == {"engine", "bot", "gateway", "ledger", "clients"}
    assert saturation["limit"] == ramp["limit"]


def test_open_matches_and_silent_sockets_are_weighed(capsys: pytest.CaptureFixture[str]) -> None:
    matches, sockets = lines(capsys, "idle --matches 3 --quiet 1")
    assert (matches["part"], matches["matches"]) == ("open_matches", 3)
    assert (sockets["part"], sockets["sockets"]) == ("idle_sockets", 3)
    assert set(sockets["memory_mb_per_1000"]) == {"engine", "bot", "gateway", "ledger"}
    assert set(matches["stored_kb_each"]) == {"tables", "ledger"}


def test_the_limit_is_the_part_that_could_not_do_more() -> None:
    wiring = Wiring()
    used = {"gateway": 0.3, "bot": 0.97, "engine": 0.1, "ledger": 0.0, "clients": 0.05}
    assert bench_load.limit(wiring, used, 1.42) == "bot"
    idle = dict.fromkeys(used, 0.1)
    assert bench_load.limit(wiring, idle, 0.5) == "waiting: nobody's processor is full"
    cores = bench_load.CORES
    assert "processors together" in bench_load.limit(wiring, used, float(cores))
