"""One deterministic run: so many matches by so many clients, from one seed."""

import asyncio
import random
from collections import Counter
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
from tests.simulation.trace import Trace
from tests.simulation.world import ROUGH, Luck, World


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play; the same plan is the same run."""

    seed: int
    matches: int
    clients: int = 20
    luck: Luck = ROUGH


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it; ``digest`` is the same for the same run."""

    digest: str
    imagined_seconds: float
    counts: Counter[str]


class FailedRunError(AssertionError):
    """Something that must hold does not; the text has the last lines of the trace."""


def simulate(plan: Plan, url: str, ledger_url: str, file: IO[str] | None = None) -> Outcome:
    """Play a plan on an empty database; raises FailedRunError."""
    seed = str(plan.seed)
    loop = SimLoop(random.Random(f"{seed}:threads"))
    trace = Trace(loop.time, file)
    engine = open_engine(url)
    try:
        migrate(engine, MIGRATIONS)
        world = World(loop, url, seed, trace, luck=plan.luck)
        book = Book(engine)
        with seeded_chance(seed), threads_of_the_loop(), watched(trace) as errors:
            try:
                loop.run(_play(plan, world, book, trace))
            finally:
                world.close()
            assert errors == []
        report = audit_outbox(url, ledger_url)
    except Exception as error:
        lines = "\n".join(trace.last)
        raise FailedRunError(f"{lines}\nseed {plan.seed}: {error!r}") from error
    finally:
        engine.dispose()
    counts = book.counts + world.counts
    counts["transfers audited"] = report.transfers
    return Outcome(trace.digest, loop.time(), counts)


async def _play(plan: Plan, world: World, book: Book, trace: Trace) -> None:
    quota = Quota(plan.matches)

    async def check(table_id: str) -> None:
        book.check(table_id)

    await world.open()
    clients = []
    for number in range(1, plan.clients + 1):
        rng = random.Random(f"{world.seed}:client {number}")
        carry = _alternating(world, random.Random(f"{world.seed}:door {number}"))
        door = HttpDoor(carry, asyncio.sleep)
        clients.append(Client(f"c{number:02d}", door, book, trace, rng, quota, check))
    await asyncio.gather(*(client.run() for client in clients))
    for table_id in book.tables:
        book.tally(book.check(table_id, everything=True))
    book.counts["matches"] = len(book.tables)


def _alternating(world: World, rng: random.Random) -> Carry:
    """Return a way to a gateway that is chosen anew for every request."""

    async def carry(
        method: str, path: str, headers: dict[str, str], body: Json | None
    ) -> tuple[int, dict[str, str], bytes]:
        return await rng.choice(world.replicas).carry(method, path, headers, body)

    return carry
