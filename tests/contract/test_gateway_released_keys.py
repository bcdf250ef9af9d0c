"""A key that is released while another attempt looks at it is free, not lost."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import migrate, open_engine
from services.gateway.app import MIGRATIONS
from services.gateway.store import idempotency, sessions
from services.gateway.store.idempotency import Claim, Ticket
from services.gateway.store.schema import insert_or_ignore
from services.gateway.store.sessions import NewSession
from tests.support.gateway_steps import ANA
from tests.support.gateways import NOON

FIRST = Ticket(ANA.user_id, "key", "attempt-1")
SECOND = Ticket(ANA.user_id, "key", "attempt-2")


@pytest.fixture
def engine(postgres_url: str) -> Iterator[Engine]:
    """Only where several write at the same time: SQLite lets one in after another."""
    engine = open_engine(postgres_url)
    migrate(engine, MIGRATIONS)
    with engine.begin() as connection:
        session = NewSession("hash", NOON, NOON + timedelta(days=1))
        sessions.create_guest(connection, ANA, session)
    yield engine
    engine.dispose()


def claim(engine: Engine, ticket: Ticket) -> Claim:
    with engine.begin() as connection:
        return idempotency.claim(connection, ticket, "print", NOON)


@pytest.mark.postgres
def test_a_key_released_between_two_looks_is_taken(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert claim(engine, FIRST) == Claim(FIRST)
    inserts: list[bool] = []

    def insert(connection: Connection, table: sa.Table, values: dict[str, Any]) -> bool:
        inserts.append(insert_or_ignore(connection, table, values))
        if len(inserts) == 1:
            with engine.begin() as other:
                idempotency.release(other, FIRST)
        return inserts[-1]

    monkeypatch.setattr(idempotency, "insert_or_ignore", insert)
    assert claim(engine, SECOND) == Claim(SECOND)
    assert inserts == [False, True]
    with engine.begin() as connection:
        idempotency.hold(connection, SECOND)
