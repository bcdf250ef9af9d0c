"""Deterministic runs: so many matches by so many clients, or every point of a command."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import IO

from services.common.database import migrate, open_engine
from services.gateway.app import MIGRATIONS
from tests.simulation.asgi import threads_of_the_loop
from tests.simulation.chance import seeded_chance
from tests.simulation.clients import Client, Quota
from tests.simulation.door import Json
from tests.simulation.http import Carry, HttpDoor
from tests.simulation.ledger import audit_outbox
from tests.simulation.logs import watched
from tests.simulation.loop import SimLoop
from tests.simulation.oracle import Book
from tests.simulation.points import SCENARIOS, Fault, Stage, visit
from tests.simulation.trace import Trace
from tests.simulation.world import CALM, ROUGH, Luck, World


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run happens: empty databases for the tables and a ledger, a file for the trace."""

    tables_url: str
    ledger_url: str
    file: IO[str] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play; the same plan is the same run."""

    seed: int
    matches: int
    clients: int = 20
    luck: Luck = ROUGH


@dataclass(frozen=True, slots=True)
class Visit:
    """Which points of a command to visit: every ``step``-th from ``first`` on."""

    seed: int
    scenario: str
    fault: Fault
    first: int = 1
    step: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it; ``digest`` is the same for the same run."""

    digest: str
    seconds: float
    counts: Counter[str]

    def __str__(self) -> str:
        """Return every count, and the digest."""
        counts = [f"{count:>9,}  {name}" for name, count in sorted(self.counts.items())]
        return "\n".join([*counts, f"{self.seconds:>9,.0f}  seconds", f"trace {self.digest}"])


class FailedRunError(AssertionError):
    """Something that must hold does not; the text has the last lines of the trace."""


Play = Callable[[World, Book, Trace], Awaitable[None]]


def simulate(plan: Plan, place: Place) -> Outcome:
    """Play a plan; raises FailedRunError."""

    async def play(world: World, book: Book, trace: Trace) -> None:
        quota = Quota(plan.matches)
        clients = [
            _client(f"c{number:02d}", world, book, trace, quota=quota)
            for number in range(1, plan.clients + 1)
        ]
        await asyncio.gather(*(client.run() for client in clients))
        for table_id in book.tables:
            book.tally(book.check(table_id, everything=True))

    return _run(plan.seed, plan.luck, place, play)


def visit_points(plan: Visit, place: Place) -> Outcome:
    """Have a command fail at point after point; raises FailedRunError."""

    async def play(world: World, book: Book, trace: Trace) -> None:
        client = _client("c01", world, book, trace, quota=Quota(0))
        client.person = await client.again(client.door.join)
        stage = Stage(world, client, plan.fault, random.Random(f"{plan.seed}:stage"))
        world.on_point = stage.reached
        last = await visit(stage, SCENARIOS[plan.scenario], first=plan.first, step=plan.step)
        book.counts["last point"] = last

    return _run(plan.seed, CALM, place, play)


def _run(seed_no: int, luck: Luck, place: Place, play: Play) -> Outcome:
    seed = str(seed_no)
    loop = SimLoop(random.Random(f"{seed}:threads"))
    trace = Trace(loop.time, place.file)
    engine = open_engine(place.tables_url)
    try:
        migrate(engine, MIGRATIONS)
        world = World(loop, place.tables_url, seed, trace, luck=luck)
        book = Book(engine, world.now)
        with seeded_chance(seed), threads_of_the_loop(), watched(trace) as errors:
            try:
                loop.run(_played(world, book, trace, play))
            finally:
                world.close()
            assert errors == []
        report = audit_outbox(place.tables_url, place.ledger_url)
    except Exception as error:
        lines = "\n".join(trace.last)
        raise FailedRunError(f"{lines}\nseed {seed_no}: {error!r}") from error
    finally:
        engine.dispose()
    counts = book.counts + world.counts
    counts["matches"] = len(book.tables)
    counts["transfers audited"] = report.transfers
    return Outcome(trace.digest, loop.time(), counts)


async def _played(world: World, book: Book, trace: Trace, play: Play) -> None:
    await world.open()
    await play(world, book, trace)


def _client(name: str, world: World, book: Book, trace: Trace, *, quota: Quota) -> Client:
    async def check(table_id: str) -> None:
        book.check(table_id)

    carry = _alternating(world, random.Random(f"{world.seed}:door {name}"))
    rng = random.Random(f"{world.seed}:client {name}")
    return Client(name, HttpDoor(carry, asyncio.sleep), book, trace, rng, quota, check)


def _alternating(world: World, rng: random.Random) -> Carry:
    """Return a way to a gateway that is chosen anew for every request."""

    async def carry(
        method: str, path: str, headers: dict[str, str], body: Json | None
    ) -> tuple[int, dict[str, str], bytes]:
        return await rng.choice(world.replicas).carry(method, path, headers, body)

    return carry
