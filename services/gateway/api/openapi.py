"""The OpenAPI document: what FastAPI finds, with our problems and sessions written in."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from services.gateway.api.deps import COOKIE, PROBLEM_SCHEMA, refusals
from services.gateway.api.schemas import Problem
from services.gateway.problems import MEDIA_TYPE, ProblemType

_METHODS: Final = ("get", "post", "put", "patch", "delete")
_UNUSED: Final = ("HTTPValidationError", "ValidationError")


def document(app: FastAPI) -> dict[str, Any]:
    """Return the document of an application, built once."""
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            description=app.description,
            routes=app.routes,
        )
        _add_components(found)
        for methods in found["paths"].values():
            for method in _METHODS:
                if method in methods:
                    _complete(methods[method])
        app.openapi_schema = found
    return app.openapi_schema


def _add_components(found: dict[str, Any]) -> None:
    components = found.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in _UNUSED:
        schemas.pop(name, None)
    schemas["Problem"] = Problem.model_json_schema()
    components["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
        "bearer": {"type": "http", "scheme": "bearer"},
    }


def _complete(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "application/json" in responses.get("422", {}).get("content", {}):
        # FastAPI's own shape, which this server never answers with.
        responses["422"] = refusals(ProblemType.REQUEST_INVALID)[422]
    responses["default"] = {
        "description": "Any other refusal or failure",
        "content": {MEDIA_TYPE: {"schema": PROBLEM_SCHEMA}},
    }
    if "401" in responses:
        # Signing in is refused with 401 too, and needs no session.
        operation.setdefault("security", [{"session": []}, {"bearer": []}])
