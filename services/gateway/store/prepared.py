"""Decks that the server has committed to and not dealt yet.

A deck waits for the next hand of its holder: of a table, or of a person who has yet to sit
down. It is written before its root is told to anyone and stays as it is until it is dealt,
whatever restarts in between; the transaction that deals it deletes it.
"""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from poker.cards import Card
from services.gateway.model import Commitment
from services.gateway.store.schema import PREPARED, insert_or_ignore


def find(connection: Connection, holder: str) -> Commitment | None:
    """Return what a table (``t_...``) or a person (``u_...``) will be dealt next."""
    query = sa.select(PREPARED).where(PREPARED.c.holder == holder)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Commitment(row.root, tuple(map(Card, bytes(row.cards))), bytes(row.salt_key))


def keep(connection: Connection, holder: str, commitment: Commitment, at: datetime) -> bool:
    """Keep a deck for a holder unless one waits already; returns whether it was kept."""
    values = {
        "holder": holder,
        "root": commitment.root,
        "cards": bytes(commitment.deck),
        "salt_key": commitment.salt_key,
        "prepared_at": at,
    }
    return insert_or_ignore(connection, PREPARED, values)


def use(connection: Connection, root: str) -> bool:
    """Take the deck with this root away; returns whether it was there, which it is once."""
    taken = connection.execute(sa.delete(PREPARED).where(PREPARED.c.root == root))
    return taken.rowcount == 1


def discard(connection: Connection, holder: str) -> None:
    """Forget the deck of a table where no hand will be dealt any more."""
    connection.execute(sa.delete(PREPARED).where(PREPARED.c.holder == holder))
