"""What the whole system carries on this machine, through its front door. JSON lines on stdout.

Real processes, wired as `make play` wires them (``--database sqlite``) or as production is
(``postgresql``, with Kafka), are played by guests in processes of their own, over HTTP with a
WebSocket each (`bench_load_players`). Parts:

- ``ramp``: more and more players until neither hands nor actions a second grow; per step what they
  got and what each process spent, then one line that says where it ended and why;
- ``idle``: what 1,000 open matches and 1,000 silent sockets hold and cost.

Latencies are of actions: ``with_river`` when the answer holds River's move, ``alone`` when it does
not, ``told`` until the player's own socket heard of the action, which River's thinking does not
delay. ``cpu_ms_per_hand`` is by process, children included, so a busy machine disturbs it
little; ``foreign_cores`` is what the rest of the machine used meanwhile.

    python -m benchmarks.bench_load                                   # SQLite, river-0.1
    python -m benchmarks.bench_load --database postgresql --bot river --gateways 2
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from benchmarks.bench_load_idle import idle
from benchmarks.bench_load_players import Order, Seen
from tests.support import process_tree
from tests.support.quick_river import VERSIONS
from tests.support.stored_bytes import stored_bytes
from tests.support.whole_site import WholeSite, Wiring, whole_site

REPO: Final = Path(__file__).resolve().parents[1]
PARTS: Final = ("ramp", "idle")
PLAYERS: Final = (1, 16, 32, 48, 64, 96, 128, 192, 256)
GROWTH: Final = 1.05
"""A step that carries less than this times the best before it has found saturation."""

FULL: Final = 0.88
"""A processor, or the one core an interpreter can use, that is busier than this is the limit."""

DISTURBED: Final = 0.2
"""Cores that the rest of the machine may use before it is told."""

CORES: Final = os.cpu_count() or 1

Line = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = _parser().parse_args(arguments)
    wiring = Wiring(
        production=options.database == "postgresql",
        gateways=options.gateways,
        bot=options.bot,
        bot_workers=options.bot_workers,
        compiled=options.compiled,
        log_level="WARNING",
    )
    about = {
        "bench": "load",
        "database": options.database,
        "gateways": options.gateways,
        "bot": options.bot,
        "compiled": options.compiled,
    }
    for _ in range(options.rounds):
        with whole_site(wiring) as site:
            for part in options.parts or PARTS:
                ramps = part == "ramp"
                lines = ramp(site, options) if ramps else idle(site, options.matches, options.quiet)
                for line in lines:
                    print(json.dumps({**about, **line}), flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench_load", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--bot", choices=("river", *VERSIONS), default="river-0.1")
    parser.add_argument("--bot-workers", type=int, default=1)
    parser.add_argument("--gateways", type=int, default=1, help="processes; 1 with SQLite")
    parser.add_argument("--compiled", action="store_true", help="the rules of `make fast`")
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS, help="steps")
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds a player thinks")
    parser.add_argument("--warm-up", type=float, default=5.0, help="seconds before each step")
    parser.add_argument("--seconds", type=float, default=15.0, help="seconds of a step")
    parser.add_argument("--generators", type=int, default=1, help="processes of players")
    parser.add_argument("--matches", type=int, default=1_000, help="open ones of part idle")
    parser.add_argument("--quiet", type=float, default=45.0, help="seconds of rest, part idle")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def ramp(site: WholeSite, options: argparse.Namespace) -> Iterator[Line]:
    """Play with more and more players until no more is done."""
    best: Line | None = None
    began = stored_bytes(site)
    played = 0
    for step, players in enumerate(options.players):
        line, hands = play(site, players, step, options)
        played += hands
        yield line
        if best is not None and line["actions_per_s"] < GROWTH * best["actions_per_s"]:
            best = max(best, line, key=lambda one: one["actions_per_s"])
            break
        best = line
    assert best is not None
    grown = {name: size - began[name] for name, size in stored_bytes(site).items()}
    yield {
        "part": "saturation",
        **{name: best[name] for name in ("players", "hands_per_s", "actions_per_s")},
        "limit": best["limit"],
        # The first steps' hands before they counted are stored too: a little too much.
        "stored_kb_per_hand": {
            name: round(size / 1_000 / played, 1) for name, size in grown.items()
        }
        if played
        else {},
    }


def play(site: WholeSite, players: int, step: int, options: argparse.Namespace) -> tuple[Line, int]:
    """Let so many play for a while; returns the line and the hands that the site counted."""
    from_ = time.monotonic() + 1.0 + options.warm_up
    until = from_ + options.seconds
    share = [players // options.generators] * options.generators
    share[0] += players % options.generators
    hands_before = hands_counted(site)
    generators = [
        _generator(
            Order(site.ports, n, sum(share[:i]), options.seed + step, options.think, from_, until)
        )
        for i, n in enumerate(share)
    ]
    time.sleep(max(0.0, from_ - time.monotonic()))
    before, busy_before = site.cpu_seconds(), process_tree.machine_busy_seconds()
    time.sleep(max(0.0, until - time.monotonic()))
    after, busy_after = site.cpu_seconds(), process_tree.machine_busy_seconds()
    fallbacks = metric(site, "riverboat_river_fallbacks_total")
    seen = [_outcome(generator) for generator in generators]
    used = {name: after[name] - before[name] for name in after}
    used["clients"] = sum(one.cpu_seconds for one in seen)
    busy = busy_after - busy_before
    line = {
        "part": "ramp",
        "players": players,
        "think_s": options.think,
        "seconds": options.seconds,
        **_line(site.wiring, _merged(seen), used, busy, options.seconds),
    }
    line["river_fallbacks_so_far"] = int(fallbacks)
    return line, int(hands_counted(site) - hands_before)


def _generator(order: Order) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.bench_load_players"],
        cwd=REPO,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(asdict(order)))
    process.stdin.close()
    return process


def _outcome(generator: subprocess.Popen[str]) -> Seen:
    with generator:
        assert generator.stdout is not None
        told = generator.stdout.read()
    assert generator.returncode == 0, "a generator failed"
    return Seen(**json.loads(told))


def _merged(seen: Sequence[Seen]) -> Seen:
    whole = Seen()
    failures: Counter[str] = Counter()
    for one in seen:
        for name, value in asdict(one).items():
            if name != "failures":
                setattr(whole, name, getattr(whole, name) + value)
        failures.update(one.failures)
    whole.failures = dict(failures)
    return whole


def _line(wiring: Wiring, seen: Seen, used: dict[str, float], busy: float, seconds: float) -> Line:
    cores = {name: round(value / seconds, 3) for name, value in used.items()}
    hands = max(seen.hands, 1)
    foreign = max(0.0, (busy - sum(used.values())) / seconds)
    return {
        "hands_per_s": round(seen.hands / seconds, 2),
        "actions_per_s": round(seen.actions / seconds, 2),
        "commands_per_s": round((seen.actions + seen.deals) / seconds, 2),
        "river_moves_per_s": round(seen.river_moves / seconds, 2),
        "events_told_per_s": round(seen.events / seconds, 2),
        **percentiles("action", seen.alone + seen.with_river),
        **percentiles("with_river", seen.with_river),
        **percentiles("alone", seen.alone),
        **percentiles("told", seen.told),
        "cpu_ms_per_hand": {name: round(value * 1_000 / hands, 2) for name, value in used.items()},
        "cpu_ms_per_hand_all": round(sum(used.values()) * 1_000 / hands, 1),
        "cores": cores,
        "foreign_cores": round(foreign, 2),
        "limit": limit(wiring, cores, busy / seconds),
        "failures": seen.failures,
    }


def limit(wiring: Wiring, cores: dict[str, float], busy_cores: float) -> str:
    """Say which part could not do more."""
    allowed = {
        "engine": wiring.engine_workers,
        "bot": wiring.bot_workers,
        "ledger": 1,
        "clients": 1,
    }
    # A gateway's threads share one interpreter, which lets go of it while the database works.
    full = [
        name
        for name, used in cores.items()
        if name not in {"database", "broker"} and used >= FULL * min(CORES, allowed.get(name, 1))
    ]
    machine = busy_cores >= FULL * CORES
    if not machine:
        return " and ".join(full) if full else "waiting: nobody's processor is full"
    most = max(cores, key=lambda name: cores[name])
    others = busy_cores - sum(cores.values())
    beside = f", {others:.1f} of them for others" if others > DISTURBED else ""
    return f"the {CORES} processors together{beside}; most of them: {most}"


def percentiles(name: str, times: Sequence[float]) -> dict[str, float]:
    """Return the median and the 99th percentile in milliseconds; nothing without times."""
    if len(times) < 2:
        return {}
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return {f"{name}_p50_ms": round(cuts[49] * 1e3, 1), f"{name}_p99_ms": round(cuts[98] * 1e3, 1)}


def hands_counted(site: WholeSite) -> float:
    """Return how many hands have ended, as the gateways count."""
    return metric(site, "riverboat_hands_total")


def metric(site: WholeSite, name: str) -> float:
    """Return a counter's sum over labels and gateways."""
    total = 0.0
    for text in site.metrics():
        for line in text.splitlines():
            if line.startswith((f"{name} ", f"{name}{{")):
                total += float(line.rsplit(" ", 1)[1])
    return total


if __name__ == "__main__":
    main()
