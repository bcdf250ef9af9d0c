"""Where a process or its connection can die: before every statement, around every commit.

Between two statements of a transaction the database knows nothing that it would keep, so a
death there is the same for it whether the statement before has returned or not. Around the
commit it is not: before, nothing is kept; behind, everything, and nobody was told.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError


class Place(StrEnum):
    """Which side of what a point is on."""

    STATEMENT = "before a statement"
    COMMIT = "before a commit"
    COMMITTED = "behind a commit"


@dataclass(frozen=True, slots=True)
class Point:
    """One place where things can end; ``number`` counts from 1."""

    number: int
    place: Place
    statement: str = ""

    def __str__(self) -> str:
        """Return it for the trace."""
        return f"point {self.number}, {self.place} {self.statement}".rstrip()


Reached = Callable[[Point], None]


class CutError(OperationalError):
    """The connection to the database is gone."""

    def __init__(self) -> None:
        super().__init__("the connection was cut", None, ConnectionError())


class Points:
    """Calls ``reached`` at every point that an engine passes; it may raise."""

    def __init__(self, engine: Engine, reached: Reached) -> None:
        self._reached = reached
        self.count = 0
        sa.event.listen(engine, "before_cursor_execute", self._before_statement)
        dialect: Any = engine.dialect
        self._commit: Callable[[Any], None] = dialect.do_commit
        dialect.do_commit = self._around_commit

    def _before_statement(
        self, connection: Connection, cursor: object, statement: str, *_: object
    ) -> None:
        del connection, cursor
        self._reach(Place.STATEMENT, " ".join(statement.split()[:3]))

    def _around_commit(self, dbapi_connection: Any) -> None:  # noqa: ANN401 - any driver's
        self._reach(Place.COMMIT)
        self._commit(dbapi_connection)
        self._reach(Place.COMMITTED)

    def _reach(self, place: Place, statement: str = "") -> None:
        self.count += 1
        self._reached(Point(self.count, place, statement))


def forget_the_disk(engine: Engine) -> None:
    """Let commits return before they are on the disk: only processes die here, no machine."""
    statement = (
        "PRAGMA synchronous = OFF"
        if engine.dialect.name == "sqlite"
        else "SET SESSION synchronous_commit = off"
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(dbapi_connection: Any, _record: object) -> None:  # noqa: ANN401 - any driver's
        dbapi_connection.execute(statement)
        dbapi_connection.commit()
