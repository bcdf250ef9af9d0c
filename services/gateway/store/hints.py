"""Hints that something has news, told once the transaction that makes it true has committed.

A hint waits beside its connection until the writer has committed (`Database.write`), then goes
to whoever listens in this process and, on PostgreSQL, to the other gateways. Hints carry no
content: whoever gets one reads the database, so a lost hint only delays.

They are not sent by a NOTIFY in the committing transaction itself: PostgreSQL holds one lock
for the whole cluster from such a NOTIFY until its commit is on disk, so commits would no
longer share a flush (docs/adr/0013-live-updates.md).
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy.engine import Connection

_WAITING: Final = "riverboat_hints"


@dataclass(frozen=True, slots=True)
class Hint:
    """``topic`` is the id of a table or a person; ``seq`` its newest event, 0 if unknown."""

    topic: str
    seq: int = 0


def announce(connection: Connection, *hints: Hint) -> None:
    """Tell subscribers of these topics to look, once the open transaction has committed."""
    waiting: dict[str, Hint] = connection.info.setdefault(_WAITING, {})
    waiting.update({hint.topic: hint for hint in hints})


def take(connection: Connection) -> list[Hint]:
    """Remove and return the hints that wait beside a connection."""
    waiting: dict[str, Hint] = connection.info.pop(_WAITING, {})
    return list(waiting.values())
