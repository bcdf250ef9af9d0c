"""Plays the seats that have no person behind them, one committed action at a time.

Driving is a loop over what is stored: read the table, decide for exactly that version,
commit against that version. It can therefore stop anywhere (a crash, a lost race) and be
taken up by anyone: the request that caused it, the next read, or the sweep after a restart.
The seed of a decision is fixed by the hand and the action's number, so a decision that is
made again has the same answer.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from poker.actions import Legal
from poker.errors import IllegalActionError, InvariantError, MalformedError, Reason
from poker.snapshot import HandSnapshot
from poker.view import view_for
from services.common.logs import get_logger, stack_of
from services.gateway import steps
from services.gateway.dealer import bot_seed
from services.gateway.engine_client import EngineUnavailableError
from services.gateway.ids import is_id
from services.gateway.metrics import Metrics
from services.gateway.model import RIVER_SEAT, Actor, HandAction, Reply, Scene
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.river_client import (
    DEADLINE_SECONDS,
    River,
    RiverUnavailableError,
    fallback_action,
)
from services.gateway.rules import Rules
from services.gateway.store import commits, queries
from services.gateway.store.database import Database

Clock = Callable[[], datetime]

_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Position:
    """A table at rest: a person must act, or nobody; with the hand's snapshot."""

    scene: Scene
    snapshot: HandSnapshot


@dataclass(frozen=True, slots=True)
class _Choice:
    taken: HandAction
    reply: Reply
    bot_version: str


class Driver:
    """Drives tables on; any number of drivers may work on one table at once.

    ``patience_seconds`` is how long a program may think before a fixed rule acts for it.
    """

    def __init__(
        self,
        database: Database,
        *,
        rules: Rules,
        river: River,
        clock: Clock,
        metrics: Metrics,
        patience_seconds: float = DEADLINE_SECONDS,
    ) -> None:
        self._database = database
        self._rules = rules
        self._river = river
        self._clock = clock
        self._metrics = metrics
        self._patience_seconds = patience_seconds
        self._errands: set[asyncio.Task[None]] = set()

    async def load(self, table_id: str) -> Scene:
        """Return a table as stored; raises ProblemError not-found."""
        scene = None
        if is_id(table_id):
            scene = await self._database.read(queries.load_scene, table_id)
        if scene is None:
            raise ProblemError(ProblemType.NOT_FOUND)
        return scene

    async def drive(self, table_id: str) -> Scene:
        """Let programs act until none must; returns the table as it then stands.

        Raises ProblemError not-found and EngineUnavailableError.
        """
        scene = await self.load(table_id)
        while program_must_act(scene):
            choice = await self._choose(scene)
            step = steps.act(
                scene, choice.taken, choice.reply, self._clock(), bot_version=choice.bot_version
            )
            try:
                await self._database.write(commits.commit, step)
            except commits.VersionConflictError:
                # Somebody else answered this turn first, with the same action.
                self._metrics.conflicts.inc()
                scene = await self.load(table_id)
            else:
                self._metrics.count_step(step)
                scene = step.scene
        return scene

    async def settle_down(self, table_id: str) -> Position:
        """Drive a table and return it with the position of its hand."""
        scene = await self.drive(table_id)
        return Position(scene, await self._rules.position(scene.hand))

    async def drive_briefly(self, table_id: str, seconds: float) -> Scene:
        """Drive a table, but wait for it no longer than that; it goes on in the background."""
        await asyncio.wait({self.nudge(table_id)}, timeout=seconds)
        return await self.load(table_id)

    def nudge(self, table_id: str) -> asyncio.Task[None]:
        """Drive a table in the background; an engine that is away is left to a later try."""
        task = asyncio.create_task(self._run_errand(table_id))
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
        return task

    async def close(self) -> None:
        """Stop what runs in the background; it can be taken up again from the database."""
        for task in self._errands:
            task.cancel()
        await asyncio.gather(*self._errands, return_exceptions=True)

    async def _run_errand(self, table_id: str) -> None:
        try:
            await self.drive(table_id)
        except EngineUnavailableError:
            _log.warning("table waits for the engine", table_id=table_id)
        except Exception as error:  # a background task has nobody else to tell
            _log.error(
                "driving failed",
                table_id=table_id,
                error=type(error).__name__,
                frames=stack_of(error),
            )

    async def _choose(self, scene: Scene) -> _Choice:
        """Return a program's action with what the engine makes of it."""
        snapshot = await self._rules.position(scene.hand)
        legal = snapshot.legal
        if legal is None:
            raise InvariantError(Reason.HAND_OVER, table=scene.table.table_id)
        hand, seat = scene.hand, legal.seat
        seed = bot_seed(hand.secret, seat, len(hand.actions))
        try:
            # Whatever River's client does, nobody waits longer (HU-031).
            async with asyncio.timeout(self._patience_seconds):
                with self._metrics.river.time():
                    decision = await self._river.decide(view_for(snapshot, seat), seed)
        except (RiverUnavailableError, MalformedError, TimeoutError) as error:
            return await self._fall_back(scene, snapshot, legal, error)
        try:
            reply = await self._rules.act(hand, decision.action)
        except (MalformedError, IllegalActionError) as error:
            return await self._fall_back(scene, snapshot, legal, error)
        actor = Actor.RIVER if seat == RIVER_SEAT else Actor.STAND_IN
        return _Choice(HandAction(decision.action, actor), reply, decision.bot_version)

    async def _fall_back(
        self, scene: Scene, snapshot: HandSnapshot, legal: Legal, error: Exception
    ) -> _Choice:
        """Return what the fixed rule does in place of a program that failed."""
        hand = scene.hand
        _log.warning("river falls back", hand_id=hand.hand_id, error=type(error).__name__)
        self._metrics.fallbacks.inc()
        action = fallback_action(legal, snapshot.pot_total_chips)
        reply = await self._rules.act(hand, action)
        return _Choice(HandAction(action, Actor.FALLBACK), reply, "")


def program_must_act(scene: Scene) -> bool:
    """Return whether the seat to act is River's, or one that a stand-in has taken over."""
    turn_seat = scene.table.turn_seat
    return turn_seat is not None and (turn_seat == RIVER_SEAT or scene.match.closing is not None)
