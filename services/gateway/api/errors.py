"""From exceptions to problems: one mapping for everything that can go wrong."""

import json
from collections.abc import Sequence
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from services.gateway.engine_client import EngineUnavailableError
from services.gateway.problems import MEDIA_TYPE, ProblemError, ProblemType, document
from services.gateway.store.users import PersonGoneError

ERRORS_MAX: Final = 20

_BY_STATUS: Final = {
    400: ProblemType.MALFORMED,
    404: ProblemType.NOT_FOUND,
    405: ProblemType.METHOD_NOT_ALLOWED,
    413: ProblemType.TOO_LARGE,
    415: ProblemType.UNSUPPORTED_MEDIA_TYPE,
}
_BY_CLASS: Final = (
    (EngineUnavailableError, ProblemType.ENGINE_UNAVAILABLE, {"Retry-After": "1"}),
    (PersonGoneError, ProblemType.NO_SESSION, {"WWW-Authenticate": "Bearer"}),
    (OperationalError, ProblemType.UNAVAILABLE, {"Retry-After": "2"}),
    (InterfaceError, ProblemType.UNAVAILABLE, {"Retry-After": "2"}),
    (PoolTimeoutError, ProblemType.UNAVAILABLE, {"Retry-After": "2"}),
)


def as_problem(error: Exception) -> ProblemError:
    """Return the problem that tells a client about an exception; `internal` for a bug."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, RequestValidationError):
        return _invalid(error.errors())
    if isinstance(error, HTTPException):
        problem_type = _BY_STATUS.get(error.status_code, ProblemType.REQUEST_INVALID)
        return ProblemError(problem_type, headers=error.headers)
    for error_class, problem_type, headers in _BY_CLASS:
        if isinstance(error, error_class):
            return ProblemError(problem_type, headers=headers)
    return ProblemError(ProblemType.INTERNAL)


def _invalid(errors: Sequence[Any]) -> ProblemError:
    """Say which fields are wrong, without repeating what was sent."""
    if any(item["type"] == "json_invalid" for item in errors):
        return ProblemError(ProblemType.MALFORMED)
    return ProblemError(
        ProblemType.REQUEST_INVALID,
        errors=[
            {"field": ".".join(map(str, item["loc"]))[:200], "message": str(item["msg"])[:200]}
            for item in errors[:ERRORS_MAX]
        ],
    )


def problem_response(request: Request, problem: ProblemError) -> Response:
    """Return the problem as a response."""
    base_url = f"{request.url.scheme}://{request.url.netloc}"
    body = document(problem, base_url, request.state.request_id)
    return Response(
        json.dumps(body),
        status_code=problem.status,
        headers=problem.headers,
        media_type=MEDIA_TYPE,
    )
