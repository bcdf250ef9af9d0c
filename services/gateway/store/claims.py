"""Work that a sweep finds: each piece is given to one sweep at a time, on any number of replicas.

A claim is a lease beside the match. It is taken in a short transaction that locks the rows it
looks at and skips those that somebody else holds, and saves work rather than guards it: what a
sweep then does goes through the same versioned commit as every command.
"""

from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from services.gateway.model import OPEN_STATES, RIVER_SEAT
from services.gateway.store.schema import CLAIMS, MATCHES, TABLES

LEASE: Final = timedelta(seconds=60)
"""How long a sweep that died, or an engine that is away, keeps a match from the next try."""

_OPEN: Final = MATCHES.c.state.in_([state.value for state in OPEN_STATES])
# While River owes an action, the player's time does not run (HU-061).
_PLAYERS_TIME: Final = sa.or_(TABLES.c.turn_seat.is_(None), TABLES.c.turn_seat != RIVER_SEAT)
_PROGRAMS_TURN: Final = sa.or_(
    TABLES.c.turn_seat == RIVER_SEAT,
    MATCHES.c.closing.is_not(None) & TABLES.c.turn_seat.is_not(None),
)


def claim_expired(connection: Connection, now: datetime, limit: int) -> list[str]:
    """Claim open matches whose player stayed away too long; returns their tables.

    The comparison is that of commands (HU-069), made while the row is locked.
    """
    due = sa.and_(_OPEN, MATCHES.c.closing.is_(None), _PLAYERS_TIME, MATCHES.c.kept_until <= now)
    return _claim(connection, due, MATCHES.c.kept_until, now, limit)


def claim_waiting(connection: Connection, now: datetime, stuck: timedelta, limit: int) -> list[str]:
    """Claim tables where a program must act and nothing has moved for ``stuck``."""
    still = sa.or_(TABLES.c.moved_at.is_(None), TABLES.c.moved_at <= now - stuck)
    return _claim(connection, _PROGRAMS_TURN & still, TABLES.c.table_id, now, limit)


def find_expiring(connection: Connection, now: datetime, ahead: timedelta, limit: int) -> list[str]:
    """Return tables of matches that expire within ``ahead`` and whose player was not told."""
    untold = sa.or_(CLAIMS.c.warned_for.is_(None), CLAIMS.c.warned_for != MATCHES.c.kept_until)
    near = (MATCHES.c.kept_until > now) & (MATCHES.c.kept_until <= now + ahead)
    query = (
        sa.select(MATCHES.c.table_id)
        .join(TABLES, TABLES.c.table_id == MATCHES.c.table_id)
        .outerjoin(CLAIMS, CLAIMS.c.match_id == MATCHES.c.match_id)
        .where(_OPEN, MATCHES.c.closing.is_(None), _PLAYERS_TIME, near, untold)
        .order_by(MATCHES.c.kept_until)
        .limit(limit)
    )
    return list(connection.execute(query).scalars())


def note_warned(connection: Connection, match_id: str, kept_until: datetime) -> bool:
    """Note that a match's player was told; False when they had been told of this very time."""
    other = sa.or_(CLAIMS.c.warned_for.is_(None), CLAIMS.c.warned_for != kept_until)
    return _put(connection, match_id, {"warned_for": kept_until}, other)


def release(connection: Connection, table_id: str) -> None:
    """Give a match back: whoever finds work there may take it at once."""
    match_id = sa.select(MATCHES.c.match_id).where(MATCHES.c.table_id == table_id)
    connection.execute(
        sa.update(CLAIMS)
        .where(CLAIMS.c.match_id == match_id.scalar_subquery())
        .values(claimed_until=None)
    )


def _claim(
    connection: Connection,
    due: sa.ColumnElement[bool],
    order: sa.ColumnElement[Any],
    now: datetime,
    limit: int,
) -> list[str]:
    held = sa.exists().where(CLAIMS.c.match_id == MATCHES.c.match_id, CLAIMS.c.claimed_until > now)
    query = (
        sa.select(MATCHES.c.match_id, MATCHES.c.table_id)
        .join(TABLES, TABLES.c.table_id == MATCHES.c.table_id)
        .where(due, ~held)
        .order_by(order)
        .limit(limit)
        .with_for_update(key_share=True, skip_locked=True, of=MATCHES)
    )
    free = sa.or_(CLAIMS.c.claimed_until.is_(None), CLAIMS.c.claimed_until <= now)
    return [
        row.table_id
        for row in connection.execute(query).all()
        # Another sweep may have claimed it between our snapshot and our lock.
        if _put(connection, row.match_id, {"claimed_until": now + LEASE}, free)
    ]


def _put(
    connection: Connection, match_id: str, values: dict[str, Any], where: sa.ColumnElement[bool]
) -> bool:
    """Write columns of a claim that is new or meets a condition; returns whether that was so."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = (
        insert(CLAIMS)
        .values(match_id=match_id, **values)
        .on_conflict_do_update(index_elements=[CLAIMS.c.match_id], set_=values, where=where)
        .returning(CLAIMS.c.match_id)
    )
    return connection.execute(statement).one_or_none() is not None
