"""One's own preferences (SPEC 1.6)."""

import json

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from services.common.logs import get_logger
from services.gateway.api.deps import READ, CallerDep, refusals
from services.gateway.api.preconditions import IfMatch, etag, precondition
from services.gateway.api.saving import CHANGES, ETAG, save
from services.gateway.api.settings_schemas import Settings, read_stored
from services.gateway.store import preferences
from services.gateway.store.preferences import Kind, Saved

router = APIRouter(prefix="/me/settings", tags=["Preferences"])

_log = get_logger(__name__)


@router.get(
    "",
    operation_id="getSettings",
    response_model=Settings,
    responses={200: ETAG, **refusals(*READ)},
)
async def get_settings(caller: CallerDep) -> Response:
    """Read one's own preferences; the defaults until they are changed.

    The ETag is the version that `If-Match` takes for a change.
    """
    saved = await caller.gateway.database.read(preferences.load, caller.user.user_id, Kind.SETTINGS)
    return _response(saved)


@router.put(
    "",
    operation_id="putSettings",
    response_model=Settings,
    responses={200: ETAG, **refusals(*CHANGES)},
)
async def put_settings(caller: CallerDep, body: Settings, if_match: IfMatch = None) -> Response:
    """Replace one's own preferences; what is left out goes back to its default.

    `If-Match` is required, so that no other device's change is lost.
    """
    allowed = precondition(if_match)
    return _response(await save(caller, Kind.SETTINGS, json.dumps(body.canonical()), allowed))


def _response(saved: Saved) -> Response:
    settings, refused = read_stored(saved.body or "{}")
    if refused:
        _log.warning("saved settings are unreadable", settings=refused, revision=saved.revision)
    return JSONResponse(settings.canonical(), headers={"ETag": etag(saved.revision)})
