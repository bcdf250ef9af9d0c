"""About the server and its rules."""

import asyncio
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, Query, Response
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse

from services.gateway.api.deps import GatewayDep, refusals
from services.gateway.api.ruleset_schemas import RulesetOptions
from services.gateway.api.saving import ETAG
from services.gateway.api.schemas import Meta, ProblemInfo, Readiness, RulesetList
from services.gateway.problems import KINDS, ProblemError, ProblemType
from services.gateway.ratelimit import LIMITS
from services.gateway.reports import time_text
from services.gateway.rulesets import OPEN_RULESETS, RULESETS, options

API_VERSION = "1"

ASYNCAPI: Final = Path(__file__).parents[1] / "asyncapi.yaml"
"""What the gateway publishes on Kafka, for other services; a test keeps it true."""


def _text(description: str, example: str) -> dict[int | str, dict[str, Any]]:
    media = {"schema": {"type": "string"}, "example": example}
    return {200: {"description": description, "content": {"text/plain": media}}}


router = APIRouter(tags=["Meta"])
operations = APIRouter(tags=["Operations"])


@router.get("/meta", operation_id="getMeta", response_model=Meta)
async def get_meta(gateway: GatewayDep) -> Response:
    """Read the version, the server's time, what is on, and the limits.

    `limits` holds the rates of this server by the names that `rate-limited` tells.
    """
    limits = {name: {"per_second": one.rate, "burst": one.burst} for name, one in LIMITS.items()}
    body = {
        "api_version": API_VERSION,
        "server_time": time_text(gateway.clock()),
        "features": {"hu_river": True, "party": False, "practice": False, "accounts": True},
        "limits": limits,
    }
    return JSONResponse(body)


@router.get("/rulesets", operation_id="listRulesets", response_model=RulesetList)
async def list_rulesets() -> Response:
    """List the tables on offer and those that open later.

    All in one page. A match keeps the ruleset that it began with, found by its `hash`.
    """
    items = [
        {
            "id": ruleset.ruleset_id,
            "hash": ruleset.digest,
            "open": ruleset.ruleset_id in OPEN_RULESETS,
            "options": options(ruleset),
        }
        for ruleset in RULESETS.values()
    ]
    return JSONResponse({"items": items, "next_cursor": None})


@router.get(
    "/rulesets/{ruleset_id}",
    operation_id="getRuleset",
    response_model=RulesetOptions,
    responses={200: ETAG, **refusals(ProblemType.NOT_FOUND)},
)
async def get_ruleset(ruleset_id: str) -> Response:
    """Read the options of a table (SPEC 1.0).

    The ETag is the `hash` of the ruleset. Chips are whole numbers, `idle_expiry` is an ISO
    8601 duration.
    """
    ruleset = RULESETS.get(ruleset_id)
    if ruleset is None:
        raise ProblemError(ProblemType.NOT_FOUND, "no such ruleset")
    return JSONResponse(options(ruleset), headers={"ETag": f'"{ruleset.digest}"'})


@router.get(
    "/problems/{problem_type}",
    operation_id="getProblemType",
    response_model=ProblemInfo,
    responses=refusals(ProblemType.NOT_FOUND),
)
async def get_problem_type(problem_type: str) -> Response:
    """Read what a problem type means.

    The address that every problem's `type` has; titles and descriptions may change, names do
    not.
    """
    if problem_type not in set(ProblemType):
        raise ProblemError(ProblemType.NOT_FOUND, "no such problem type")
    kind = KINDS[ProblemType(problem_type)]
    body = {
        "type": problem_type,
        "status": kind.status.value,
        "title": kind.title,
        "description": kind.description,
    }
    return JSONResponse(body)


@operations.get(
    "/healthz",
    operation_id="healthz",
    response_class=PlainTextResponse,
    responses=_text("The process answers", "ok"),
)
async def healthz() -> Response:
    """Say that the process answers.

    Looks at nothing else, so that a slow database does not restart the process.
    """
    return PlainTextResponse("ok")


@operations.get(
    "/readyz",
    operation_id="readyz",
    response_model=Readiness,
    responses={503: {"model": Readiness, "description": "A part does not serve"}},
)
async def readyz(
    gateway: GatewayDep,
    need: str = Query(
        default="database,engine,bot,ledger",
        max_length=100,
        description="Parts that must serve; a load balancer asks for `database,engine`",
    ),
) -> Response:
    """Say which parts serve; 503 unless all that are needed do.

    `checks` has every part, whichever are needed.
    """
    checks = await gateway.health.checks()
    needed = set(need.split(","))
    ready = not gateway.health.draining and all(
        serves for name, serves in checks.items() if name in needed
    )
    body = {"status": "ready" if ready else "unready", "checks": checks}
    return JSONResponse(body, status_code=200 if ready else 503)


@operations.get(
    "/metrics",
    operation_id="metrics",
    response_class=PlainTextResponse,
    responses=_text("The counters", 'riverboat_hands_total{state="finished"} 12.0\n'),
)
async def metrics(gateway: GatewayDep) -> Response:
    """Read the counters in Prometheus' text format.

    They count since this process began; nothing in them names a person.
    """
    return Response(
        await asyncio.to_thread(gateway.metrics.exposition),
        media_type="text/plain; version=0.0.4; charset=utf-8",
    )


@operations.get("/asyncapi.yaml", include_in_schema=False)
async def asyncapi() -> Response:
    """Read the AsyncAPI document of the events; beside `/openapi.json`, so not in it."""
    return FileResponse(ASYNCAPI, media_type="application/yaml")
