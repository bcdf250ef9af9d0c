"""Leaderboards, as the ledger tells them."""

from datetime import UTC
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from google.protobuf.timestamp_pb2 import Timestamp

from proto.ledger.v1 import ledger_pb2 as pb
from services.gateway.api.deps import (
    READ,
    CallerDep,
    GatewayDep,
    Limit,
    MaybeCallerDep,
    refusals,
)
from services.gateway.api.schemas import BoardPage, MyStanding
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
    *,
    section: Annotated[
        Literal["ranked", "qualifying"], Query(description="Those with a rank, or without one yet")
    ] = "ranked",
    cursor: Annotated[
        str, Query(max_length=512, description="`next_cursor` of the page before")
    ] = "",
    limit: Limit = 50,
) -> Response:
    """Read a page of a leaderboard, best first; anyone may.

    `ranked` has everybody with enough hands, `qualifying` those who still play for a rank. The
    board is true `as_of` a moment, a little behind the tables.
    """
    page = await gateway.ledger.leaderboard(_board_id(board), section, cursor, limit)
    people = await gateway.database.read(users.names, [row.player_id for row in page.rows])
    user_id = None if caller is None else caller.user.user_id
    body = {
        "board": board,
        "section": section,
        "as_of": _time(page.as_of_time),
        "ranked_hands": page.ranked_hands,
        "items": [_row(row, people.get(row.player_id), user_id) for row in page.rows],
        "next_cursor": page.next_page_token or None,
    }
    return JSONResponse(body)


@router.get(
    "/{board}/me",
    operation_id="getMyStanding",
    response_model=MyStanding,
    responses=refusals(*READ, ProblemType.UNAVAILABLE),
)
async def get_my_standing(caller: CallerDep, board: str) -> Response:
    """Read one's own line of a leaderboard.

    `row` is null until something of one's own was counted on that board.
    """
    standing = await caller.gateway.ledger.standing(_board_id(board), caller.user.user_id)
    if standing is None:
        body = {"row": None, "hands_to_rank": RANKED_HANDS, "ranked_hands": RANKED_HANDS}
        return JSONResponse(body)
    return JSONResponse(
        {
            "row": _row(standing.row, caller.user, caller.user.user_id),
            "hands_to_rank": standing.hands_to_rank,
            "ranked_hands": RANKED_HANDS,
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

    The ledger knows the name of the last match; a person renamed, merged into an account or
    erased since then is known here only.
    """
    return {
        "rank": row.rank or None,
        "name": row.display_name if person is None else person.display_name,
        "kind": row.kind if person is None else person.kind,
        "bb_per_100": row.bb_per_100,
        "hands": row.hands,
        "net_chips": row.net_chips,
        "net_bb": big_blinds_text(row.net_chips, row.big_blind_chips or 1),
        "ai_decided_hands": row.ai_decided_hands,
        "void_hands": row.void_hands,
        "last_played": _time(row.last_played_time),
        "you": (row.player_id if person is None else person.user_id) == user_id,
    }


def _time(timestamp: Timestamp) -> str | None:
    if not timestamp.seconds and not timestamp.nanos:
        return None
    return time_text(timestamp.ToDatetime(tzinfo=UTC))
