"""People and their sessions."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from services.gateway.model import User
from services.gateway.store.schema import SESSIONS, USERS


def create_guest(connection: Connection, user: User, token_hash: str, expires_at: datetime) -> None:
    """Store a new person with their first session."""
    connection.execute(
        sa.insert(USERS).values(
            user_id=user.user_id,
            kind=user.kind,
            display_name=user.display_name,
            created_at=user.created_at,
        )
    )
    connection.execute(
        sa.insert(SESSIONS).values(
            token_hash=token_hash,
            user_id=user.user_id,
            created_at=user.created_at,
            expires_at=expires_at,
        )
    )


def find_session(
    connection: Connection, token_hash: str, now: datetime
) -> tuple[User, datetime] | None:
    """Return whose session it is and when it ends; None when there is none alive."""
    query = (
        sa.select(USERS, SESSIONS.c.expires_at)
        .join(SESSIONS, SESSIONS.c.user_id == USERS.c.user_id)
        .where(SESSIONS.c.token_hash == token_hash, SESSIONS.c.expires_at > now)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else (user_of(row), row.expires_at)


def extend_session(connection: Connection, token_hash: str, expires_at: datetime) -> None:
    """Let a session live longer."""
    connection.execute(
        sa.update(SESSIONS).where(SESSIONS.c.token_hash == token_hash).values(expires_at=expires_at)
    )


def end_session(connection: Connection, token_hash: str) -> None:
    """Forget a session."""
    connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.token_hash == token_hash))


def rename(connection: Connection, user_id: str, display_name: str) -> None:
    """Give a person another name."""
    connection.execute(
        sa.update(USERS).where(USERS.c.user_id == user_id).values(display_name=display_name)
    )


def user_of(row: Row[tuple[object, ...]]) -> User:
    """Read a person from a row that holds the columns of `USERS`."""
    return User(row.user_id, row.kind, row.display_name, row.created_at)
