"""What handlers share: who asks, the key of a command, documented refusals."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import Depends, Header, Query, Request, Response
from starlette.requests import HTTPConnection

from services.gateway.api.bodies import Body
from services.gateway.gateway import Gateway
from services.gateway.idempotent import KEY_CHARS, Respond, Work
from services.gateway.idempotent import Request as KeyedRequest
from services.gateway.identity import SESSION_LIFE
from services.gateway.model import User
from services.gateway.problems import KINDS, MEDIA_TYPE, ProblemError, ProblemType

COOKIE: Final = "riverboat_session"
TOKEN_CHARS_MAX: Final = 128
PROBLEM_SCHEMA: Final = {"$ref": "#/components/schemas/Problem"}


def get_gateway(request: Request) -> Gateway:
    """Return the gateway that serves the request."""
    gateway: Gateway = request.app.state.gateway
    return gateway


GatewayDep = Annotated[Gateway, Depends(get_gateway)]


@dataclass(frozen=True, slots=True)
class Caller:
    """A person with a session, and the request they make."""

    user: User
    token: str
    gateway: Gateway
    request: Request


def session_token(request: HTTPConnection) -> str | None:
    """Return the session token of a request or socket: the cookie, or else a Bearer token."""
    token = request.cookies.get(COOKIE)
    if token is None:
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        token = bearer.strip() if scheme.lower() == "bearer" else None
    usable = token is not None and token.isascii() and 0 < len(token) <= TOKEN_CHARS_MAX
    return token if usable else None


async def find_caller(request: Request, gateway: GatewayDep) -> Caller | None:
    """Return who asks, or None without a live session; extends the session's life."""
    token = session_token(request)
    found = None if token is None else await gateway.identity.authenticate(token)
    if token is None or found is None:
        return None
    user, renewed = found
    if renewed:
        # The edge adds the cookie, because handlers build their responses themselves.
        request.state.renewed_token = token
    return Caller(user, token, gateway, request)


async def require_caller(caller: Annotated[Caller | None, Depends(find_caller)]) -> Caller:
    """Return who asks; raises no-session."""
    if caller is None:
        raise ProblemError(ProblemType.NO_SESSION, headers={"WWW-Authenticate": "Bearer"})
    path = caller.request.url.path
    # A preview changes nothing, and a dialog asks for one with every change in it.
    reads = caller.request.method in {"GET", "HEAD"} or path.endswith("/preview")
    kind = "reads" if reads else "writes"
    if path.endswith("/actions"):
        kind = "actions"
    caller.gateway.limiter.spend(kind, caller.user.user_id)
    return caller


CallerDep = Annotated[Caller, Depends(require_caller)]
MaybeCallerDep = Annotated[Caller | None, Depends(find_caller)]

KeyHeader = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=KEY_CHARS,
        pattern=r"^[\x21-\x7e]+$",
        description="Name of this one wish: a request repeated with it is done once.",
    ),
]
Limit = Annotated[int, Query(ge=1, le=100, description="Items a page")]


async def run_command(
    caller: Caller, key: str, body: Body | None, work: Work, respond: Respond, *, status: int = 200
) -> Response:
    """Run a command once for its key and return its response."""
    request = KeyedRequest(
        user=caller.user,
        key=key,
        method=caller.request.method,
        path=caller.request.url.path,
        body={} if body is None else body.canonical(),
    )
    answer = await caller.gateway.idempotent.run(request, work, respond, status)
    return Response(answer.body, status_code=answer.status, media_type="application/json")


def cookie_header(token: str, *, secure: bool) -> str:
    """Return the Set-Cookie header that gives a browser its session.

    Scripts cannot read it, and other sites' forms do not send it.
    """
    life = int(SESSION_LIFE.total_seconds())
    flags = "; Secure" if secure else ""
    return f"{COOKIE}={token}; Max-Age={life}; Path=/; HttpOnly; SameSite=Lax{flags}"


def refusals(*types: ProblemType) -> dict[int | str, dict[str, Any]]:
    """Return OpenAPI responses for the problem types that an operation may answer with."""
    found: dict[int | str, dict[str, Any]] = {}
    for problem_type in types:
        kind = KINDS[problem_type]
        known = found.get(kind.status.value)
        text = f"`{problem_type.value}`: {kind.title}"
        found[kind.status.value] = {
            "description": text if known is None else f"{known['description']}; {text}",
            "content": {MEDIA_TYPE: {"schema": PROBLEM_SCHEMA}},
        }
    return found


COMMAND: Final = (
    ProblemType.MALFORMED,
    ProblemType.NO_SESSION,
    ProblemType.CROSS_ORIGIN,
    ProblemType.NOT_FOUND,
    ProblemType.IDEMPOTENCY_IN_PROGRESS,
    ProblemType.TOO_LARGE,
    ProblemType.UNSUPPORTED_MEDIA_TYPE,
    ProblemType.REQUEST_INVALID,
    ProblemType.IDEMPOTENCY_MISMATCH,
    ProblemType.RATE_LIMITED,
    ProblemType.ENGINE_UNAVAILABLE,
)
"""What every command may be refused with."""

READ: Final = (ProblemType.NO_SESSION, ProblemType.NOT_FOUND, ProblemType.RATE_LIMITED)
"""What every read of one's own things may be refused with."""
