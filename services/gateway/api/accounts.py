"""Accounts: making one, signing in, coming back, merging, becoming a bot."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from services.gateway.accounts import Device, MergeOffer, Registration
from services.gateway.agents import agent_family
from services.gateway.api.account_bodies import (
    AccountBody,
    ConfirmBody,
    LoginBody,
    MergeBody,
    RecoveryBody,
)
from services.gateway.api.account_schemas import CodeReply, MergeReply, SignInReply
from services.gateway.api.bodies import Nothing
from services.gateway.api.deps import (
    COMMAND,
    CallerDep,
    GatewayDep,
    KeyHeader,
    MaybeCallerDep,
    caller_address,
    cookie_header,
    refusals,
    run_command,
)
from services.gateway.api.identity import CHANGES, Agent, user_json
from services.gateway.api.schemas import UserReply
from services.gateway.identity import SignedIn
from services.gateway.problems import ProblemType
from services.gateway.usernames import username_key

router = APIRouter(tags=["Identity"])


def get_device(caller: MaybeCallerDep, agent: Agent = None) -> Device:
    """Return what is about to sign in, and as whom it is signed in now."""
    family = agent_family(agent)
    return (
        Device(None, None, family) if caller is None else Device(caller.user, caller.token, family)
    )


DeviceDep = Annotated[Device, Depends(get_device)]


@router.post(
    "/accounts",
    operation_id="createAccount",
    status_code=201,
    response_model=UserReply,
    responses=refusals(
        *CHANGES,
        ProblemType.NAME_TAKEN,
        ProblemType.NOT_ELIGIBLE,
        ProblemType.WEAK_PASSWORD,
        ProblemType.IDEMPOTENCY_MISMATCH,
    ),
)
async def create_account(
    request: Request,
    gateway: GatewayDep,
    device: DeviceDep,
    key: KeyHeader,
    body: AccountBody,
) -> Response:
    """Get a name and a password: as the guest one is, or as somebody new.

    A guest keeps their id, matches and open table. Every sign-in from before ends, and this
    device gets a new session. The account itself remembers the request's key, so a repetition
    signs in instead of finding the name taken.
    """
    gateway.limiter.spend("accounts", caller_address(request))
    wish = Registration(body.username, body.password, body.email, key)
    signed_in = await gateway.accounts.register(wish, device)
    return _welcome(request, signed_in, {"user": user_json(signed_in.user)}, 201)


@router.post(
    "/sessions",
    operation_id="signIn",
    response_model=SignInReply,
    responses=refusals(*CHANGES, ProblemType.BAD_CREDENTIALS),
)
async def sign_in(
    request: Request, gateway: GatewayDep, device: DeviceDep, body: LoginBody
) -> Response:
    """Sign in with name and password, for a new session.

    Somebody who has played as a guest on this device is offered to bring that along, see
    POST /me/merge-guest.
    """
    gateway.limiter.spend("logins", caller_address(request))
    gateway.limiter.spend("login_names", username_key(body.username))
    found = await gateway.accounts.sign_in(body.username, body.password, device)
    return _welcome_with_offer(request, *found)


@router.post(
    "/sessions/recover",
    operation_id="recover",
    response_model=SignInReply,
    responses=refusals(*CHANGES, ProblemType.BAD_CREDENTIALS),
)
async def recover(
    request: Request, gateway: GatewayDep, device: DeviceDep, body: RecoveryBody
) -> Response:
    """Sign in with a recovery code, as a guest too; the code stays good.

    The ten words take the place of name and password. A new code replaces the old one.
    """
    gateway.limiter.spend("logins", caller_address(request))
    found = await gateway.accounts.recover(body.words, device)
    return _welcome_with_offer(request, *found)


@router.post(
    "/me/recovery-code",
    operation_id="createRecoveryCode",
    response_model=CodeReply,
    responses=refusals(ProblemType.NO_SESSION, *CHANGES),
)
async def create_recovery_code(caller: CallerDep, body: Nothing | None = None) -> Response:
    """Get ten words that bring one back without cookie or password, in place of older ones.

    Shown only now: the server keeps what recognises them and not the words.
    """
    _ = body
    return JSONResponse({"words": await caller.gateway.accounts.new_code(caller.user)})


@router.post(
    "/me/merge-guest",
    operation_id="mergeGuest",
    response_model=MergeReply,
    responses=refusals(*COMMAND, ProblemType.MERGE_CONFLICT),
)
async def merge_guest(caller: CallerDep, key: KeyHeader, body: MergeBody) -> Response:
    """Take over what was played as a guest: all matches and hands, and an open table.

    Results that leaderboards know stay on the line that they were played under, which from
    then on bears the account's name; what is played next counts for the account.
    """
    token = body.guest_token.get_secret_value()
    accounts = caller.gateway.accounts
    return await run_command(
        caller,
        key,
        body,
        lambda ticket: accounts.merge_guest(caller.user, token, ticket),
        _as_it_is,
    )


@router.post(
    "/me/bot-upgrade",
    operation_id="becomeBot",
    response_model=UserReply,
    responses=refusals(ProblemType.NO_SESSION, *CHANGES, ProblemType.NOT_ELIGIBLE),
)
async def become_bot(caller: CallerDep, body: ConfirmBody) -> Response:
    """Declare that a program plays with this account. That cannot be undone.

    Only an account that has never played can: bots have limits and a leaderboard of their own.
    """
    _ = body
    user = await caller.gateway.accounts.become_bot(caller.user)
    return JSONResponse({"user": user_json(user)})


def _welcome(request: Request, signed_in: SignedIn, body: dict[str, Any], status: int) -> Response:
    # Whatever session came with the request is not to be kept alive by this response.
    request.state.renewed_token = None
    cookie = cookie_header(signed_in.token, secure=request.url.scheme == "https")
    return JSONResponse(body, status_code=status, headers={"Set-Cookie": cookie})


def _welcome_with_offer(
    request: Request, signed_in: SignedIn, offer: MergeOffer | None
) -> Response:
    body = {
        "user": user_json(signed_in.user),
        "merge_offer": None if offer is None else _offer_json(offer),
    }
    return _welcome(request, signed_in, body, 200)


def _offer_json(offer: MergeOffer) -> dict[str, Any]:
    return {
        "guest_token": offer.token,
        "display_name": offer.guest.display_name,
        "matches": offer.belongings.matches,
        "hands": offer.belongings.hands,
        "open_match": offer.belongings.open_match,
    }


async def _as_it_is(receipt: dict[str, Any]) -> dict[str, Any]:
    return receipt
