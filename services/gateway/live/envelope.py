"""The messages of `holdem.v1`: what clients may say and what they are told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from services.gateway.problems import ProblemError, ProblemType

Json = dict[str, Any]

SUBPROTOCOL: Final = "holdem.v1"
MESSAGE_BYTES_MAX: Final = 4096
CHANNEL_CHARS: Final = 64
ERRORS_TOLD: Final = 5
_INT_MAX: Final = 2**53 - 1

_Channel = Annotated[str, Field(min_length=1, max_length=CHANNEL_CHARS)]
_Seq = Annotated[int, Field(ge=0, le=10**15)]


class _Op(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Sub(_Op):
    """Follow a channel: from a snapshot, or from the event behind ``since``."""

    op: Literal["sub"]
    ch: _Channel
    since: _Seq | None = None


class Unsub(_Op):
    """Follow a channel no longer."""

    op: Literal["unsub"]
    ch: _Channel


class Ping(_Op):
    """Show that one is there; ``t`` comes back as it was sent."""

    op: Literal["ping"]
    t: (
        Annotated[int, Field(ge=-_INT_MAX, le=_INT_MAX)]
        | Annotated[float, Field(allow_inf_nan=False)]
        | Annotated[str, Field(max_length=64)]
        | None
    ) = None


class Presence(_Op):
    """Say whether the person looks at the table."""

    op: Literal["presence"]
    away: bool


Op = Sub | Unsub | Ping | Presence
_OPS: Final[TypeAdapter[Op]] = TypeAdapter(Annotated[Op, Field(discriminator="op")])


def parse(text: str) -> Op:
    """Read a client's message; raises malformed and request-invalid."""
    try:
        return _OPS.validate_json(text)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
    if any(item["type"] == "json_invalid" for item in problems):
        raise ProblemError(ProblemType.MALFORMED, "the message is not JSON")
    raise ProblemError(
        ProblemType.REQUEST_INVALID,
        errors=[
            {"field": ".".join(map(str, item["loc"][1:]))[:200], "message": item["msg"][:200]}
            for item in problems[:ERRORS_TOLD]
        ],
    )


@dataclass(frozen=True, slots=True)
class Farewell:
    """Why a connection ends: the close code, the word in ``bye``, and when to come back.

    ``retry_ms`` None: come back only after something has changed.
    """

    code: int
    reason: str
    retry_ms: int | None = None


PROTOCOL: Final = Farewell(1002, "subprotocol")
NOT_TEXT: Final = Farewell(1003, "not-text")
CONFUSED: Final = Farewell(1008, "malformed", 5000)
TOO_LARGE: Final = Farewell(1009, "too-large")
INTERNAL: Final = Farewell(1011, "internal", 5000)
RESTART: Final = Farewell(1012, "restart", 1000)
SLOW: Final = Farewell(1013, "slow", 2000)
NO_SESSION: Final = Farewell(4401, "no-session")
FORBIDDEN: Final = Farewell(4403, "forbidden")
NO_CHANNEL: Final = Farewell(4404, "channel", 5000)
SILENT: Final = Farewell(4408, "silent", 1000)
REPLACED: Final = Farewell(4409, "replaced")
TOO_OFTEN: Final = Farewell(4429, "rate", 10_000)


def hello(session: str, server_time: str, ping_seconds: int) -> Json:
    """Greet a connection; ``session`` names it in reports of trouble."""
    return {
        "op": "hello",
        "session": session,
        "server_time": server_time,
        "ping_s": ping_seconds,
    }


def snap(channel: str, seq: int, data: Json) -> Json:
    """Tell all of a channel as it stands after event ``seq``."""
    return {"op": "snap", "ch": channel, "seq": seq, "data": data}


def ev(channel: str, event: Mapping[str, Any]) -> Json:
    """Tell one event (`seq`, `type`, `at`, `data`)."""
    return {"op": "ev", "ch": channel, **event}


def synced(channel: str, seq: int) -> Json:
    """Say that all there was has been told; what follows is new."""
    return {"op": "synced", "ch": channel, "seq": seq}


def pong(t: float | str | None) -> Json:
    """Answer a ping."""
    return {"op": "pong", "t": t}


def err(channel: str | None, problem: Json) -> Json:
    """Refuse a message; the connection goes on."""
    return {"op": "err", "ch": channel, "problem": problem}


def bye(farewell: Farewell) -> Json:
    """Say why the connection ends now."""
    return {"op": "bye", "reason": farewell.reason, "retry_ms": farewell.retry_ms}
