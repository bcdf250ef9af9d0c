"""Saving what people choose for themselves, each change on the version it was made on."""

from typing import Any, Final

from services.gateway.api.deps import Caller
from services.gateway.api.preconditions import Precondition, etag
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.store import preferences
from services.gateway.store.preferences import Kind, RevisionConflictError, Saved

CHANGES: Final = (
    ProblemType.MALFORMED,
    ProblemType.NO_SESSION,
    ProblemType.CROSS_ORIGIN,
    ProblemType.FORBIDDEN_SCOPE,
    ProblemType.PRECONDITION_FAILED,
    ProblemType.TOO_LARGE,
    ProblemType.UNSUPPORTED_MEDIA_TYPE,
    ProblemType.REQUEST_INVALID,
    ProblemType.PRECONDITION_REQUIRED,
    ProblemType.RATE_LIMITED,
)
"""What every change under If-Match may be refused with."""

ETAG: Final[dict[str, Any]] = {"headers": {"ETag": {"$ref": "#/components/headers/ETag"}}}
"""How OpenAPI tells that an answer has an ETag."""


async def save(caller: Caller, kind: Kind, body: str | None, allowed: Precondition) -> Saved:
    """Save ``body`` (None: the defaults again); raises precondition-failed with the newer ETag."""
    gateway = caller.gateway
    try:
        return await gateway.database.write(
            preferences.save,
            caller.user.user_id,
            kind,
            body,
            allows=allowed.allows,
            now=gateway.clock(),
        )
    except RevisionConflictError as conflict:
        raise ProblemError(
            ProblemType.PRECONDITION_FAILED, headers={"ETag": etag(conflict.revision)}
        ) from None
