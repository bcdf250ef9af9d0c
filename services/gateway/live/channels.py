"""What can be followed: a table from one's seat, one's own notices, one's lobby.

A channel numbers its events without gaps for its viewer. It gives a snapshot with the number
it was taken at, and the events behind any number it still has.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from services.gateway.driver import Driver, Position, program_must_act
from services.gateway.model import PLAYER_SEAT, User
from services.gateway.notices import notice_json
from services.gateway.projection import events_json
from services.gateway.reports import time_text
from services.gateway.rules import Rules
from services.gateway.store import feeds
from services.gateway.store.database import Database
from services.gateway.store.feeds import MatchNews

Json = dict[str, Any]

NOTICES_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All of a channel after its event ``seq``."""

    seq: int
    data: Json


class Channel(Protocol):
    """One channel as one viewer sees it."""

    @property
    def name(self) -> str:
        """What the client calls it."""

    @property
    def topic(self) -> str:
        """Where its hints come from."""

    async def snapshot(self) -> Snapshot:
        """Return the channel as it stands."""

    async def events(self, after_seq: int, limit: int) -> list[Json]:
        """Return up to ``limit`` events behind a number; raises feeds.TrimmedError."""


@dataclass(frozen=True, slots=True)
class TableChannel:
    """A table as the player in its seat sees it; ``show`` projects a position."""

    table_id: str
    database: Database
    driver: Driver
    rules: Rules
    show: Callable[[Position], Awaitable[Json]]

    @property
    def name(self) -> str:
        """What the client calls it."""
        return f"table:{self.table_id}"

    @property
    def topic(self) -> str:
        """The table's own hints."""
        return self.table_id

    async def snapshot(self) -> Snapshot:
        """Return the table as it stands, without waiting for River."""
        scene = await self.driver.load(self.table_id)
        if program_must_act(scene):
            # Whoever should have driven it may be gone.
            self.driver.nudge(self.table_id)
        position = Position(scene, await self.rules.position(scene.hand))
        return Snapshot(scene.table.last_seq, await self.show(position))

    async def events(self, after_seq: int, limit: int) -> list[Json]:
        """Return events of the table as its player may see them."""
        events = await self.database.read(feeds.table_events, self.table_id, after_seq, limit)
        return events_json(events, PLAYER_SEAT)


@dataclass(frozen=True, slots=True)
class UserChannel:
    """What one person is told about their matches."""

    user: User
    database: Database
    name: str = "user:me"

    @property
    def topic(self) -> str:
        """The person's hints."""
        return self.user.user_id

    async def snapshot(self) -> Snapshot:
        """Return the newest notices."""
        last, found = await self.database.read(
            feeds.recent_notices, self.user.user_id, NOTICES_SHOWN
        )
        return Snapshot(last, {"notices": [notice_json(notice) for notice in found]})

    async def events(self, after_seq: int, limit: int) -> list[Json]:
        """Return notices as events of their own type."""
        found = await self.database.read(feeds.user_notices, self.user.user_id, after_seq, limit)
        return [
            {
                "seq": notice.seq,
                "type": notice.type,
                "at": time_text(notice.at),
                "data": notice.data,
            }
            for notice in found
        ]


@dataclass(frozen=True, slots=True)
class LobbyChannel:
    """One's first page: matches that begin and end; ``show`` builds the page."""

    user: User
    database: Database
    show: Callable[[User], Awaitable[Json]]
    name: str = "lobby"

    @property
    def topic(self) -> str:
        """The person's hints."""
        return self.user.user_id

    async def snapshot(self) -> Snapshot:
        """Return the page; it may already show what the next event tells."""
        seq = await self.database.read(feeds.lobby_seq, self.user.user_id)
        return Snapshot(seq, await self.show(self.user))

    async def events(self, after_seq: int, limit: int) -> list[Json]:
        """Return the beginnings and ends of one's matches."""
        news = await self.database.read(feeds.lobby_events, self.user.user_id, after_seq, limit)
        return [_match_news_json(item) for item in news]


def _match_news_json(news: MatchNews) -> Json:
    data: Json = {"match_id": news.match_id, "table_id": news.table_id}
    name = "match.started"
    if news.reason is not None:
        name = "match.voided" if news.void else "match.settled"
        data["reason"] = news.reason
    return {"seq": news.seq, "type": name, "at": time_text(news.at), "data": data}
