"""Tickets of live connections: used once, soon, or never; and whether a sign-in still holds."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.model import User
from services.gateway.store.schema import PERSONAL_TOKENS, SESSIONS, TICKETS, USERS
from services.gateway.store.users import user_of


@dataclass(frozen=True, slots=True)
class Admission:
    """Whom a ticket lets in, and the hash of the token it was issued to."""

    user: User
    session_hash: str


def issue(
    connection: Connection,
    ticket_hash: str,
    admission: Admission,
    expires_at: datetime,
    now: datetime,
) -> None:
    """Store a ticket; those that ran out are swept away."""
    connection.execute(sa.delete(TICKETS).where(TICKETS.c.expires_at <= now))
    connection.execute(
        sa.insert(TICKETS).values(
            ticket_hash=ticket_hash,
            user_id=admission.user.user_id,
            session_hash=admission.session_hash,
            expires_at=expires_at,
        )
    )


def redeem(connection: Connection, ticket_hash: str, now: datetime) -> Admission | None:
    """Use a ticket up; None when there is none, or it ran out, or its sign-in has ended."""
    used = connection.execute(
        sa.delete(TICKETS)
        .where(TICKETS.c.ticket_hash == ticket_hash)
        .returning(TICKETS.c.user_id, TICKETS.c.session_hash, TICKETS.c.expires_at)
    ).one_or_none()
    if (
        used is None
        or used.expires_at <= now
        or not is_signed_in(connection, used.session_hash, now)
    ):
        return None
    row = connection.execute(sa.select(USERS).where(USERS.c.user_id == used.user_id)).one()
    return Admission(user_of(row), used.session_hash)


def is_signed_in(connection: Connection, session_hash: str, now: datetime) -> bool:
    """Return whether a session or a personal token with this hash is alive."""
    alive = [
        sa.select(sa.literal(1)).where(table.c.token_hash == session_hash, table.c.expires_at > now)
        for table in (SESSIONS, PERSONAL_TOKENS)
    ]
    return connection.execute(sa.union_all(*alive)).first() is not None
