"""Events are sealed: a hash of the whole row shows that none of it was changed.

The rows that are there already are sealed as they stand. Indexes let consumers and the audit
find the accounts of a match and the hand of an event without reading the whole tables.
"""

import hashlib
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

CHUNK = 1000
SEALED = "event_id, type, match_id, source, time_us, value, digest, applied_us"


def upgrade() -> None:
    seal = sa.Column("seal", sa.String(length=64), nullable=False, server_default="")
    op.add_column("events", seal)
    op.create_index("hands_of_event", "hands", ["event_no"], unique=True)
    op.create_index("balances_of_match", "balances", ["match_id", "player_id"])
    _seal_events(op.get_bind())


def _seal_events(connection: sa.Connection) -> None:
    last = 0
    query = f"SELECT event_no, {SEALED} FROM events WHERE event_no > :last"  # noqa: S608
    query += " ORDER BY event_no LIMIT :chunk"
    while True:
        parameters = {"last": last, "chunk": CHUNK}
        rows = connection.execute(sa.text(query), parameters).all()
        if not rows:
            return
        update = sa.text("UPDATE events SET seal = :seal WHERE event_no = :number")
        sealed = [{"number": row.event_no, "seal": _seal(row[1:])} for row in rows]
        connection.execute(update, sealed)
        last = rows[-1].event_no


def _seal(values: Sequence[object]) -> str:
    state = hashlib.sha256()
    for value in values:
        data = value if isinstance(value, bytes) else str(value).encode()
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()
