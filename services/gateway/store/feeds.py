"""Numbered events as channels read them: each feed is gap-free and can be resumed.

The feed of a table is its log. The feed of a lobby is computed: a person's matches never
overlap, so the k-th match (from 1) begins as event 2k - 1 and ends as event 2k. Matches that
a merged guest brings along are counted in by their time; an open lobby tells some again.
"""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.model import OPEN_STATES, LoggedEvent, MatchState
from services.gateway.notices import Notice
from services.gateway.store import notices, queries
from services.gateway.store.schema import MATCHES, TABLES


class TrimmedError(Exception):
    """The feed does not hold what comes right after that number."""


@dataclass(frozen=True, slots=True)
class MatchNews:
    """A match of a person began or ended; ``reason`` and ``void`` are set for an end."""

    seq: int
    at: datetime
    match_id: str
    table_id: str
    reason: str | None = None
    void: bool = False


def table_events(
    connection: Connection, table_id: str, after_seq: int, limit: int
) -> list[LoggedEvent]:
    """Return up to ``limit`` events behind a number, none missing; raises TrimmedError."""
    events = queries.load_events(connection, table_id, after_seq, limit)
    if events and events[0].seq != after_seq + 1:
        raise TrimmedError
    if not events and after_seq != _last_seq(connection, table_id):
        raise TrimmedError
    return events


def _last_seq(connection: Connection, table_id: str) -> int:
    query = sa.select(TABLES.c.last_seq).where(TABLES.c.table_id == table_id)
    return int(connection.execute(query).scalar_one())


def user_notices(connection: Connection, user_id: str, after_seq: int, limit: int) -> list[Notice]:
    """Return up to ``limit`` notices behind a number; raises TrimmedError."""
    found = notices.notices_after(connection, user_id, after_seq, limit)
    if found and found[0].seq != after_seq + 1:
        raise TrimmedError
    if not found and after_seq != notices.last_seq(connection, user_id):
        raise TrimmedError
    return found


def recent_notices(connection: Connection, user_id: str, limit: int) -> tuple[int, list[Notice]]:
    """Return the newest number and up to ``limit`` notices up to it, oldest first."""
    last = notices.last_seq(connection, user_id)
    return last, notices.notices_after(connection, user_id, max(0, last - limit), limit)


def lobby_seq(connection: Connection, user_id: str) -> int:
    """Return the number of a lobby's newest event."""
    ended = sa.func.count(MATCHES.c.settled_at)
    query = sa.select(sa.func.count(), ended).where(MATCHES.c.user_id == user_id)
    begun, over = connection.execute(query).one()
    return int(begun + over)


def lobby_events(
    connection: Connection, user_id: str, after_seq: int, limit: int
) -> list[MatchNews]:
    """Return up to ``limit`` beginnings and ends of matches; raises TrimmedError."""
    skipped = after_seq // 2
    query = (
        sa.select(MATCHES)
        .where(MATCHES.c.user_id == user_id)
        # An open match is the newest, whatever the clocks of two gateways said.
        .order_by(MATCHES.c.settled_at.is_(None), MATCHES.c.settled_at, MATCHES.c.match_id)
        .offset(skipped)
        .limit(limit)
    )
    news: list[MatchNews] = []
    for number, row in enumerate(connection.execute(query), start=skipped + 1):
        place = (row.match_id, row.table_id)
        news.append(MatchNews(2 * number - 1, row.started_at, *place))
        if MatchState(row.state) in OPEN_STATES:
            break
        void = row.state == MatchState.VOID
        news.append(MatchNews(2 * number, row.settled_at, *place, row.end_reason, void))
    found = [item for item in news if item.seq > after_seq][:limit]
    if not found and after_seq != lobby_seq(connection, user_id):
        raise TrimmedError
    return found
