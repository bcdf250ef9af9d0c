"""`python -m tests.simulation --seed N`: play matches in a world where everything breaks."""

import argparse
import contextlib
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.simulation.run import FailedRunError, Outcome, Place, Plan, simulate
from tests.support.postgres import fresh_database, postgres_server_url

# Of a seed that nobody chose.
SEEDS = 10**6


def main() -> int:
    """Play as the arguments say; returns the exit status."""
    options = _arguments()
    plan = Plan(options.seed, options.matches, options.clients)
    _say(f"seed {plan.seed}: {plan.matches} matches, {plan.clients} clients, {options.database}")
    began = time.monotonic()
    try:
        outcome = _run(plan, options.database, options.trace)
    except FailedRunError as error:
        _say(str(error))
        again = f"MATCHES={plan.matches} CLIENTS={plan.clients} DATABASE={options.database}"
        _say(f"again, the same way: make sim SEED={plan.seed} {again}")
        return 1
    _report(outcome, time.monotonic() - began)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(SEEDS))
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--trace", type=Path, help="file that gets every line of the trace")
    return parser.parse_args()


def _run(plan: Plan, database: str, trace: Path | None) -> Outcome:
    with databases(database) as (tables_url, ledger_url), contextlib.ExitStack() as stack:
        file = None if trace is None else stack.enter_context(trace.open("w"))
        return simulate(plan, Place(tables_url, ledger_url, file))


@contextlib.contextmanager
def databases(kind: str) -> Iterator[tuple[str, str]]:
    """Give the URLs of two empty databases: of the tables and of a ledger."""
    with tempfile.TemporaryDirectory(prefix="riverboat-sim-") as home:
        ledger_url = f"sqlite:///{home}/ledger.sqlite3"
        if kind == "sqlite":
            yield f"sqlite:///{home}/tables.sqlite3", ledger_url
            return
        with postgres_server_url() as server_url, fresh_database(server_url) as url:
            yield url, ledger_url


def _report(outcome: Outcome, seconds: float) -> None:
    for name, count in sorted(outcome.counts.items()):
        _say(f"{count:>9,}  {name}")
    _say(f"{outcome.imagined_seconds:>9,.0f}  imagined seconds in {seconds:.0f} real ones")
    _say(f"trace {outcome.digest}: all is as it must be")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of a set of names follows from it.
        command = [sys.executable, "-m", "tests.simulation", *sys.argv[1:]]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})  # noqa: S606
    sys.exit(main())
