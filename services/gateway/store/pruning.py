"""Deletes what nobody will ask for again, a bounded number of rows at a time."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.model import OPEN_STATES
from services.gateway.store import voids
from services.gateway.store.schema import (
    CLAIMS,
    EVENTS,
    IDEMPOTENCY,
    MATCHES,
    MERGE_OFFERS,
    PERSONAL_TOKENS,
    SESSIONS,
    VISITS,
    VOIDS,
)

KEEP_KEYS: Final = timedelta(hours=48)
"""How long a command may be repeated with its Idempotency-Key; longer than a table is kept."""

Prune = Callable[[Connection, datetime, int], int]

_ENDED: Final = MATCHES.c.state.not_in([state.value for state in OPEN_STATES])


def prune_keys(connection: Connection, now: datetime, limit: int) -> int:
    """Delete Idempotency-Keys that are too old to be repeated; returns how many."""
    return _delete(connection, IDEMPOTENCY, IDEMPOTENCY.c.created_at < now - KEEP_KEYS, limit)


def prune_sessions(connection: Connection, now: datetime, limit: int) -> int:
    """Delete sessions that are over; returns how many."""
    return _delete(connection, SESSIONS, SESSIONS.c.expires_at <= now, limit)


def prune_tokens(connection: Connection, now: datetime, limit: int) -> int:
    """Delete personal tokens that have run out; returns how many."""
    return _delete(connection, PERSONAL_TOKENS, PERSONAL_TOKENS.c.expires_at <= now, limit)


def prune_offers(connection: Connection, now: datetime, limit: int) -> int:
    """Delete merge offers that have run out; returns how many."""
    return _delete(connection, MERGE_OFFERS, MERGE_OFFERS.c.expires_at <= now, limit)


def prune_voids(connection: Connection, now: datetime, limit: int) -> int:
    """Delete void hands that count for no quota any more; returns how many."""
    return _delete(connection, VOIDS, VOIDS.c.at <= now - voids.WINDOW, limit)


def prune_claims(connection: Connection, now: datetime, limit: int) -> int:
    """Delete the claims on matches that have ended; returns how many."""
    _ = now
    return _delete(connection, CLAIMS, _of_ended(CLAIMS), limit)


def prune_visits(connection: Connection, now: datetime, limit: int) -> int:
    """Delete where the players of ended matches sat; returns how many."""
    _ = now
    return _delete(connection, VISITS, _of_ended(VISITS), limit)


def events_pruner(keep: timedelta) -> Prune:
    """Return what trims the event logs of tables whose match ended longer than ``keep`` ago.

    The hands themselves stay: their events follow from setup and actions.
    """

    def prune_events(connection: Connection, now: datetime, limit: int) -> int:
        old = sa.select(MATCHES.c.table_id).where(_ENDED, MATCHES.c.settled_at <= now - keep)
        return _delete(connection, EVENTS, EVENTS.c.table_id.in_(old), limit)

    return prune_events


ALWAYS: Final[tuple[Prune, ...]] = (
    prune_keys,
    prune_sessions,
    prune_tokens,
    prune_offers,
    prune_voids,
    prune_claims,
    prune_visits,
)


def _of_ended(table: sa.Table) -> sa.ColumnElement[bool]:
    return sa.exists().where(MATCHES.c.match_id == table.c.match_id, _ENDED)


def _delete(
    connection: Connection, table: sa.Table, where: sa.ColumnElement[bool], limit: int
) -> int:
    """Delete up to ``limit`` rows that nobody else is at work on."""
    key: tuple[sa.Column[Any], ...] = tuple(table.primary_key.columns)
    # In order, so that what is left of an event log is its end.
    chosen = (
        sa.select(*key).where(where).order_by(*key).limit(limit).with_for_update(skip_locked=True)
    )
    names = sa.tuple_(*key) if len(key) > 1 else key[0]
    return connection.execute(sa.delete(table).where(names.in_(chosen))).rowcount
