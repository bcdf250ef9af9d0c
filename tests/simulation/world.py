"""A deterministic world: gateways in this process, a clock that jumps, and bad luck.

Everything of a gateway is real but its ports: rules without the wire, a scripted River, a
clock. Every gateway has its own connections to the one database and its own memory.
"""

import asyncio
import contextvars
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, cast

import grpc
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError

from poker.actions import Action, ActionKind
from poker.snapshot import HandSnapshot
from poker.view import HandView
from services.common.database import open_engine
from services.gateway.engine_client import EngineUnavailableError
from services.gateway.gateway import assemble
from services.gateway.http_app import create_app
from services.gateway.ledger_client import LedgerClient
from services.gateway.model import Hand, Reply
from services.gateway.ratelimit import RateLimiter
from services.gateway.river_client import Decision, RiverUnavailableError
from tests.simulation.asgi import request
from tests.simulation.door import Json, LostError
from tests.simulation.faults import CutError, Place, Point, Points, forget_the_disk
from tests.simulation.loop import KilledError, Process, SimLoop
from tests.simulation.trace import Trace
from tests.support.gateways import NOON, LocalEngine, StackedDealer, any_action

RIVER_PATIENCE_SECONDS: Final = 10.0
"""After this the real client gives River up."""


@dataclass(frozen=True, slots=True)
class Luck:
    """How often what goes wrong, as probabilities and mean seconds.

    ``kill`` and ``cut`` count per point of a transaction; ``murder_seconds`` is the time
    between deaths at any moment, ``jump_seconds`` between jumps of the clock.
    """

    kill: float = 0.0
    cut: float = 0.0
    river_slow: float = 0.0
    river_late: float = 0.0
    river_wrong: float = 0.0
    engine_away: float = 0.0
    murder_seconds: float = 0.0
    jump_seconds: float = 0.0
    day: float = 0.0


CALM: Final = Luck()
ROUGH: Final = Luck(
    kill=0.002,
    cut=0.002,
    river_slow=0.03,
    river_late=0.01,
    river_wrong=0.01,
    engine_away=0.003,
    murder_seconds=40.0,
    jump_seconds=10.0,
    day=0.05,
)


class World:
    """Two gateways on one database, and time."""

    def __init__(
        self, loop: SimLoop, url: str, seed: str, trace: Trace, *, luck: Luck, replicas: int = 2
    ) -> None:
        self.loop, self.url, self.trace, self.luck = loop, url, trace, luck
        self.seed = seed
        self.rng = random.Random(f"{seed}:world")
        self.dealer = StackedDealer(seed=random.Random(f"{seed}:decks").getrandbits(32))
        self.counts: Counter[str] = Counter()
        self.jumped = timedelta()
        self.over = False
        self.on_point: Callable[[Replica, Point], None] = self._chance_at
        self.replicas = [Replica(self, f"g{number}") for number in range(1, replicas + 1)]

    def now(self) -> datetime:
        """Return the time on the wall."""
        return NOON + self.jumped + timedelta(seconds=self.loop.time())

    async def open(self) -> None:
        """Start every gateway, and bad luck."""
        for replica in self.replicas:
            replica.start()
        if self.luck.jump_seconds:
            self.loop.create_task(self._jump_on())
        if self.luck.murder_seconds:
            self.loop.create_task(self._murder_on())

    def close(self) -> None:
        """Drop everything."""
        self.over = True
        for replica in self.replicas:
            replica.drop()

    def _chance_at(self, replica: "Replica", point: Point) -> None:
        if self.rng.random() < self.luck.kill:
            replica.die(f"at {point}")
        if self.rng.random() < self.luck.cut:
            self.counts["cuts"] += 1
            self.counts[f"cut {point.place}"] += 1
            self.trace.say(replica.name, f"loses the database at {point}")
            raise CutError

    async def _jump_on(self) -> None:
        while not self.over:
            await asyncio.sleep(self.rng.expovariate(1 / self.luck.jump_seconds))
            if self.rng.random() < self.luck.day:
                step = timedelta(hours=self.rng.choice((23.99, 24, 25)))
            else:
                step = timedelta(seconds=self.rng.choice((-60, -5, -0.5, 0.5, 5, 60)))
            self.jumped += step
            self.counts["clock jumps"] += 1
            self.trace.say("time", f"jumps by {step.total_seconds():.1f} s")

    async def _murder_on(self) -> None:
        while not self.over:
            await asyncio.sleep(self.rng.expovariate(1 / self.luck.murder_seconds))
            self.rng.choice(self.replicas).murder()


class Replica:
    """One gateway process, started again whenever it has died."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self._process: Process | None = None
        self._app: FastAPI | None = None
        # Outlives deaths for what it remembers of compiled statements; its connections do not.
        self._sql_engine = open_engine(world.url)
        forget_the_disk(self._sql_engine)
        self.points = Points(self._sql_engine, lambda point: world.on_point(self, point))

    def start(self) -> None:
        """Begin with an empty memory on what is stored."""
        world = self.world
        if world.over:
            return
        self._process = Process(world.loop)
        self._process.on_death = self._died
        gateway = assemble(
            self._sql_engine,
            engine=SimEngine(world),
            river=SimRiver(world),
            ledger=LedgerClient(cast("grpc.aio.Channel", _NoChannel())),
            dealer=world.dealer,
            clock=world.now,
            limiter=RateLimiter(enabled=False),
            web_root=Path("/nonexistent"),
        )
        if self._app is None:
            self._app = create_app(gateway)
        self._app.state.gateway = gateway
        world.trace.say(self.name, "starts")
        starting = self._process.call(gateway.sweeper.start())
        starting.add_done_callback(self._began)

    async def carry(
        self, method: str, path: str, headers: dict[str, str], body: Json | None
    ) -> tuple[int, dict[str, str], bytes]:
        """Give a request to this gateway; raises LostError when that dies or is dead."""
        if self._process is None or self._app is None or not self._process.alive:
            raise LostError
        return await self._process.call(request(self._app, method, path, headers, body))

    def die(self, where: str) -> None:
        """End the process from inside, in the middle of what it does."""
        self._count_death(where)
        raise KilledError

    def murder(self) -> None:
        """End the process from outside, while it waits."""
        if self._process is not None and self._process.alive:
            self._count_death("while it waits")
            self._process.kill()

    def drop(self) -> None:
        """End the process for good."""
        if self._process is not None:
            self._process.kill()

    def _count_death(self, where: str) -> None:
        self.world.counts["kills"] += 1
        for place in Place:
            if place.value in where:
                self.world.counts[f"killed {place}"] += 1
        self.world.trace.say(self.name, f"dies {where}")

    def _died(self) -> None:
        """Let go of what the system would: connections; and be started again later."""
        self._sql_engine.dispose()
        delay = self.world.rng.uniform(0.1, 3.0)
        # A context of its own, because that of the dead process is dead too.
        self.world.loop.call_later(delay, self.start, context=contextvars.Context())

    def _began(self, done: "asyncio.Future[None]") -> None:
        error = done.exception()
        if isinstance(error, OperationalError):
            # The database was away: whoever runs the gateway starts it again.
            self.murder()
        elif error is not None and not isinstance(error, LostError):
            raise error


class SimEngine:
    """The rules, a moment away and sometimes out of reach."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._rules = LocalEngine()

    async def replay(self, hand: Hand) -> Reply:
        """See `Engine`."""
        await self._arrive()
        return await self._rules.replay(hand)

    async def act(self, hand: Hand, before: HandSnapshot, action: Action) -> Reply:
        """See `Engine`."""
        await self._arrive()
        return await self._rules.act(hand, before, action)

    async def _arrive(self) -> None:
        world = self._world
        await asyncio.sleep(world.rng.expovariate(500))
        if world.rng.random() < world.luck.engine_away:
            world.counts["engine away"] += 1
            raise EngineUnavailableError


class SimRiver:
    """River: the same answer to the same question, but not always in time, and not always."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def decide(self, view: HandView, seed: int) -> Decision:
        """See `River`."""
        world, luck = self._world, self._world.luck
        fate = world.rng.random()
        if fate < luck.river_late:
            world.counts["river late"] += 1
            await asyncio.sleep(RIVER_PATIENCE_SECONDS)
            raise RiverUnavailableError
        slow = fate < luck.river_late + luck.river_slow
        world.counts["river slow"] += slow
        await asyncio.sleep(world.rng.uniform(1.0, 9.9) if slow else world.rng.expovariate(50))
        assert view.legal is not None
        if world.rng.random() < luck.river_wrong:
            world.counts["river wrong"] += 1
            return Decision(Action(view.legal.seat, ActionKind.RAISE, 1), "sim-1")
        return Decision(any_action(view.legal, random.Random(seed)), "sim-1")


class _NoChannel:
    """No way to the ledger: it follows the outbox on its own."""

    def unary_unary(self, *_: object, **__: object) -> None:
        """Offer no method."""
