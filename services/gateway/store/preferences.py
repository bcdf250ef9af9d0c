"""What people have saved about themselves: one text a kind, with a revision to write against.

Revision 0 is what everybody starts with. Revisions only go up, also when the defaults come
back, so that a writer who saw an older one is always noticed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.store.schema import PREFERENCES, insert_or_ignore


class Kind(StrEnum):
    """What is saved."""

    BET_PRESETS = "bet_presets"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Saved:
    """The newest version of something; ``body`` None means the defaults."""

    revision: int = 0
    body: str | None = None


class RevisionConflictError(Exception):
    """The revision is not one that the writer allows; ``revision`` is what it is."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        super().__init__(revision)


def load(connection: Connection, user_id: str, kind: Kind) -> Saved:
    """Return what a person has saved."""
    query = sa.select(PREFERENCES.c.revision, PREFERENCES.c.body).where(_is(user_id, kind))
    row = connection.execute(query).one_or_none()
    return Saved() if row is None else Saved(row.revision, row.body)


def save(
    connection: Connection,
    user_id: str,
    kind: Kind,
    body: str | None,
    *,
    allows: Callable[[int], bool],
    now: datetime,
) -> Saved:
    """Replace what is saved if ``allows`` agrees to the present revision.

    Raises RevisionConflictError; the transaction must then not commit. Of several writers at
    once each sees the revision that the one before it left.
    """
    insert_or_ignore(
        connection,
        PREFERENCES,
        {"user_id": user_id, "kind": kind.value, "revision": 0, "updated_at": now},
    )
    query = sa.select(PREFERENCES.c.revision).where(_is(user_id, kind)).with_for_update()
    revision = connection.execute(query).scalar_one()
    if not allows(revision):
        raise RevisionConflictError(revision)
    connection.execute(
        sa.update(PREFERENCES)
        .where(_is(user_id, kind))
        .values(revision=revision + 1, body=body, updated_at=now)
    )
    return Saved(revision + 1, body)


def _is(user_id: str, kind: Kind) -> sa.ColumnElement[bool]:
    return (PREFERENCES.c.user_id == user_id) & (PREFERENCES.c.kind == kind.value)
