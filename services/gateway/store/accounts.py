"""Accounts in the database: made, found, merged into, erased.

Each function is one transaction. What must not happen twice is guarded in it: a name by its
unique index, a guest's upgrade by their kind, a merge by the mark it leaves on the guest.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from services.gateway import outbox_events
from services.gateway.model import User
from services.gateway.store import sessions, users
from services.gateway.store.announcements import tell
from services.gateway.store.belongings import Belongings, belongings, offer_merge
from services.gateway.store.schema import (
    CREDENTIALS,
    MERGE_OFFERS,
    RECOVERY_CODES,
    USERS,
)
from services.gateway.store.sessions import NewSession


class NameTakenError(Exception):
    """Another account has this name."""


class NotAGuestError(Exception):
    """The person has an account already, or is not there any more."""


@dataclass(frozen=True, slots=True)
class Secret:
    """How an account's owner is known; ``key_hash`` names the request that made it."""

    password_hash: str = field(repr=False)
    email: str | None = field(repr=False)
    key_hash: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """A new session, whose session the device had ``before``, and a token to offer a merge by."""

    session: NewSession
    before: User | None
    before_hash: str | None = field(repr=False)
    offer_hash: str = field(repr=False)
    offer_until: datetime


@dataclass(frozen=True, slots=True)
class Profile:
    """A person as they see themselves; ``code_at`` is when they got their recovery code."""

    user: User
    email: str | None = field(repr=False)
    code_at: datetime | None


def create(
    connection: Connection, user: User, username_key: str, secret: Secret, session: NewSession
) -> None:
    """Store a new account with its first session; raises NameTakenError."""
    try:
        users.insert(connection, user, username_key)
    except IntegrityError as error:
        raise NameTakenError from error
    _add_secret(connection, user.user_id, secret)
    sessions.start(connection, user.user_id, session)


def upgrade(
    connection: Connection, user: User, username_key: str, secret: Secret, session: NewSession
) -> None:
    """Make a guest the account ``user``, under the id they have.

    Whatever let somebody in as the guest ends with it, so that nobody who knew the guest's
    token comes along. Raises NotAGuestError and NameTakenError.
    """
    still_a_guest = (USERS.c.user_id == user.user_id) & (USERS.c.kind == "guest") & users.IS_THERE
    change = (
        sa.update(USERS)
        .where(still_a_guest)
        .values(
            kind=user.kind,
            display_name=user.display_name,
            username=user.username,
            username_key=username_key,
            revision=USERS.c.revision + 1,
        )
    )
    try:
        changed = connection.execute(change)
    except IntegrityError as error:
        raise NameTakenError from error
    if changed.rowcount != 1:
        raise NotAGuestError
    sessions.end_all(connection, user.user_id)
    connection.execute(sa.delete(RECOVERY_CODES).where(RECOVERY_CODES.c.user_id == user.user_id))
    connection.execute(sa.delete(MERGE_OFFERS).where(MERGE_OFFERS.c.guest_id == user.user_id))
    _add_secret(connection, user.user_id, secret)
    sessions.start(connection, user.user_id, session)
    _tell_of_name(connection, user.user_id, session.begins_at)


def find_secret(connection: Connection, username_key: str) -> tuple[User, Secret] | None:
    """Return an account by its name."""
    query = (
        sa.select(USERS, CREDENTIALS)
        .join(CREDENTIALS, CREDENTIALS.c.user_id == USERS.c.user_id)
        .where(USERS.c.username_key == username_key, users.IS_THERE)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return users.user_of(row), Secret(row.password_hash, row.email, row.key_hash)


def profile(connection: Connection, user_id: str) -> Profile | None:
    """Return a person as they see themselves; None when they are gone."""
    user = users.find(connection, user_id)
    if user is None:
        return None
    email = sa.select(CREDENTIALS.c.email).where(CREDENTIALS.c.user_id == user_id)
    code_at = sa.select(RECOVERY_CODES.c.created_at).where(RECOVERY_CODES.c.user_id == user_id)
    return Profile(
        user,
        connection.execute(email).scalar_one_or_none(),
        connection.execute(code_at).scalar_one_or_none(),
    )


def rename(
    connection: Connection,
    user_id: str,
    display_name: str,
    allows: Callable[[int], bool],
    now: datetime,
) -> Profile:
    """Give a person another name; raises RevisionConflictError and PersonGoneError."""
    users.lock_revision(connection, user_id, allows)
    users.rename(connection, user_id, display_name)
    renamed = profile(connection, user_id)
    if renamed is None:
        raise users.PersonGoneError
    tell(connection, [outbox_events.player_named(renamed.user, now)])
    return renamed


def replace_hash(connection: Connection, user_id: str, old: str, new: str) -> None:
    """Store a password's hash under newer parameters, unless it has changed meanwhile."""
    connection.execute(
        sa.update(CREDENTIALS)
        .where(CREDENTIALS.c.user_id == user_id, CREDENTIALS.c.password_hash == old)
        .values(password_hash=new)
    )


def let_in(connection: Connection, user: User, entry: Entry) -> Belongings | None:
    """Begin a session; the one that the device had before ends with it.

    Only that of a guest who has played stays: returns what an account is then offered to take
    over. Raises PersonGoneError.
    """
    if user.user_id not in users.lock(connection, user.user_id):
        raise users.PersonGoneError
    sessions.start(connection, user.user_id, entry.session)
    before = entry.before
    if before is None or entry.before_hash is None:
        return None
    brought = belongings(connection, before.user_id)
    if before.kind != "guest" or before.user_id == user.user_id or not brought.matches:
        sessions.end(connection, entry.before_hash)
        return None
    if user.kind != "account":
        return None
    offer_merge(connection, user.user_id, before.user_id, entry.offer_hash, entry.offer_until)
    return brought


def save_code(connection: Connection, user_id: str, code_hash: str, now: datetime) -> None:
    """Keep a recovery code in place of the one before it; raises PersonGoneError."""
    if user_id not in users.lock(connection, user_id):
        raise users.PersonGoneError
    connection.execute(sa.delete(RECOVERY_CODES).where(RECOVERY_CODES.c.user_id == user_id))
    connection.execute(
        sa.insert(RECOVERY_CODES).values(user_id=user_id, code_hash=code_hash, created_at=now)
    )


def find_by_code(connection: Connection, code_hash: str) -> User | None:
    """Return whose recovery code it is."""
    query = (
        sa.select(USERS)
        .join(RECOVERY_CODES, RECOVERY_CODES.c.user_id == USERS.c.user_id)
        .where(RECOVERY_CODES.c.code_hash == code_hash, users.IS_THERE)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else users.user_of(row)


def _tell_of_name(connection: Connection, user_id: str, now: datetime) -> None:
    user = users.find(connection, user_id)
    if user is not None:
        tell(connection, [outbox_events.player_named(user, now)])


def _add_secret(connection: Connection, user_id: str, secret: Secret) -> None:
    connection.execute(
        sa.insert(CREDENTIALS).values(
            user_id=user_id,
            password_hash=secret.password_hash,
            email=secret.email,
            key_hash=secret.key_hash,
        )
    )
