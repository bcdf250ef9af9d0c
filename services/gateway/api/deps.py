"""What handlers share: who asks, the key of a command, documented refusals."""

from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Annotated, Any, Final

from fastapi import Depends, Header, Query, Request, Response
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from services.gateway.api.bodies import Body
from services.gateway.api.problem_docs import problem_response
from services.gateway.api.scopes import check_scope
from services.gateway.gateway import Gateway
from services.gateway.idempotent import KEY_CHARS, R, Respond, Work
from services.gateway.idempotent import Request as KeyedRequest
from services.gateway.identity import SESSION_LIFE
from services.gateway.model import User
from services.gateway.problems import KINDS, ProblemError, ProblemType
from services.gateway.tokens import TOKEN_PREFIX, Scope

COOKIE: Final = "riverboat_session"
TOKEN_CHARS_MAX: Final = 128


async def get_gateway(request: Request) -> Gateway:
    """Return the gateway that serves the request.

    It waits for nothing, but what is not a coroutine would be run in a thread, each time.
    """
    gateway: Gateway = request.app.state.gateway
    return gateway


GatewayDep = Annotated[Gateway, Depends(get_gateway)]


@dataclass(frozen=True, slots=True)
class Caller:
    """A person who is signed in, and the request they make.

    ``scopes`` is what a personal token may do, None for a session, which may do everything.
    """

    user: User
    token: str = field(repr=False)
    gateway: Gateway
    request: Request
    scopes: frozenset[Scope] | None = None


def session_token(request: HTTPConnection) -> str | None:
    """Return the token of a request or socket: a Bearer token, or else the session cookie.

    With a Bearer token the cookie does not count: no other site can make a browser send one,
    which is why such requests need no look at where they come from.
    """
    token = bearer_token(request.headers)
    if token is None:
        token = request.cookies.get(COOKIE)
        if token is not None and token.startswith(TOKEN_PREFIX):
            return None
    usable = token is not None and token.isascii() and 0 < len(token) <= TOKEN_CHARS_MAX
    return token if usable else None


def bearer_token(headers: Headers) -> str | None:
    """Return the Bearer token that was sent, None without one."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


async def find_caller(request: Request, gateway: GatewayDep) -> Caller | None:
    """Return who asks, or None when nobody is signed in; extends a session's life.

    Raises forbidden-scope for what a personal token may not do.
    """
    token = session_token(request)
    if token is None:
        return None
    if token.startswith(TOKEN_PREFIX):
        return await _find_program(token, request, gateway)
    found = await gateway.identity.authenticate(token)
    if found is None:
        return None
    user, renewed = found
    if renewed and bearer_token(request.headers) is None:
        # The edge adds the cookie, because handlers build their responses themselves.
        request.state.renewed_token = token
    return Caller(user, token, gateway, request)


async def _find_program(token: str, request: Request, gateway: Gateway) -> Caller | None:
    found = await gateway.identity.authenticate_program(token)
    if found is None:
        return None
    user, scopes = found
    check_scope(scopes, request.method, request.url.path)
    return Caller(user, token, gateway, request, scopes)


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
    if caller.user.kind == "bot":
        _spend_as_bot(caller, kind, path)
    else:
        caller.gateway.limiter.spend(kind, caller.user.user_id)
    return caller


def _spend_as_bot(caller: Caller, kind: str, path: str) -> None:
    """Count a program's request: it may act faster, and play so many hands a day."""
    limiter, user_id = caller.gateway.limiter, caller.user.user_id
    limiter.spend("bot_actions" if kind == "actions" else kind, user_id)
    if kind == "writes" and (path == "/v1/matches" or path.endswith("/next-hand")):
        limiter.spend("bot_hands", user_id)


def caller_address(request: HTTPConnection) -> str:
    """Return where a request comes from, as far as it tells callers apart.

    One subscriber has a whole IPv6 /64, so that is what is counted.
    """
    host = request.client.host if request.client else "unknown"
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ip_network((address, 64), strict=False))
    return host


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
    caller: Caller,
    key: str,
    body: Body | None,
    work: Work[R],
    respond: Respond[R],
    *,
    status: int = 200,
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
    """Return OpenAPI responses for the problem types that an operation may answer with.

    What follows from an operation's kind is added to the document by itself, see `openapi`.
    """
    by_status: dict[int, list[ProblemType]] = {}
    for problem_type in types:
        by_status.setdefault(KINDS[problem_type].status.value, []).append(problem_type)
    return {status: problem_response(of_status) for status, of_status in by_status.items()}


COMMAND: Final = (
    ProblemType.MALFORMED,
    ProblemType.NO_SESSION,
    ProblemType.CROSS_ORIGIN,
    ProblemType.FORBIDDEN_SCOPE,
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
