"""One's own shortcut buttons (UI-030, UI-040)."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from services.gateway.api.deps import READ, CallerDep, refusals
from services.gateway.api.preconditions import IfMatch, etag, precondition
from services.gateway.api.preset_schemas import (
    BetPresets,
    BetPresetsBody,
    Preview,
    PreviewBody,
    wishes_of,
)
from services.gateway.api.saving import CHANGES, ETAG, save
from services.gateway.model import PLAYER_SEAT
from services.gateway.preferences import SavedPresets, presets_of, saved_presets
from services.gateway.preset_sets import PresetSets, read_rows, to_text
from services.gateway.presets import Preset
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.projection import offers_json
from services.gateway.store.preferences import Kind

router = APIRouter()

Json = dict[str, Any]


@router.get(
    "/me/bet-presets",
    operation_id="getBetPresets",
    tags=["Preferences"],
    response_model=BetPresets,
    responses={200: ETAG, **refusals(*READ)},
)
async def get_bet_presets(caller: CallerDep) -> Response:
    """Read one's own shortcuts; the defaults until they are changed.

    The ETag is the version that `If-Match` takes for a change.
    """
    saved = await caller.gateway.database.read(saved_presets, caller.user.user_id)
    return _response(saved)


@router.put(
    "/me/bet-presets",
    operation_id="putBetPresets",
    tags=["Preferences"],
    response_model=BetPresets,
    responses={
        200: ETAG,
        **refusals(*CHANGES, ProblemType.PRESET_LIMIT, ProblemType.PRESET_INVALID),
    },
)
async def put_bet_presets(
    caller: CallerDep, body: BetPresetsBody, if_match: IfMatch = None
) -> Response:
    """Replace one's own shortcuts; tables offer them from now on.

    From 1 to 10 a row, none twice. `If-Match` is required, so that no other device's change is
    lost.
    """
    allowed = precondition(if_match)
    rows = read_rows({"preflop": wishes_of(body.preflop), "postflop": wishes_of(body.postflop)})
    text = to_text(PresetSets(**rows))
    return _response(presets_of(await save(caller, Kind.BET_PRESETS, text, allowed)))


@router.delete(
    "/me/bet-presets",
    operation_id="resetBetPresets",
    tags=["Preferences"],
    response_model=BetPresets,
    responses={200: ETAG, **refusals(*CHANGES)},
)
async def reset_bet_presets(caller: CallerDep, if_match: IfMatch = None) -> Response:
    """Go back to the defaults, which are the answer.

    `If-Match` is required, as for a change.
    """
    allowed = precondition(if_match)
    return _response(presets_of(await save(caller, Kind.BET_PRESETS, None, allowed)))


@router.post(
    "/tables/{table_id}/preview",
    operation_id="previewPresets",
    tags=["Tables"],
    response_model=Preview,
    responses=refusals(
        *READ,
        ProblemType.MALFORMED,
        ProblemType.CROSS_ORIGIN,
        ProblemType.FORBIDDEN_SCOPE,
        ProblemType.NOT_SEATED,
        ProblemType.NOT_YOUR_TURN,
        ProblemType.TOO_LARGE,
        ProblemType.UNSUPPORTED_MEDIA_TYPE,
        ProblemType.REQUEST_INVALID,
        ProblemType.PRESET_LIMIT,
        ProblemType.PRESET_INVALID,
        ProblemType.ENGINE_UNAVAILABLE,
    ),
)
async def preview_presets(caller: CallerDep, table_id: str, body: PreviewBody) -> Response:
    """See what shortcuts would do on one's turn, without saving them.

    Answers as `legal.presets` of the table would, with what is grey and why.
    """
    row = read_rows({"presets": wishes_of(body.presets)})["presets"]
    gateway = caller.gateway
    await gateway.commands.look(caller.user, table_id)
    position = await gateway.driver.settle_down(table_id)
    table = position.scene.table
    offers = None
    if table.turn_seat == PLAYER_SEAT:
        offers = offers_json(position.snapshot, PLAYER_SEAT, row)
    if offers is None:
        raise ProblemError(ProblemType.NOT_YOUR_TURN, version=table.version)
    return JSONResponse({"version": table.version, "presets": offers})


def _response(saved: SavedPresets) -> Response:
    body = {
        "preflop": _row_json(saved.sets.preflop),
        "postflop": _row_json(saved.sets.postflop),
        "customised": saved.customised,
    }
    return JSONResponse(body, headers={"ETag": etag(saved.revision)})


def _row_json(row: Sequence[Preset]) -> list[Json]:
    return [
        {
            "id": preset.preset_id,
            "label": preset.label,
            "kind": preset.kind.value,
            "value": preset.text,
        }
        for preset in row
    ]
