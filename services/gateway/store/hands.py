"""How a person's hands are found again: filtered, in pages, newest first."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.ids import is_id
from services.gateway.model import PLAYER_SEAT, Hand, HandState, LoggedEvent
from services.gateway.store.rows import hand_of, logged_of
from services.gateway.store.schema import EVENTS, HANDS, MATCHES

Tag = Literal["ai_decided", "not_counted", "bot_fallback"]
Pos = Literal["BTN", "SB", "BB"]

_TAGS: Final[dict[Tag, sa.ColumnElement[bool]]] = {
    "ai_decided": HANDS.c.ai_decided,
    "not_counted": HANDS.c.state == HandState.VOID.value,
    "bot_fallback": HANDS.c.bot_fallback,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which hands: None asks for any. ``start`` is the first time, ``end`` the first too late.

    ``min_pot_chips`` finds finished hands whose pots together were at least that.
    """

    match_id: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    pos: Pos | None = None
    min_pot_chips: int | None = None
    tag: Tag | None = None

    def conditions(self) -> list[sa.ColumnElement[bool]]:
        """Return what a row must meet."""
        found: list[sa.ColumnElement[bool]] = []
        if self.match_id is not None:
            # PostgreSQL does not compare with every text that can be asked for.
            ours = is_id(self.match_id)
            found.append(HANDS.c.match_id == self.match_id if ours else sa.false())
        if self.start is not None:
            found.append(HANDS.c.started_at >= self.start)
        if self.end is not None:
            found.append(HANDS.c.started_at < self.end)
        if self.pos is not None:
            on_button = HANDS.c.button == PLAYER_SEAT
            # Heads-up the button is the small blind (ENG-022).
            found.append(~on_button if self.pos == "BB" else on_button)
        if self.min_pot_chips is not None:
            found.append(HANDS.c.pot_chips >= self.min_pot_chips)
        if self.tag is not None:
            found.append(_TAGS[self.tag])
        return found


def find_hands(
    connection: Connection,
    user_id: str,
    wanted: Wanted,
    before: tuple[datetime, str] | None,
    limit: int,
) -> list[Hand]:
    """Return a person's hands behind a (started_at, hand_id) place, without their actions."""
    query = (
        sa.select(HANDS)
        .join(MATCHES, MATCHES.c.match_id == HANDS.c.match_id)
        .where(MATCHES.c.user_id == user_id, *wanted.conditions())
        .order_by(HANDS.c.started_at.desc(), HANDS.c.hand_id.desc())
        .limit(limit)
    )
    if before is not None:
        at, hand_id = before
        same = (HANDS.c.started_at == at) & (HANDS.c.hand_id < hand_id)
        query = query.where(sa.or_(HANDS.c.started_at < at, same))
    return [hand_of(row, ()) for row in connection.execute(query)]


def list_hands(
    connection: Connection, match_id: str, before_no: int | None, limit: int
) -> list[Hand]:
    """Return a match's hands numbered below ``before_no``, without their actions."""
    query = (
        sa.select(HANDS)
        .where(HANDS.c.match_id == match_id)
        .order_by(HANDS.c.hand_no.desc())
        .limit(limit)
    )
    if before_no is not None:
        query = query.where(HANDS.c.hand_no < before_no)
    return [hand_of(row, ()) for row in connection.execute(query)]


def load_logs(connection: Connection, hand_ids: Iterable[str]) -> dict[str, list[LoggedEvent]]:
    """Return the events of hands, each hand's in order."""
    wanted = list(hand_ids)
    logs: dict[str, list[LoggedEvent]] = {hand_id: [] for hand_id in wanted}
    query = sa.select(EVENTS).where(EVENTS.c.hand_id.in_(wanted)).order_by(EVENTS.c.seq)
    for row in connection.execute(query):
        logs[row.hand_id].append(logged_of(row))
    return logs


def list_results(connection: Connection, match_id: str) -> list[tuple[int, int]]:
    """Return the number and the player's net of a match's finished hands, in order."""
    query = (
        sa.select(HANDS.c.hand_no, HANDS.c.net_chips)
        .where(HANDS.c.match_id == match_id, HANDS.c.state == HandState.FINISHED.value)
        .order_by(HANDS.c.hand_no)
    )
    return [(row.hand_no, row.net_chips) for row in connection.execute(query)]
