"""Refusals: every type is described, every exception becomes one."""

import pytest
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from services.gateway.api.errors import as_problem
from services.gateway.engine_client import EngineUnavailableError
from services.gateway.problems import KINDS, ProblemError, ProblemType, document
from services.gateway.store.users import PersonGoneError


@pytest.mark.parametrize("problem_type", ProblemType)
def test_every_type_has_a_status_a_title_and_advice(problem_type: ProblemType) -> None:
    kind = KINDS[problem_type]
    assert 400 <= kind.status < 600
    assert kind.title
    assert kind.description


def test_a_document_has_the_members_of_the_rfc_and_the_facts() -> None:
    error = ProblemError(ProblemType.STALE_TURN, "too late", version=7)
    assert document(error, "https://riverboat.test", "abc") == {
        "type": "https://riverboat.test/v1/problems/stale-turn",
        "title": "That turn is over",
        "status": 409,
        "detail": "too late",
        "instance": "urn:riverboat:request:abc",
        "version": 7,
    }


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (ProblemError(ProblemType.MATCH_BUSTED), "match-busted"),
        (EngineUnavailableError(), "engine-unavailable"),
        (PersonGoneError(), "no-session"),
        (RequestValidationError([{"type": "json_invalid", "loc": (), "msg": ""}]), "malformed"),
        (
            RequestValidationError([{"type": "x", "loc": ("body", "to"), "msg": "no"}]),
            "request-invalid",
        ),
        (HTTPException(404), "not-found"),
        (HTTPException(405), "method-not-allowed"),
        (HTTPException(400), "malformed"),
        (HTTPException(418), "request-invalid"),
        (OperationalError("", {}, Exception()), "unavailable"),
        (KeyError("secret"), "internal"),
    ],
)
def test_exceptions_become_problems(error: Exception, problem: str) -> None:
    assert as_problem(error).problem_type.value == problem


def test_invalid_fields_are_named_without_what_was_sent() -> None:
    error = RequestValidationError(
        [{"type": "int_type", "loc": ("body", "to"), "msg": "not an int", "input": "SECRET"}]
    )
    facts = as_problem(error).facts
    assert facts == {"errors": [{"field": "body.to", "message": "not an int"}]}
