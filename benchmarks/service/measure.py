"""The engine as a service: calls a second beside an empty echo, scaling, memory, growth."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final

from benchmarks.service import workload
from benchmarks.service.processes import Server, echo, engine
from benchmarks.subjects import COMPILED, ROOT
from services.engine.service import SERVICE_NAME, act

IN_FLIGHT: Final = 32
REQUESTS: Final = 500
ROUND_SECONDS: Final = 2.0
ACTIONS: Final = (0, 10, 20, 30, 40, 50, 60)

Line = dict[str, Any]


def calls(players: int, rounds: int) -> Iterator[Line]:
    """Compare Act with an echo of the same messages, and with two of their bytes."""
    sent = workload.requests(players, REQUESTS)
    request_bytes = [request.SerializeToString() for request in sent]
    answer = _typical([act(data) for data in request_bytes])
    with ExitStack() as stack, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([data.hex() for data in request_bytes], file)
        file.flush()
        servers = {
            "engine": stack.enter_context(engine()),
            "echo": stack.enter_context(echo(answer, "echo")),
            "raw_echo": stack.enter_context(echo(answer, "raw")),
            "bare_echo": stack.enter_context(echo(answer, "bare")),
        }
        if any(COMPILED.glob("services/engine/*.so")):
            servers["engine_compiled"] = stack.enter_context(engine(compiled=True))
        measured = _rounds(servers, file.name, rounds)
    for name, values in measured.items():
        line = {
            "benchmark": "act_calls",
            "players": players,
            "in_flight": IN_FLIGHT,
            "subject": name,
            "request_bytes": round(statistics.mean(map(len, request_bytes))),
            "answer_bytes": len(answer),
            **_medians(values),
        }
        if name.startswith("engine"):
            for echoed in ("echo", "raw_echo"):
                limit = measured[echoed]
                line[f"{echoed}_ratio"] = _ratio(values, limit, "calls_per_second")
                line[f"{echoed}_cpu_ratio"] = _ratio(limit, values, "cpu_us")
        yield line


def scaling(rounds: int) -> Iterator[Line]:
    """Compare one worker with two; the client needs a core of its own, so look at the CPU."""
    with ExitStack() as stack, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        sent = workload.requests(2, REQUESTS)
        json.dump([request.SerializeToString().hex() for request in sent], file)
        file.flush()
        servers = {str(count): stack.enter_context(engine(workers=count)) for count in (1, 2)}
        measured = _rounds(servers, file.name, rounds, connections=8)
    for name, values in measured.items():
        line = {"benchmark": "act_workers", "workers": int(name), **_medians(values)}
        line["one_worker_ratio"] = _ratio(values, measured["1"], "calls_per_second")
        yield line


def memory(minutes: float) -> Iterator[Line]:
    """Load one engine steadily and watch the memory it holds."""
    with engine() as server, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        sent = workload.requests(6, 5_000)
        json.dump([request.SerializeToString().hex() for request in sent], file)
        file.flush()
        _load(server, file.name, 5.0)
        samples = [server.resident_bytes()]
        end, answered = time.monotonic() + 60 * minutes, 0.0
        while time.monotonic() < end:
            answered += _load(server, file.name, 10.0)["calls_per_second"] * 10
            samples.append(server.resident_bytes())
    half = len(samples) // 2
    growth = statistics.median(samples[half:]) - statistics.median(samples[: half + 1])
    yield {
        "benchmark": "act_memory",
        "minutes": minutes,
        "calls": round(answered),
        "first_mib": round(samples[0] / 2**20, 1),
        "last_mib": round(samples[-1] / 2**20, 1),
        "growth_between_halves_mib": round(growth / 2**20, 2),
    }


def growth() -> Iterator[Line]:
    """Time Act, from bytes to bytes, on hands of more and more actions; it is a line."""
    costs = []
    for actions in ACTIONS:
        data = workload.growing(actions).SerializeToString()
        costs.append(_cpu_microseconds(data))
        yield {"benchmark": "act_growth", "actions": actions, "cpu_us": round(costs[-1], 1)}
    fit = statistics.linear_regression(ACTIONS, costs)
    yield {
        "benchmark": "act_growth_fit",
        "us_an_action": round(fit.slope, 2),
        "us_without_actions": round(fit.intercept, 1),
        "correlation": round(statistics.correlation(ACTIONS, costs), 4),
    }


def _rounds(
    servers: dict[str, Server], file: str, rounds: int, *, connections: int = 1
) -> dict[str, list[Line]]:
    measured: dict[str, list[Line]] = {name: [] for name in servers}
    for server in servers.values():
        _load(server, file, 0.5, connections)
    for _ in range(rounds):
        for name, server in servers.items():
            measured[name].append(_load(server, file, ROUND_SECONDS, connections))
    return measured


def _load(server: Server, file: str, seconds: float, connections: int = 1) -> Line:
    """Load a server from a process of its own; adds the server's CPU time a call."""
    before = server.cpu_seconds()
    arguments = [
        server.address,
        f"/{SERVICE_NAME}/Act",
        str(seconds),
        str(connections),
        str(IN_FLIGHT // connections),
        file,
    ]
    client = subprocess.run(
        [sys.executable, "-m", "benchmarks.service.load", *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    line: Line = json.loads(client.stdout)
    used = server.cpu_seconds() - before
    line["cpu_us"] = 1e6 * used / line.pop("answered")
    return line


def _typical(answers: Sequence[bytes]) -> bytes:
    """Return an answer that is as long as they are on average, or nearly."""
    mean = statistics.mean(map(len, answers))
    return min(answers, key=lambda answer: abs(len(answer) - mean))


def _cpu_microseconds(data: bytes, times: int = 200) -> float:
    costs: list[int] = []
    for _ in range(times):
        start = time.process_time_ns()
        act(data)
        costs.append(time.process_time_ns() - start)
    return statistics.median(costs) / 1000


def _medians(values: Sequence[Line]) -> Line:
    names = ("calls_per_second", "p50_ms", "p99_ms", "cpu_us", "failed")
    return {name: round(statistics.median(value[name] for value in values), 2) for name in names}


def _ratio(above: Sequence[Line], below: Sequence[Line], name: str) -> float:
    pairs = zip(above, below, strict=True)
    ratio: float = statistics.median(a[name] / b[name] for a, b in pairs)
    return round(ratio, 3)
