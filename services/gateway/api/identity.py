"""Guests, and one's own profile."""

from collections.abc import Iterator
from typing import IO, Annotated, Any, Final

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from services.gateway.agents import agent_family
from services.gateway.api.account_schemas import MeReply
from services.gateway.api.bodies import GuestBody, ProfileBody
from services.gateway.api.deps import (
    READ,
    Caller,
    CallerDep,
    GatewayDep,
    MaybeCallerDep,
    caller_address,
    cookie_header,
    refusals,
)
from services.gateway.api.preconditions import Precondition, etag, precondition
from services.gateway.api.saving import ETAG
from services.gateway.api.schemas import UserReply
from services.gateway.api.sessions import goodbye
from services.gateway.model import User
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.reports import time_text
from services.gateway.store.accounts import Profile

router = APIRouter(tags=["Identity"])

CHANGES: Final = (
    ProblemType.MALFORMED,
    ProblemType.CROSS_ORIGIN,
    ProblemType.FORBIDDEN_SCOPE,
    ProblemType.TOO_LARGE,
    ProblemType.UNSUPPORTED_MEDIA_TYPE,
    ProblemType.REQUEST_INVALID,
    ProblemType.RATE_LIMITED,
)
"""What every change may be refused with, whoever asks."""

CHUNK_BYTES: Final = 64 * 1024

Agent = Annotated[str | None, Header(alias="User-Agent", include_in_schema=False)]
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=1000,
        description="The ETag that was read; without it, whatever is there is changed",
        examples=['"3"'],
    ),
]
_WITH_ETAG: Final[dict[int | str, dict[str, Any]]] = {200: ETAG}


def user_json(user: User) -> dict[str, Any]:
    """Return a person as they see themselves."""
    return {
        "id": user.user_id,
        "display_name": user.display_name,
        "kind": user.kind,
        "username": user.username,
    }


@router.post(
    "/sessions/guest",
    operation_id="createGuest",
    status_code=201,
    response_model=UserReply,
    responses={
        200: {"model": UserReply, "description": "Who one is already"},
        **refusals(*CHANGES),
    },
)
async def create_guest(
    request: Request,
    gateway: GatewayDep,
    caller: MaybeCallerDep,
    body: GuestBody | None = None,
    agent: Agent = None,
) -> Response:
    """Become a guest and get a session cookie.

    A request that has a live session already keeps it (200), so that a click too many does
    not lose a match.
    """
    if caller is not None:
        return JSONResponse({"user": user_json(caller.user)})
    gateway.limiter.spend("guests", caller_address(request))
    name = None if body is None else body.display_name
    user, token = await gateway.identity.create_guest(name, agent_family(agent))
    cookie = cookie_header(token, secure=request.url.scheme == "https")
    return JSONResponse({"user": user_json(user)}, status_code=201, headers={"Set-Cookie": cookie})


@router.get(
    "/me",
    operation_id="getMe",
    response_model=MeReply,
    responses={**_WITH_ETAG, **refusals(*READ)},
)
async def get_me(caller: CallerDep) -> Response:
    """Read one's own profile.

    The ETag is the version that `If-Match` takes. A personal token does not see the e-mail
    address.
    """
    profile = await caller.gateway.identity.profile(caller.user.user_id)
    if profile is None:
        raise ProblemError(ProblemType.NO_SESSION)
    return _me(caller, profile)


@router.patch(
    "/me",
    operation_id="updateMe",
    response_model=MeReply,
    responses={
        **_WITH_ETAG,
        **refusals(ProblemType.NO_SESSION, *CHANGES, ProblemType.PRECONDITION_FAILED),
    },
)
async def update_me(caller: CallerDep, body: ProfileBody, if_match: IfMatch = None) -> Response:
    """Change one's own display name; tables and boards show it at once.

    The name is trimmed; one that could pass for River's is refused. `If-Match` is optional.
    """
    identity = caller.gateway.identity
    allowed = _condition(if_match)
    return _me(caller, await identity.rename(caller.user, body.display_name, allowed.allows))


@router.delete(
    "/me",
    operation_id="eraseMe",
    status_code=204,
    response_class=Response,
    responses=refusals(
        ProblemType.NO_SESSION,
        ProblemType.CROSS_ORIGIN,
        ProblemType.FORBIDDEN_SCOPE,
        ProblemType.ACTIVE_MATCH,
        ProblemType.PRECONDITION_FAILED,
        ProblemType.RATE_LIMITED,
        ProblemType.ENGINE_UNAVAILABLE,
    ),
)
async def erase_me(caller: CallerDep, if_match: IfMatch = None) -> Response:
    """Erase oneself: name, credentials, sessions, tokens and settings are gone at once.

    Hands and results stay under an anonymous id, also on the leaderboards. Not possible while
    a match is open.
    """
    await caller.gateway.accounts.erase(caller.user, _condition(if_match).allows)
    return goodbye(caller)


@router.get(
    "/me/export",
    operation_id="exportMe",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "profile.json, settings.json, matches.json, and hands/*.json a match",
            "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
        },
        **refusals(*READ, ProblemType.FORBIDDEN_SCOPE, ProblemType.ENGINE_UNAVAILABLE),
    },
)
async def export_me(caller: CallerDep) -> Response:
    """Take along everything that is kept about oneself, once a minute.

    A ZIP archive: the profile, the settings, and every match with its hands as JSON.
    """
    gateway = caller.gateway
    gateway.limiter.spend("exports", caller.user.user_id)
    archive = await gateway.exporter.archive(caller.user)
    return StreamingResponse(
        _chunks(archive),
        media_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="riverboat.zip"'},
    )


def _condition(if_match: str | None) -> Precondition:
    return Precondition(None) if if_match is None else precondition(if_match)


def _me(caller: Caller, profile: Profile) -> Response:
    email = profile.email if caller.scopes is None else None
    code_at = profile.code_at
    body = {
        "user": user_json(profile.user),
        "created_at": time_text(profile.user.created_at),
        "email": email,
        "recovery_code_at": None if code_at is None else time_text(code_at),
    }
    return JSONResponse(body, headers={"ETag": etag(profile.user.revision)})


def _chunks(archive: IO[bytes]) -> Iterator[bytes]:
    with archive:
        while chunk := archive.read(CHUNK_BYTES):
            yield chunk
