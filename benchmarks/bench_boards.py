"""How fast leaderboards are read when they are long. JSON lines on stdout.

Fills ledgers with made-up players and times what a request does at the database, each in a
transaction of its own: the first page, a page somewhere deep in the board, and a player's
own row with rank and next rank. Beside them, in the same rounds: ``nothing``, which asks for
1 and so tells what the way to the database costs; and ``counted_rank``, the rank by counting
everybody above, which is what the stored counts save.

``p50_ms`` and ``p99_ms`` are what the caller waits, with all that else runs on the machine.
``server_p50_ms`` and ``server_p99_ms`` are what PostgreSQL's own process was on a processor,
where that can be told (a server on this machine, Linux); a busy machine disturbs them less.

    python -m benchmarks.bench_boards                         # 10k, 100k and 1M, PostgreSQL
    python -m benchmarks.bench_boards 10000 --database sqlite

PostgreSQL is the one of TEST_POSTGRES_URL, or one that is started for the run.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import open_engine, reading
from services.ledger.leaderboard import (
    Cursor,
    Section,
    read_next_rank,
    read_page,
    read_row,
)
from services.ledger.ranks import is_ranked
from services.ledger.schema import STANDINGS
from services.ledger.store import upgrade
from tests.support.many_players import SCOPE, fill, player_id
from tests.support.postgres import fresh_database, postgres_server_url

PAGE_ROWS = 50
COUNTED_ROUNDS = 20
"""Ranks by counting everybody take long; a few of them tell."""

Read = Callable[[Connection], object]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure boards of each size, on a new database each."""
    parser = argparse.ArgumentParser(prog="bench_boards", description=__doc__)
    parser.add_argument("players", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--database", choices=("postgresql", "sqlite"), default="postgresql")
    parser.add_argument("--rounds", type=int, default=1_000)
    options = parser.parse_args(arguments)
    for players in options.players:
        with new_ledger(options.database) as engine:
            began = time.perf_counter()
            fill(engine, players)
            seconds = round(time.perf_counter() - began, 1)
            about = {"bench": "boards", "database": options.database, "players": players}
            print(json.dumps({**about, "filled_in_seconds": seconds}), flush=True)
            for name, times in measure(engine, players, options.rounds).items():
                print(json.dumps({**about, "read": name, **summary(times)}), flush=True)


@contextmanager
def new_ledger(database: str) -> Iterator[Engine]:
    """Open an empty ledger that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="riverboat-boards-") as home:
        if database == "sqlite":
            yield from _opened(f"sqlite:///{Path(home) / 'ledger.sqlite3'}")
            return
        with postgres_server_url() as server, fresh_database(server) as url:
            yield from _opened(url)


def _opened(url: str) -> Iterator[Engine]:
    engine = open_engine(url)
    upgrade(engine)
    try:
        yield engine
    finally:
        engine.dispose()


@dataclass(frozen=True)
class Took:
    """Milliseconds of one read: waited for, and on a processor at the server if known."""

    waited: float
    server: float | None


def measure(engine: Engine, players: int, rounds: int) -> dict[str, list[Took]]:
    """Return how long each read took, read by read in turn."""
    rng = random.Random(players)
    found: dict[str, list[Took]] = {}
    for number in range(-rounds // 10, rounds):  # the first ones warm caches up
        someone = player_id(rng.randrange(players))
        cursor = _place(engine, someone)
        for name, read in _reads(someone, cursor, counted=number < COUNTED_ROUNDS).items():
            with reading(engine) as connection:
                took = _timed(connection, read)
            if number >= 0:
                found.setdefault(name, []).append(took)
    return found


def _timed(connection: Connection, read: Read) -> Took:
    server = _server_process(connection)
    on_processor, began = _on_processor(server), time.perf_counter()
    read(connection)
    waited, now = (time.perf_counter() - began) * 1_000, _on_processor(server)
    if on_processor is None or now is None:
        return Took(waited, None)
    return Took(waited, (now - on_processor) / 1e6)


def _server_process(connection: Connection) -> Path | None:
    """Return where Linux tells about the process that serves a connection."""
    if connection.dialect.name != "postgresql":
        return None
    process = connection.execute(sa.select(sa.func.pg_backend_pid())).scalar_one()
    status = Path(f"/proc/{process}/schedstat")
    comm = status.with_name("comm")
    return status if comm.exists() and comm.read_text().startswith("postgres") else None


def _on_processor(server: Path | None) -> int | None:
    return None if server is None else int(server.read_text().split()[0])


def _reads(someone: str, cursor: Cursor, *, counted: bool) -> dict[str, Read]:
    reads: dict[str, Read] = {
        "nothing": lambda c: c.execute(sa.select(1)).scalar_one(),
        "first_page": lambda c: read_page(c, SCOPE, Section.RANKED, PAGE_ROWS, None),
        "deep_page": lambda c: read_page(c, SCOPE, Section.RANKED, PAGE_ROWS, cursor),
        "my_rank": lambda c: _my_rank(c, someone),
    }
    return {**reads, "counted_rank": lambda c: _count_above(c, cursor)} if counted else reads


def _my_rank(connection: Connection, someone: str) -> None:
    row = read_row(connection, SCOPE, someone)
    if row is not None:
        read_next_rank(connection, SCOPE, row)


def _count_above(connection: Connection, cursor: Cursor) -> int:
    c = STANDINGS.c
    average = sa.literal(cursor.average_whole), sa.literal(cursor.average_rest)
    query = sa.select(sa.func.count()).where(
        c.board == SCOPE.board,
        c.period == SCOPE.period,
        c.version == SCOPE.version,
        is_ranked(),
        sa.tuple_(c.average_whole, c.average_rest) > sa.tuple_(*average),
    )
    return int(connection.execute(query).scalar_one())


def _place(engine: Engine, someone: str) -> Cursor:
    c = STANDINGS.c
    query = sa.select(c.average_whole, c.average_rest, c.hands, c.settled_us, c.player_id)
    with reading(engine) as connection:
        return Cursor(*connection.execute(query.where(c.player_id == someone)).one())


def summary(times: list[Took]) -> dict[str, float | int]:
    """Return how long reads took, in milliseconds."""
    found: dict[str, float | int] = {"rounds": len(times)}
    found |= _percentiles("", [took.waited for took in times])
    server = [took.server for took in times if took.server is not None]
    return found | (_percentiles("server_", server) if len(server) > 1 else {})


def _percentiles(prefix: str, times: list[float]) -> dict[str, float]:
    percentiles = statistics.quantiles(times, n=100, method="inclusive")
    return {
        f"{prefix}p50_ms": round(percentiles[49], 3),
        f"{prefix}p99_ms": round(percentiles[98], 3),
    }


if __name__ == "__main__":
    main()
