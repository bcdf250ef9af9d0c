"""How fast a ledger's projections are made again, and in how much memory. JSON lines on stdout.

Fills ledgers with matches made up from a seed, the first 50,000 hands of them by applying
their events and the others as copies with other ids, players included. Then it runs ``python -m
services.ledger rebuild`` as a process of its own: balances anew from the transfers, days,
standings and counts from the events behind them. ``peak_mib`` is the most memory that the
process had at any time; it must not grow with the ledger. ``started_mib`` is what it has before
it does anything.

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
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.common.database import open_engine
from services.common.eventlog.port import Event
from services.ledger.schema import (
    BALANCES,
    EVENTS,
    HANDS,
    MATCHES,
    PLAYERS,
    SEATS,
    TRANSFERS,
)
from services.ledger.store import apply_events, upgrade
from tests.support.played_matches import Season
from tests.support.postgres import fresh_database, postgres_server_url

SEED = 100
"""Copies have the numbers after it: ids must stay as long, for messages tell their length."""

REPO = Path(__file__).resolve().parents[1]
CHUNK = 5_000
"""Events that one transaction applies while a ledger is filled, at least."""

HANDS_A_PLAYER = 400
APPLIED = 50_000
"""Hands whose events are applied; more are copies."""

TAG = f"_{SEED}_"
"""Part of every id of a season."""

COPIED = (EVENTS, PLAYERS, MATCHES, SEATS, BALANCES, HANDS, TRANSFERS)
"""What a rebuild starts from, and what it corrects; those that others refer to first."""


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
    """Store so many hands, a multiple of `APPLIED` above it; returns how many events that is."""
    season = Season(SEED, min(hands, APPLIED), max(2, min(hands, APPLIED) // HANDS_A_PLAYER))
    count = 0
    for events in _chunks(season):
        with engine.begin() as connection:
            apply_events(connection, events)
        count += len(events)
    copies = max(1, hands // APPLIED)
    for number in range(1, copies):
        tag = f"_{SEED + number}_"
        with engine.begin() as connection:
            for table in COPIED:
                connection.exec_driver_sql(_copy(table, tag, number * count))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")
    return count * copies


def _copy(table: sa.Table, tag: str, after: int) -> str:
    """Return a statement that copies the first rows of a table, with another tag in every id."""
    names = [column.name for column in table.c if column.name != "transfer_no"]
    values = [_copied(table.c[name], tag, after) for name in names]
    tagged = "match_id" if "match_id" in names else "player_id"
    return (
        f"INSERT INTO {table.name} ({', '.join(names)}) "  # noqa: S608 - names of our own
        f"SELECT {', '.join(values)} FROM {table.name} WHERE strpos({tagged}, '{TAG}') > 0"
    )


def _copied(column: sa.Column[Any], tag: str, after: int) -> str:
    name = column.name
    if name == "event_no":
        return f"event_no + {after}"
    if isinstance(column.type, sa.LargeBinary):
        return f"decode(replace(encode({name}, 'escape'), '{TAG}', '{tag}'), 'escape')"
    if isinstance(column.type, sa.String):
        return f"replace({name}, '{TAG}', '{tag}')"
    return name


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
