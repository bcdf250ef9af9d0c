"""People: who they are, and that they are gone."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from services.gateway.model import User
from services.gateway.store.schema import IDEMPOTENCY, MERGE_OFFERS, METADATA, USERS

IS_THERE: Final = USERS.c.erased_at.is_(None) & USERS.c.merged_into.is_(None)
"""A person who has neither been erased nor become part of an account."""

ERASED_NAME: Final = "Former player"

# What stays of a person: the anonymous id, and what was played under it. Keys go before.
_KEPT: Final = frozenset({"users", "matches", "void_hands", "idempotency_keys"})


class PersonGoneError(Exception):
    """The person was erased or merged, or plays as another kind, since they were read."""


class RevisionConflictError(Exception):
    """The profile is not the one that the writer allows; ``revision`` is what it is."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        super().__init__(revision)


def insert(connection: Connection, user: User, username_key: str | None = None) -> None:
    """Store a new person."""
    connection.execute(
        sa.insert(USERS).values(
            user_id=user.user_id,
            kind=user.kind,
            display_name=user.display_name,
            created_at=user.created_at,
            username=user.username,
            username_key=username_key,
            revision=user.revision,
        )
    )


def find(connection: Connection, user_id: str) -> User | None:
    """Return a person who is still there."""
    query = sa.select(USERS).where(USERS.c.user_id == user_id, IS_THERE)
    row = connection.execute(query).one_or_none()
    return None if row is None else user_of(row)


def lock(connection: Connection, *user_ids: str) -> dict[str, User]:
    """Return those of these people who are still there, and let nobody change them meanwhile.

    It waits for matches of theirs that are just being started, and those wait for it.
    """
    query = (
        sa.select(USERS)
        .where(USERS.c.user_id.in_(user_ids), IS_THERE)
        .order_by(USERS.c.user_id)
        .with_for_update()
    )
    return {row.user_id: user_of(row) for row in connection.execute(query)}


def lock_revision(connection: Connection, user_id: str, allows: Callable[[int], bool]) -> None:
    """Lock a person whose profile is at a revision that ``allows`` agrees to.

    Raises PersonGoneError and RevisionConflictError.
    """
    user = lock(connection, user_id).get(user_id)
    if user is None:
        raise PersonGoneError
    if not allows(user.revision):
        raise RevisionConflictError(user.revision)


def check_can_play(connection: Connection, player: User) -> None:
    """Raise PersonGoneError unless a new match may be this player's.

    To be called before the match is inserted. It waits for whoever is changing the person, and
    they wait for the match: in the other order a merge would wait for the match that waits
    for the merge.
    """
    query = (
        sa.select(USERS.c.kind)
        .where(USERS.c.user_id == player.user_id, IS_THERE)
        .with_for_update(read=True, key_share=True)
    )
    kind = connection.execute(query).scalar_one_or_none()
    # A bot's results count on a board of their own from the first match on.
    if kind is None or (kind == "bot") is not (player.kind == "bot"):
        raise PersonGoneError


def rename(connection: Connection, user_id: str, display_name: str) -> None:
    """Give a person another name."""
    connection.execute(
        sa.update(USERS)
        .where(USERS.c.user_id == user_id, IS_THERE)
        .values(display_name=display_name, revision=USERS.c.revision + 1)
    )


def names(connection: Connection, user_ids: list[str]) -> dict[str, User]:
    """Return what people are called now, by the ids their matches were played under.

    Whoever has become part of an account goes by its name; whoever was erased has none.
    """
    query = sa.select(USERS, USERS.c.merged_into).where(USERS.c.user_id.in_(user_ids))
    rows = connection.execute(query).all()
    accounts = [row.merged_into for row in rows if row.merged_into is not None]
    of_accounts = sa.select(USERS).where(USERS.c.user_id.in_(accounts))
    owners = {row.user_id: user_of(row) for row in connection.execute(of_accounts)}
    return {row.user_id: owners.get(row.merged_into, user_of(row)) for row in rows}


def forget_keys(connection: Connection, user_id: str) -> None:
    """Delete a person's idempotency keys; a command in flight can then not commit.

    To be called before `lock`: such a command holds its key while it waits for the person.
    """
    connection.execute(sa.delete(IDEMPOTENCY).where(IDEMPOTENCY.c.user_id == user_id))


def forget_private(connection: Connection, user_id: str) -> None:
    """Delete everything else that is kept about a person besides what they played.

    That is every table with a ``user_id`` but a few, so that what is added later is
    forgotten too.
    """
    for table in METADATA.sorted_tables:
        if "user_id" in table.c and table.name not in _KEPT:
            connection.execute(sa.delete(table).where(table.c.user_id == user_id))
    connection.execute(sa.delete(MERGE_OFFERS).where(MERGE_OFFERS.c.guest_id == user_id))


def anonymise(connection: Connection, user_id: str, now: datetime) -> list[User]:
    """Take the name off a person, and off the guests that were merged into them.

    Returns all of them as they are then.
    """
    theirs = (USERS.c.user_id == user_id) | (USERS.c.merged_into == user_id)
    connection.execute(
        sa.update(USERS)
        .where(theirs)
        .values(
            display_name=ERASED_NAME,
            username=None,
            username_key=None,
            erased_at=now,
            revision=USERS.c.revision + 1,
        )
    )
    return [user_of(row) for row in connection.execute(sa.select(USERS).where(theirs))]


def user_of(row: Row[tuple[object, ...]]) -> User:
    """Read a person from a row that holds the columns of `USERS`."""
    return User(row.user_id, row.kind, row.display_name, row.created_at, row.username, row.revision)
