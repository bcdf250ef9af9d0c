"""Personal tokens: what a person's programs sign in with."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from services.gateway.model import User
from services.gateway.store import users
from services.gateway.store.schema import PERSONAL_TOKENS, USERS
from services.gateway.store.sessions import tell_of_end
from services.gateway.store.users import IS_THERE, user_of
from services.gateway.tokens import Scope

TOKENS_MAX: Final = 20
"""Live tokens that one person may have."""


class TooManyTokensError(Exception):
    """The person has as many tokens as they may."""


@dataclass(frozen=True, slots=True)
class PersonalToken:
    """A token as its owner sees it; ``last_used_at`` is exact to minutes, None for never."""

    token_id: str
    name: str
    scopes: frozenset[Scope]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None = None


def create(connection: Connection, user_id: str, token: PersonalToken, token_hash: str) -> None:
    """Store a token; expired ones make room. Raises TooManyTokensError and PersonGoneError."""
    # Several at once count one another.
    if user_id not in users.lock(connection, user_id):
        raise users.PersonGoneError
    mine = PERSONAL_TOKENS.c.user_id == user_id
    expired = PERSONAL_TOKENS.c.expires_at <= token.created_at
    connection.execute(sa.delete(PERSONAL_TOKENS).where(mine, expired))
    count = sa.select(sa.func.count()).select_from(PERSONAL_TOKENS).where(mine)
    if connection.execute(count).scalar_one() >= TOKENS_MAX:
        raise TooManyTokensError
    connection.execute(
        sa.insert(PERSONAL_TOKENS).values(
            token_id=token.token_id,
            user_id=user_id,
            token_hash=token_hash,
            name=token.name,
            scopes=" ".join(sorted(token.scopes)),
            created_at=token.created_at,
            expires_at=token.expires_at,
        )
    )


def find(
    connection: Connection, token_hash: str, now: datetime
) -> tuple[User, PersonalToken] | None:
    """Return whose live token it is; None for no one's."""
    query = (
        sa.select(USERS, PERSONAL_TOKENS, PERSONAL_TOKENS.c.created_at.label("made_at"))
        .join(PERSONAL_TOKENS, PERSONAL_TOKENS.c.user_id == USERS.c.user_id)
        .where(
            PERSONAL_TOKENS.c.token_hash == token_hash,
            PERSONAL_TOKENS.c.expires_at > now,
            IS_THERE,
        )
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else (user_of(row), _token_of(row))


def touch(connection: Connection, token_hash: str, now: datetime) -> None:
    """Note that a token was used."""
    connection.execute(
        sa.update(PERSONAL_TOKENS)
        .where(PERSONAL_TOKENS.c.token_hash == token_hash)
        .values(last_used_at=now)
    )


def list_tokens(connection: Connection, user_id: str, now: datetime) -> list[PersonalToken]:
    """Return a person's live tokens, the newest first."""
    query = (
        sa.select(PERSONAL_TOKENS, PERSONAL_TOKENS.c.created_at.label("made_at"))
        .where(PERSONAL_TOKENS.c.user_id == user_id, PERSONAL_TOKENS.c.expires_at > now)
        .order_by(PERSONAL_TOKENS.c.created_at.desc(), PERSONAL_TOKENS.c.token_id)
    )
    return [_token_of(row) for row in connection.execute(query)]


def delete(connection: Connection, user_id: str, token_id: str) -> bool:
    """Forget one of a person's tokens; returns whether there was one."""
    ended = connection.execute(
        sa.delete(PERSONAL_TOKENS)
        .where(PERSONAL_TOKENS.c.user_id == user_id, PERSONAL_TOKENS.c.token_id == token_id)
        .returning(PERSONAL_TOKENS.c.token_hash)
    )
    token_hash = ended.scalar_one_or_none()
    if token_hash is not None:
        tell_of_end(connection, [token_hash])
    return token_hash is not None


def _token_of(row: Row[tuple[object, ...]]) -> PersonalToken:
    scopes = frozenset(map(Scope, row.scopes.split()))
    return PersonalToken(
        row.token_id, row.name, scopes, row.made_at, row.expires_at, row.last_used_at
    )
