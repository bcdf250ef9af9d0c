"""About the server and its rules."""

from typing import Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from services.gateway.api.deps import GatewayDep, refusals
from services.gateway.api.ruleset_schemas import RulesetOptions
from services.gateway.api.saving import ETAG
from services.gateway.api.schemas import Meta, ProblemInfo, Readiness, RulesetList
from services.gateway.problems import KINDS, ProblemError, ProblemType
from services.gateway.ratelimit import LIMITS
from services.gateway.reports import time_text
from services.gateway.rulesets import OPEN_RULESETS, RULESETS, options

API_VERSION = "1"


def _text(description: str, example: str) -> dict[int | str, dict[str, Any]]:
    media = {"schema": {"type": "string"}, "example": example}
    return {200: {"description": description, "content": {"text/plain": media}}}


router = APIRouter(tags=["Meta"])
operations = APIRouter(tags=["Operations"])


@router.get("/meta", operation_id="getMeta", response_model=Meta)
async def get_meta(gateway: GatewayDep) -> Response:
    """Read the version, the server's time, what is on, and the limits."""
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
    """List the tables on offer and those that open later."""
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
    """Read the options of a table (SPEC 1.0)."""
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
    """Read what a problem type means."""
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
    """Say that the process answers."""
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
    """Say which parts serve; 503 unless all that are needed do."""
    checks = await gateway.health.checks()
    needed = set(need.split(","))
    ready = all(serves for name, serves in checks.items() if name in needed)
    body = {"status": "ready" if ready else "unready", "checks": checks}
    return JSONResponse(body, status_code=200 if ready else 503)


@operations.get(
    "/metrics",
    operation_id="metrics",
    response_class=PlainTextResponse,
    responses=_text("The counters", 'riverboat_hands_total{state="finished"} 12.0\n'),
)
async def metrics(gateway: GatewayDep) -> Response:
    """Read the counters in Prometheus' text format."""
    return Response(
        gateway.metrics.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8"
    )
