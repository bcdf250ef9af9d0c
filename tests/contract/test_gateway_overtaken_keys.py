"""An attempt that another one overtook must not answer for the key, on every database."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import Engine

from services.common.database import migrate, open_engine
from services.gateway.app import MIGRATIONS
from services.gateway.idempotent import Idempotent, Request
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.store import idempotency, sessions
from services.gateway.store.database import Database
from services.gateway.store.idempotency import LEASE, Answer, Ticket
from services.gateway.store.sessions import NewSession
from tests.support.gateway_steps import ANA
from tests.support.gateways import NOON

REQUEST = Request(ANA, "key", "POST", "/v1/matches/m_1/next-hand", {})
DONE = Answer(200, '{"hand":2}')


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    else:
        url = request.getfixturevalue("postgres_url")
    engine = open_engine(url)
    migrate(engine, MIGRATIONS)
    with engine.begin() as connection:
        session = NewSession("hash", NOON, NOON + timedelta(days=1))
        sessions.create_guest(connection, ANA, session)
    yield engine
    engine.dispose()


class Slow:
    """A clock that a slow attempt lets run on, and what its rival does meanwhile."""

    def __init__(self, engine: Engine) -> None:
        self.database = Database(engine)
        self.keys = Idempotent(self.database, lambda: self.now)
        self.now: datetime = NOON

    async def overtaken(self, _ticket: Ticket) -> dict[str, Any]:
        """Be so slow that another attempt takes the key and deals; then see its hand."""
        self.now += LEASE
        await self.keys.run(REQUEST, self.deal, respond, 200)
        raise ProblemError(ProblemType.HAND_IN_PROGRESS)

    async def deal(self, ticket: Ticket) -> dict[str, Any]:
        receipt = {"hand": 2}
        await self.database.write(idempotency.mark_done, ticket, receipt)
        return receipt


async def respond(receipt: dict[str, Any]) -> dict[str, Any]:
    return receipt


def test_an_overtaken_attempt_asks_to_try_again_and_then_hears_what_was_done(
    engine: Engine,
) -> None:
    slow = Slow(engine)

    async def scene() -> Answer:
        with pytest.raises(ProblemError) as refused:
            await slow.keys.run(REQUEST, slow.overtaken, respond, 200)
        assert refused.value.problem_type is ProblemType.IDEMPOTENCY_IN_PROGRESS
        return await slow.keys.run(REQUEST, slow.overtaken, respond, 200)

    assert asyncio.run(scene()) == DONE


def test_a_refusal_of_the_attempt_that_holds_the_key_counts(engine: Engine) -> None:
    keys = Idempotent(Database(engine), lambda: NOON)

    async def refuse(_ticket: Ticket) -> dict[str, Any]:
        raise ProblemError(ProblemType.HAND_IN_PROGRESS)

    async def scene() -> list[ProblemType]:
        found = []
        for _ in range(2):
            with pytest.raises(ProblemError) as refused:
                await keys.run(REQUEST, refuse, respond, 200)
            found.append(refused.value.problem_type)
        return found

    assert asyncio.run(scene()) == [ProblemType.HAND_IN_PROGRESS] * 2
