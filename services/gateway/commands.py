"""What a player can do: each command checks, asks the engine, and commits one step.

A command returns its receipt: what is needed to build the response from what is stored. The
receipt is written with the step, so a response lost in a crash can still be given.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypedDict

from sqlalchemy.engine import Connection

from poker.actions import Action, ActionKind
from poker.errors import IllegalActionError, MalformedError, PokerError
from services.gateway import matches, seating, steps
from services.gateway.dealer import Dealer
from services.gateway.driver import Clock, Driver, program_must_act
from services.gateway.engine_client import EngineUnavailableError
from services.gateway.fairness import Deal
from services.gateway.ids import is_id
from services.gateway.leaving import Leaving
from services.gateway.matches import Consequence
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
from services.gateway.rules import Rules
from services.gateway.rulesets import OPEN_RULESETS, RULESETS, Ruleset
from services.gateway.shoe import Shoe
from services.gateway.steps import Step
from services.gateway.store import commits, idempotency, queries, voids
from services.gateway.store.database import Database
from services.gateway.store.idempotency import Ticket

HURRY_SECONDS: Final = 1.0
"""How long a reader of the lobby waits for River, whose move may end the hand."""


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

    ``client_seed`` is the player's part in the first hand's shuffle. ``told`` is what the
    player was told that superseding does: it does that or is refused. ``network`` is where
    the wish comes from.
    """

    ruleset_id: str
    buy_in_chips: int
    supersede: bool
    client_seed: str | None = None
    told: Consequence | None = None
    network: str = ""


@dataclass(frozen=True, slots=True)
class DealOrder:
    """A wish for the next hand, after the hand with this number (None: after the last one)."""

    after_hand_no: int | None = None
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
        leaving: Leaving,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._database = database
        self._rules = rules
        self._driver = driver
        self._dealer = dealer
        self._shoe = shoe
        self._leaving = leaving
        self._clock = clock
        self._metrics = metrics

    async def act(self, user: User, table_id: str, order: ActOrder, ticket: Ticket) -> Receipt:
        """Apply the player's action; of several that answer one turn, one is accepted."""
        with self._metrics.actions.time():
            return await self._act(user, table_id, order, ticket)

    async def _act(self, user: User, table_id: str, order: ActOrder, ticket: Ticket) -> Receipt:
        received = self._clock()
        action = Action(PLAYER_SEAT, order.kind, order.to_chips)
        while True:
            scene = await self.own_table(user, table_id)
            await self._check_alive(scene, received)
            matches.check_turn(scene.table, order.turn_token)
            try:
                reply = await self._rules.act(scene.hand, action)
            except (IllegalActionError, MalformedError) as error:
                raise await self._illegal(scene.hand, error) from error
            step = steps.act(scene, HandAction(action, Actor.PLAYER), reply, self._clock())
            try:
                return await self._commit(step, ticket)
            except commits.VersionConflictError:
                # If the turn was answered, the token is stale now.
                continue

    async def next_hand(
        self, user: User, match_id: str, order: DealOrder, ticket: Ticket
    ) -> Receipt:
        """Deal the next hand from the deck that was committed to, shuffled on by the seed.

        One hand follows a hand, even where it is over as soon as it is dealt.
        """
        received, after_hand_no = self._clock(), order.after_hand_no
        while True:
            scene = await self.own_match(user, match_id)
            await self._check_alive(scene, received)
            matches.check_can_deal(scene.match)
            after_hand_no = scene.match.hand_no if after_hand_no is None else after_hand_no
            matches.check_follows(scene.table, scene.match, after_hand_no)
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
        received = self._clock()
        while True:
            scene = await self.own_match(user, match_id)
            await self._check_alive(scene, received)
            to_chips = matches.top_up_target_chips(scene.match)
            try:
                return await self._commit(steps.top_up(scene, to_chips, self._clock()), ticket)
            except commits.VersionConflictError:
                continue

    async def settle(self, user: User, match_id: str, ticket: Ticket) -> Receipt:
        """End the match; settling a settled one changes nothing (HU-019)."""
        received = self._clock()
        while True:
            scene = await self.own_match(user, match_id)
            if scene.match.end_reason is EndReason.SETTLED:
                return _receipt(scene)
            await self._check_alive(scene, received)
            matches.check_can_settle(scene.match)
            step = steps.settle(scene, EndReason.SETTLED, self._clock())
            try:
                return await self._commit(step, ticket)
            except commits.VersionConflictError:
                continue

    async def sit_down(self, user: User, order: SitDownOrder, ticket: Ticket) -> Receipt:
        """Start a match with its first hand; at most one is open per person (HU-007).

        The hand is dealt before the open match is left, so that an engine that is away
        changes nothing.
        """
        ruleset = _ruleset(order)
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
            await self._leaving.make_room(user, supersede=order.supersede, told=order.told)
            step = steps.sit_down(scene, reply, self._clock(), self._shoe.next())
            try:
                return await self._create(step, ticket, order.network)
            except commits.VersionConflictError:
                # The deck went to another match, which has ended already.
                continue
            except commits.MatchOpenError:
                # Another device was faster; what it started is not what was to be left.
                order = replace(order, supersede=False)

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

    async def see_match(self, user: User, match_id: str) -> Scene:
        """Return the table of this player's match, after ending it if its time has run out."""
        scene = await self.own_match(user, match_id)
        if matches.is_expired(scene.table, scene.match, self._clock()):
            try:
                scene = await self._leaving.leave(scene.table.table_id, EndReason.EXPIRED)
            except EngineUnavailableError:
                # Shown as it was left: the sweep sees to it.
                return scene
        return scene

    async def look(self, user: User, table_id: str) -> Scene:
        """Return a table of this player at rest, after ending it if its time has run out."""
        scene = await self.own_table(user, table_id)
        if matches.is_expired(scene.table, scene.match, self._clock()):
            await self._leaving.leave(table_id, EndReason.EXPIRED)
        if not scene.match.moves:
            await self.note_seen(scene.match.match_id)
        return await self._driver.drive(table_id)

    @property
    def counts_voids(self) -> bool:
        """Whether void hands are limited, so that it matters what a player got to see."""
        return self._leaving.counts_voids

    async def note_seen(self, match_id: str) -> None:
        """Remember that the player got to see the table: leaving it may now cost a void hand."""
        if self.counts_voids:
            await self._database.write(voids.note_seen, match_id)

    async def consequence(self, scene: Scene) -> Consequence:
        """Return what happens to an open match if its player left now."""
        return await self._leaving.consequence(scene)

    async def open_scene(self, user: User) -> Scene | None:
        """Return the player's open match, after ending one whose time has run out."""
        table_id = await self._database.read(queries.find_open_table, user.user_id)
        if table_id is None:
            return None
        scene = await self._driver.load(table_id)
        if program_must_act(scene):
            scene = await self._driver.drive_briefly(table_id, HURRY_SECONDS)
        if matches.is_expired(scene.table, scene.match, self._clock()):
            try:
                scene = await self._leaving.leave(table_id, EndReason.EXPIRED)
            except EngineUnavailableError:
                # It is as good as ended: the sweep sees to it.
                return None
        return scene if scene.match.is_open and scene.match.closing is None else None

    async def _check_alive(self, scene: Scene, received: datetime) -> None:
        """Raise match-closed, or match-expired after ending the match.

        What counts is when the command was received, not how long it took from there (HU-069).
        """
        matches.check_open(scene.match)
        if matches.is_expired(scene.table, scene.match, received):
            left = await self._leaving.leave(scene.table.table_id, EndReason.EXPIRED)
            matches.check_open(left.match)

    async def _commit(self, step: Step, ticket: Ticket) -> Receipt:
        receipt = _receipt_of(step)
        await self._database.write(_write, step, ticket, receipt)
        self._metrics.count_step(step)
        return receipt

    async def _create(self, step: Step, ticket: Ticket, network: str) -> Receipt:
        receipt = _receipt_of(step)
        where = network if self.counts_voids else None
        await self._database.write(_write_first, step, ticket, receipt, where)
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


def _write(connection: Connection, step: Step, ticket: Ticket, receipt: Receipt) -> None:
    """Commit a command: the key first, because losing it must stop everything else."""
    idempotency.mark_done(connection, ticket, dict(receipt))
    commits.commit(connection, step)


def _write_first(
    connection: Connection, step: Step, ticket: Ticket, receipt: Receipt, network: str | None
) -> None:
    """Commit the command that makes a table."""
    idempotency.mark_done(connection, ticket, dict(receipt))
    commits.create(connection, step)
    if network is not None:
        voids.note_visit(connection, step.scene.match.match_id, network)


def _receipt_of(step: Step) -> Receipt:
    return Receipt(table_id=step.scene.table.table_id, since=step.seen_seq)


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
