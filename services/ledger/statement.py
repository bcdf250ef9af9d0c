"""A player's transfers, newest first."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.ledger.schema import TRANSFERS


@dataclass(frozen=True, slots=True)
class Entry:
    """One transfer with its place in the ledger; the time is microseconds since 1970."""

    transfer_no: int
    debit: str
    credit: str
    chips: int
    kind: str
    match_id: str
    hand_id: str | None
    posted_us: int


def read_statement(
    connection: Connection, player_id: str, size: int, before_no: int | None
) -> tuple[list[Entry], int | None]:
    """Return up to ``size`` transfers older than a number, and where the next page begins.

    Args:
        connection: a transaction.
        player_id: whose stack takes part in the transfers.
        size: most entries, at least 1.
        before_no: only transfers with smaller numbers; None for the newest.

    """
    query = sa.select(TRANSFERS).where(TRANSFERS.c.player_id == player_id)
    if before_no is not None:
        query = query.where(TRANSFERS.c.transfer_no < before_no)
    query = query.order_by(TRANSFERS.c.transfer_no.desc()).limit(size + 1)
    entries = [
        Entry(
            row.transfer_no,
            row.debit,
            row.credit,
            row.chips,
            row.kind,
            row.match_id,
            row.hand_id,
            row.posted_us,
        )
        for row in connection.execute(query)
    ]
    more = len(entries) > size
    entries = entries[:size]
    return entries, entries[-1].transfer_no if more else None
