"""Asks River at every turn of random hands that nobody would play (tests/support/wild_hands.py).

Odd sizes, tiny and huge stacks, wars of least raises, one chip behind. Usage:
`python -m benchmarks.verify_river [--hands 100000] [--seed 1] [--processes 2] [--full]`.
Solving is cut down to few iterations and one bet size unless `--full`: it is the way through
the code that is verified, not the strength. Prints one JSON line with the decisions of each
stage; ends with a traceback and status 1 at the first exception or illegal answer.
"""

import argparse
import json
import time
from collections import Counter
from functools import partial

from services.bot.arena.workers import Task, spread
from services.bot.budget import PLAIN_SIZES, Budget
from services.bot.strategy import river
from tests.support.wild_hands import play_wild

HANDS_A_TASK = 50


def prepare(first: int, hands: int, *, full: bool) -> Task:
    """Return the task that plays the next few hands from a number on."""
    strategy = river(Budget() if full else Budget(iterations=1, sizes=PLAIN_SIZES))

    def task(number: int) -> Counter[str]:
        begin = first + number * HANDS_A_TASK
        end = min(begin + HANDS_A_TASK, first + hands)
        return sum((play_wild(strategy, hand) for hand in range(begin, end)), Counter[str]())

    return task


def main() -> None:
    """Play all hands; print what answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1, help="number of the first hand")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--full", action="store_true", help="solve as in play")
    options = parser.parse_args()
    started = time.perf_counter()
    tasks = -(-options.hands // HANDS_A_TASK)
    ready = partial(prepare, options.seed, options.hands, full=options.full)
    stages = sum(spread(ready, tasks, options.processes), Counter[str]())
    result = {
        "benchmark": "verify_river",
        "hands": options.hands,
        "decisions": sum(stages.values()),
        "stages": dict(stages.most_common()),
        "illegal": 0,
        "exceptions": 0,
        "seconds": round(time.perf_counter() - started, 1),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
