"""Runs with real processes: gateways that die by kill -9, clients over HTTP, a real server.

The scripts of the clients, the decks, River's answers and the places of the deaths follow
from the seed; how the processes interleave does not, so a run is only nearly the same again.
"""

import asyncio
import itertools
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import IO, Final

import httpx
from sqlalchemy.exc import InterfaceError, OperationalError

from services.common.database import migrate, open_engine
from services.gateway.app import MIGRATIONS
from tests.simulation.clients import Client, Quota
from tests.simulation.door import Json, LostError
from tests.simulation.http import Carry, HttpDoor
from tests.simulation.ledger import audit_outbox
from tests.simulation.oracle import Book
from tests.simulation.run import FailedRunError, Outcome
from tests.simulation.trace import Trace
from tests.support.guarded import ServerProcess, free_port
from tests.support.postgres import PostgresServer

REPO: Final = Path(__file__).resolve().parents[2]
HASTE: Final = 0.03
"""Clients here think for so much of the time that they take in an imagined world."""
EXPLAINED: Final = {"OperationalError", "InterfaceError", "TimeoutError", "EngineUnavailableError"}
"""What a gateway may complain about when the database goes."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many play, and how soon gateways die: after so many points on average."""

    seed: int
    matches: int
    clients: int = 20
    mean_points: int = 1500


class Site:
    """Gateways on one database; ``server`` is the database's when it may be restarted."""

    def __init__(
        self,
        crowd: Crowd,
        home: Path,
        url: str,
        *,
        gateways: int,
        server: PostgresServer | None = None,
    ) -> None:
        self.url, self.server = url, server
        self.ports = [free_port() for _ in range(gateways)]
        self.processes = [
            ServerProcess(
                [sys.executable, "-m", "tests.support.doomed_gateway"],
                home / f"gateway-{number}.log",
                env=_environment(crowd, url, port, number),
                orphan_signal=signal.SIGTERM,
            )
            for number, port in enumerate(self.ports, start=1)
        ]

    def start(self) -> None:
        """Start every gateway."""
        for process in self.processes:
            process.start()

    def stop(self) -> None:
        """End every gateway."""
        for process in self.processes:
            process.stop()

    def deaths(self) -> int:
        """Return how often a gateway was killed, after checking that all else was in order."""
        deaths = 0
        for process in self.processes:
            for line in process.log.read_text().splitlines():
                entry = json.loads(line) if line.startswith("{") else {"level": "text"}
                deaths += entry["level"] == "life" and entry["code"] == -signal.SIGKILL
                loud = entry["level"] in {"error", "critical", "text"}
                assert not loud or _is_explained(entry), line
        return deaths


def _is_explained(entry: Json) -> bool:
    """Return whether an error in a log is about a database that is away.

    A gateway that is started while it is away gives up, to be started again.
    """
    startup = "Application startup failed" in entry["event"] or "Operational" in entry["event"]
    return startup or entry.get("error") in EXPLAINED


def _environment(crowd: Crowd, url: str, port: int, number: int) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(REPO),
        "DATABASE_URL": url,
        "PORT": str(port),
        "RATE_LIMITS": "off",
        "LOG_LEVEL": "WARNING",
        "DOOM_SEED": f"{crowd.seed}:{number}",
        "DOOM_MEAN_POINTS": str(crowd.mean_points),
    }


def play(crowd: Crowd, site: Site, ledger_url: str, file: IO[str] | None = None) -> Outcome:
    """Play a crowd's matches at a site on an empty database; raises FailedRunError."""
    began = time.monotonic()
    trace = Trace(lambda: time.monotonic() - began, file)
    engine = open_engine(site.url)
    book = Book(engine, lambda: datetime.now(UTC))
    try:
        migrate(engine, MIGRATIONS)
        site.start()
        try:
            asyncio.run(_play(crowd, site, book, trace))
        finally:
            site.stop()
        book.counts["gateways killed"] = site.deaths()
        book.counts["transfers audited"] = audit_outbox(site.url, ledger_url).transfers
    except Exception as error:
        lines = "\n".join(trace.last)
        logs = "\n".join(process.tail() for process in site.processes)
        raise FailedRunError(f"{logs}\n{lines}\nseed {crowd.seed}: {error!r}") from error
    finally:
        engine.dispose()
    return Outcome(trace.digest, time.monotonic() - began, Counter(book.counts))


async def _play(crowd: Crowd, site: Site, book: Book, trace: Trace) -> None:
    quota = Quota(crowd.matches)

    async def check(table_id: str) -> None:
        await _with_patience(book, table_id)

    async with httpx.AsyncClient(trust_env=False, timeout=60.0) as http:
        # Everybody shares the connections, but not the sessions.
        http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        clients = []
        for number in range(1, crowd.clients + 1):
            rng = random.Random(f"{crowd.seed}:client {number}")
            door = HttpDoor(_taking_turns(http, site.ports, number), asyncio.sleep)
            name = f"c{number:02d}"
            clients.append(Client(name, door, book, trace, rng, quota, check, HASTE))
        playing = asyncio.gather(*(client.run() for client in clients))
        if site.server is not None:
            await _restart(site.server, crowd, trace, book, playing)
        await playing
    for table_id in book.tables:
        book.tally(book.check(table_id, everything=True))
    book.counts["matches"] = len(book.tables)


async def _restart(
    server: PostgresServer,
    crowd: Crowd,
    trace: Trace,
    book: Book,
    playing: "asyncio.Future[list[None]]",
) -> None:
    """Kill the database while they sit down and early in the game, and stop it properly later.

    The first is sure to come; a clock that jumps by a day may end every match after few moves.
    """
    for done, times, end in (
        ("sit_down 201", crowd.matches // 2, server.kill),
        ("act 200", crowd.matches, server.kill),
        ("act 200", 4 * crowd.matches, server.stop),
    ):
        while book.counts[done] < times:
            if playing.done():
                return
            await asyncio.sleep(0.05)
        trace.say("db", f"goes by {end.__name__}")
        await asyncio.to_thread(end)
        # In this thread, although everybody waits meanwhile: the guard of the server ends it
        # together with the thread that started it.
        server.start()
        book.counts["database restarts"] += 1
        trace.say("db", "is back")


def _taking_turns(http: httpx.AsyncClient, ports: list[int], first: int) -> Carry:
    """Return a way to the gateways that leads to another one each time."""
    turns = itertools.count(first)

    async def carry(
        method: str, path: str, headers: dict[str, str], body: Json | None
    ) -> tuple[int, dict[str, str], bytes]:
        port = ports[next(turns) % len(ports)]
        try:
            answer = await http.request(
                method, f"http://127.0.0.1:{port}{path}", headers=headers, json=body
            )
        except httpx.TransportError:
            raise LostError from None
        return answer.status_code, dict(answer.headers), answer.content

    return carry


async def _with_patience(book: Book, table_id: str) -> None:
    """Check a table, later if the database is away."""
    for _ in range(600):
        try:
            book.check(table_id)
        except (OperationalError, InterfaceError):
            await asyncio.sleep(0.1)
        else:
            return
    raise AssertionError("the database does not come back")
