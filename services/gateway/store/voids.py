"""The void quota (HU-073): how many hands a person, or a network, had voided of late.

Only while a quota is set is any of this written.
"""

from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.model import Match
from services.gateway.store.schema import VISITS, VOIDS, insert_or_ignore

WINDOW: Final = timedelta(hours=24)

LOCK_SPACE: Final = 0x766F6964
"""First half of the PostgreSQL advisory locks that let one void hand of a network at a time in."""


class QuotaSpentError(Exception):
    """The person or the network has had its void hands; this one must be played."""


def note_visit(connection: Connection, match_id: str, network: str) -> None:
    """Remember where the player of a match sat down; nothing is known to have reached them."""
    insert_or_ignore(connection, VISITS, {"match_id": match_id, "network": network, "seen": False})


def note_seen(connection: Connection, match_id: str) -> None:
    """Remember that a snapshot of the match has reached its player."""
    unseen = (VISITS.c.match_id == match_id) & ~VISITS.c.seen
    connection.execute(sa.update(VISITS).where(unseen).values(seen=True))


def may_void(connection: Connection, match: Match, quota: int | None, now: datetime) -> bool:
    """Return whether the open hand of a match may be voided, were its player to leave now."""
    network, charged = _visit(connection, match)
    return quota is None or not charged or _spent(connection, match, network, now) < quota


def charge(connection: Connection, match: Match, quota: int, now: datetime) -> None:
    """Count the void of a match's open hand, in the transaction that makes it void.

    Raises QuotaSpentError when others were faster; the transaction must not commit.
    """
    network, charged = _visit(connection, match)
    if not charged:
        return
    if connection.dialect.name == "postgresql":
        # Otherwise two voids of one network would not see each other.
        lock = sa.func.pg_advisory_xact_lock(LOCK_SPACE, sa.func.hashtext(network))
        connection.execute(sa.select(lock))
    if _spent(connection, match, network, now) >= quota:
        raise QuotaSpentError
    values = {"hand_id": match.hand_id, "user_id": match.user_id, "network": network, "at": now}
    connection.execute(sa.insert(VOIDS).values(values))


def _visit(connection: Connection, match: Match) -> tuple[str, bool]:
    """Return where the player sat down ("" when unknown) and whether a void is charged.

    It is not when the network lost the very first snapshot: the player never saw the hand.
    """
    query = sa.select(VISITS).where(VISITS.c.match_id == match.match_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return "", True
    return row.network, row.seen or bool(match.moves or match.hands)


def _spent(connection: Connection, match: Match, network: str, now: datetime) -> int:
    """Return the larger of the person's and the network's number of void hands."""
    recent = VOIDS.c.at > now - WINDOW
    own = sa.select(sa.func.count()).where(VOIDS.c.user_id == match.user_id, recent)
    near = sa.select(sa.func.count()).where(VOIDS.c.network == network, recent)
    counts = [connection.execute(own).scalar_one()]
    if network:
        counts.append(connection.execute(near).scalar_one())
    return max(counts)
