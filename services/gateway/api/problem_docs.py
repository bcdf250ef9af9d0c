"""The problem types in the OpenAPI document: a schema and an example of each.

The pattern of ``type`` tells them apart, so a status with several types is one `oneOf`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from poker.errors import Reason
from services.gateway.api.schemas import Problem
from services.gateway.passwords import CHARS_MIN
from services.gateway.preset_sets import Flaw
from services.gateway.problems import KINDS, MEDIA_TYPE, ProblemError, ProblemType, document
from services.gateway.store.tokens import TOKENS_MAX
from services.gateway.tokens import Scope

Json = dict[str, Any]

BASE_URL: Final = "https://riverboat.example"
REQUEST_ID: Final = "5f0c2b7d9e1a4c3f8b6d0e2a7c9f1b34"


def _count(description: str, example: int) -> Json:
    return {"type": "integer", "description": description, "examples": [example]}


def _text(description: str, example: str) -> Json:
    return {"type": "string", "description": description, "examples": [example]}


def _one_of(description: str, *values: str) -> Json:
    return {"type": "string", "description": description, "enum": list(values)}


def _maybe(fact: Json) -> Json:
    return {**fact, "type": [fact["type"], "null"]}


def _list_of(description: str, **members: Json) -> Json:
    item = {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
    return {"type": "array", "description": description, "items": item}


# Those that an action can meet: the others refuse hands that the server would not deal.
_REASONS: Final = (
    Reason.BELOW_MINIMUM,
    Reason.ABOVE_STACK,
    Reason.NOT_REOPENED,
    Reason.NO_OPPONENT_CAN_CALL,
    Reason.STACK_TOO_SHORT,
    Reason.NOTHING_TO_CALL,
    Reason.MUST_CALL_OR_FOLD,
    Reason.BET_ALREADY_MADE,
    Reason.NO_BET_TO_RAISE,
    Reason.NOT_YOUR_TURN,
    Reason.HAND_OVER,
    Reason.INVALID_AMOUNT,
    Reason.INVALID_ACTION,
)

_VERSION: Final = {"version": _count("The table's current version", 18)}

FACTS: Final[Mapping[ProblemType, Mapping[str, Json]]] = {
    ProblemType.FORBIDDEN_SCOPE: {
        "needed": _one_of(
            "The scope to ask for; `session`: no personal token may do it",
            *(scope.value for scope in Scope),
            "session",
        )
    },
    ProblemType.STALE_TURN: _VERSION,
    ProblemType.NOT_YOUR_TURN: _VERSION,
    ProblemType.ACTIVE_MATCH: {
        "match_id": _text("The open match", "m_0123456789abcdef0123"),
        "table_id": _text("Its table", "t_0123456789abcdef0123"),
        "kept_until": _text("When it ends by itself", "2026-05-02T12:00:00.000Z"),
        "consequence": _one_of(
            "What leaving it does now", "ai_decides", "void_hand", "void_match", "settle"
        ),
    },
    ProblemType.NOT_ELIGIBLE: {
        "reason": _one_of("What stands in the way", "has-account", "no-account", "has-played")
    },
    ProblemType.MERGE_CONFLICT: {
        "reason": _one_of("Why the two cannot become one", "guest-into-account", "two-open-matches")
    },
    ProblemType.TOO_MANY_TOKENS: {"max": _count("How many there may be", TOKENS_MAX)},
    ProblemType.REQUEST_INVALID: {
        "errors": _list_of(
            "What is wrong where; at most 20",
            field=_text("Where: body, query, path or header, then the member", "body.buy_in"),
            message=_text("For people", "Input should be a valid integer"),
        )
    },
    ProblemType.ILLEGAL_ACTION: {
        "reason": _one_of(
            "The rule that forbids it, for machines", *(reason.value for reason in _REASONS)
        ),
        "to_call": _count("Chips that a call adds", 100),
        "min_to": _maybe(_count("Least total to bet or raise to; null: none may", 200)),
        "max_to": _maybe(_count("Greatest total to bet or raise to; null: none may", 9_950)),
    },
    ProblemType.INVALID_BUY_IN: {
        "min": _count("Least chips", 3_000),
        "max": _count("Most chips", 10_000),
        "step": _count("Chips between one possible amount and the next", 100),
    },
    ProblemType.INVALID_RULESET: {
        "offered": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Ids of the tables on offer",
            "examples": [["hu_river"]],
        }
    },
    ProblemType.WEAK_PASSWORD: {
        "reason": _one_of("Why", "too-short", "common", "repetitive", "like-the-name"),
        "min": _count("Least characters", CHARS_MIN),
    },
    ProblemType.PRESET_LIMIT: {
        "set": _one_of("The row in question", "preflop", "postflop", "presets"),
        "count": _count("Shortcuts that were sent", 11),
        "min": _count("Least shortcuts", 1),
        "max": _count("Most shortcuts", 10),
    },
    ProblemType.PRESET_INVALID: {
        "errors": _list_of(
            "Each shortcut that is wrong",
            set=_one_of("Its row", "preflop", "postflop", "presets"),
            index=_count("Its place in the row, from 0", 0),
            reason=_one_of("Why, for machines", *(flaw.value for flaw in Flaw)),
            message=_text("Why, for people", "bb takes 0.5 to 100 big blinds in steps of 0.5"),
        )
    },
    ProblemType.RATE_LIMITED: {
        "ratelimit": {
            "type": "object",
            "description": "The limit that was met",
            "properties": {
                "key": _text("Its name in GET /v1/meta", "actions"),
                "seconds": _count("How long to wait", 1),
            },
            "required": ["key", "seconds"],
            "additionalProperties": False,
        }
    },
}
"""Members of the types that have more than every problem has."""

_SOMETIMES: Final = {
    ProblemType.ACTIVE_MATCH: {"match_id", "table_id", "kept_until", "consequence"},
    ProblemType.NOT_ELIGIBLE: {"reason"},
    ProblemType.REQUEST_INVALID: {"errors"},
    ProblemType.ILLEGAL_ACTION: {"to_call", "min_to", "max_to"},
}
"""Members that a problem of the type may lack."""


def schema_name(problem_type: ProblemType) -> str:
    """Return the name of a type's schema: `stale-turn` has `StaleTurnProblem`."""
    return "".join(map(str.capitalize, problem_type.value.split("-"))) + "Problem"


def problem_schemas() -> dict[str, Json]:
    """Return the component schemas: `Problem`, and one for each type."""
    schemas = {schema_name(problem_type): _schema(problem_type) for problem_type in ProblemType}
    general = Problem.model_json_schema()
    # What has nothing to add leaves it out; there is no default.
    del general["properties"]["detail"]["default"]
    return {"Problem": general, **schemas}


def problem_examples() -> dict[str, Json]:
    """Return the component examples, by problem type."""
    return {
        problem_type.value: {
            "summary": KINDS[problem_type].title,
            "description": KINDS[problem_type].description,
            "value": _example(problem_type),
        }
        for problem_type in ProblemType
    }


def problem_response(types: Iterable[ProblemType]) -> Json:
    """Return the OpenAPI response of a status that these problem types have."""
    ordered = sorted(set(types), key=list(ProblemType).index)
    schemas = [{"$ref": f"#/components/schemas/{schema_name(item)}"} for item in ordered]
    lines = [f"- `{item.value}`: {KINDS[item].title}" for item in ordered]
    return {
        "description": "\n".join(lines),
        "content": {
            MEDIA_TYPE: {
                "schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas},
                "examples": {
                    item.value: {"$ref": f"#/components/examples/{item.value}"} for item in ordered
                },
            }
        },
    }


def types_of(response: Json) -> set[ProblemType]:
    """Return the problem types that a response of `problem_response` documents."""
    return {ProblemType(name) for name in response["content"][MEDIA_TYPE]["examples"]}


def _schema(problem_type: ProblemType) -> Json:
    kind, facts = KINDS[problem_type], FACTS.get(problem_type, {})
    always = [name for name in facts if name not in _SOMETIMES.get(problem_type, set())]
    ending = re.escape(f"/v1/problems/{problem_type.value}").replace("\\-", "-")
    own = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "format": "uri", "pattern": f"{ending}$"},
            "status": {"type": "integer", "const": kind.status.value},
            **facts,
        },
        "required": ["type", "status", *always],
    }
    return {
        "title": kind.title,
        "description": kind.description,
        "allOf": [{"$ref": "#/components/schemas/Problem"}, own],
        "examples": [_example(problem_type)],
    }


def _example(problem_type: ProblemType) -> Json:
    facts = {name: _sample(fact) for name, fact in FACTS.get(problem_type, {}).items()}
    return document(ProblemError(problem_type, **facts), BASE_URL, REQUEST_ID)


def _sample(fact: Json) -> Any:  # noqa: ANN401  # whatever JSON can hold
    if "examples" in fact:
        return fact["examples"][0]
    if "enum" in fact:
        return fact["enum"][0]
    if fact["type"] == "array":
        return [_sample(fact["items"])]
    return {name: _sample(member) for name, member in fact["properties"].items()}
