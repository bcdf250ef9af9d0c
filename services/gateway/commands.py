"""What a player can do: each command checks, asks the engine, and commits one step.

A command returns its receipt: what is needed to build the response from what is stored. The
receipt is written with the step, so a response lost in a crash can still be given.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from sqlalchemy.engine import Connection

from poker.actions import Action, ActionKind
from poker.errors import IllegalActionError, MalformedError, PokerError
from services.gateway import matches, seating, steps
from services.gateway.dealer import Dealer
from services.gateway.driver import Clock, Driver, program_must_act
from services.gateway.fairness import Deal
from services.gateway.ids import is_id
from services.gateway.metrics import Metrics
from services.gateway.model import (
    PLAYER_SEAT,
    Actor,
    EndReason,
    Hand,
    HandAction,
    Scene,
    User,
)
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.reports import time_text
from services.gateway.rules import Rules
from services.gateway.rulesets import OPEN_RULESETS, RULESETS, Ruleset
from services.gateway.shoe import Shoe
from services.gateway.steps import Step
from services.gateway.store import commits, idempotency, queries
from services.gateway.store.database import Database
from services.gateway.store.idempotency import Ticket


class Receipt(TypedDict):
    """What a command did: ``since`` is the table's last event before it."""

    table_id: str
    since: int


@dataclass(frozen=True, slots=True)
class ActOrder:
    """A player's decision; ``to_chips`` is given exactly for bets and raises."""

    turn_token: str
    kind: ActionKind
    to_chips: int | None


@dataclass(frozen=True, slots=True)
class SitDownOrder:
    """A wish for a match; ``supersede`` leaves an open one.

    ``client_seed`` is the player's part in the first hand's shuffle.
    """

    ruleset_id: str
    buy_in_chips: int
    supersede: bool
    client_seed: str | None = None


@dataclass(frozen=True, slots=True)
class DealOrder:
    """A wish for the next hand; ``client_seed`` is the player's part in its shuffle."""

    client_seed: str | None = None


class Commands:
    """The player's side of the door; `Driver` is River's."""

    def __init__(
        self,
        database: Database,
        *,
        rules: Rules,
        driver: Driver,
        dealer: Dealer,
        shoe: Shoe,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._database = database
        self._rules = rules
        self._driver = driver
        self._dealer = dealer
        self._shoe = shoe
        self._clock = clock
        self._metrics = metrics

    async def act(self, user: User, table_id: str, order: ActOrder, ticket: Ticket) -> Receipt:
        """Apply the player's action; of several that answer one turn, one is accepted."""
        scene = await self.own_table(user, table_id)
        await self._check_alive(scene)
        matches.check_turn(scene.table, order.turn_token)
        action = Action(PLAYER_SEAT, order.kind, order.to_chips)
        try:
            reply = await self._rules.act(scene.hand, action)
        except (IllegalActionError, MalformedError) as error:
            raise await self._illegal(scene.hand, error) from error
        step = steps.act(scene, HandAction(action, Actor.PLAYER), reply, self._clock())
        try:
            return await self._commit(step, ticket)
        except commits.VersionConflictError:
            newer = await self._driver.load(table_id)
            version = newer.table.version
            raise ProblemError(ProblemType.STALE_TURN, version=version) from None

    async def next_hand(
        self, user: User, match_id: str, order: DealOrder, ticket: Ticket
    ) -> Receipt:
        """Deal the next hand from the deck that was committed to, shuffled on by the seed."""
        while True:
            scene = await self.own_match(user, match_id)
            await self._check_alive(scene)
            matches.check_can_deal(scene.match)
            deal = Deal(await self._shoe.ready(scene.table.table_id), order.client_seed)
            hand = seating.next_hand(scene.match, deal, self._dealer, self._clock())
            reply = await self._rules.deal(hand)
            step = steps.deal(scene, hand, reply, self._clock(), self._shoe.next())
            try:
                return await self._commit(step, ticket)
            except commits.VersionConflictError:
                continue

    async def top_up(self, user: User, match_id: str, ticket: Ticket) -> Receipt:
        """Bring the stack up to the table's maximum."""
        while True:
            scene = await self.own_match(user, match_id)
            await self._check_alive(scene)
            to_chips = matches.top_up_target_chips(scene.match)
            try:
                return await self._commit(steps.top_up(scene, to_chips, self._clock()), ticket)
            except commits.VersionConflictError:
                continue

    async def settle(self, user: User, match_id: str, ticket: Ticket) -> Receipt:
        """End the match; settling a settled one changes nothing (HU-019)."""
        while True:
            scene = await self.own_match(user, match_id)
            if scene.match.end_reason is EndReason.SETTLED:
                return _receipt(scene)
            await self._check_alive(scene)
            matches.check_can_settle(scene.match)
            step = steps.settle(scene, EndReason.SETTLED, self._clock())
            try:
                return await self._commit(step, ticket)
            except commits.VersionConflictError:
                continue

    async def sit_down(self, user: User, order: SitDownOrder, ticket: Ticket) -> Receipt:
        """Start a match with its first hand; at most one is open per person (HU-007)."""
        ruleset = _ruleset(order)
        await self._make_room(user, supersede=order.supersede)
        while True:
            deal = Deal(await self._shoe.ready(user.user_id), order.client_seed)
            scene = seating.seat_player(
                user,
                ruleset,
                order.buy_in_chips,
                deal=deal,
                dealer=self._dealer,
                now=self._clock(),
            )
            reply = await self._rules.deal(scene.hand)
            step = steps.sit_down(scene, reply, self._clock(), self._shoe.next())
            try:
                return await self._commit(step, ticket, new_table=True)
            except commits.VersionConflictError:
                # The deck went to another match, which has ended already.
                continue
            except commits.MatchOpenError:
                await self._make_room(user, supersede=False)
                raise ProblemError(ProblemType.ACTIVE_MATCH) from None

    async def own_table(self, user: User, table_id: str) -> Scene:
        """Return a table of this player; raises not-found and not-seated."""
        scene = await self._driver.load(table_id)
        if scene.match.user_id != user.user_id:
            raise ProblemError(ProblemType.NOT_SEATED)
        return scene

    async def own_match(self, user: User, match_id: str) -> Scene:
        """Return the table of this player's match; not-found hides those of others."""
        if not is_id(match_id):
            raise ProblemError(ProblemType.NOT_FOUND)
        table_id = await self._database.read(queries.find_table_of_match, match_id)
        scene = None if table_id is None else await self._driver.load(table_id)
        if scene is None or scene.match.user_id != user.user_id:
            raise ProblemError(ProblemType.NOT_FOUND)
        return scene

    async def look(self, user: User, table_id: str) -> Scene:
        """Return a table of this player at rest, after ending it if its time has run out."""
        scene = await self.own_table(user, table_id)
        if matches.is_expired(scene.table, scene.match, self._clock()):
            await self.leave(table_id, EndReason.EXPIRED)
        return await self._driver.drive(table_id)

    async def open_scene(self, user: User) -> Scene | None:
        """Return the player's open match, after ending one whose time has run out."""
        table_id = await self._database.read(queries.find_open_table, user.user_id)
        if table_id is None:
            return None
        scene = await self._driver.load(table_id)
        if scene.match.closing is not None:
            self._driver.nudge(table_id)
            return None
        if matches.is_expired(scene.table, scene.match, self._clock()):
            await self.leave(table_id, EndReason.EXPIRED)
            return None
        if program_must_act(scene):
            self._driver.nudge(table_id)
        return scene

    async def leave(self, table_id: str, reason: EndReason) -> None:
        """End an open match for a player who left, by the table of SPEC 1.2.

        River's own action, if one is due, comes first: the hand may end with it (row h), and
        an expired player whose turn it only now becomes gets the full time again (HU-061).
        """
        while True:
            scene = await self._driver.drive(table_id)
            now = self._clock()
            came_back = not matches.is_expired(scene.table, scene.match, now)
            if not scene.match.is_open or (reason is EndReason.EXPIRED and came_back):
                return
            try:
                await self._database.write(commits.commit, _leaving(scene, reason, now))
            except commits.VersionConflictError:
                continue

    async def _make_room(self, user: User, *, supersede: bool) -> None:
        """Leave the open match if there is one and that is wished; else raise active-match."""
        table_id = await self._database.read(queries.find_open_table, user.user_id)
        if table_id is None:
            return
        scene = await self._driver.load(table_id)
        if scene.match.closing is not None:
            await self._driver.drive(table_id)
        elif matches.is_expired(scene.table, scene.match, self._clock()):
            await self.leave(table_id, EndReason.EXPIRED)
        elif supersede:
            await self.leave(table_id, EndReason.SUPERSEDED)
        else:
            raise ProblemError(
                ProblemType.ACTIVE_MATCH,
                match_id=scene.match.match_id,
                table_id=table_id,
                kept_until=time_text(scene.match.kept_until),
                consequence=matches.consequence(scene.match).value,
            )

    async def _check_alive(self, scene: Scene) -> None:
        """Raise match-closed, or match-expired after ending the match."""
        matches.check_open(scene.match)
        if matches.is_expired(scene.table, scene.match, self._clock()):
            await self.leave(scene.table.table_id, EndReason.EXPIRED)
            raise ProblemError(ProblemType.MATCH_EXPIRED)

    async def _commit(self, step: Step, ticket: Ticket, *, new_table: bool = False) -> Receipt:
        receipt = Receipt(
            table_id=step.scene.table.table_id,
            since=step.scene.table.last_seq - len(step.events),
        )
        await self._database.write(_write, step, ticket, receipt, new_table)
        self._metrics.count_step(step)
        return receipt

    async def _illegal(self, hand: Hand, error: PokerError) -> ProblemError:
        """Return a refusal of the rules with the bounds that hold now."""
        legal = (await self._rules.position(hand)).legal
        facts: dict[str, Any] = {"reason": error.reason.value}
        if legal is not None:
            raises = legal.raises
            facts["to_call"] = legal.to_call_chips
            facts["min_to"] = None if raises is None else raises.min_to_chips
            facts["max_to"] = None if raises is None else raises.max_to_chips
        return ProblemError(ProblemType.ILLEGAL_ACTION, **facts)


def _write(
    connection: Connection, step: Step, ticket: Ticket, receipt: Receipt, new_table: bool
) -> None:
    """Commit a command: the key first, because losing it must stop everything else."""
    idempotency.mark_done(connection, ticket, dict(receipt))
    if new_table:
        commits.create(connection, step)
    else:
        commits.commit(connection, step)


def _receipt(scene: Scene) -> Receipt:
    return Receipt(table_id=scene.table.table_id, since=scene.table.last_seq)


def _ruleset(order: SitDownOrder) -> Ruleset:
    ruleset = RULESETS.get(order.ruleset_id)
    if ruleset is None or ruleset.ruleset_id not in OPEN_RULESETS or ruleset.buy_in is None:
        raise ProblemError(ProblemType.INVALID_RULESET, offered=sorted(OPEN_RULESETS))
    buy_in = ruleset.buy_in
    if not buy_in.allows(order.buy_in_chips):
        raise ProblemError(
            ProblemType.INVALID_BUY_IN,
            min=buy_in.min_chips,
            max=buy_in.max_chips,
            step=buy_in.step_chips,
        )
    return ruleset


def _leaving(scene: Scene, reason: EndReason, now: datetime) -> Step:
    match matches.consequence(scene.match):
        case matches.Consequence.SETTLE:
            return steps.settle(scene, reason, now)
        case matches.Consequence.VOID_MATCH:
            return steps.void_hand(scene, EndReason.VOID, now)
        case matches.Consequence.VOID_HAND:
            return steps.void_hand(scene, reason, now)
        case matches.Consequence.AI_DECIDES:
            return steps.begin_closing(scene, reason, now)
