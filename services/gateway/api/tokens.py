"""Personal tokens: what one's own programs sign in with."""

from datetime import timedelta
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from services.gateway.api.account_bodies import TokenBody
from services.gateway.api.account_schemas import TokenList, TokenMade
from services.gateway.api.deps import READ, CallerDep, refusals
from services.gateway.api.identity import CHANGES
from services.gateway.identity import token_hash
from services.gateway.ids import is_id, new_id
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.reports import time_text
from services.gateway.store import tokens
from services.gateway.store.tokens import TOKENS_MAX, PersonalToken, TooManyTokensError
from services.gateway.tokens import TOKEN_PREFIX, new_token

router = APIRouter(prefix="/me/tokens", tags=["Identity"])


@router.post(
    "",
    operation_id="createToken",
    status_code=201,
    response_model=TokenMade,
    responses=refusals(ProblemType.NO_SESSION, *CHANGES, ProblemType.TOO_MANY_TOKENS),
)
async def create_token(caller: CallerDep, body: TokenBody) -> Response:
    """Make a token for a phone or a program; it is shown only now.

    Sent as `Authorization: Bearer`, it may do what its scopes say and never manage accounts,
    sessions or tokens.
    """
    gateway, secret, now = caller.gateway, new_token(TOKEN_PREFIX), caller.gateway.clock()
    token = PersonalToken(
        new_id("k"),
        body.name,
        body.scope_set,
        now,
        now + timedelta(days=body.expires_in_days),
    )
    try:
        await gateway.database.write(tokens.create, caller.user.user_id, token, token_hash(secret))
    except TooManyTokensError:
        raise ProblemError(ProblemType.TOO_MANY_TOKENS, max=TOKENS_MAX) from None
    return JSONResponse({"token": secret, **_token_json(token)}, status_code=201)


@router.get(
    "",
    operation_id="listTokens",
    response_model=TokenList,
    responses=refusals(*READ, ProblemType.FORBIDDEN_SCOPE),
)
async def list_tokens(caller: CallerDep) -> Response:
    """List one's live tokens, without what they are.

    The newest first. Expired ones are left out.
    """
    gateway = caller.gateway
    found = await gateway.database.read(tokens.list_tokens, caller.user.user_id, gateway.clock())
    return JSONResponse({"items": [_token_json(token) for token in found], "next_cursor": None})


@router.delete(
    "/{token_id}",
    operation_id="deleteToken",
    status_code=204,
    response_class=Response,
    responses=refusals(*READ, ProblemType.CROSS_ORIGIN, ProblemType.FORBIDDEN_SCOPE),
)
async def delete_token(caller: CallerDep, token_id: str) -> Response:
    """Revoke a token, at once.

    Requests under way are still answered; the socket that it opened is closed within seconds.
    """
    database, owner = caller.gateway.database, caller.user.user_id
    if not is_id(token_id) or not await database.write(tokens.delete, owner, token_id):
        raise ProblemError(ProblemType.NOT_FOUND, "no such token")
    return Response(status_code=204)


def _token_json(token: PersonalToken) -> dict[str, Any]:
    return {
        "id": token.token_id,
        "name": token.name,
        "scopes": sorted(scope.value for scope in token.scopes),
        "created_at": time_text(token.created_at),
        "expires_at": time_text(token.expires_at),
        "last_used_at": None if token.last_used_at is None else time_text(token.last_used_at),
    }
