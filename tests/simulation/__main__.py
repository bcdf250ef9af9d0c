"""`python -m tests.simulation --seed N`: play matches in a world where everything breaks.

First matches in an imagined world, then every point of every command in it, then matches by
real processes; ``--only`` chooses one part. The first two are the same for the same seed.
"""

import argparse
import contextlib
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tests.simulation.points import SCENARIOS, Fault
from tests.simulation.processes import Crowd, Site, play
from tests.simulation.run import FailedRunError, Outcome, Place, Plan, Visit, simulate, visit_points
from tests.support.postgres import fresh_database, postgres_server, postgres_server_url

PARTS = ("matches", "points", "processes")
SEEDS = 10**6
"""Of so many one is drawn when none is given."""


def main() -> int:
    """Play as the arguments say; returns the exit status."""
    options = _arguments()
    size = f"MATCHES={options.matches} CLIENTS={options.clients} DATABASE={options.database}"
    say(f"SEED={options.seed} {size}")
    with contextlib.ExitStack() as stack:
        file = None if options.trace is None else stack.enter_context(options.trace.open("w"))
        for part in PARTS if options.only is None else (options.only,):
            began = time.monotonic()
            try:
                for outcome in _RUN[part](options, file):
                    say(str(outcome))
            except FailedRunError as error:
                say(f"{error}\nagain: make sim SEED={options.seed} {size} ONLY={part}")
                return 1
            say(f"{part}: all is as it must be, after {time.monotonic() - began:.0f} s")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(SEEDS))
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--step", type=int, default=1, help="visit every STEP-th point")
    parser.add_argument("--trace", type=Path, help="file that gets every line of the trace")
    return parser.parse_args()


def _matches(options: argparse.Namespace, file: IO[str] | None) -> Iterator[Outcome]:
    with _server(options.database) as server_url, databases(server_url) as urls:
        plan = Plan(options.seed, options.matches, options.clients)
        yield simulate(plan, Place(*urls, file))


def _points(options: argparse.Namespace, file: IO[str] | None) -> Iterator[Outcome]:
    first = 1 + options.seed % options.step
    with _server(options.database) as server_url:
        for scenario, fault in itertools.product(SCENARIOS, Fault):
            say(f"{scenario}: {fault.value}")
            plan = Visit(options.seed, scenario, fault, first, options.step)
            with databases(server_url) as urls:
                yield visit_points(plan, Place(*urls, file))


def _processes(options: argparse.Namespace, file: IO[str] | None) -> Iterator[Outcome]:
    """Play a tenth of the matches: real time passes here."""
    crowd = Crowd(options.seed, max(options.matches // 10, 1), options.clients)
    with tempfile.TemporaryDirectory(prefix="riverboat-sim-") as folder:
        home = Path(folder)
        ledger_url = f"sqlite:///{home}/ledger.sqlite3"
        if options.database == "sqlite":
            site = Site(crowd, home, f"sqlite:///{home}/tables.sqlite3", gateways=1)
            yield play(crowd, site, ledger_url, file)
            return
        with postgres_server() as server:
            site = Site(crowd, home, server.url, gateways=2, server=server)
            yield play(crowd, site, ledger_url, file)


_RUN = {"matches": _matches, "points": _points, "processes": _processes}


@contextlib.contextmanager
def _server(kind: str) -> Iterator[str | None]:
    """Give the URL of a PostgreSQL server, or None for SQLite."""
    if kind == "sqlite":
        yield None
        return
    with postgres_server_url() as server_url:
        yield server_url


@contextlib.contextmanager
def databases(server_url: str | None) -> Iterator[tuple[str, str]]:
    """Give the URLs of two empty databases: of the tables and of a ledger."""
    with tempfile.TemporaryDirectory(prefix="riverboat-sim-") as home:
        ledger_url = f"sqlite:///{home}/ledger.sqlite3"
        if server_url is None:
            yield f"sqlite:///{home}/tables.sqlite3", ledger_url
            return
        with fresh_database(server_url) as url:
            yield url, ledger_url


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of a set of names follows from it.
        command = [sys.executable, "-m", "tests.simulation", *sys.argv[1:]]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})  # noqa: S606
    sys.exit(main())
