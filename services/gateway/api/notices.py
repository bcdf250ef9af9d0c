"""What happened while one was away."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import JSONResponse
from sqlalchemy.engine import Connection

from services.gateway.api.deps import READ, CallerDep, Limit, refusals
from services.gateway.api.schemas import NoticePage
from services.gateway.notices import Notice, notice_json
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.store import notices

router = APIRouter(tags=["Notices"])

SEQ_MAX: Final = 10**15

After = Annotated[int, Query(ge=0, le=SEQ_MAX, description="Number of the last notice known")]
Seq = Annotated[int, Path(ge=1, le=SEQ_MAX, description="Number of the notice")]


@router.get(
    "/me/notices",
    operation_id="listNotices",
    response_model=NoticePage,
    responses=refusals(*READ, ProblemType.REQUEST_INVALID),
)
async def list_notices(caller: CallerDep, after: After = 0, limit: Limit = 50) -> Response:
    """List one's notices behind ``after``, oldest first."""
    page, last = await caller.gateway.database.read(_page, caller.user.user_id, after, limit)
    more = bool(page) and page[-1].seq < last
    return JSONResponse(
        {
            "items": [notice_json(notice) for notice in page],
            "next_cursor": str(page[-1].seq) if more else None,
            "last_seq": last,
        }
    )


def _page(connection: Connection, user_id: str, after: int, limit: int) -> tuple[list[Notice], int]:
    page = notices.notices_after(connection, user_id, after, limit)
    return page, notices.last_seq(connection, user_id)


@router.post(
    "/me/notices/{seq}/read",
    operation_id="readNotice",
    status_code=204,
    response_class=Response,
    responses=refusals(*READ, ProblemType.CROSS_ORIGIN, ProblemType.REQUEST_INVALID),
)
async def read_notice(caller: CallerDep, seq: Seq) -> Response:
    """Note that one has read a notice; again changes nothing.

    Notices that were read stay in the list and leave the lobby.
    """
    gateway = caller.gateway
    known = await gateway.database.write(
        notices.mark_read, caller.user.user_id, seq, gateway.clock()
    )
    if not known:
        raise ProblemError(ProblemType.NOT_FOUND, "no such notice")
    return Response(status_code=204)
