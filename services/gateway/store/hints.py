"""Hints that something has news, told by the transaction that makes it true.

On PostgreSQL a hint is a NOTIFY: the server delivers it after the commit, to every gateway,
and drops it with a rollback. Elsewhere it waits beside the connection until the writer has
committed (`Database.write`). Hints carry no content: whoever gets one reads the database, so
a lost hint only delays.
"""

from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

CHANNEL: Final = "riverboat_live"
"""The name that gateways LISTEN to; one a database."""

_WAITING: Final = "riverboat_hints"


@dataclass(frozen=True, slots=True)
class Hint:
    """``topic`` is the id of a table or a person; ``seq`` its newest event, 0 if unknown."""

    topic: str
    seq: int = 0

    def to_text(self) -> str:
        """Return the hint as a notification's payload."""
        return f"{self.topic} {self.seq}"


def from_text(payload: str) -> Hint:
    """Read a payload; raises ValueError for one that is not ours."""
    topic, _, seq = payload.partition(" ")
    if not topic or not seq.isdecimal():
        raise ValueError("not a hint")
    return Hint(topic, int(seq))


def announce(connection: Connection, *hints: Hint) -> None:
    """Tell subscribers of these topics to look, once the open transaction has committed."""
    if connection.dialect.name == "postgresql":
        notes = [sa.func.pg_notify(CHANNEL, hint.to_text()) for hint in hints]
        connection.execute(sa.select(*notes))
    else:
        waiting: dict[str, Hint] = connection.info.setdefault(_WAITING, {})
        waiting.update({hint.topic: hint for hint in hints})


def take(connection: Connection) -> list[Hint]:
    """Remove and return the hints that wait beside a connection."""
    waiting: dict[str, Hint] = connection.info.pop(_WAITING, {})
    return list(waiting.values())
