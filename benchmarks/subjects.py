"""The processes that benchmarks compare, run in alternating rounds."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
PEERS_PYTHON: Final = ROOT / ".cache" / "bench-venv" / "bin" / "python"
COMPILED: Final = ROOT / ".cache" / "fast"
"""Where a compiled build of the library is, if there is one."""
OWN: Final = ("riverboat", "riverboat_compiled", "bare")

Job = Mapping[str, int]


class UnavailableError(Exception):
    """A subject cannot be run; the message says why."""


class Subject:
    """One running subject (see `benchmarks.subject`)."""

    def __init__(self, name: str) -> None:
        own = name in OWN
        python = sys.executable if own else str(PEERS_PYTHON)
        module = "riverboat" if name == "riverboat_compiled" else name
        path = f"{COMPILED}{os.pathsep}{ROOT}" if name == "riverboat_compiled" else str(ROOT)
        if name == "riverboat_compiled" and not any(COMPILED.glob("poker/*.so")):
            raise UnavailableError("there is no compiled build in .cache/fast")
        if not Path(python).exists():
            raise UnavailableError("the peers are not installed in .cache/bench-venv")
        self.name = name
        self._process = subprocess.Popen(
            [python, "-P", "-W", "ignore", "-m", "benchmarks.subject", module],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            self._answer()
        except UnavailableError:
            self.close()
            raise

    def do(self, job: Job) -> dict[str, Any]:
        """Run one job; raises UnavailableError when the subject fails at it."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = self._process.stdout.readline()
        if not line:
            said = self._process.stderr.read().strip().splitlines()
            raise UnavailableError(said[-1] if said else "it ended without a word")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def opened(
    names: Sequence[str], warm_up: Job
) -> Iterator[tuple[dict[str, Subject], dict[str, str]]]:
    """Start subjects and give each a first job; yields those that run, and why others don't."""
    running: dict[str, Subject] = {}
    unavailable: dict[str, str] = {}
    with ExitStack() as stack:
        for name in names:
            try:
                subject = Subject(name)
                stack.callback(subject.close)
                subject.do(warm_up)
                running[name] = subject
            except UnavailableError as error:
                unavailable[name] = str(error)
        yield running, unavailable


def compare(
    names: Sequence[str], job: Job, rounds: int
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, str]]:
    """Run a job in alternating rounds; returns each subject's answers, and who has none."""
    with opened(names, {**job, "seed": 0}) as (running, unavailable):
        answers: dict[str, list[dict[str, Any]]] = {name: [] for name in running}
        for number in range(1, rounds + 1):
            for name, subject in running.items():
                answers[name].append(subject.do({**job, "seed": number}))
        return answers, unavailable
