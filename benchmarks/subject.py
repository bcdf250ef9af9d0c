"""A subject of a benchmark, in a process of its own: ``python -m benchmarks.subject NAME``.

Loads ``benchmarks.peers.NAME`` and serves jobs, one JSON line each way. A job plays hands
(``{"players": 2, "hands": 100, "seed": 1}``) or ranks them (``{"rank": 10000, "seed": 1}``).
Times are of this process on a processor, so that a busy machine disturbs less. Needs nothing
but the standard library and the subject itself.
"""

import importlib
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any


def play(module: ModuleType, job: dict[str, Any]) -> dict[str, float]:
    """Play hands; say how much CPU time it took and how many decisions were made."""
    rng = random.Random(job["seed"])
    start = time.process_time()
    decisions = module.play(job["players"], job["hands"], rng)
    return {"seconds": time.process_time() - start, "decisions": decisions}


def rank(module: ModuleType, job: dict[str, Any]) -> dict[str, float]:
    """Rank seven-card hands one by one; cards are in the subject's own form beforehand."""
    rng = random.Random(job["seed"])
    hands = module.cards_of([rng.sample(range(52), 7) for _ in range(job["rank"])])
    evaluate = module.evaluator()
    start = time.process_time()
    for hand in hands:
        evaluate(hand)
    return {"seconds": time.process_time() - start}


def main(arguments: Sequence[str]) -> None:
    """Serve jobs until the input ends; the first line says that the subject is ready."""
    # What a subject prints, even from native code, is neither an answer nor worth its time.
    answers = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    module = importlib.import_module(f"benchmarks.peers.{arguments[0]}")
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        done = rank(module, job) if "rank" in job else play(module, job)
        print(json.dumps(done), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
