"""How tables, matches, hands and their events are read."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from poker.actions import Action, ActionKind
from services.gateway.model import (
    OPEN_STATES,
    Actor,
    Hand,
    HandAction,
    LoggedEvent,
    Match,
    Scene,
    TopUp,
)
from services.gateway.store.rows import hand_of, logged_of, match_of, table_of
from services.gateway.store.schema import (
    ACTIONS,
    EVENTS,
    HANDS,
    MATCHES,
    RULESETS,
    TABLES,
    TOP_UPS,
    USERS,
)
from services.gateway.store.users import user_of


def load_scene(connection: Connection, table_id: str) -> Scene | None:
    """Return all of a table, or None when there is no such table."""
    table = connection.execute(sa.select(TABLES).where(TABLES.c.table_id == table_id)).one_or_none()
    if table is None:
        return None
    match_row = connection.execute(
        sa.select(MATCHES, RULESETS.c.body)
        .join(RULESETS, RULESETS.c.ruleset_hash == MATCHES.c.ruleset_hash)
        .where(MATCHES.c.table_id == table_id)
    ).one()
    user = connection.execute(sa.select(USERS).where(USERS.c.user_id == match_row.user_id)).one()
    match = _match(connection, match_row)
    hand = load_hand(connection, match_row.hand_id)
    if hand is None:
        raise LookupError(f"table {table_id} has no hand")
    return Scene(table_of(table), match, hand, user_of(user))


def load_hand(connection: Connection, hand_id: str) -> Hand | None:
    """Return a hand with its actions, or None."""
    row = connection.execute(sa.select(HANDS).where(HANDS.c.hand_id == hand_id)).one_or_none()
    if row is None:
        return None
    query = sa.select(ACTIONS).where(ACTIONS.c.hand_id == hand_id).order_by(ACTIONS.c.action_no)
    actions = tuple(
        HandAction(Action(item.seat, ActionKind(item.kind), item.to_chips), Actor(item.actor))
        for item in connection.execute(query)
    )
    return hand_of(row, actions)


def load_events(
    connection: Connection, table_id: str, after_seq: int, limit: int | None = None
) -> list[LoggedEvent]:
    """Return a table's events behind a sequence number, in order."""
    query = (
        sa.select(EVENTS)
        .where(EVENTS.c.table_id == table_id, EVENTS.c.seq > after_seq)
        .order_by(EVENTS.c.seq)
        .limit(limit)
    )
    return [logged_of(row) for row in connection.execute(query)]


def load_hand_events(connection: Connection, hand_id: str) -> list[LoggedEvent]:
    """Return the events of one hand, in order."""
    query = sa.select(EVENTS).where(EVENTS.c.hand_id == hand_id).order_by(EVENTS.c.seq)
    return [logged_of(row) for row in connection.execute(query)]


def find_open_table(connection: Connection, user_id: str) -> str | None:
    """Return the table of a person's open match."""
    query = sa.select(MATCHES.c.table_id).where(
        MATCHES.c.user_id == user_id, MATCHES.c.state.in_([state.value for state in OPEN_STATES])
    )
    return connection.execute(query).scalar_one_or_none()


def find_table_of_match(connection: Connection, match_id: str) -> str | None:
    """Return the table of a match."""
    query = sa.select(MATCHES.c.table_id).where(MATCHES.c.match_id == match_id)
    return connection.execute(query).scalar_one_or_none()


def list_matches(
    connection: Connection, user_id: str, before: tuple[datetime, str] | None, limit: int
) -> list[Match]:
    """Return a person's matches, newest first, behind a (started_at, match_id) position."""
    query = (
        sa.select(MATCHES, RULESETS.c.body)
        .join(RULESETS, RULESETS.c.ruleset_hash == MATCHES.c.ruleset_hash)
        .where(MATCHES.c.user_id == user_id)
        .order_by(MATCHES.c.started_at.desc(), MATCHES.c.match_id.desc())
        .limit(limit)
    )
    if before is not None:
        at, match_id = before
        older = (MATCHES.c.started_at == at) & (MATCHES.c.match_id < match_id)
        query = query.where((MATCHES.c.started_at < at) | older)
    return [_match(connection, row) for row in connection.execute(query).all()]


def list_hands(
    connection: Connection, match_id: str, before_no: int | None, limit: int
) -> list[Hand]:
    """Return a match's hands, newest first, numbered below ``before_no``."""
    query = (
        sa.select(HANDS.c.hand_id)
        .where(HANDS.c.match_id == match_id)
        .order_by(HANDS.c.hand_no.desc())
        .limit(limit)
    )
    if before_no is not None:
        query = query.where(HANDS.c.hand_no < before_no)
    hands = (load_hand(connection, hand_id) for hand_id in connection.execute(query).scalars())
    return [hand for hand in hands if hand is not None]


def _match(connection: Connection, row: Row[Any]) -> Match:
    query = (
        sa.select(TOP_UPS).where(TOP_UPS.c.match_id == row.match_id).order_by(TOP_UPS.c.top_up_no)
    )
    top_ups = [TopUp(item.chips, item.at) for item in connection.execute(query)]
    return match_of(row, top_ups)
