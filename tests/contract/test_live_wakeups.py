"""The wake-up port, on both of its adapters: hints of commits, after the commits."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import open_engine
from services.gateway.live.hub import Signal, Wakeups
from services.gateway.live.postgres import APPLICATION_NAME, CHANNEL, PostgresWakeups
from services.gateway.live.service import open_live
from services.gateway.metrics import Metrics
from services.gateway.store.database import Database
from services.gateway.store.hints import Hint, announce
from tests.support.gateways import NOON
from tests.support.postgres import PostgresServer

WAIT_SECONDS = 60.0
NOTHING_SECONDS = 0.05

ENTRIES = sa.Table("entries", sa.MetaData(), sa.Column("n", sa.Integer, primary_key=True))


_opened: list[Engine] = []


def run(scene: Awaitable[None]) -> None:
    """Run a scene; what its threads gave back late to the pools is closed, too."""

    async def play() -> None:
        await scene

    try:
        asyncio.run(play())
    finally:
        while _opened:
            _opened.pop().dispose()


class Replica:
    """A process' view: its own connections and its own wake-ups."""

    def __init__(self, engine: Engine, wakeups: Wakeups, database: Database) -> None:
        self.engine = engine
        self.wakeups = wakeups
        self.database = database

    async def write(self, number: int, *topics: str) -> None:
        """Insert an entry and announce it."""
        await self.database.write(_write, number, topics)

    async def entries(self) -> list[int]:
        return await self.database.read(_entries)


@asynccontextmanager
async def replica(url: str) -> AsyncIterator[Replica]:
    engine = open_engine(url)
    _opened.append(engine)
    ENTRIES.create(engine, checkfirst=True)
    database = Database(engine)
    live = open_live(engine, database, lambda: NOON, Metrics())
    await live.start()
    try:
        if isinstance(live.wakeups, PostgresWakeups):
            async with asyncio.timeout(WAIT_SECONDS):
                await live.wakeups.listening()
        yield Replica(engine, live.wakeups, database)
    finally:
        await live.close()


def _write(connection: Connection, number: int, topics: tuple[str, ...]) -> None:
    connection.execute(sa.insert(ENTRIES).values(n=number))
    announce(connection, *(Hint(topic, number) for topic in topics))


def _entries(connection: Connection) -> list[int]:
    return list(connection.execute(sa.select(ENTRIES.c.n).order_by(ENTRIES.c.n)).scalars())


def on_one(url: str, scene: Callable[[Replica], Awaitable[None]]) -> None:
    async def play() -> None:
        async with replica(url) as here:
            await scene(here)

    run(play())


async def rings(signal: Signal, known_seq: int = 0) -> bool:
    return await signal.wait(known_seq, WAIT_SECONDS)


async def stays_silent(signal: Signal) -> bool:
    return not await signal.wait(0, NOTHING_SECONDS)


def test_a_commit_rings_those_who_wait_for_its_topic(database_url: str) -> None:
    async def scene(here: Replica) -> None:
        with (
            here.wakeups.listen("t_one") as one,
            here.wakeups.listen("t_one") as another,
            here.wakeups.listen("t_two") as two,
        ):
            await here.write(1, "t_one")
            assert await rings(one)
            assert await rings(another)
            assert await stays_silent(two)

    on_one(database_url, scene)


def test_a_hint_never_comes_before_its_data(database_url: str) -> None:
    async def scene(here: Replica) -> None:
        with here.wakeups.listen("t_one") as signal:
            for number in range(1, 30):
                writing = asyncio.create_task(here.write(number, "t_one"))
                assert await rings(signal, number - 1)
                assert number in await here.entries()
                await writing

    on_one(database_url, scene)


def test_one_transaction_may_have_news_for_several(database_url: str) -> None:
    async def scene(here: Replica) -> None:
        with here.wakeups.listen("t_one") as table, here.wakeups.listen("u_one") as user:
            await here.write(1, "t_one", "u_one")
            assert await rings(table)
            assert await rings(user)

    on_one(database_url, scene)


def test_what_is_rolled_back_rings_nobody(database_url: str) -> None:
    async def scene(here: Replica) -> None:
        with here.wakeups.listen("t_one") as signal, here.wakeups.listen("t_two") as other:
            await here.write(1, "t_two")
            with pytest.raises(sa.exc.IntegrityError):
                await here.write(1, "t_one")
            await here.write(2, "t_two")
            assert await rings(other, 1)
            assert await stays_silent(signal)

    on_one(database_url, scene)


def test_rings_between_two_looks_are_one(database_url: str) -> None:
    async def scene(here: Replica) -> None:
        with here.wakeups.listen("t_one") as signal, here.wakeups.listen("t_two") as last:
            for number in range(1, 6):
                await here.write(number, "t_one")
            await here.write(6, "t_two")
            assert await rings(last)
            assert await rings(signal, 4)
            assert await stays_silent(signal)

    on_one(database_url, scene)


def test_after_the_close_nothing_rings(database_url: str) -> None:
    async def scene(here: Replica) -> None:
        with here.wakeups.listen("t_one") as signal:
            await here.wakeups.close()
            await here.write(1, "t_one")
            assert await stays_silent(signal)

    on_one(database_url, scene)


def test_on_postgresql_a_commit_rings_in_every_process(postgres_url: str) -> None:
    async def scene() -> None:
        async with replica(postgres_url) as here, replica(postgres_url) as there:
            with there.wakeups.listen("t_one") as signal:
                await here.write(1, "t_one")
                assert await rings(signal)
                assert await there.entries() == [1]

    run(scene())


def test_on_postgresql_a_process_listens_once_however_many_wait(postgres_url: str) -> None:
    async def scene(here: Replica) -> None:
        async with AsyncExitStack() as stack:
            signals = [
                stack.enter_context(here.wakeups.listen(f"t_{number % 7}")) for number in range(100)
            ]
            await here.write(1, *(f"t_{number}" for number in range(7)))
            assert all(await asyncio.gather(*map(rings, signals)))
            assert await here.database.read(_listeners) == 1

    on_one(postgres_url, scene)


def test_on_postgresql_somebody_elses_notification_is_passed_over(postgres_url: str) -> None:
    async def scene(here: Replica) -> None:
        with here.wakeups.listen("t_one") as signal:
            await here.database.write(_notify, "nonsense")
            await here.database.write(_notify, "them t_one x")
            await here.database.write(_notify, "them  1")
            await here.database.write(_notify, "them t_one " + "9" * 5_000)
            await here.write(1, "t_one")
            assert await rings(signal)

    on_one(postgres_url, scene)


def test_on_postgresql_hints_survive_that_they_could_not_be_told(postgres_url: str) -> None:
    async def scene() -> None:
        async with replica(postgres_url) as here, replica(postgres_url) as there:
            with there.wakeups.listen("t_one") as signal:
                # Between the commit and the telling, every pooled connection breaks.
                await here.write(1, "t_one")
                await there.database.write(_break_pools)
                assert await rings(signal)
                await here.write(2, "t_one")
                assert await rings(signal, 1)

    run(scene())


def test_on_postgresql_the_newest_of_several_hints_is_told(postgres_url: str) -> None:
    async def scene() -> None:
        async with replica(postgres_url) as here, replica(postgres_url) as there:
            with there.wakeups.listen("t_one") as one, there.wakeups.listen("t_two") as two:
                # Two threads have committed, and the later one spoke first.
                assert isinstance(here.wakeups, PostgresWakeups)
                here.wakeups.spread([Hint("t_one", 5), Hint("t_two", 0)])
                here.wakeups.spread([Hint("t_one", 4), Hint("t_two", 4)])
                assert await rings(one, 4)
                assert await rings(two, 4)

    run(scene())


def test_on_postgresql_telling_goes_on_after_an_error_of_any_kind(postgres_url: str) -> None:
    async def scene() -> None:
        async with replica(postgres_url) as here, replica(postgres_url) as there:
            failures: list[str] = []

            @sa.event.listens_for(here.engine, "before_cursor_execute")
            def fail_once(_: object, __: object, statement: str, *___: object) -> None:
                if "pg_notify" in statement and not failures:
                    failures.append(statement)
                    raise RuntimeError

            with there.wakeups.listen("t_one") as signal:
                await here.write(1, "t_one")
                assert await rings(signal)
            assert failures

    run(scene())


def test_on_postgresql_listening_goes_on_after_an_error_of_any_kind(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = psycopg.AsyncConnection.execute
    failures: list[object] = []

    async def fail_once(self: psycopg.AsyncConnection, statement: Any) -> Any:  # noqa: ANN401
        if not failures:
            failures.append(statement)
            raise RuntimeError
        return await execute(self, statement)

    async def scene(here: Replica) -> None:
        monkeypatch.setattr(psycopg.AsyncConnection, "execute", fail_once)
        with here.wakeups.listen("t_one") as signal:
            await here.database.write(_break_listeners)
            assert await rings(signal)
        assert failures

    on_one(postgres_url, scene)


def test_on_postgresql_a_start_that_is_broken_off_leaves_nothing_open(postgres_url: str) -> None:
    async def scene(here: Replica) -> None:
        for turns in range(0, 1_500, 50):
            wakeups = PostgresWakeups(here.engine, Database(here.engine))
            await wakeups.start()
            for _ in range(turns):
                await asyncio.sleep(0)
            await wakeups.close()
        # An unclosed connection complains when it is collected.
        gc.collect()
        async with asyncio.timeout(WAIT_SECONDS):
            while await here.database.read(_listeners) > 1:
                await asyncio.sleep(0.01)

    on_one(postgres_url, scene)


def test_on_postgresql_what_is_untold_at_the_close_is_told(postgres_url: str) -> None:
    async def scene() -> None:
        async with replica(postgres_url) as there:
            with there.wakeups.listen("t_one") as signal:
                async with replica(postgres_url) as here:
                    await here.write(1, "t_one")
                assert await rings(signal)

    run(scene())


def test_on_postgresql_a_broken_connection_is_replaced_and_all_look_again(
    postgres_url: str,
) -> None:
    async def scene(here: Replica) -> None:
        with here.wakeups.listen("t_one") as one, here.wakeups.listen("t_two") as two:
            await here.database.write(_break_listeners)
            assert await rings(one)
            assert await rings(two)
            await here.write(1, "t_one")
            assert await rings(one)

    on_one(postgres_url, scene)


def test_on_postgresql_listening_survives_a_restart_of_the_server(
    postgres_process: PostgresServer,
) -> None:
    async def scene(here: Replica) -> None:
        with here.wakeups.listen("t_one") as signal:
            await asyncio.to_thread(postgres_process.kill)
            await asyncio.to_thread(postgres_process.start)
            assert await rings(signal)
            await here.write(1, "t_one")
            assert await rings(signal)

    on_one(postgres_process.url, scene)


def _listeners(connection: Connection) -> int:
    query = sa.text("SELECT count(*) FROM pg_stat_activity WHERE application_name = :name")
    return int(connection.execute(query, {"name": APPLICATION_NAME}).scalar_one())


def _notify(connection: Connection, payload: str) -> None:
    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, payload)))


def _break_pools(connection: Connection) -> None:
    query = sa.text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND datname = current_database() AND application_name <> :name"
    )
    connection.execute(query, {"name": APPLICATION_NAME})


def _break_listeners(connection: Connection) -> None:
    query = sa.text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = :name"
    )
    connection.execute(query, {"name": APPLICATION_NAME})
