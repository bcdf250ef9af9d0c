"""People at browsers: they double-click, open two tabs, leave, come back, and ask again."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from tests.simulation.door import Answer, Ask, Door, Json, Kind, LostError, Person
from tests.simulation.oracle import Book
from tests.simulation.trace import Trace

T = TypeVar("T")

TRIES_MAX: Final = 300
"""More attempts than any outage of a run needs."""
HANDS_MEAN: Final = 5


@dataclass
class Quota:
    """How many matches all clients together are to start."""

    left: int
    started: int = 0

    def take(self) -> bool:
        """Take one, if there is one left."""
        if self.left == 0:
            return False
        self.left -= 1
        return True


@dataclass
class Client:
    """One person with any number of tabs; ``rng`` fixes everything that they want.

    ``haste`` shortens the time that they think.
    """

    name: str
    door: Door
    book: Book
    trace: Trace
    rng: random.Random
    quota: Quota
    check: Callable[[str], Coroutine[Any, Any, None]]
    haste: float = 1.0
    person: Person = field(init=False)
    keys: int = 0

    async def run(self) -> None:
        """Play matches as long as there are any left to start."""
        self.person = await self.again(self.door.join)
        while self.quota.take():
            await self._match(await self._sit_down())

    async def _sit_down(self, *, supersede: bool = False) -> str:
        """Sit down, sometimes in two tabs at once; return the table of the open match."""
        asks = [self._wish_to_sit(supersede=supersede)]
        if self.rng.random() < 0.2:
            asks.append(asks[0])
        if self.rng.random() < 0.1:
            asks.append(self._wish_to_sit(supersede=False))
        answers = await self._round(asks)
        tables = {str(answer.body["table_id"]) for answer in answers if not answer.problem}
        current = await self.again(lambda: self.door.current(self.person))
        self.quota.started += len(tables)
        # None is open when a day has passed since; several were when it passed in between.
        chosen = current or max(tables)
        assert chosen in tables, f"{chosen} is open, but {tables} were given"
        for table_id in sorted(tables - {chosen}):
            await self._finish(table_id)
        return chosen

    async def _match(self, table_id: str) -> None:
        """Play one match until it is over, whoever ends it."""
        while True:
            snapshot = await self.look(table_id)
            if snapshot["match"]["state"] in {"settled", "void"}:
                await self._finish(table_id)
                return
            await self.door.pause(self.haste * self.rng.expovariate(1.0))
            if self.rng.random() < 0.012 and self.quota.take():
                # Another table instead: the old match ends by the table of leaving.
                newer = await self._sit_down(supersede=True)
                if newer != table_id:
                    await self._finish(table_id)
                    table_id = newer
                continue
            await self._round(self._wishes(snapshot))
            await self.check(table_id)

    async def _finish(self, table_id: str) -> None:
        """See a match that is over, and look at it for the last time."""
        snapshot = await self.look(table_id)
        while snapshot["match"]["state"] not in {"settled", "void"}:
            # Somebody is still playing the hand out.
            await self.door.pause(1.0)
            snapshot = await self.look(table_id)
        await self.check(table_id)

    def _wishes(self, snapshot: Json) -> list[Ask]:
        """Return what is sent at once: what one should do now, doubled and disturbed."""
        match, legal = snapshot["match"], snapshot["legal"]
        match_id, table_id = match["id"], snapshot["table_id"]
        if legal is not None:
            wish = self._move(table_id, legal)
            others = [self._move(table_id, legal), self.ask(Kind.NEXT_HAND, match_id)]
        elif match["can_next_hand"] and self.rng.random() < 0.15 and match["can_top_up"]:
            wish = self.ask(Kind.TOP_UP, match_id)
            others = [self.ask(Kind.NEXT_HAND, match_id), self.ask(Kind.TOP_UP, match_id)]
        elif match["can_next_hand"] and self.rng.random() > 1 / HANDS_MEAN:
            wish = self.ask(Kind.NEXT_HAND, match_id)
            others = [self.ask(Kind.TOP_UP, match_id), self.ask(Kind.NEXT_HAND, match_id)]
        else:
            wish = self.ask(Kind.SETTLE, match_id)
            others = [self.ask(Kind.NEXT_HAND, match_id), self.ask(Kind.SETTLE, match_id)]
        wishes = [wish]
        if self.rng.random() < 0.12:
            wishes.append(wish)
        if self.rng.random() < 0.12:
            wishes.append(self.rng.choice(others))
        if self.rng.random() < 0.03:
            wishes.append(self.ask(Kind.SETTLE, match_id))
        return wishes

    def _move(self, table_id: str, legal: Json) -> Ask:
        """Return a random legal action; raises are rarely for everything."""
        body: Json = {"turn_token": legal["turn_token"]}
        raises, roll = legal["raise"], self.rng.random()
        if raises is not None and roll < 0.25:
            top = raises["max_to"] if roll < 0.03 else min(raises["max_to"], raises["min_to"] + 400)
            body |= {"type": raises["kind"], "to": self.rng.randint(raises["min_to"], top)}
        elif legal["can_check"]:
            body["type"] = "check"
        else:
            body["type"] = "fold" if self.rng.random() < 0.2 else "call"
        return self.ask(Kind.ACT, table_id, body)

    def _wish_to_sit(self, *, supersede: bool) -> Ask:
        buy_in = self.rng.randrange(5_000, 10_001, 50)
        body = {"ruleset": "hu_river", "buy_in": buy_in, "supersede": supersede}
        return self.ask(Kind.SIT_DOWN, "", body)

    def ask(self, kind: Kind, subject: str, body: Json | None = None) -> Ask:
        self.keys += 1
        return Ask(kind, f"{self.name}-{self.keys}", subject, body or {})

    async def _round(self, asks: list[Ask]) -> list[Answer]:
        """Send all at once, each until it has a definite answer."""
        return list(await asyncio.gather(*(self.insist(ask) for ask in asks)))

    async def insist(self, ask: Ask) -> Answer:
        self.book.asked(self.person, ask)
        answer = await self.again(lambda: self.door.send(self.person, ask))
        self.trace.say(self.name, f"{ask} {ask.subject}: {answer.problem or answer.status}")
        self.book.answered(self.person, ask, answer)
        return answer

    async def look(self, table_id: str) -> Json:
        snapshot = await self.again(lambda: self.door.look(self.person, table_id))
        self.book.saw(self.person, snapshot)
        return snapshot

    async def again(self, attempt: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Try until there is a definite answer, a little later each time."""
        for tried in range(TRIES_MAX):
            try:
                return await attempt()
            except LostError:
                self.book.counts["asked again"] += 1
                await self.door.pause(min(0.2 * 2**tried, 3.0))
        raise AssertionError("there is never an answer")
