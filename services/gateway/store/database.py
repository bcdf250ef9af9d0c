"""Transactions off the event loop: one function, one transaction, one worker thread."""

import asyncio
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy.engine import Connection, Engine

from services.common import tracing
from services.common.database import reading
from services.gateway.store import hints
from services.gateway.store.hints import Hint

P = ParamSpec("P")
T = TypeVar("T")

Query = Callable[Concatenate[Connection, P], T]
OnCommit = Callable[[list[Hint]], None]


class Database:
    """The gateway's database as coroutines see it.

    The functions get a connection inside an open transaction and nothing else that waits:
    no RPC can happen while one is open.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._on_commit: OnCommit | None = None

    def on_commit(self, listener: OnCommit | None) -> None:
        """Let one function hear the hints of committed writes, in the thread that wrote.

        None ends it.
        """
        self._on_commit = listener

    async def read(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that only reads, on one snapshot."""

        def run() -> T:
            with reading(self._engine) as connection:
                return query(connection, *args, **kwargs)

        return await asyncio.to_thread(run)

    async def write(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function and commit; whatever it raises rolls back."""

        def run() -> T:
            with self._engine.begin() as connection:
                hints.take(connection)  # what a rolled back transaction left behind
                result = query(connection, *args, **kwargs)
                told = hints.take(connection)
            listener = self._on_commit
            if told and listener is not None:
                listener(told)
            return result

        with tracing.span("database write"):
            return await asyncio.to_thread(run)
