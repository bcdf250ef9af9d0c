"""How fast a ledger's projections are made again, and in how much memory. JSON lines on stdout.

Fills ledgers with matches made up from a seed, then runs ``python -m services.ledger rebuild``
as a process of its own: balances anew from the transfers, days, standings and counts from the
events behind them. ``peak_mib`` is the most memory that the process had at any time; it must
not grow with the ledger. ``started_mib`` is what it has before it does anything.

    python -m benchmarks.bench_rebuild                   # 100,000 and a million hands, PostgreSQL
    python -m benchmarks.bench_rebuild 20000

PostgreSQL is the one of TEST_POSTGRES_URL, or one that is started for the run.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from sqlalchemy.engine import Engine

from services.common.database import open_engine
from services.common.eventlog.port import Event
from services.ledger.store import apply_events, upgrade
from tests.support.played_matches import Season
from tests.support.postgres import fresh_database, postgres_server_url

REPO = Path(__file__).resolve().parents[1]
CHUNK = 5_000
"""Events that one transaction applies while a ledger is filled, at least."""

HANDS_A_PLAYER = 400


def main(arguments: Sequence[str] | None = None) -> None:
    """Rebuild ledgers of each size."""
    parser = argparse.ArgumentParser(prog="bench_rebuild", description=__doc__)
    parser.add_argument("hands", nargs="*", type=int, default=[100_000, 1_000_000])
    options = parser.parse_args(arguments)
    with postgres_server_url() as server:
        for hands in options.hands:
            with fresh_database(server) as url:
                print(json.dumps(_measure(url, hands)), flush=True)


def _measure(url: str, hands: int) -> dict[str, object]:
    engine = open_engine(url)
    try:
        upgrade(engine)
        began = time.perf_counter()
        events = _fill(engine, hands)
        filled = time.perf_counter() - began
    finally:
        engine.dispose()
    _, started = _run("--help", url)
    report, peak = _run("rebuild", url)
    return {
        "bench": "rebuild",
        "events": events,
        "filled_in_seconds": round(filled, 1),
        **json.loads(report),
        "started_mib": round(started / 1024, 1),
        "peak_mib": round(peak / 1024, 1),
    }


def _fill(engine: Engine, hands: int) -> int:
    """Apply a season; returns how many events it had."""
    count = 0
    for events in _chunks(Season(1, hands, max(2, hands // HANDS_A_PLAYER))):
        with engine.begin() as connection:
            apply_events(connection, events)
        count += len(events)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")
    return count


def _chunks(season: Season) -> Iterator[list[Event]]:
    """Yield whole matches, so many events at once that filling does not take for ever."""
    events: list[Event] = []
    for match in season.matches():
        events += match
        if len(events) >= CHUNK:
            yield events
            events = []
    if events:
        yield events


def _run(command: str, url: str) -> tuple[str, int]:
    """Run a command of the ledger; returns its output, and its most memory in KiB."""
    process = subprocess.Popen(
        [sys.executable, "-m", "services.ledger", command],
        cwd=REPO,
        env={**os.environ, "DATABASE_URL": url, "LOG_LEVEL": "WARNING"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout:
        output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return output, usage.ru_maxrss


if __name__ == "__main__":
    main()
