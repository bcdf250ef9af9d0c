"""Every place of every command where a gateway can die, visited one after another.

The world is calm but for one trap: the k-th point that any gateway passes while the command
runs. Then the same wish is asked again until there is an answer, and everything must be as if
nothing had happened. k grows until the command is done before the trap is reached.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from tests.simulation.clients import Client
from tests.simulation.door import Ask, Json, Kind
from tests.simulation.faults import CutError, Point
from tests.simulation.world import Replica, World

MISSES: Final = 3
"""So many traps in a row that nobody reaches mean that there are no further points."""


class Fault(StrEnum):
    """What happens at the point."""

    KILL = "kill"
    CUT = "cut"


@dataclass
class Stage:
    """A client in a calm world, with a trap."""

    world: World
    client: Client
    fault: Fault
    rng: random.Random
    left: int = 0
    fired: int = 0
    tables: list[str] = field(default_factory=list)

    def arm(self, number: int) -> None:
        """Set the trap at the point with this number from now."""
        self.left, self.fired = number, 0

    def reached(self, replica: Replica, point: Point) -> None:
        """Spring the trap when it is time; sometimes there is a second one behind it."""
        if self.left == 0:
            return
        self.left -= 1
        if self.left > 0:
            return
        self.fired += 1
        if self.fired == 1 and self.rng.random() < 0.25:
            self.left = self.rng.randint(1, 40)
        self.world.counts[f"points visited ({self.fault})"] += 1
        if self.fault is Fault.KILL:
            replica.die(f"at {point}")
        raise CutError

    async def begin(self, buy_in_chips: int = 10_000) -> Json:
        """Return the snapshot of a new match."""
        answer = await self.client.insist(self.sit_down(buy_in_chips))
        assert not answer.problem, answer
        self.tables.append(answer.body["table_id"])
        return await self.client.look(self.tables[-1])

    def sit_down(self, buy_in_chips: int = 10_000, *, supersede: bool = False) -> Ask:
        """Return the wish for a match."""
        body = {"ruleset": "hu_river", "buy_in": buy_in_chips, "supersede": supersede}
        return self.client.ask(Kind.SIT_DOWN, "", body)

    async def open(self) -> Json:
        """Return the snapshot of a match that can go on."""
        if not self.tables:
            return await self.begin()
        snapshot = await self.client.look(self.tables[-1])
        if snapshot["match"]["state"] == "busted":
            await self.settle(snapshot)
        return await self.begin() if is_over(snapshot) else snapshot

    async def to_act(self) -> Json:
        """Return a snapshot in which the player must act."""
        while (snapshot := await self.open())["legal"] is None:
            if not is_over(snapshot) and snapshot["match"]["can_next_hand"]:
                await self.command(Kind.NEXT_HAND, snapshot)
        return snapshot

    async def between(self) -> Json:
        """Return a snapshot between two hands."""
        while True:
            snapshot = await self.open()
            if snapshot["legal"] is not None:
                await self.client.insist(self.move(snapshot, fold=True))
            elif snapshot["match"]["can_next_hand"]:
                return snapshot

    async def deep(self) -> Json:
        """Return a snapshot of a hand that counts: more than three moves, one of them in it."""
        moves = 0
        while True:
            snapshot = await self.to_act()
            hand_id = snapshot["hand"]["id"]
            await self.client.insist(self.move(snapshot))
            moves += 1
            snapshot = await self.client.look(self.tables[-1])
            if moves > 3 and snapshot["legal"] is not None and snapshot["hand"]["id"] == hand_id:
                return snapshot

    def move(self, snapshot: Json, *, fold: bool = False) -> Ask:
        """Return the cheapest action, or giving up where that is possible."""
        legal = snapshot["legal"]
        free = "check" if legal["can_check"] else "call"
        kind = "fold" if fold and legal["can_fold"] and not legal["can_check"] else free
        body = {"turn_token": legal["turn_token"], "type": kind}
        return self.client.ask(Kind.ACT, snapshot["table_id"], body)

    async def command(self, kind: Kind, snapshot: Json) -> None:
        """Do something about a match, whatever comes of it."""
        await self.client.insist(self.client.ask(kind, snapshot["match"]["id"]))

    async def settle(self, snapshot: Json) -> None:
        """End a match between hands."""
        await self.command(Kind.SETTLE, snapshot)

    async def finish(self) -> None:
        """End the open match; everything about every match must be right."""
        snapshot = await self.between()
        await self.settle(snapshot)
        for table_id in self.tables:
            self.client.book.tally(self.client.book.check(table_id, everything=True))


def is_over(snapshot: Json) -> bool:
    """Return whether a match has ended."""
    return snapshot["match"]["state"] in {"settled", "void"}


Act = Callable[[], Awaitable[Any]]
Scenario = Callable[[Stage], Awaitable[Act]]
"""Brings the stage to where a command makes sense and returns the command."""


async def acting(stage: Stage) -> Act:
    """River answers, perhaps more than once."""
    wish = stage.move(await stage.to_act())
    return lambda: stage.client.insist(wish)


async def folding(stage: Stage) -> Act:
    """The hand is over."""
    wish = stage.move(await stage.to_act(), fold=True)
    return lambda: stage.client.insist(wish)


async def dealing(stage: Stage) -> Act:
    """The next hand begins, perhaps with River's action."""
    snapshot = await stage.between()
    return lambda: stage.command(Kind.NEXT_HAND, snapshot)


async def topping_up(stage: Stage) -> Act:
    """Chips come to the stack."""
    await stage.settle(await stage.between())
    await stage.begin(5_000)
    snapshot = await stage.between()
    return lambda: stage.command(Kind.TOP_UP, snapshot)


async def settling(stage: Stage) -> Act:
    """The match is over."""
    snapshot = await stage.between()
    return lambda: stage.settle(snapshot)


async def sitting_down(stage: Stage) -> Act:
    """A match begins, perhaps with River's action."""
    await stage.settle(await stage.between())
    return stage.begin


async def superseding_early(stage: Stage) -> Act:
    """The old match does not count."""
    await stage.settle(await stage.between())
    await stage.begin()
    return lambda: _supersede(stage)


async def superseding_late(stage: Stage) -> Act:
    """A stand-in plays the old hand out."""
    await stage.deep()
    return lambda: _supersede(stage)


async def _supersede(stage: Stage) -> None:
    answer = await stage.client.insist(stage.sit_down(supersede=True))
    stage.tables.append(answer.body["table_id"])


async def returning_late(stage: Stage) -> Act:
    """Looking ends the match of a player who was away for too long."""
    snapshot = await stage.deep()
    stage.world.jumped += timedelta(hours=25)
    return lambda: stage.client.look(snapshot["table_id"])


SCENARIOS: Final[dict[str, Scenario]] = {
    scenario.__name__: scenario
    for scenario in (
        acting,
        folding,
        dealing,
        topping_up,
        settling,
        sitting_down,
        superseding_early,
        superseding_late,
        returning_late,
    )
}


async def visit(stage: Stage, scenario: Scenario, *, first: int = 1, step: int = 1) -> int:
    """Have every ``step``-th point from ``first`` on fail; return the last one there was."""
    number, last, missed = first, 0, 0
    while missed < MISSES:
        act = await scenario(stage)
        stage.world.trace.say("trap", f"at {number} of {scenario.__name__}")
        stage.arm(number)
        await act()
        last, missed = (number, 0) if stage.fired else (last, missed + 1)
        stage.arm(0)
        for table_id in stage.tables[-2:]:
            stage.client.book.check(table_id)
        number += step
    await stage.finish()
    return last
