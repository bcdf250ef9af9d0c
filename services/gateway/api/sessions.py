"""Sessions: where one is signed in, and signing out."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from services.gateway.api.account_schemas import SessionList
from services.gateway.api.deps import COOKIE, READ, Caller, CallerDep, refusals
from services.gateway.identity import token_hash
from services.gateway.problems import ProblemType
from services.gateway.reports import time_text

router = APIRouter(prefix="/sessions", tags=["Identity"])

_END = (*READ, ProblemType.CROSS_ORIGIN, ProblemType.FORBIDDEN_SCOPE)


@router.get(
    "",
    operation_id="listSessions",
    response_model=SessionList,
    responses=refusals(*READ, ProblemType.FORBIDDEN_SCOPE),
)
async def list_sessions(caller: CallerDep) -> Response:
    """List the devices that are signed in.

    The last used first, with the program that each was seen in; no token is told.
    """
    found = await caller.gateway.identity.list_sessions(caller.user)
    current = token_hash(caller.token)
    items = [
        {
            "id": session.session_id,
            "agent": session.agent,
            "created_at": time_text(session.created_at),
            "last_seen_at": time_text(session.last_seen_at),
            "expires_at": time_text(session.expires_at),
            "current": session.token_hash == current,
        }
        for session in found
    ]
    return JSONResponse({"items": items, "next_cursor": None})


@router.delete(
    "/current",
    operation_id="endSession",
    status_code=204,
    response_class=Response,
    responses=refusals(*_END),
)
async def end_session(caller: CallerDep) -> Response:
    """Sign out: the token is worth nothing any more.

    A guest can come back only by recovery code.
    """
    await caller.gateway.identity.sign_out(caller.token)
    return goodbye(caller)


@router.delete(
    "/{session_id}",
    operation_id="endOtherSession",
    status_code=204,
    response_class=Response,
    responses=refusals(*_END),
)
async def end_other_session(caller: CallerDep, session_id: str) -> Response:
    """Sign a device out, at once.

    Ending the session that asks is signing out, and takes the cookie along.
    """
    ended = await caller.gateway.identity.end_session(caller.user, session_id)
    return goodbye(caller) if ended == token_hash(caller.token) else Response(status_code=204)


def goodbye(caller: Caller) -> Response:
    """Answer whoever is not signed in any more, and take their cookie."""
    caller.request.state.renewed_token = None
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return response
