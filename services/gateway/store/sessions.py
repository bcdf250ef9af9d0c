"""Sessions: which devices are signed in as whom."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.ids import new_id
from services.gateway.model import User
from services.gateway.store import users
from services.gateway.store.hints import Hint, announce
from services.gateway.store.schema import PERSONAL_TOKENS, SESSIONS, TICKETS, USERS
from services.gateway.store.users import IS_THERE, user_of

SESSIONS_MAX: Final = 100
"""Sessions of one person; the least recently used one makes room."""

# Sessions from before they were told apart have no time of their last use.
_SEEN_AT: Final = sa.func.coalesce(SESSIONS.c.last_seen_at, SESSIONS.c.created_at).label("seen_at")


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session to begin: its token's hash, its times and the family of the program."""

    token_hash: str = field(repr=False)
    begins_at: datetime
    expires_at: datetime
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """A session as its owner sees it; the id cannot be used to sign in.

    ``last_seen_at`` is exact to minutes.
    """

    session_id: str
    token_hash: str = field(repr=False)
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    agent: str | None


def create_guest(connection: Connection, user: User, session: NewSession) -> None:
    """Store a new person with their first session."""
    users.insert(connection, user)
    start(connection, user.user_id, session)


def start(connection: Connection, user_id: str, session: NewSession) -> None:
    """Begin a session, if need be in place of the person's least recently used one."""
    mine = (
        sa.select(SESSIONS.c.token_hash)
        .where(SESSIONS.c.user_id == user_id)
        .order_by(_SEEN_AT.desc())
        .offset(SESSIONS_MAX - 1)
    )
    too_old = connection.execute(mine).scalars().all()
    if too_old:
        connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.token_hash.in_(too_old)))
        tell_of_end(connection, too_old)
    connection.execute(
        sa.insert(SESSIONS).values(
            token_hash=session.token_hash,
            user_id=user_id,
            session_id=new_id("s"),
            created_at=session.begins_at,
            last_seen_at=session.begins_at,
            expires_at=session.expires_at,
            agent=session.agent,
        )
    )


def find(
    connection: Connection, token_hash: str, now: datetime
) -> tuple[User, datetime, datetime] | None:
    """Return whose session it is, when it was last seen and when it ends; None for no one's."""
    query = (
        sa.select(USERS, _SEEN_AT, SESSIONS.c.expires_at)
        .join(SESSIONS, SESSIONS.c.user_id == USERS.c.user_id)
        .where(SESSIONS.c.token_hash == token_hash, SESSIONS.c.expires_at > now, IS_THERE)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return user_of(row), row.seen_at, row.expires_at


def touch(
    connection: Connection, token_hash: str, now: datetime, expires_at: datetime | None
) -> None:
    """Note that a session was used, and let it live longer unless ``expires_at`` is None."""
    values = {"last_seen_at": now} if expires_at is None else {
        "last_seen_at": now, "expires_at": expires_at,
    }  # fmt: skip
    connection.execute(
        sa.update(SESSIONS).where(SESSIONS.c.token_hash == token_hash).values(values)
    )


def end(connection: Connection, token_hash: str) -> None:
    """Forget a session."""
    connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.token_hash == token_hash))
    tell_of_end(connection, [token_hash])


def end_all(connection: Connection, user_id: str) -> None:
    """Forget everything that a person, or a program of theirs, is signed in with."""
    for table in (SESSIONS, PERSONAL_TOKENS):
        ended = connection.execute(
            sa.delete(table).where(table.c.user_id == user_id).returning(table.c.token_hash)
        )
        tell_of_end(connection, ended.scalars().all())
    connection.execute(sa.delete(TICKETS).where(TICKETS.c.user_id == user_id))


def tell_of_end(connection: Connection, token_hashes: Sequence[str]) -> None:
    """Let live connections know, once this is committed, that a sign-in has ended."""
    if token_hashes:
        announce(connection, *map(Hint, token_hashes))


def end_by_id(connection: Connection, user_id: str, session_id: str) -> str | None:
    """Forget one of a person's sessions; returns its token's hash, None when there is none."""
    ended = connection.execute(
        sa.delete(SESSIONS)
        .where(SESSIONS.c.user_id == user_id, SESSIONS.c.session_id == session_id)
        .returning(SESSIONS.c.token_hash)
    )
    token_hash = ended.scalar_one_or_none()
    if token_hash is not None:
        tell_of_end(connection, [token_hash])
    return token_hash


def list_sessions(connection: Connection, user_id: str, now: datetime) -> list[Session]:
    """Return a person's live sessions, the last used first; names those that had no id yet."""
    mine = (SESSIONS.c.user_id == user_id) & (SESSIONS.c.expires_at > now)
    nameless = sa.select(SESSIONS.c.token_hash).where(mine, SESSIONS.c.session_id.is_(None))
    for token_hash in connection.execute(nameless).scalars().all():
        connection.execute(
            sa.update(SESSIONS)
            .where(SESSIONS.c.token_hash == token_hash, SESSIONS.c.session_id.is_(None))
            .values(session_id=new_id("s"))
        )
    query = (
        sa.select(SESSIONS, _SEEN_AT)
        .where(mine)
        .order_by(sa.desc("seen_at"), SESSIONS.c.session_id)
    )
    return [
        Session(
            row.session_id,
            row.token_hash,
            row.created_at,
            row.seen_at,
            row.expires_at,
            row.agent,
        )
        for row in connection.execute(query)
    ]
