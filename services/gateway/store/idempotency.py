"""Idempotency keys: who did what with a key, and what came of it.

A key goes through three stages. *Running*: an attempt holds a short lease. *Done*: the
transaction that did the work left a receipt, enough to build the response from what is
stored. *Answered*: the response itself is kept. A process that dies leaves a key in one of
these: a running one is taken over when its lease ends, a done one is finished by whoever
comes next with the same request. Two attempts never both commit, because a commit needs the
key to be running and held by its own attempt.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.gateway.store.schema import IDEMPOTENCY, insert_or_ignore

LEASE: Final = timedelta(seconds=5)
"""How long a crashed attempt blocks its key; a living one is safe without it."""

CLOCK_SKEW: Final = timedelta(seconds=5)
"""How far the clocks of gateways may be apart without a lease ending early."""


class InProgressError(Exception):
    """Another attempt with this key is running, or has taken it over."""


class MismatchError(Exception):
    """The key was used for another request."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right of one attempt to do a request's work."""

    user_id: str
    key: str
    attempt: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A response that was given and will be given again; ``body`` is JSON text."""

    status: int
    body: str


@dataclass(frozen=True, slots=True)
class Claim:
    """What `claim` found: exactly one way on.

    ``answer`` set: send it again. ``receipt`` set: the work is done, build the response.
    Neither: do the work.
    """

    ticket: Ticket
    receipt: dict[str, Any] | None = None
    answer: Answer | None = None


def claim(connection: Connection, ticket: Ticket, fingerprint: str, now: datetime) -> Claim:
    """Take the key for an attempt, or learn what an earlier one made of it.

    Raises MismatchError and InProgressError.
    """
    values = {"fingerprint": fingerprint, "attempt": ticket.attempt, "leased_until": now + LEASE}
    fresh = {"user_id": ticket.user_id, "key": ticket.key, "created_at": now, **values}
    query = sa.select(IDEMPOTENCY).where(_is(ticket)).with_for_update()
    row = None
    while row is None:
        if insert_or_ignore(connection, IDEMPOTENCY, fresh):
            return Claim(ticket)
        # An attempt that failed may release the key in between: then it is free again.
        row = connection.execute(query).one_or_none()
    if row.fingerprint != fingerprint:
        raise MismatchError
    if row.status is not None:
        return Claim(ticket, answer=Answer(row.status, row.body))
    if row.receipt is not None:
        return Claim(ticket, receipt=json.loads(row.receipt))
    # One that ends later than any lease could was made by a clock that was ahead; it must not
    # block the key until the others have caught up.
    if now < row.leased_until <= now + LEASE + CLOCK_SKEW:
        raise InProgressError
    connection.execute(sa.update(IDEMPOTENCY).where(_is(ticket)).values(values))
    return Claim(ticket)


def mark_done(connection: Connection, ticket: Ticket, receipt: dict[str, Any]) -> None:
    """Record that the work is done, inside the transaction that does it.

    Raises InProgressError when another attempt has taken the key: the transaction must not
    commit.
    """
    done = connection.execute(
        sa.update(IDEMPOTENCY).where(_is_running(ticket)).values(receipt=json.dumps(receipt))
    )
    if done.rowcount != 1:
        raise InProgressError


def hold(connection: Connection, ticket: Ticket) -> None:
    """Lock the key of a running attempt, for work that locks people before it is done.

    Keys come before people, as where somebody is erased. Raises InProgressError.
    """
    query = sa.select(IDEMPOTENCY.c.user_id).where(_is_running(ticket)).with_for_update()
    if connection.execute(query).one_or_none() is None:
        raise InProgressError


def keep_answer(connection: Connection, ticket: Ticket, answer: Answer) -> Answer:
    """Keep a response; returns the one that counts, which is the first ever kept."""
    connection.execute(
        sa.update(IDEMPOTENCY)
        .where(_is(ticket), IDEMPOTENCY.c.status.is_(None))
        .values(status=answer.status, body=answer.body)
    )
    row = connection.execute(
        sa.select(IDEMPOTENCY.c.status, IDEMPOTENCY.c.body).where(_is(ticket))
    ).one_or_none()
    return answer if row is None else Answer(row.status, row.body)


def keep_refusal(connection: Connection, ticket: Ticket, answer: Answer) -> bool:
    """Keep the refusal of an attempt that changed nothing.

    Returns False when the attempt has lost the key: what it found says nothing then, since
    another attempt may have done the work meanwhile.
    """
    kept = connection.execute(
        sa.update(IDEMPOTENCY)
        .where(_is_running(ticket))
        .values(status=answer.status, body=answer.body)
    )
    return kept.rowcount == 1


def release(connection: Connection, ticket: Ticket) -> None:
    """Forget an attempt that changed nothing, so that the key can be tried again at once."""
    connection.execute(sa.delete(IDEMPOTENCY).where(_is_running(ticket)))


def _is(ticket: Ticket) -> sa.ColumnElement[bool]:
    return (IDEMPOTENCY.c.user_id == ticket.user_id) & (IDEMPOTENCY.c.key == ticket.key)


def _is_running(ticket: Ticket) -> sa.ColumnElement[bool]:
    """Match the key while this very attempt holds it and has not finished."""
    return sa.and_(
        _is(ticket),
        IDEMPOTENCY.c.attempt == ticket.attempt,
        IDEMPOTENCY.c.receipt.is_(None),
        IDEMPOTENCY.c.status.is_(None),
    )
