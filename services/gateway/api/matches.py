"""Lobby and matches."""

import re
from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from sqlalchemy.engine import Connection

from services.common.eventlog.outbox import from_microseconds, to_microseconds
from services.common.logs import get_logger
from services.gateway import matches
from services.gateway.api.bodies import MatchBody, NextHandBody, Nothing
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
from services.gateway.api.table_schemas import HandList, Played, SatDown, ToppedUp
from services.gateway.api.views import TableViews
from services.gateway.commands import DealOrder, SitDownOrder
from services.gateway.gateway import Gateway
from services.gateway.model import PLAYER_SEAT, Scene, User
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.projection import hand_row_json
from services.gateway.reports import match_json, summary_json, time_text
from services.gateway.rulesets import OPEN_RULESETS, RULESETS, Ruleset
from services.gateway.store import queries

router = APIRouter()

_CURSOR: Final = re.compile(r"(\d{1,18})-(m_[0-9a-f]{20})", re.ASCII)
_BETWEEN_HANDS = (
    ProblemType.HAND_IN_PROGRESS,
    ProblemType.MATCH_CLOSED,
    ProblemType.MATCH_EXPIRED,
)

_log = get_logger(__name__)

Cursor = Annotated[str | None, Query(max_length=64, description="`next_cursor` of a page")]


@router.get(
    "/lobby",
    operation_id="getLobby",
    tags=["Lobby"],
    response_model=Lobby,
    responses=refusals(*READ),
)
async def get_lobby(caller: CallerDep) -> Response:
    """Read what the first page shows: a match to resume, tables on offer, one's standing."""
    return JSONResponse(await lobby_json(caller.gateway, caller.user))


async def lobby_json(gateway: Gateway, user: User) -> dict[str, Any]:
    """Return a person's first page."""
    scene = await gateway.commands.open_scene(user)
    return {
        "user": user_json(user),
        "resume": None if scene is None else _resume_json(scene),
        "presets": [_preset_json(RULESETS[name]) for name in sorted(OPEN_RULESETS)],
        "standing": await _standing_json(gateway, user),
        "next_commit_root": (await gateway.shoe.ready(user.user_id)).root,
    }


def _resume_json(scene: Scene) -> dict[str, Any]:
    return {
        "match_id": scene.match.match_id,
        "table_id": scene.match.table_id,
        "hand_no": scene.match.hand_no,
        "your_turn": scene.table.turn_seat == PLAYER_SEAT,
        "kept_until": time_text(scene.match.kept_until),
        "consequence": matches.consequence(scene.match).value,
    }


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
        standing = await gateway.ledger.standing("hu_river", user.user_id, hurry=True)
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
    """Sit down against River; the first hand is dealt at once."""
    order = SitDownOrder(body.ruleset, body.buy_in, body.supersede, body.client_seed)
    gateway = caller.gateway
    gateway.limiter.spend("matches", caller.user.user_id)
    return await run_command(
        caller,
        key,
        body,
        lambda ticket: gateway.commands.sit_down(caller.user, order, ticket),
        TableViews(gateway).sat_down,
        status=201,
    )


@router.get(
    "/matches",
    operation_id="listMatches",
    tags=["Matches"],
    response_model=MatchList,
    responses=refusals(*READ, ProblemType.REQUEST_INVALID),
)
async def list_matches(caller: CallerDep, cursor: Cursor = None, limit: Limit = 50) -> Response:
    """List one's own matches, newest first."""
    found = await caller.gateway.database.read(
        queries.list_matches, caller.user.user_id, _position(cursor), limit + 1
    )
    page = found[:limit]
    following = f"{to_microseconds(page[-1].started_at)}-{page[-1].match_id}" if page else None
    return JSONResponse(
        {
            "items": [match_json(match) for match in page],
            "next_cursor": following if len(found) > limit else None,
        }
    )


def _position(cursor: str | None) -> tuple[datetime, str] | None:
    if cursor is None:
        return None
    parts = _CURSOR.fullmatch(cursor)
    if parts is None:
        raise ProblemError(ProblemType.REQUEST_INVALID, "no such page")
    return from_microseconds(min(int(parts[1]), 10**17)), parts[2]


@router.get(
    "/matches/current",
    operation_id="getCurrentMatch",
    tags=["Matches"],
    response_model=MatchReply,
    responses=refusals(*READ),
)
async def get_current_match(caller: CallerDep) -> Response:
    """Read one's open match."""
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
    """Read one of one's own matches."""
    scene = await caller.gateway.commands.own_match(caller.user, match_id)
    return JSONResponse({"match": match_json(scene.match)})


@router.get(
    "/matches/{match_id}/summary",
    operation_id="getSummary",
    tags=["Matches"],
    response_model=SummaryReply,
    responses=refusals(*READ),
)
async def get_summary(caller: CallerDep, match_id: str) -> Response:
    """Read a match summed up; an open one as it stands."""
    scene = await caller.gateway.commands.own_match(caller.user, match_id)
    return JSONResponse({"summary": summary_json(scene.match, caller.gateway.clock())})


@router.get(
    "/matches/{match_id}/hands",
    operation_id="listHands",
    tags=["Matches"],
    response_model=HandList,
    responses=refusals(*READ, ProblemType.REQUEST_INVALID),
)
async def list_hands(
    caller: CallerDep,
    match_id: str,
    cursor: Annotated[int | None, Query(ge=1, le=10**9)] = None,
    limit: Limit = 50,
) -> Response:
    """List the hands of a match, newest first."""
    scene = await caller.gateway.commands.own_match(caller.user, match_id)
    rows = await caller.gateway.database.read(_hand_rows, scene, cursor, limit + 1)
    page = rows[:limit]
    more = str(page[-1]["hand_no"]) if len(rows) > limit else None
    return JSONResponse({"items": page, "next_cursor": more})


def _hand_rows(
    connection: Connection, scene: Scene, before_no: int | None, limit: int
) -> list[dict[str, Any]]:
    big_blind_chips = scene.match.ruleset.big_blind_chips
    hands = queries.list_hands(connection, scene.match.match_id, before_no, limit)
    return [
        hand_row_json(hand, queries.load_hand_events(connection, hand.hand_id), big_blind_chips)
        for hand in hands
    ]


@router.post(
    "/matches/{match_id}/next-hand",
    operation_id="dealNextHand",
    tags=["Matches"],
    response_model=Played,
    responses=refusals(*COMMAND, *_BETWEEN_HANDS, ProblemType.MATCH_BUSTED),
)
async def next_hand(
    caller: CallerDep, key: KeyHeader, match_id: str, body: NextHandBody | None = None
) -> Response:
    """Deal the next hand, from the deck that `next_commit_root` committed to."""
    commands, wish = caller.gateway.commands, body or NextHandBody()
    order = DealOrder(client_seed=wish.client_seed)
    return await run_command(
        caller,
        key,
        wish,
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
    """Bring one's stack up to the table's maximum, between hands."""
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
    """Settle and leave, between hands; again answers with the same summary."""
    commands = caller.gateway.commands
    return await run_command(
        caller,
        key,
        body,
        lambda ticket: commands.settle(caller.user, match_id, ticket),
        TableViews(caller.gateway).settled,
    )
