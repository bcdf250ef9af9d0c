"""A River in a process of its own: ``python -m benchmarks.bot_subject NAME``.

Warms up, says so, then serves jobs, one JSON line each way:
``{"street": "flop", "spots": 50, "seed": 1}`` decides, ``{"rank": 1000000}`` ranks
seven-card hands by the two evaluators that River uses, ``{"memory": true}`` tells the memory.
"""

import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.bot_spots import spots
from poker.actions import Street
from services.bot import worker
from services.bot.arena.clock import Took, Watched, latency
from services.bot.arena.match import Match, play_deal
from services.bot.arena.players import StrategyPlayer, strategy_named
from services.bot.baselines import Caller
from services.bot.budget import Budget
from services.bot.evaluator import evaluate_seven
from services.bot.strength import strengths

LIVE_COMBOS = 47 * 46 // 2
"""Hands that a full board leaves possible."""

PAGE_MIB = os.sysconf("SC_PAGE_SIZE") / 2**20


def decide(player: StrategyPlayer, job: dict[str, Any]) -> dict[str, Any]:
    """Decide in each spot once; times as `services.bot.arena.clock.latency` tells them."""
    took: list[Took] = []
    stages: Counter[str] = Counter()
    for number, view in enumerate(islice(spots(Street(job["street"]), job["seed"]), job["spots"])):
        Watched(player, took=took, stages=stages).act(view, number)
    cpu_seconds = sum(one.cpu for one in took)
    return {
        "decisions_per_second_per_core": round(len(took) / cpu_seconds, 2),
        **latency(took),
        "stages": dict(stages),
    }


def rank(job: dict[str, Any]) -> dict[str, float]:
    """Return how many hands a second of CPU each evaluator ranks."""
    boards = np.array([[a, a + 9, a + 18, a + 27, a + 36] for a in range(9)], np.int64)
    strengths(boards)  # compiles
    wanted: int = job["rank"]
    start = time.process_time()
    for _ in range(wanted):
        evaluate_seven(0, 9, 18, 27, 36, 40, 44)
    called = time.process_time()
    rows = max(1, wanted // boards.size)
    for _ in range(rows):
        strengths(boards)
    end = time.process_time()
    return {
        "phevaluator_calls": round(wanted / (called - start)),
        "numba_hands": round(rows * len(boards) * LIVE_COMBOS / (end - called)),
    }


def memory() -> dict[str, float]:
    """Return resident memory, now and at its highest, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"rss_mib": round(pages * PAGE_MIB, 1), "peak_mib": round(peak_kib / 1024, 1)}


def started(name: str) -> StrategyPlayer:
    """Return the player as a decision process has it once it is ready."""
    if name == "river":
        worker.warm_up(Budget())
    player = StrategyPlayer(strategy_named(name))
    if name != "river":
        play_deal(Match(name, "caller", 1, 0, 100), player, Caller(), -1)
    return player


def answers(player: StrategyPlayer, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Do the jobs."""
    for line in lines:
        job = json.loads(line)
        if "street" in job:
            yield decide(player, job)
        else:
            yield rank(job) if "rank" in job else memory()


if __name__ == "__main__":
    subject = started(sys.argv[1])
    print(json.dumps({"ready": True}), flush=True)
    for answer in answers(subject, iter(sys.stdin)):
        print(json.dumps(answer), flush=True)
