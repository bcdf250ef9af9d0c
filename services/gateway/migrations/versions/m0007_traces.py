"""Traces of events; names and merges of before are told.

Revision: 0007, after 0006.

The column is added without a default, so gateways of before go on writing. People who were
renamed, merged or erased while there were no events for it are told of now, once: the ledger
then knows whose line is whose. It must be able to read these events already.
"""

import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op
from google.protobuf.message import Message

from proto.events.v1 import events_pb2 as pb

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

BATCH = 1_000
APPEND_LOCK = 0x726976_6F7574
"""The lock of whoever appends to the outbox: positions become visible in order."""

_KINDS = {
    "guest": pb.PARTICIPANT_KIND_GUEST,
    "account": pb.PARTICIPANT_KIND_ACCOUNT,
    "bot": pb.PARTICIPANT_KIND_BOT,
}
_USERS = sa.table(
    "users",
    *(sa.column(name) for name in ("user_id", "kind", "display_name", "revision")),
    *(sa.column(name) for name in ("erased_at", "merged_into")),
)
_MATCHES = sa.table("matches", sa.column("user_id"), sa.column("played_as"))
_OUTBOX = sa.table(
    "outbox",
    *(sa.column(name) for name in ("event_id", "type", "key", "value", "time_us", "source")),
)

Row = sa.Row[Any]


def upgrade() -> None:
    """Add the column, and tell of everybody who has played and is not who they were."""
    connection, last = op.get_bind(), ""
    now_us = time.time_ns() // 1000
    if connection.dialect.name == "postgresql":
        # First of all, because whoever holds it is about to write to the table.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(APPEND_LOCK)))
    op.add_column("outbox", sa.Column("traceparent", sa.String(length=55), nullable=True))
    while True:
        people = connection.execute(_changed_people(last)).all()
        if not people:
            return
        owners = _owners(connection, people)
        rows = [row for person in people for row in _events(person, owners, now_us)]
        connection.execute(sa.insert(_OUTBOX), rows)
        last = people[-1].user_id


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only")


def _changed_people(last: str) -> sa.Select[Any]:
    c = _USERS.c
    played = sa.select(_MATCHES.c.user_id).union(
        sa.select(_MATCHES.c.played_as).where(_MATCHES.c.played_as.is_not(None))
    )
    changed = (c.revision > 1) | c.erased_at.is_not(None) | c.merged_into.is_not(None)
    query = sa.select(_USERS).where(c.user_id > last, changed, c.user_id.in_(played))
    return query.order_by(c.user_id).limit(BATCH)


def _owners(connection: sa.Connection, people: Sequence[Row]) -> dict[str, Row]:
    ids = [person.merged_into for person in people if person.merged_into is not None]
    query = sa.select(_USERS).where(_USERS.c.user_id.in_(ids))
    return {row.user_id: row for row in connection.execute(query)}


def _events(person: Row, owners: dict[str, Row], now_us: int) -> list[dict[str, object]]:
    named = pb.PlayerNamed(player=_name(person), erased=person.erased_at is not None)
    named.named_time.FromMicroseconds(now_us)
    event_id = f"{person.user_id}.named.{person.revision}"
    rows = [_row(event_id, "riverboat.player.named.v1", person.user_id, named, now_us)]
    owner = owners.get(person.merged_into)
    if owner is not None:
        merged = pb.PlayerMerged(player=_name(person), into=_name(owner))
        merged.merged_time.FromMicroseconds(now_us)
        event_id = f"{person.user_id}.merged"
        rows.append(_row(event_id, "riverboat.player.merged.v1", person.user_id, merged, now_us))
    return rows


def _name(person: Row) -> pb.PlayerName:
    return pb.PlayerName(
        player_id=person.user_id,
        kind=_KINDS[person.kind],
        display_name=person.display_name,
        name_revision=person.revision,
    )


def _row(
    event_id: str, event_type: str, key: str, message: Message, now_us: int
) -> dict[str, object]:
    return {
        "event_id": event_id,
        "type": event_type,
        "key": key,
        "value": message.SerializeToString(deterministic=True),
        "time_us": now_us,
        "source": "/riverboat/gateway",
    }
