"""What people have played, moved from a guest to an account or left to nobody."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway import outbox_events
from services.gateway.model import OPEN_STATES, User
from services.gateway.notices import News
from services.gateway.store import commits, idempotency, notices, sessions, users
from services.gateway.store.announcements import tell
from services.gateway.store.idempotency import Ticket
from services.gateway.store.schema import MATCHES, MERGE_OFFERS, USERS

NOTICES_MAX: Final = 100
"""Unread notices that a merge hands on."""


class NoAccountError(Exception):
    """Only an account can become a bot."""


class MatchOpenError(Exception):
    """The person has an open match."""


class HasPlayedError(Exception):
    """The person has a match already."""


class MergeConflictError(Exception):
    """The two people cannot become one; ``reason`` is for machines."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Belongings:
    """What a guest would bring into an account."""

    matches: int
    hands: int
    open_match: bool


def belongings(connection: Connection, user_id: str) -> Belongings:
    """Return what a person has played."""
    is_open = MATCHES.c.state.in_([state.value for state in OPEN_STATES])
    query = sa.select(
        sa.func.count(),
        sa.func.coalesce(sa.func.sum(MATCHES.c.hands), 0),
        sa.func.coalesce(sa.func.sum(sa.case((is_open, 1), else_=0)), 0),
    ).where(MATCHES.c.user_id == user_id)
    matches, hands, still_open = connection.execute(query).one()
    return Belongings(matches, int(hands), bool(still_open))


def offer_merge(
    connection: Connection, user_id: str, guest_id: str, token_hash: str, expires_at: datetime
) -> None:
    """Let an account take a guest's matches over with a token; one offer a pair."""
    pair = (MERGE_OFFERS.c.user_id == user_id) & (MERGE_OFFERS.c.guest_id == guest_id)
    connection.execute(sa.delete(MERGE_OFFERS).where(pair))
    connection.execute(
        sa.insert(MERGE_OFFERS).values(
            token_hash=token_hash, user_id=user_id, guest_id=guest_id, expires_at=expires_at
        )
    )


def find_offer(connection: Connection, user_id: str, token_hash: str, now: datetime) -> User | None:
    """Return the guest whom an account may merge with this token."""
    query = (
        sa.select(USERS)
        .join(MERGE_OFFERS, MERGE_OFFERS.c.guest_id == USERS.c.user_id)
        .where(
            MERGE_OFFERS.c.token_hash == token_hash,
            MERGE_OFFERS.c.user_id == user_id,
            MERGE_OFFERS.c.expires_at > now,
            users.IS_THERE,
        )
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else users.user_of(row)


def merge(
    connection: Connection, user_id: str, guest_id: str, ticket: Ticket, now: datetime
) -> dict[str, Any]:
    """Make a guest part of an account; returns the receipt, with the finished hands moved.

    Raises MergeConflictError, which changes nothing.
    """
    users.forget_keys(connection, guest_id)
    idempotency.hold(connection, ticket)
    people = users.lock(connection, user_id, guest_id)
    kinds = [people[one].kind for one in (user_id, guest_id) if one in people]
    if kinds != ["account", "guest"]:
        raise MergeConflictError("guest-into-account")
    own, guests = belongings(connection, user_id), belongings(connection, guest_id)
    if own.open_match and guests.open_match:
        raise MergeConflictError("two-open-matches")
    receipt = {"hands_moved": guests.hands}
    idempotency.mark_done(connection, ticket, receipt)
    _hand_on_notices(connection, guest_id, user_id)
    sessions.end_all(connection, guest_id)
    users.forget_private(connection, guest_id)
    commits.move_matches(connection, guest_id, user_id)
    connection.execute(
        sa.update(USERS).where(USERS.c.user_id == guest_id).values(merged_into=user_id)
    )
    tell(connection, [outbox_events.player_merged(people[guest_id], people[user_id], now)])
    return receipt


def _hand_on_notices(connection: Connection, from_user_id: str, to_user_id: str) -> None:
    """Tell the new owner of matches what the old one has not read about them yet."""
    unread = notices.notices_after(connection, from_user_id, 0, NOTICES_MAX, unread_only=True)
    for notice in unread:
        notices.append(connection, to_user_id, [News(notice.type, notice.data)], notice.at)


def erase(
    connection: Connection, user_id: str, allows: Callable[[int], bool], now: datetime
) -> None:
    """Forget a person; hands keep their id, which is random.

    Raises MatchOpenError, RevisionConflictError and PersonGoneError.
    """
    users.forget_keys(connection, user_id)
    users.lock_revision(connection, user_id, allows)
    if belongings(connection, user_id).open_match:
        raise MatchOpenError
    sessions.end_all(connection, user_id)
    users.forget_private(connection, user_id)
    erased = users.anonymise(connection, user_id, now)
    tell(connection, [outbox_events.player_named(user, now, erased=True) for user in erased])


def become_bot(connection: Connection, user_id: str, now: datetime) -> User:
    """Make an account that has never played a bot, for ever.

    Raises NoAccountError for anyone but an account, and HasPlayedError.
    """
    user = users.lock(connection, user_id).get(user_id)
    if user is not None and user.kind == "bot":
        return user
    if user is None or user.kind != "account":
        raise NoAccountError
    if belongings(connection, user_id).matches:
        raise HasPlayedError
    connection.execute(
        sa.update(USERS)
        .where(USERS.c.user_id == user_id)
        .values(kind="bot", revision=USERS.c.revision + 1)
    )
    bot = users.lock(connection, user_id)[user_id]
    tell(connection, [outbox_events.player_named(bot, now)])
    return bot
