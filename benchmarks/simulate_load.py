"""A queueing model of the whole system: first the measured small case again, then a large one.

    python -m benchmarks.simulate_load load.jsonl                  # what `make bench-load` printed
    python -m benchmarks.simulate_load load.jsonl --players 1000000 --think 5

Reads the lines of part ``ramp`` (one wiring; medians where steps were repeated). Of them it takes
the processor time that a command costs each process, and from the step with the fewest players
what a command waits for besides (disks, threads). It is told no throughput and no latency under
load: those it has to find, step by step, and prints them beside the measured ones.

Then it sizes a system for so many players, with the same costs and every process on a core of
its own that is busy for ``--busy`` of the time, and plays one cell of it (one database with its
gateways) to see what its players wait. Seeded: the same input prints the same.
"""

import argparse
import fileinput
import itertools
import json
import math
import statistics
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.queueing import Job, Machine, Stage, Station

Line = dict[str, Any]

SHARED: Final = ("engine", "bot", "gateway", "database", "broker", "ledger", "clients")
SHAPES: Final = {"bot": 1.0}
"""Shape of the gamma distribution of service times: 1 is exponential. Others: `_SHAPE`."""

_SHAPE: Final = 4.0
MEASURED_CORES: Final = 2.0
"""The machine that was measured, whatever this one is."""

QUIET_CORES: Final = 0.15
"""Others that use less are no disturbance."""

GREED_MAX: Final = 16.0
GREED_ROUNDS: Final = 7

_MANY: Final = 10**6


@dataclass(frozen=True)
class Costs:
    """What a step of play costs: a player's command, or a move of River's.

    ``cpu`` is seconds by process; ``bot`` is for a move of River's only. ``idle`` is the cores that
    a process uses while nobody plays. ``wait`` is seconds beside the processors. ``moves`` are
    River's for each command, ``commands`` those of a hand.
    """

    cpu: dict[str, float]
    idle: dict[str, float]
    wait: float
    moves: float
    commands: float


@dataclass
class Played:
    """What players got in the time that counts; latencies in seconds."""

    commands: int = 0
    hands: float = 0.0
    latencies: list[float] = field(default_factory=list)


class Players:
    """Players who think, command and wait for the answer, for ever."""

    def __init__(
        self,
        machine: Machine,
        costs: Costs,
        pools: dict[str, list[Station]],
        think_seconds: float,
    ) -> None:
        self.machine, self.costs, self.pools = machine, costs, pools
        self._think, self.from_ = think_seconds, 0.0
        self.played = Played()

    def enter(self, count: int) -> None:
        for number in range(count):
            self._pause(number)

    def _pause(self, number: int) -> None:
        think = self.machine.rng.expovariate(1 / self._think)
        self.machine.after(think, lambda: self._command(number))

    def _command(self, number: int) -> None:
        began, rng = self.machine.now, self.machine.rng
        moves = int(self.costs.moves) + (rng.random() < self.costs.moves % 1)
        stages = deque(self._step(number, "clients", "gateway", "engine", "database"))
        for _ in range(moves):
            stages += self._step(number, "bot", "gateway", "engine", "database")

        def done(now: float) -> None:
            if now >= self.from_:
                self.played.commands += 1
                self.played.latencies.append(now - began)
            self._pause(number)

        self.machine.submit(Job(stages, done))
        for _ in range(1 + moves):  # nobody waits for the books
            self.machine.submit(Job(deque(self._work(number, "broker", "ledger")), lambda _: None))

    def _step(self, number: int, *names: str) -> list[Stage]:
        return [*self._work(number, *names), Stage(None, self.costs.wait)]

    def _work(self, number: int, *names: str) -> Iterator[Stage]:
        rng = self.machine.rng
        for name in names:
            pool, mean = self.pools.get(name, []), self.costs.cpu.get(name, 0.0)
            if pool and mean > 0:
                shape = SHAPES.get(name, _SHAPE)
                # A gateway keeps its players; calls go round among the replicas of the rest.
                station = pool[number % len(pool)] if name == "gateway" else rng.choice(pool)
                yield Stage(station, rng.gammavariate(shape, mean / shape))


def costs_of(steps: Sequence[Line]) -> Costs:
    """Return what a step of play costs, from measured lines in order of their players."""
    loaded = steps[1:] or steps
    moves = statistics.median(step["river_moves_per_s"] / step["commands_per_s"] for step in loaded)
    commands = statistics.median(step["commands_per_s"] / step["hands_per_s"] for step in loaded)
    found = {name: _line_of(steps, name) for name in SHARED}
    cpu = {name: cost for name, (cost, _) in found.items()}
    # With hardly anybody there nothing queues: what is left of the median is not processors.
    steps_taken = 1 + moves
    on_processors = cpu["clients"] + moves * cpu["bot"]
    on_processors += steps_taken * sum(cpu[name] for name in ("gateway", "engine", "database"))
    left = steps[0]["action_p50_ms"] / 1e3 - on_processors
    idle = {name: cores for name, (_, cores) in found.items()}
    return Costs(cpu, idle, max(0.0, left) / steps_taken, moves, commands)


def _line_of(steps: Sequence[Line], name: str) -> tuple[float, float]:
    """Return what a step of play costs a process, and the cores that it uses without any.

    What it uses grows in a straight line with what is played; with less than three steps the
    line is taken to begin at nothing.
    """
    units = [_units(step, name) for step in steps]
    cores = [_cores(step, name) for step in steps]
    if len(steps) > 2:
        line = statistics.linear_regression(units, cores)
        if line.slope > 0 and line.intercept > 0:
            return line.slope, line.intercept
    return sum(cores) / sum(units), 0.0


def _units(step: Line, name: str) -> float:
    """Return how often a second a process had something to do."""
    if name == "bot":
        return float(step["river_moves_per_s"])
    moves = 0.0 if name == "clients" else step["river_moves_per_s"]
    return float(step["commands_per_s"] + moves)


def _cores(step: Line, name: str) -> float:
    found = [used for part, used in step["cores"].items() if part.partition("-")[0] == name]
    return float(sum(found))


def greed_of(costs: Costs, steps: Sequence[Line], seed: int) -> float:
    """Return how greedy others were: as much as leaves us what we had in the fullest step."""
    fullest = max(steps, key=lambda step: sum(step["cores"].values()))
    if fullest["foreign_cores"] < QUIET_CORES:
        return 0.0
    had = sum(fullest["cores"].values())
    low, high = 0.0, GREED_MAX
    for _ in range(GREED_ROUNDS):
        middle = (low + high) / 2
        simulated = small_case(costs, fullest, seed, middle)
        if sum(simulated["cores"].values()) + sum(costs.idle.values()) > had:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def small_case(costs: Costs, step: Line, seed: int, greed: float) -> Line:
    """Simulate a measured step on the machine that it was measured on."""
    seconds = 60.0 + 2_000.0 / step["players"]  # few players need longer for as many commands
    gateways = step["gateways"]
    stations = {name: [Station(name)] for name in SHARED if name not in {"gateway", "database"}}
    stations["bot"] = [Station("bot", sharing=False)]
    stations["gateway"] = [Station(f"gateway-{number}") for number in range(gateways)]
    stations["database"] = [Station("database", cores=_MANY)]
    everything = [station for pool in stations.values() for station in pool]
    machine = Machine(everything, MEASURED_CORES - sum(costs.idle.values()), seed, greed)
    crowd = Players(machine, costs, stations, step["think_s"])
    return _play(crowd, step["players"], seconds)


def _play(crowd: Players, players: int, seconds: float) -> Line:
    """Let so many play for a third of the time, and then for so long that it counts."""
    warm_up, costs, pools = seconds / 3, crowd.costs, crowd.pools
    crowd.from_ = warm_up
    crowd.enter(players)
    crowd.machine.run(warm_up + seconds)
    played = crowd.played
    cuts = statistics.quantiles(played.latencies, n=100, method="inclusive")
    return {
        "hands_per_s": round(played.commands / seconds / costs.commands, 2),
        "commands_per_s": round(played.commands / seconds, 2),
        "action_p50_ms": round(cuts[49] * 1e3, 1),
        "action_p99_ms": round(cuts[98] * 1e3, 1),
        "cores": {
            name: round(sum(station.busy_seconds for station in pool) / (warm_up + seconds), 2)
            for name, pool in pools.items()
        },
    }


def compare(steps: Sequence[Line], costs: Costs, seed: int) -> Iterator[Line]:
    """Simulate every measured step and print both side by side."""
    greed = greed_of(costs, steps, seed)
    errors = defaultdict(list)
    for step in steps:
        simulated = small_case(costs, step, seed, greed)
        line: Line = {"simulate": "small", "players": step["players"]}
        for name in ("hands_per_s", "commands_per_s", "action_p50_ms", "action_p99_ms"):
            error = simulated[name] / step[name] - 1 if step[name] else 0.0
            errors[name].append(abs(error))
            line[name] = {
                "measured": step[name],
                "simulated": simulated[name],
                "error_percent": round(100 * error, 1),
            }
        yield line
    yield {
        "simulate": "small",
        "others_that_want_a_core": round(greed, 2),
        "median_error_percent": {
            k: round(100 * statistics.median(v), 1) for k, v in errors.items()
        },
        "largest_error_percent": {k: round(100 * max(v), 1) for k, v in errors.items()},
    }


def size(costs: Costs, options: argparse.Namespace) -> Iterator[Line]:
    """Size a system for many players, and play one cell of it."""
    commands = options.players / options.think  # thinking is nearly all of the time
    units, moves = commands * (1 + costs.moves), commands * costs.moves
    load = {
        name: units * costs.cpu[name]
        for name in ("engine", "gateway", "database", "broker", "ledger")
    }
    load["bot"] = moves * costs.cpu["bot"]
    cores = {name: math.ceil(used / options.busy) for name, used in load.items()}
    cells = max(1, math.ceil(cores["database"] / options.database_cores))
    yield {
        "simulate": "large",
        "players": options.players,
        "think_s": options.think,
        "busy": options.busy,
        "hands_per_s": round(commands / costs.commands),
        "commands_per_s": round(commands),
        "river_moves_per_s": round(moves),
        "cores": cores,
        "cores_in_all": sum(cores.values()),
        "database_shards": cells,
        "database_cores_each": options.database_cores,
        "players_a_shard": round(options.players / cells),
        "ledger_consumers": cores["ledger"],
        "first": max(cores, key=lambda name: cores[name]),
    }
    yield {"simulate": "cell", **_cell(costs, options)}


def _cell(costs: Costs, options: argparse.Namespace) -> Line:
    """Play a small cell that is as busy as the whole: waits depend on how full things are."""
    players = options.cell
    commands = players / options.think
    units = commands * (1 + costs.moves)
    pools: dict[str, list[Station]] = {}
    for name in ("gateway", "engine", "bot", "broker", "ledger"):
        work = (commands * costs.moves if name == "bot" else units) * costs.cpu[name]
        count = max(1, math.ceil(work / options.busy))
        pools[name] = [Station(name, sharing=name != "bot") for _ in range(count)]
    database = max(1, math.ceil(units * costs.cpu["database"] / options.busy))
    pools["database"] = [Station("database", cores=database)]
    if pools["bot"]:
        # One pool with one queue: a full worker's caller waits at the next free one.
        pools["bot"] = [Station("bot", cores=len(pools["bot"]), sharing=False)]
    everything = [station for pool in pools.values() for station in pool]
    machine = Machine(everything, math.inf, options.seed)
    found = _play(Players(machine, costs, pools, options.think), players, options.cell_seconds)
    processes = {name: sum(station.cores for station in pool) for name, pool in pools.items()}
    return {"players": players, "processes": processes, **found}


def read(lines: Iterator[str]) -> list[Line]:
    """Return the steps of a ramp, medians over rounds, in order of their players."""
    steps: dict[int, list[Line]] = defaultdict(list)
    for text in lines:
        line = json.loads(text)
        if line.get("part") == "ramp" and line["hands_per_s"] > 0:
            steps[line["players"]].append(line)
    return [_median(steps[players]) for players in sorted(steps)]


def _median(rounds: Sequence[Line]) -> Line:
    merged = dict(rounds[0])
    for name, value in rounds[0].items():
        found = [one[name] for one in rounds if name in one]
        if isinstance(value, int | float) and not isinstance(value, bool):
            merged[name] = statistics.median(found)
        elif name in {"cpu_ms_per_hand", "cores"}:
            merged[name] = {k: statistics.median(one[k] for one in found) for k in value}
    merged["players"], merged["gateways"] = rounds[0]["players"], rounds[0]["gateways"]
    return merged


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both, as JSON lines."""
    parser = argparse.ArgumentParser(prog="simulate_load", description=__doc__)
    parser.add_argument("files", nargs="*", help="lines of bench_load; stdin without any")
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--think", type=float, default=5.0, help="mean seconds")
    parser.add_argument("--busy", type=float, default=0.6, help="share of a core that is used")
    parser.add_argument("--database-cores", type=int, default=16)
    parser.add_argument("--cell", type=int, default=1_000, help="players that are simulated")
    parser.add_argument("--cell-seconds", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with fileinput.input(options.files) as lines:
        steps = read(iter(lines))
    costs = costs_of(steps)
    told = {name: round(1e3 * seconds, 2) for name, seconds in costs.cpu.items()}
    print(
        json.dumps(
            {
                "simulate": "costs",
                "cpu_ms_a_step": told,
                "idle_millicores": {k: round(1e3 * used, 1) for k, used in costs.idle.items()},
                "wait_ms_a_step": round(costs.wait * 1e3, 2),
                "moves_a_command": round(costs.moves, 3),
                "commands_a_hand": round(costs.commands, 2),
            }
        )
    )
    for line in itertools.chain(compare(steps, costs, options.seed), size(costs, options)):
        print(json.dumps(line))


if __name__ == "__main__":
    main()
