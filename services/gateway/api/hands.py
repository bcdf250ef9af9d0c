"""Hands played: lists, the record of one, and the course of a match."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BeforeValidator

from services.gateway.api import cursors
from services.gateway.api.bodies import CHIPS_MAX
from services.gateway.api.cursors import Cursor
from services.gateway.api.deps import READ, Caller, CallerDep, Limit, refusals
from services.gateway.api.table_schemas import Graph, HandList, HandRecord
from services.gateway.ids import is_id
from services.gateway.model import Hand
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.projection import hand_json, hand_row_json
from services.gateway.reports import graph_json
from services.gateway.store import hands, queries
from services.gateway.store.hands import Pos, Tag, Wanted

router = APIRouter(tags=["Hands"])

POINTS_MAX: Final = 1_000
_NUMBER: Final = re.compile(r"\s*[-+]?[\d._]+\s*")

_LISTED = (*READ, ProblemType.REQUEST_INVALID, ProblemType.ENGINE_UNAVAILABLE)


def _no_number(text: object) -> object:
    """Refuse what would be taken for seconds since 1970."""
    if isinstance(text, str) and _NUMBER.fullmatch(text):
        raise ValueError("a time is written as in 2026-05-01T12:00:00Z")
    return text


Time = Annotated[datetime, BeforeValidator(_no_number)]


def _wanted(
    *,
    match: Annotated[str | None, Query(max_length=64, description="Id of a match")] = None,
    start: Annotated[
        Time | None, Query(alias="from", description="Begun at or after; UTC if unsaid")
    ] = None,
    end: Annotated[Time | None, Query(alias="to", description="Begun before")] = None,
    pos: Annotated[Pos | None, Query(description="One's own position")] = None,
    min_pot: Annotated[
        int | None, Query(ge=0, le=CHIPS_MAX, description="Least chips in all pots together")
    ] = None,
    tag: Annotated[
        Tag | None, Query(description="`not_counted`: void; `bot_fallback`: River was out of reach")
    ] = None,
) -> Wanted:
    return Wanted(
        match_id=match,
        start=_utc(start),
        end=_utc(end),
        pos=pos,
        min_pot_chips=min_pot,
        tag=tag,
    )


def _utc(time: datetime | None) -> datetime | None:
    return time if time is None or time.tzinfo is not None else time.replace(tzinfo=UTC)


@router.get(
    "/hands",
    operation_id="findHands",
    response_model=HandList,
    responses=refusals(*_LISTED),
)
async def find_hands(
    caller: CallerDep,
    wanted: Annotated[Wanted, Depends(_wanted)],
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response:
    """List one's own hands of all matches, newest first.

    Filters narrow the list together; `from` is included and `to` is not.
    """
    place = cursors.time_and_id(cursor)
    found = await caller.gateway.database.read(
        hands.find_hands, caller.user.user_id, wanted, place, limit + 1
    )
    page = found[:limit]
    more = cursors.after(page[-1].started_at, page[-1].hand_id) if len(found) > limit else None
    return JSONResponse({"items": await _rows(caller, page), "next_cursor": more})


@router.get(
    "/hands/{hand_id}",
    operation_id="getHand",
    response_model=HandRecord,
    responses=refusals(*READ, ProblemType.ENGINE_UNAVAILABLE),
)
async def get_hand(caller: CallerDep, hand_id: str) -> Response:
    """Read one of one's own hands, with nothing that was never shown.

    The record that a replayer needs: seats, rules and events as their player saw them.
    """
    gateway = caller.gateway
    hand = await gateway.database.read(queries.load_hand, hand_id) if is_id(hand_id) else None
    if hand is None:
        raise ProblemError(ProblemType.NOT_FOUND)
    scene = await gateway.commands.own_match(caller.user, hand.match_id)
    log = await gateway.history.log(hand)
    return JSONResponse(hand_json(hand, scene.match, log, scene.player.display_name))


@router.get(
    "/matches/{match_id}/hands",
    operation_id="listHands",
    response_model=HandList,
    responses=refusals(*_LISTED),
)
async def list_hands(
    caller: CallerDep, match_id: str, cursor: Cursor = None, limit: Limit = 50
) -> Response:
    """List the hands of a match, newest first.

    In pages, each with the cards that one saw and the result.
    """
    place = cursors.number(cursor)
    scene = await caller.gateway.commands.own_match(caller.user, match_id)
    found = await caller.gateway.database.read(
        hands.list_hands, scene.match.match_id, place, limit + 1
    )
    page = found[:limit]
    more = cursors.pack(page[-1].hand_no) if len(found) > limit else None
    return JSONResponse({"items": await _rows(caller, page), "next_cursor": more})


@router.get(
    "/matches/{match_id}/graph",
    operation_id="getGraph",
    response_model=Graph,
    responses=refusals(*READ, ProblemType.REQUEST_INVALID),
)
async def get_graph(
    caller: CallerDep,
    match_id: str,
    points: Annotated[int, Query(ge=2, le=POINTS_MAX, description="At most so many points")] = 500,
) -> Response:
    """Read the course of a match: its result after each finished hand, thinned evenly.

    For drawing: the first and the last hand are always there.
    """
    scene = await caller.gateway.commands.own_match(caller.user, match_id)
    results = await caller.gateway.database.read(hands.list_results, match_id)
    return JSONResponse(graph_json(scene.match, results, points))


async def _rows(caller: Caller, page: Sequence[Hand]) -> list[dict[str, Any]]:
    logs = await caller.gateway.history.logs(page)
    return [hand_row_json(hand, log) for hand, log in zip(page, logs, strict=True)]
