"""Playing at a table, and its record."""

from typing import Annotated

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse

from poker.actions import ActionKind
from services.gateway.api.bodies import ActionBody
from services.gateway.api.deps import (
    COMMAND,
    READ,
    CallerDep,
    KeyHeader,
    refusals,
    run_command,
)
from services.gateway.api.table_schemas import ActionReply, Snapshot
from services.gateway.api.views import TableViews
from services.gateway.commands import ActOrder
from services.gateway.model import Table
from services.gateway.preferences import SavedPresets, saved_presets
from services.gateway.problems import ProblemType

router = APIRouter(tags=["Tables"])


@router.get(
    "/tables/{table_id}",
    operation_id="getTable",
    response_model=Snapshot,
    responses={
        304: {"description": "The table is still at the version of If-None-Match"},
        **refusals(*READ, ProblemType.NOT_SEATED, ProblemType.ENGINE_UNAVAILABLE),
    },
)
async def get_table(
    caller: CallerDep,
    table_id: str,
    if_none_match: Annotated[
        str | None,
        Header(max_length=1000, description="The ETag that was read: 304 while it is the same"),
    ] = None,
) -> Response:
    """Read one's table; if River must act, River does so first.

    The ETag is the version, with the revision of one's own shortcuts once they were changed.
    """
    gateway = caller.gateway
    scene = await gateway.commands.look(caller.user, table_id)
    # Read before the snapshot is: at worst the tag is too old, and the next read complete.
    saved = await gateway.database.read(saved_presets, caller.user.user_id)
    tag = _table_tag(scene.table, saved)
    if if_none_match == tag:
        return Response(status_code=304, headers={"ETag": tag})
    position = await gateway.driver.settle_down(table_id)
    headers = {"ETag": _table_tag(position.scene.table, saved)}
    return JSONResponse(await TableViews(gateway).snapshot(position), headers=headers)


def _table_tag(table: Table, saved: SavedPresets) -> str:
    return f'"{table.version}.{saved.revision}"' if saved.revision else f'"{table.version}"'


@router.post(
    "/tables/{table_id}/actions",
    operation_id="act",
    response_model=ActionReply,
    responses=refusals(
        *COMMAND,
        ProblemType.NOT_SEATED,
        ProblemType.STALE_TURN,
        ProblemType.NOT_YOUR_TURN,
        ProblemType.MATCH_CLOSED,
        ProblemType.MATCH_EXPIRED,
        ProblemType.ILLEGAL_ACTION,
    ),
)
async def act(caller: CallerDep, key: KeyHeader, table_id: str, body: ActionBody) -> Response:
    """Act on one's turn; answers with all that follows up to the next decision.

    A bet or raise names `to`, the total of this betting round. A turn is answered once: its
    token is worth nothing afterwards, and a repeated key gets the same answer.
    """
    order = ActOrder(body.turn_token, ActionKind(body.type), body.to)
    gateway = caller.gateway
    return await run_command(
        caller,
        key,
        body,
        lambda ticket: gateway.commands.act(caller.user, table_id, order, ticket),
        TableViews(gateway).acted,
    )
