"""Leaderboards, as the ledger tells them."""

from datetime import UTC
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import JSONResponse
from google.protobuf.timestamp_pb2 import Timestamp

from proto.ledger.v1 import ledger_pb2 as pb
from services.gateway.api.board_schemas import BoardPage, MyStanding
from services.gateway.api.deps import (
    READ,
    CallerDep,
    GatewayDep,
    Limit,
    MaybeCallerDep,
    refusals,
)
from services.gateway.ledger_client import Counted
from services.gateway.model import User
from services.gateway.money import big_blinds_text
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.reports import time_text
from services.gateway.store import users

router = APIRouter(prefix="/leaderboards", tags=["Leaderboards"])

BOARDS: Final = {"hu_river": "hu_river", "bots": "hu_river_bots"}
"""The ledger's boards, by the names that they have here."""
RANKED_HANDS = 500
"""Hands that a rank needs (LDR-002)."""
CURSOR_CHARS_MAX: Final = 1024


def counted_hands(
    window: Annotated[
        str,
        Query(
            pattern=r"^(all|season|30d|[0-9]{4}-Q[1-4])$",
            description="Which hands count, by the day (UTC) on which they ended: `all`, `season` "
            "(the current calendar quarter), a season by name such as `2026-Q2`, or `30d` (today "
            "and the 29 days before it)",
            examples=["season"],
        ),
    ] = "all",
    version: Annotated[
        str,
        Query(
            max_length=128,
            description="Only hands against this version of River; empty for any",
            examples=["river-1"],
        ),
    ] = "",
) -> Counted:
    """Return which hands the query asks for."""
    return Counted(window, version)


CountedDep = Annotated[Counted, Depends(counted_hands)]


@router.get(
    "/{board}",
    operation_id="getLeaderboard",
    response_model=BoardPage,
    responses=refusals(ProblemType.NOT_FOUND, ProblemType.REQUEST_INVALID, ProblemType.UNAVAILABLE),
)
async def get_leaderboard(
    gateway: GatewayDep,
    caller: MaybeCallerDep,
    board: str,
    counted: CountedDep,
    *,
    section: Annotated[
        Literal["ranked", "qualifying"], Query(description="Those with a rank, or without one yet")
    ] = "ranked",
    cursor: Annotated[
        str, Query(max_length=CURSOR_CHARS_MAX, description="`next_cursor` of the page before")
    ] = "",
    limit: Limit = 50,
) -> Response:
    """Read a page of a leaderboard, best first; anyone may.

    `ranked` has everybody with enough hands, `qualifying` those who still play for a rank. The
    board is true `as_of` a moment, a little behind the tables.
    """
    page = await gateway.ledger.leaderboard(_board_id(board), section, cursor, limit, counted)
    people = await gateway.database.read(users.names, [row.player_id for row in page.rows])
    user_id = None if caller is None else caller.user.user_id
    body = {
        "board": board,
        "section": section,
        "window": page.window,
        "version": counted.version or None,
        "as_of": _time(page.as_of_time),
        "ranked_hands": page.ranked_hands,
        "items": [_row(row, people.get(row.player_id), user_id) for row in page.rows],
        "next_cursor": page.next_page_token or None,
        "seasons": list(page.seasons),
        "versions": list(page.versions),
    }
    return JSONResponse(body)


@router.get(
    "/{board}/me",
    operation_id="getMyStanding",
    response_model=MyStanding,
    responses=refusals(*READ, ProblemType.UNAVAILABLE),
)
async def get_my_standing(caller: CallerDep, board: str, counted: CountedDep) -> Response:
    """Read one's own line of a leaderboard, and how far it is to the next rank.

    `row` is null until something of one's own was counted on that board.
    """
    ledger, user = caller.gateway.ledger, caller.user
    standing = await ledger.standing(_board_id(board), user.user_id, counted)
    if standing is None:
        standing = pb.GetStandingResponse(hands_to_rank=RANKED_HANDS)
    row = _row(standing.row, user, user.user_id) if standing.HasField("row") else None
    return JSONResponse(
        {
            "row": row,
            "hands_to_rank": standing.hands_to_rank,
            "ranked_hands": RANKED_HANDS,
            "next_rank": _next_rank(standing),
        }
    )


def board_of(user: User) -> str:
    """Return the ledger's board on which a person's matches against River count."""
    return BOARDS["bots" if user.kind == "bot" else "hu_river"]


def _board_id(board: str) -> str:
    if board not in BOARDS:
        raise ProblemError(ProblemType.NOT_FOUND, "no such leaderboard")
    return BOARDS[board]


def _row(row: pb.LeaderboardRow, person: User | None, user_id: str | None) -> dict[str, Any]:
    """Return a line as it is shown, with what its person is called now.

    The ledger is told of new names, merges and erasures; until it has heard, they are known here
    only.
    """
    return {
        "rank": row.rank or None,
        "name": row.display_name if person is None else person.display_name,
        "kind": row.kind if person is None else person.kind,
        "bb_per_100": row.bb_per_100,
        "margin_95": row.margin_95 if row.HasField("margin_95") else None,
        "hands": row.hands,
        "net_chips": row.net_chips,
        "net_bb": big_blinds_text(row.net_chips, row.big_blind_chips or 1),
        "ai_decided_hands": row.ai_decided_hands,
        "ai_decided_percent": row.ai_decided_percent,
        "void_hands": row.void_hands,
        "last_played": _time(row.last_played_time),
        "you": (row.player_id if person is None else person.user_id) == user_id,
    }


def _next_rank(standing: pb.GetStandingResponse) -> dict[str, Any] | None:
    if not standing.HasField("next_rank"):
        return None
    better = standing.next_rank
    return {"rank": better.rank, "bb_per_100_missing": better.bb_per_100_missing}


def _time(timestamp: Timestamp) -> str | None:
    if not timestamp.seconds and not timestamp.nanos:
        return None
    return time_text(timestamp.ToDatetime(tzinfo=UTC))
