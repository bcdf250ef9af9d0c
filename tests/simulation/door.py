"""What clients send and get, whatever is behind: a gateway in this process or real ones."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

Json = dict[str, Any]


class Kind(StrEnum):
    """The commands."""

    SIT_DOWN = "sit_down"
    ACT = "act"
    NEXT_HAND = "next_hand"
    TOP_UP = "top_up"
    SETTLE = "settle"


class LostError(Exception):
    """No answer came: whether the request was carried out is unknown."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a session."""

    user_id: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Ask:
    """A wish with its Idempotency-Key; it may be sent any number of times.

    ``subject`` is the table to act at or the match to command, empty to sit down.
    """

    kind: Kind
    key: str
    subject: str
    body: Json

    @property
    def path(self) -> str:
        """Where it is posted."""
        match self.kind:
            case Kind.SIT_DOWN:
                return "/v1/matches"
            case Kind.ACT:
                return f"/v1/tables/{self.subject}/actions"
            case _:
                return f"/v1/matches/{self.subject}/{self.kind.value.replace('_', '-')}"

    def __str__(self) -> str:
        """Return it for the trace."""
        what = f"{self.body.get('type', '')} {self.body.get('to', '')}".strip()
        turn = str(self.body.get("turn_token", "")).partition("-")[0]
        return " ".join(part for part in (self.kind.value, what, turn and f"v{turn}") if part)


@dataclass(frozen=True, slots=True)
class Answer:
    """A definite response; ``problem`` is the last part of a refusal's type, else empty."""

    status: int
    body: Json
    problem: str = ""


class Door(Protocol):
    """The way in. All calls raise LostError when no definite answer came."""

    async def join(self) -> Person:
        """Become a guest."""

    async def send(self, person: Person, ask: Ask) -> Answer:
        """Send a command once."""

    async def look(self, person: Person, table_id: str) -> Json:
        """Return the snapshot of a table."""

    async def current(self, person: Person) -> str | None:
        """Return the table of the open match."""

    async def pause(self, seconds: float) -> None:
        """Let time pass."""
