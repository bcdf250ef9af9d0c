"""The API answers as its OpenAPI document says, whatever it is asked."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.support.api_stage import Stage, Wish, staged

EXPORTED = Path(__file__).parents[2] / "services/gateway/openapi.json"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
REFUSALS = [negative_data_rejection, missing_required_header, unsupported_method]

# A handshake, which no plain request can make; `test_live_*` hold sockets to their protocol.
# The stream of `listEvents` begins only with an Accept header, which is never sent here,
# because it does not end; the same tests follow it.
NOT_CALLED = ["openSocket"]
STREAM = "text/event-stream"

schema: Any = schemathesis.openapi.from_path(str(EXPORTED)).exclude(operation_id=NOT_CALLED)
schema.config.generation.update(with_security_parameters=False)
# Links are those that the document tells, not those that names suggest.
schema.config.phases.stateful.inference.algorithms = []

DEFINED = {
    found.ok().definition.raw["operationId"]: found.ok().definition.raw
    for found in schema.get_all_operations()
}
OPERATIONS = sorted(DEFINED)
SIGNED_IN = [
    name for name in OPERATIONS if (needed := DEFINED[name]["security"]) and {} not in needed
]
DRAWN = settings(
    max_examples=10,
    derandomize=True,
    deadline=None,
    database=None,
    # The first request of a case may need a person, a match and a hand.
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    url = f"sqlite:///{tmp_path_factory.mktemp('openapi') / 'tables.sqlite3'}"
    with staged(url) as stage:
        yield stage


def name_of(case: Any) -> str:  # noqa: ANN401  # the tool's cases are not typed
    return str(case.operation.definition.raw["operationId"])


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_is_possible_is_done_and_answered_as_documented(stage: Stage, name: str) -> None:
    operation, wish = schema.find_operation_by_id(name), stage.wish(name)
    case = operation.Case(path_parameters=wish.path, headers=wish.headers)
    if wish.body is not None:
        case.body, case.media_type = wish.body, "application/json"
    response = case.call_and_validate(
        base_url=stage.server.base_url, headers=wish.cookie, checks=CHECKS
    )
    assert 200 <= response.status_code < 300, response.text


@pytest.mark.parametrize("name", SIGNED_IN)
def test_who_needs_a_session_is_asked_for_one(stage: Stage, name: str) -> None:
    path = {
        parameter["name"]: parameter["example"]
        for parameter in DEFINED[name].get("parameters", ())
        if parameter["in"] == "path"
    }
    case = schema.find_operation_by_id(name).Case(path_parameters=path)
    response = case.call_and_validate(base_url=stage.server.base_url, checks=CHECKS)
    assert response.status_code == 401
    assert response.json()["type"].endswith("/no-session")


def test_a_time_is_not_a_number_of_seconds(stage: Stage) -> None:
    stage.player.ask("GET", "/v1/hands?from=2026-05-01T12:00:00Z")
    for text in ("0.5", "1777636800", "-1", "+1"):
        cookie = Wish(stage.player).cookie
        response = stage.http.get("/v1/hands", params={"to": text}, headers=cookie)
        assert response.status_code == 422, text


@schema.parametrize()  # type: ignore[untyped-decorator]  # nothing of the tool is typed
@DRAWN
def test_whatever_is_sent_is_answered_as_documented(case: Any, stage: Stage) -> None:  # noqa: ANN401
    """Most requests are about something that exists, in a state that allows them."""
    name = name_of(case)
    stage.asked[name] += 1
    number = stage.asked[name]
    wish = Wish(None if number % 8 == 0 else stage.stranger)
    if number % 4:
        wish = stage.wish(name)
        lend(case, wish, version=number % 2 == 1)
    assert STREAM not in str(case.headers)
    case.call_and_validate(
        base_url=stage.server.base_url, headers=wish.cookie, checks=[*CHECKS, *REFUSALS]
    )


def lend(case: Any, wish: Wish, *, version: bool) -> None:  # noqa: ANN401
    """Put what exists into a request: ids, the token of the turn, the version that there is."""
    case.path_parameters = {**case.path_parameters, **wish.path}
    if isinstance(case.body, dict) and "turn_token" in case.body:
        case.body["turn_token"] = wish.body["turn_token"]
    if version and "If-Match" in wish.headers:
        case.headers["If-Match"] = wish.headers["If-Match"]


def test_what_answers_link_to_is_answered_as_documented(stage: Stage) -> None:
    reached: Counter[tuple[str, int]] = Counter()

    class Journey(schema.as_state_machine()):  # type: ignore[misc]  # made at run time
        def setup(self) -> None:
            self.person = stage.guest()

        def before_call(self, case: Any) -> None:  # noqa: ANN401
            if name_of(case) == "startMatch":
                # What is drawn names no table on offer, so that nothing would follow.
                case.body = {"ruleset": "hu_river", "buy_in": 3_000, "supersede": True}

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:  # noqa: ANN401
            cookie = Wish(self.person).cookie
            return {"base_url": stage.server.base_url, "headers": cookie}

        def validate_response(self, response: Any, case: Any, **_: Any) -> None:  # noqa: ANN401
            reached[name_of(case), response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

    # Enough for each of them, whatever is drawn: that changes with what else is loaded.
    journeys = settings(DRAWN, max_examples=100, stateful_step_count=12)
    run_state_machine_as_test(Journey, settings=journeys)
    for name in ("startMatch", "act", "getTable", "getMatch", "getHand", "deleteToken"):
        assert any(reached[name, status] for status in (200, 201, 204)), name
