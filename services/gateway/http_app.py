"""The HTTP application: routes, errors and the web client around one gateway."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.api import (
    accounts,
    boards,
    fairness,
    hands,
    identity,
    live,
    matches,
    meta,
    notices,
    openapi,
    presets,
    sessions,
    settings,
    tables,
    tokens,
)
from services.gateway.api.errors import as_problem, problem_response
from services.gateway.edge import Edge
from services.gateway.engine_client import EngineUnavailableError
from services.gateway.gateway import Gateway
from services.gateway.problems import ProblemError
from services.gateway.webclient import serve

DESCRIPTION: Final = """
The tables of Riverboat. Chips are whole numbers, times ISO 8601 in UTC, cards text such as
`As`. Refusals are `application/problem+json`: switch on the last part of `type`.

Commands carry an `Idempotency-Key`: a request repeated with the same key and body is done
once and answered the same way. An action also carries the `turn_token` of the turn it
answers.
"""

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def create_app(gateway: Gateway, lifespan: Lifespan | None = None) -> FastAPI:
    """Return the application; ``lifespan`` defaults to the gateway's own."""
    app = api(lifespan or _lifespan_of(gateway))
    app.state.gateway = gateway
    for error_class in (ProblemError, RequestValidationError, EngineUnavailableError):
        app.add_exception_handler(error_class, _answer_error)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_middleware(Edge, metrics=gateway.metrics)
    return app


def api(lifespan: Lifespan | None = None) -> FastAPI:
    """Return the routes with their document; they serve once there is a gateway."""
    app = FastAPI(
        title="Riverboat",
        version=meta.API_VERSION,
        summary="No-limit Texas Hold'em",
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    for router in (
        meta.router,
        identity.router,
        accounts.router,
        sessions.router,
        tokens.router,
        presets.router,
        settings.router,
        matches.router,
        tables.router,
        hands.router,
        notices.router,
        fairness.router,
        live.router,
        boards.router,
    ):
        app.include_router(router, prefix="/v1")
    app.include_router(meta.operations)
    app.openapi = lambda: openapi.document(app)  # type: ignore[method-assign]  # as documented
    return app


def document_text() -> str:
    """Return the OpenAPI document as its file has it: the same for the same code."""
    return json.dumps(api().openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _lifespan_of(gateway: Gateway) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await gateway.start()
        try:
            yield
        finally:
            await gateway.close()

    return lifespan


async def _answer_error(request: Request, error: Exception) -> Response:
    return problem_response(request, as_problem(error))


async def _answer_http_error(request: Request, error: Exception) -> Response:
    """Answer what no route took: with the web client, or with a problem."""
    gateway: Gateway = request.app.state.gateway
    if isinstance(error, HTTPException) and error.status_code == 404:
        try:
            return serve(gateway.web_root, request)
        except ProblemError as problem:
            return problem_response(request, problem)
    return problem_response(request, as_problem(error))
