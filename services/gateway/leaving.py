"""How matches end without their player: by the table of SPEC 1.2, told exactly beforehand."""

from datetime import datetime

from sqlalchemy.engine import Connection

from services.gateway import matches, steps
from services.gateway.driver import Clock, Driver
from services.gateway.matches import Consequence
from services.gateway.metrics import Metrics
from services.gateway.model import EndReason, Scene, User
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.reports import time_text
from services.gateway.steps import Step
from services.gateway.store import commits, queries, voids
from services.gateway.store.database import Database


class Leaving:
    """Ends open matches; ``void_quota`` limits void hands in 24 hours, None does not (HU-073)."""

    def __init__(
        self,
        database: Database,
        *,
        driver: Driver,
        clock: Clock,
        metrics: Metrics,
        void_quota: int | None,
    ) -> None:
        self._database = database
        self._driver = driver
        self._clock = clock
        self._metrics = metrics
        self._void_quota = void_quota

    @property
    def counts_voids(self) -> bool:
        """Whether void hands are limited."""
        return self._void_quota is not None

    async def consequence(self, scene: Scene) -> Consequence:
        """Return what happens to the match if its player left now."""
        wanted = matches.consequence(scene.match)
        if self._void_quota is None or wanted not in matches.VOIDING:
            return wanted
        now = self._clock()
        may_void = await self._database.read(voids.may_void, scene.match, self._void_quota, now)
        return wanted if may_void else Consequence.AI_DECIDES

    async def leave(
        self, table_id: str, reason: EndReason, told: Consequence | None = None
    ) -> Scene:
        """End an open match for a player who left; returns the table as it then stands.

        River's own action, if one is due, comes first: the hand may end with it (row h), and
        an expired player whose turn it only now becomes gets the full time again (HU-061).
        Raises active-match when ``told`` is given and is not what would happen.
        """
        while True:
            scene = await self._driver.drive(table_id)
            now = self._clock()
            expired = matches.is_expired(scene.table, scene.match, now)
            if not scene.match.is_open or (reason is EndReason.EXPIRED and not expired):
                return scene
            consequence = await self.consequence(scene)
            if told not in {None, consequence} and not expired:
                raise active_match(scene, consequence)
            step = _leaving(scene, consequence, EndReason.EXPIRED if expired else reason, now)
            try:
                await self._database.write(self._write, step, consequence)
            except (commits.VersionConflictError, voids.QuotaSpentError):
                continue
            self._metrics.count_step(step)

    async def make_room(
        self, user: User, *, supersede: bool, told: Consequence | None = None
    ) -> None:
        """Leave the open match if there is one and that is wished; else raise active-match."""
        table_id = await self._database.read(queries.find_open_table, user.user_id)
        if table_id is None:
            return
        # What River owes may end the hand: only then is the consequence what it is said to be.
        scene = await self._driver.drive(table_id)
        if matches.is_expired(scene.table, scene.match, self._clock()):
            scene = await self.leave(table_id, EndReason.EXPIRED)
        if not scene.match.is_open:
            return
        if not supersede:
            raise active_match(scene, await self.consequence(scene))
        await self.leave(table_id, EndReason.SUPERSEDED, told)

    def _write(self, connection: Connection, step: Step, consequence: Consequence) -> None:
        if self._void_quota is not None and consequence in matches.VOIDING:
            voids.charge(connection, step.scene.match, self._void_quota, step.at)
        commits.commit(connection, step)


def active_match(scene: Scene, consequence: Consequence) -> ProblemError:
    """Return the refusal that names the open match and what leaving it would do (HU-007)."""
    return ProblemError(
        ProblemType.ACTIVE_MATCH,
        match_id=scene.match.match_id,
        table_id=scene.table.table_id,
        kept_until=time_text(scene.match.kept_until),
        consequence=consequence.value,
    )


def _leaving(scene: Scene, consequence: Consequence, reason: EndReason, now: datetime) -> Step:
    match consequence:
        case Consequence.SETTLE:
            return steps.settle(scene, reason, now)
        case Consequence.VOID_MATCH | Consequence.VOID_HAND:
            return steps.void_hand(scene, reason, now)
        case Consequence.AI_DECIDES:
            return steps.begin_closing(scene, reason, now)
