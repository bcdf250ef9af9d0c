"""Sessions and one's own profile."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from services.gateway.api.bodies import GuestBody, ProfileBody
from services.gateway.api.deps import (
    COOKIE,
    READ,
    CallerDep,
    GatewayDep,
    MaybeCallerDep,
    cookie_header,
    refusals,
)
from services.gateway.api.schemas import UserReply
from services.gateway.model import User
from services.gateway.problems import ProblemType

router = APIRouter(tags=["Identity"])

_CHANGES = (
    ProblemType.MALFORMED,
    ProblemType.CROSS_ORIGIN,
    ProblemType.TOO_LARGE,
    ProblemType.UNSUPPORTED_MEDIA_TYPE,
    ProblemType.REQUEST_INVALID,
    ProblemType.RATE_LIMITED,
)


def user_json(user: User) -> dict[str, Any]:
    """Return a person as they see themselves."""
    return {"id": user.user_id, "display_name": user.display_name, "kind": user.kind}


@router.post(
    "/sessions/guest",
    operation_id="createGuest",
    status_code=201,
    response_model=UserReply,
    responses=refusals(*_CHANGES),
)
async def create_guest(
    request: Request,
    gateway: GatewayDep,
    caller: MaybeCallerDep,
    body: GuestBody | None = None,
) -> Response:
    """Become a guest and get a session cookie.

    A request that has a live session already keeps it (200), so that a click too many does
    not lose a match.
    """
    if caller is not None:
        return JSONResponse({"user": user_json(caller.user)})
    host = request.client.host if request.client else "unknown"
    gateway.limiter.spend("guests", host)
    name = None if body is None else body.display_name
    user, token = await gateway.identity.create_guest(name)
    cookie = cookie_header(token, secure=request.url.scheme == "https")
    return JSONResponse({"user": user_json(user)}, status_code=201, headers={"Set-Cookie": cookie})


@router.delete(
    "/sessions/current",
    operation_id="endSession",
    status_code=204,
    response_class=Response,
    responses=refusals(*READ, ProblemType.CROSS_ORIGIN),
)
async def end_session(caller: CallerDep) -> Response:
    """Sign out: the token is worth nothing any more. A guest cannot come back."""
    await caller.gateway.identity.sign_out(caller.token)
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return response


@router.get("/me", operation_id="getMe", response_model=UserReply, responses=refusals(*READ))
async def get_me(caller: CallerDep) -> Response:
    """Read one's own profile."""
    return JSONResponse({"user": user_json(caller.user)})


@router.patch(
    "/me",
    operation_id="updateMe",
    response_model=UserReply,
    responses=refusals(ProblemType.NO_SESSION, *_CHANGES),
)
async def update_me(caller: CallerDep, body: ProfileBody) -> Response:
    """Change one's own display name."""
    user = await caller.gateway.identity.rename(caller.user, body.display_name)
    return JSONResponse({"user": user_json(user)})
