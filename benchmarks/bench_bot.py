"""How fast River decides, starts, and how much memory it takes. JSON lines on stdout.

Every subject runs in a process of its own and decides in the same seeded spots, in turn with
the others, so that a busy machine slows all of them. Beside River stands its first version,
and what the machine can do at most in one core: how many seven-card hands a second
phevaluator's C function ranks, called from Python, and River's own compiled evaluator.
``rankings_per_decision`` says how many of the latter would fit into a decision.

Per-core figures are of CPU time. ``start_seconds`` is from the start of a fresh process until
it has warmed up; with the cache of compiled code empty and as it is found afterwards.

    python -m benchmarks.bench_bot
    python -m benchmarks.bench_bot --subjects river --spots 200 --seed 2
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from poker.actions import Street

ROOT = Path(__file__).parents[1]
RANKINGS = 2_000_000


class Subject:
    """A River in a process; ``start_seconds`` is how long it took to be ready."""

    def __init__(self, name: str, compiled: Path) -> None:
        self.name = name
        began = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.bot_subject", name],
            cwd=ROOT,
            env={**os.environ, "NUMBA_CACHE_DIR": str(compiled)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answer()
        self.start_seconds = round(time.perf_counter() - began, 2)

    def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """Have a job done."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with status {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the subjects street by street."""
    parser = argparse.ArgumentParser(
        prog="bench_bot", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--subjects", nargs="+", default=["river", "river:0.1"])
    parser.add_argument("--spots", type=int, default=100, help="decisions a street")
    parser.add_argument("--seed", type=int, default=1, help="decides the spots")
    options = parser.parse_args(arguments)
    if options.spots < 1:
        parser.error("--spots must be at least 1")
    with tempfile.TemporaryDirectory(prefix="riverboat-bot-") as compiled:
        subjects = [started(name, Path(compiled)) for name in options.subjects]
        limits = subjects[0].ask({"rank": RANKINGS})
        tell(subject="evaluators", rankings_per_second_per_core=limits)
        for street in Street:
            job = {"street": street.value, "spots": options.spots, "seed": options.seed}
            for subject in subjects:
                found = subject.ask(job)
                per_second = found["decisions_per_second_per_core"]
                fits = round(limits["numba_hands"] / per_second)
                about = {"subject": subject.name, "street": street.value}
                tell(**about, **found, rankings_per_decision=fits)
        for subject in subjects:
            tell(subject=subject.name, **subject.ask({"memory": True}))
            subject.close()


def started(name: str, compiled: Path) -> Subject:
    """Start a subject twice: the first compiles, the second finds compiled code."""
    for number, cache in enumerate(("empty", "filled")):
        subject = Subject(name, compiled / name)
        tell(subject=name, compiled_code=cache, start_seconds=subject.start_seconds)
        if number == 0:
            subject.close()
    return subject


def tell(**figures: object) -> None:
    """Print one line."""
    print(json.dumps({"bench": "bot", **figures}), flush=True)


if __name__ == "__main__":
    main()
