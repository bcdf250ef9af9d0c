"""Tickets of live connections: used once, soon, or never; and whether a sign-in still holds."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.model import User
from services.gateway.store import sessions, tokens
from services.gateway.store.schema import TICKETS


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
        .returning(TICKETS.c.session_hash, TICKETS.c.expires_at)
    ).one_or_none()
    if used is None or used.expires_at <= now:
        return None
    user = find_signed_in(connection, used.session_hash, now)
    return None if user is None else Admission(user, used.session_hash)


def find_signed_in(connection: Connection, session_hash: str, now: datetime) -> User | None:
    """Return who holds the living session or personal token with this hash."""
    session = sessions.find(connection, session_hash, now)
    if session is not None:
        return session[0]
    token = tokens.find(connection, session_hash, now)
    return None if token is None else token[0]
