"""Notices: written with what they tell, numbered without gaps for each person."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from services.gateway.notices import News, Notice
from services.gateway.store.hints import Hint, announce
from services.gateway.store.schema import NOTICE_COUNTERS, NOTICES, insert_or_ignore


def append(connection: Connection, user_id: str, news: Sequence[News], at: datetime) -> None:
    """Keep news for a person, inside the transaction that makes them true.

    The counter's row stays locked until the commit, so numbers appear in order.
    """
    if not news:
        return
    insert_or_ignore(connection, NOTICE_COUNTERS, {"user_id": user_id, "last_seq": 0})
    last = connection.execute(
        sa.update(NOTICE_COUNTERS)
        .where(NOTICE_COUNTERS.c.user_id == user_id)
        .values(last_seq=NOTICE_COUNTERS.c.last_seq + len(news))
        .returning(NOTICE_COUNTERS.c.last_seq)
    ).scalar_one()
    rows = [
        {
            "user_id": user_id,
            "seq": seq,
            "type": item.type,
            "at": at,
            "data": json.dumps(item.data, separators=(",", ":")),
        }
        for seq, item in enumerate(news, start=last - len(news) + 1)
    ]
    connection.execute(sa.insert(NOTICES), rows)
    announce(connection, Hint(user_id))


def notices_after(
    connection: Connection, user_id: str, after_seq: int, limit: int, *, unread_only: bool = False
) -> list[Notice]:
    """Return up to ``limit`` notices of a person behind a sequence number, in order."""
    query = (
        sa.select(NOTICES)
        .where(NOTICES.c.user_id == user_id, NOTICES.c.seq > after_seq)
        .order_by(NOTICES.c.seq)
        .limit(limit)
    )
    if unread_only:
        query = query.where(NOTICES.c.read_at.is_(None))
    return [_notice(row) for row in connection.execute(query)]


def last_seq(connection: Connection, user_id: str) -> int:
    """Return the number of a person's newest notice, 0 when there was none yet."""
    query = sa.select(NOTICE_COUNTERS.c.last_seq).where(NOTICE_COUNTERS.c.user_id == user_id)
    return connection.execute(query).scalar_one_or_none() or 0


def mark_read(connection: Connection, user_id: str, seq: int, at: datetime) -> bool:
    """Note that a person has read a notice; the first time counts. False: there is none."""
    mine = (NOTICES.c.user_id == user_id) & (NOTICES.c.seq == seq)
    connection.execute(
        sa.update(NOTICES).where(mine, NOTICES.c.read_at.is_(None)).values(read_at=at)
    )
    found = connection.execute(sa.select(NOTICES.c.seq).where(mine)).one_or_none()
    return found is not None


def _notice(row: Row[Any]) -> Notice:
    return Notice(row.seq, row.type, row.at, json.loads(row.data), row.read_at)
