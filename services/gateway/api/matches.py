"""Lobby and matches."""

import json
from typing import Any, Final

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from services.common.logs import get_logger
from services.gateway.api import cursors
from services.gateway.api.boards import board_of
from services.gateway.api.bodies import MatchBody, NextHandBody, Nothing
from services.gateway.api.cursors import Cursor
from services.gateway.api.deps import (
    COMMAND,
    READ,
    CallerDep,
    KeyHeader,
    Limit,
    refusals,
    run_command,
)
from services.gateway.api.identity import user_json
from services.gateway.api.schemas import Lobby, MatchList, MatchReply, SummaryReply
from services.gateway.api.table_schemas import Played, SatDown, ToppedUp
from services.gateway.api.views import TableViews
from services.gateway.commands import DealOrder, SitDownOrder
from services.gateway.gateway import Gateway
from services.gateway.matches import Consequence
from services.gateway.model import PLAYER_SEAT, Scene, User
from services.gateway.networks import network_of
from services.gateway.notices import notice_json
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.reports import match_json, summary_json, time_text
from services.gateway.rulesets import OPEN_RULESETS, RULESETS, Ruleset
from services.gateway.store import notices, queries

router = APIRouter()

UNREAD_MAX: Final = 20
_BETWEEN_HANDS = (
    ProblemType.HAND_IN_PROGRESS,
    ProblemType.MATCH_CLOSED,
    ProblemType.MATCH_EXPIRED,
)

_log = get_logger(__name__)


@router.get(
    "/lobby",
    operation_id="getLobby",
    tags=["Lobby"],
    response_model=Lobby,
    responses=refusals(*READ),
)
async def get_lobby(caller: CallerDep) -> Response:
    """Read what the first page shows: a match to resume, tables on offer, one's standing.

    Without the ledger it answers all the same, with no standing.
    """
    return JSONResponse(await lobby_json(caller.gateway, caller.user))


async def lobby_json(gateway: Gateway, user: User) -> dict[str, Any]:
    """Return a person's first page."""
    scene = await gateway.commands.open_scene(user)
    return {
        "user": user_json(user),
        "resume": None if scene is None else await _resume_json(gateway, scene),
        "presets": [_preset_json(RULESETS[name]) for name in sorted(OPEN_RULESETS)],
        "standing": await _standing_json(gateway, user),
        "notices": await _unread_json(gateway, user),
        "next_commit_root": (await gateway.shoe.ready(user.user_id)).root,
    }


async def _resume_json(gateway: Gateway, scene: Scene) -> dict[str, Any]:
    return {
        "match_id": scene.match.match_id,
        "table_id": scene.match.table_id,
        "state": scene.match.state.value,
        "hand_no": scene.match.hand_no,
        "your_turn": scene.table.turn_seat == PLAYER_SEAT,
        "kept_until": time_text(scene.match.kept_until),
        "consequence": (await gateway.commands.consequence(scene)).value,
    }


async def _unread_json(gateway: Gateway, user: User) -> list[dict[str, Any]]:
    unread = await gateway.database.read(
        notices.notices_after, user.user_id, 0, UNREAD_MAX, unread_only=True
    )
    return [notice_json(notice) for notice in unread]


def _preset_json(ruleset: Ruleset) -> dict[str, Any]:
    buy_in = ruleset.buy_in
    return {
        "id": ruleset.ruleset_id,
        "small_blind": ruleset.small_blind_chips,
        "big_blind": ruleset.big_blind_chips,
        "buy_in": None
        if buy_in is None
        else {
            "min": buy_in.min_chips,
            "max": buy_in.max_chips,
            "step": buy_in.step_chips,
            "default": buy_in.max_chips,
        },
    }


async def _standing_json(gateway: Gateway, user: User) -> dict[str, Any] | None:
    try:
        # The lobby can do without the ledger.
        standing = await gateway.ledger.standing(board_of(user), user.user_id, hurry=True)
    except ProblemError as problem:
        _log.warning("lobby without standing", problem=problem.problem_type.value)
        return None
    if standing is None:
        return None
    return {
        "hands": standing.row.hands,
        "hands_to_rank": standing.hands_to_rank,
        "bb_per_100": standing.row.bb_per_100,
    }


@router.post(
    "/matches",
    operation_id="startMatch",
    tags=["Matches"],
    status_code=201,
    response_model=SatDown,
    responses=refusals(
        *COMMAND,
        ProblemType.ACTIVE_MATCH,
        ProblemType.INVALID_BUY_IN,
        ProblemType.INVALID_RULESET,
    ),
)
async def start_match(caller: CallerDep, key: KeyHeader, body: MatchBody) -> Response:
    """Sit down against River; the first hand is dealt at once.

    With a match open the request is refused, unless `supersede` is true: the open one is then
    left, with the `consequence` that the refusal tells.
    """
    gateway, request = caller.gateway, caller.request
    order = SitDownOrder(
        body.ruleset,
        body.buy_in,
        body.supersede,
        body.client_seed,
        told=None if body.consequence is None else Consequence(body.consequence),
        network=network_of(request.client.host if request.client else ""),
    )
    gateway.limiter.spend("matches", caller.user.user_id)
    response = await run_command(
        caller,
        key,
        body,
        lambda ticket: gateway.commands.sit_down(caller.user, order, ticket),
        TableViews(gateway).sat_down,
        status=201,
    )
    if gateway.commands.counts_voids and not await request.is_disconnected():
        await gateway.commands.note_seen(json.loads(bytes(response.body))["match"]["id"])
    return response


@router.get(
    "/matches",
    operation_id="listMatches",
    tags=["Matches"],
    response_model=MatchList,
    responses=refusals(*READ, ProblemType.REQUEST_INVALID),
)
async def list_matches(caller: CallerDep, cursor: Cursor = None, limit: Limit = 50) -> Response:
    """List one's own matches, newest first.

    Open and closed ones of all tables, in pages.
    """
    found = await caller.gateway.database.read(
        queries.list_matches, caller.user.user_id, cursors.time_and_id(cursor), limit + 1
    )
    page = found[:limit]
    return JSONResponse(
        {
            "items": [match_json(match) for match in page],
            "next_cursor": cursors.after(page[-1].started_at, page[-1].match_id)
            if len(found) > limit
            else None,
        }
    )


@router.get(
    "/matches/current",
    operation_id="getCurrentMatch",
    tags=["Matches"],
    response_model=MatchReply,
    responses=refusals(*READ),
)
async def get_current_match(caller: CallerDep) -> Response:
    """Read one's open match.

    There is at most one; `not-found` without any.
    """
    scene = await caller.gateway.commands.open_scene(caller.user)
    if scene is None:
        raise ProblemError(ProblemType.NOT_FOUND, "no match is open")
    return JSONResponse({"match": match_json(scene.match)})


@router.get(
    "/matches/{match_id}",
    operation_id="getMatch",
    tags=["Matches"],
    response_model=MatchReply,
    responses=refusals(*READ),
)
async def get_match(caller: CallerDep, match_id: str) -> Response:
    """Read one of one's own matches.

    Its stack is that after the last finished hand; GET /v1/tables/{table_id} has the hand.
    """
    scene = await caller.gateway.commands.see_match(caller.user, match_id)
    return JSONResponse({"match": match_json(scene.match)})


@router.get(
    "/matches/{match_id}/summary",
    operation_id="getSummary",
    tags=["Matches"],
    response_model=SummaryReply,
    responses=refusals(*READ),
)
async def get_summary(caller: CallerDep, match_id: str) -> Response:
    """Read a match summed up; an open one as it stands.

    The result is the final stack less the buy-in and all top-ups, exact in chips and big
    blinds.
    """
    scene = await caller.gateway.commands.see_match(caller.user, match_id)
    return JSONResponse({"summary": summary_json(scene.match, caller.gateway.clock())})


@router.post(
    "/matches/{match_id}/next-hand",
    operation_id="dealNextHand",
    tags=["Matches"],
    response_model=Played,
    responses=refusals(*COMMAND, *_BETWEEN_HANDS, ProblemType.MATCH_BUSTED, ProblemType.STALE_TURN),
)
async def next_hand(
    caller: CallerDep, key: KeyHeader, match_id: str, body: NextHandBody | None = None
) -> Response:
    """Deal the next hand, from the deck that `next_commit_root` committed to.

    With `after_hand_no` a wish that was already granted is refused, however it is repeated.
    """
    commands, body = caller.gateway.commands, body or NextHandBody()
    order = DealOrder(body.after_hand_no, body.client_seed)
    return await run_command(
        caller,
        key,
        body,
        lambda ticket: commands.next_hand(caller.user, match_id, order, ticket),
        TableViews(caller.gateway).played,
    )


@router.post(
    "/matches/{match_id}/top-up",
    operation_id="topUp",
    tags=["Matches"],
    response_model=ToppedUp,
    responses=refusals(
        *COMMAND, *_BETWEEN_HANDS, ProblemType.MATCH_BUSTED, ProblemType.NOT_ELIGIBLE
    ),
)
async def top_up(
    caller: CallerDep, key: KeyHeader, match_id: str, body: Nothing | None = None
) -> Response:
    """Bring one's stack up to the table's maximum, between hands.

    Possible while the stack is below the maximum. It adds to the total buy-in, so that no
    result changes by it.
    """
    commands = caller.gateway.commands
    return await run_command(
        caller,
        key,
        body,
        lambda ticket: commands.top_up(caller.user, match_id, ticket),
        TableViews(caller.gateway).topped_up,
    )


@router.post(
    "/matches/{match_id}/settle",
    operation_id="settleMatch",
    tags=["Matches"],
    response_model=SummaryReply,
    responses=refusals(*COMMAND, *_BETWEEN_HANDS),
)
async def settle(
    caller: CallerDep, key: KeyHeader, match_id: str, body: Nothing | None = None
) -> Response:
    """Settle and leave, between hands; again answers with the same summary.

    Not possible while a hand is open. The summary is what the leaderboard will count.
    """
    commands = caller.gateway.commands
    return await run_command(
        caller,
        key,
        body,
        lambda ticket: commands.settle(caller.user, match_id, ticket),
        TableViews(caller.gateway).settled,
    )
