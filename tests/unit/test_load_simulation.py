"""The queueing model agrees with what queueing theory knows exactly."""

import json
import math
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from benchmarks import simulate_load
from benchmarks.queueing import Job, Machine, Stage, Station
from benchmarks.simulate_load import Costs, Players

THINK = 1.0


def closed_network(players: int, service: float) -> tuple[float, float]:
    """Throughput and response time of one exponential server, by exact mean value analysis."""
    queue, response = 0.0, 0.0
    for customers in range(1, players + 1):
        response = service * (1 + queue)
        queue = customers / (THINK + response) * response
    return players / (THINK + response), response


def simulated(players: int, service: float, *, sharing: bool, seed: int = 1) -> tuple[float, float]:
    station = Station("bot", sharing=sharing)
    # With River's share alone its service times are exponential.
    costs = Costs({"bot": service}, {}, 0.0, 1.0, 1.0)
    crowd = Players(Machine([station], math.inf, seed), costs, {"bot": [station]}, THINK)
    crowd.from_ = 100.0
    crowd.enter(players)
    crowd.machine.run(1_100.0)
    return crowd.played.commands / 1_000, sum(crowd.played.latencies) / crowd.played.commands


@pytest.mark.parametrize("sharing", [True, False], ids=["shared", "queued"])
@pytest.mark.parametrize("players", [1, 5, 20])
def test_one_server_with_thinking_customers_is_as_theory_says(players: int, sharing: bool) -> None:
    throughput, response = closed_network(players, 0.1)
    found, waited = simulated(players, 0.1, sharing=sharing)
    assert found == pytest.approx(throughput, rel=0.05)
    assert waited == pytest.approx(response, rel=0.08)


def test_stations_share_the_cores_of_a_machine_by_need() -> None:
    stations = [Station(name) for name in "abc"]
    machine = Machine(stations, 2.0, 1)
    ends: list[float] = []
    for station, seconds in zip(stations, (1.0, 1.0, 2.0), strict=True):
        machine.submit(Job(deque([Stage(station, seconds)]), ends.append))
    machine.run(10.0)
    # Three want two cores: two thirds each until the short ones end at 1.5, then a whole one.
    assert ends == [pytest.approx(1.5), pytest.approx(1.5), pytest.approx(2.5)]
    assert sum(station.busy_seconds for station in stations) == pytest.approx(4.0)


def test_the_same_seed_plays_the_same() -> None:
    assert simulated(5, 0.1, sharing=True) == simulated(5, 0.1, sharing=True)
    assert simulated(5, 0.1, sharing=True) != simulated(5, 0.1, sharing=True, seed=2)


def step(players: int, commands: float, p50: float, idle: float = 0.0) -> dict[str, Any]:
    return {
        "part": "ramp",
        "players": players,
        "gateways": 1,
        "think_s": 1.0,
        "hands_per_s": commands / 4,
        "commands_per_s": commands,
        "river_moves_per_s": commands / 2,
        "action_p50_ms": p50,
        "action_p99_ms": 4 * p50,
        "cores": {
            "gateway": 0.010 * commands * 1.5 + idle,
            "bot": 0.020 * commands / 2,
            "engine": 0.001 * commands * 1.5,
            "clients": 0.001 * commands,
        },
        "foreign_cores": 0.0,
    }


def test_costs_are_read_from_what_was_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "load.jsonl"
    lines = [step(1, 0.9, 45.0), step(10, 9.0, 47.0), step(10, 9.2, 49.0), {"part": "saturation"}]
    file.write_text("\n".join(map(json.dumps, lines)))
    simulate_load.main([str(file), "--players", "990", "--cell", "50", "--cell-seconds", "5"])
    costs, one, ten, errors, large, cell = map(json.loads, capsys.readouterr().out.splitlines())
    # A hand has four commands and two of River's moves: six steps, two of which River thinks for.
    assert costs["cpu_ms_a_step"]["gateway"] == pytest.approx(10.0)
    assert costs["cpu_ms_a_step"]["bot"] == pytest.approx(20.0)
    assert costs["cpu_ms_a_step"]["clients"] == pytest.approx(1.0)
    assert costs["wait_ms_a_step"] == pytest.approx(
        (45.0 - 1.0 - 10.0 - 1.5 * 11.0) / 1.5, abs=0.01
    )
    assert (one["players"], ten["players"]) == (1, 10)
    assert ten["commands_per_s"]["measured"] == pytest.approx(9.1)
    assert abs(errors["largest_error_percent"]["commands_per_s"]) < 15
    assert large["commands_per_s"] == 198
    assert large["cores"]["gateway"] == 5  # 297 steps of 10 ms, busy for 0.6 of the time
    assert cell["hands_per_s"] > 0


def test_what_a_process_uses_without_anybody_is_no_cost_of_a_hand() -> None:
    steps = [step(n, 0.9 * n, 45.0, idle=0.05) for n in (1, 10, 20)]
    costs = simulate_load.costs_of(steps)
    assert costs.cpu["gateway"] == pytest.approx(0.010)
    assert costs.idle["gateway"] == pytest.approx(0.05)
    assert costs.cpu["bot"] == pytest.approx(0.020)
