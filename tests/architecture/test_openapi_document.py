"""The OpenAPI document is complete, true to its own schemas, and the same as its file."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it brings no types
import pytest

from services.gateway.api.openapi import METHODS
from services.gateway.api.openapi_socket import SOCKET_PATH
from services.gateway.api.samples import unexplained
from services.gateway.http_app import api, document_text
from services.gateway.problems import KINDS, MEDIA_TYPE, ProblemType

ROOT = Path(__file__).parents[2]
EXPORTED = ROOT / "services/gateway/openapi.json"

Json = dict[str, Any]


@pytest.fixture(scope="module")
def document() -> Json:
    return api().openapi()


def operations(document: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                yield f"{method.upper()} {path}", methods[method]


def gaps(document: Json) -> list[str]:
    """Everything that an operation leaves unsaid."""
    tags = {tag["name"] for tag in document["tags"]}
    return [
        f"{name}: {gap}"
        for name, operation in operations(document)
        for gap in (
            *gaps_of_texts(operation, tags),
            *gaps_of_requests(operation, document),
            *gaps_of_responses(operation, document),
        )
    ]


def gaps_of_texts(operation: Json, tags: set[str]) -> Iterator[str]:
    for member in ("operationId", "summary", "description"):
        if not operation.get(member):
            yield f"no {member}"
    if operation.get("description", "").rstrip(".") == operation.get("summary"):
        yield "the description says no more than the summary"
    if not set(operation.get("tags", ())) or not set(operation["tags"]) <= tags:
        yield "no known tag"
    if "security" not in operation:
        yield "no security"


def gaps_of_requests(operation: Json, document: Json) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        for member in ("description", "example"):
            if parameter.get(member) in (None, ""):
                yield f"{parameter['name']} has no {member}"
    for media_type, media in operation.get("requestBody", {}).get("content", {}).items():
        yield from gaps_of_media(media_type, media, document, "the body")


def gaps_of_responses(operation: Json, document: Json) -> Iterator[str]:
    responses = operation["responses"]
    if "default" in responses:
        yield "`default` documents everything and nothing"
    if not any(status < "300" for status in responses):
        yield "no success"
    if not any(status >= "400" for status in responses):
        yield "no refusal"
    for status, response in responses.items():
        if not response.get("description") or response["description"] == "As described":
            yield f"{status} has no description"
        if status != "101" and "X-Request-Id" not in response.get("headers", {}):
            yield f"{status} has no headers"
        for media_type, media in response.get("content", {}).items():
            yield from gaps_of_media(media_type, media, document, status)


def gaps_of_media(media_type: str, media: Json, document: Json, where: str) -> Iterator[str]:
    if "schema" not in media:
        yield f"{where} has no schema"
    elif media_type == "application/json":
        parts = unexplained(media["schema"], document["components"]["schemas"])
        yield from (f"{where} has no example of {part}" for part in parts)
    # Bytes are shown by nothing that JSON can hold.
    if not media.keys() & {"example", "examples"} and media_type != "application/zip":
        yield f"{where} has no example"


def test_every_operation_is_described_with_examples_and_refusals(document: Json) -> None:
    assert gaps(document) == []


@pytest.mark.parametrize("member", ["summary", "description", "security", "tags", "responses"])
def test_what_is_left_unsaid_is_found(document: Json, member: str) -> None:
    broken = copy.deepcopy(document)
    operation = broken["paths"]["/v1/matches"]["post"]
    operation[member] = {} if member == "responses" else ""
    if member == "security":
        del operation[member]
    assert gaps(broken)


def test_every_value_of_an_answer_has_an_example(document: Json) -> None:
    broken = copy.deepcopy(document)
    del broken["components"]["schemas"]["Match"]["properties"]["stack"]["examples"]
    assert [gap for gap in gaps(broken) if gap.endswith(".match.stack")]


def test_every_problem_type_is_described_with_an_example(document: Json) -> None:
    components = document["components"]
    for problem_type in ProblemType:
        kind = KINDS[problem_type]
        assert kind.title, problem_type
        assert kind.description.endswith("."), problem_type
        example = components["examples"][problem_type.value]
        assert example["summary"] == kind.title
        assert example["value"]["type"].endswith(f"/v1/problems/{problem_type.value}")
        assert example["value"]["status"] == kind.status.value


def test_every_problem_type_is_one_that_some_operation_answers_with(document: Json) -> None:
    documented = {
        name
        for _, operation in operations(document)
        for response in operation["responses"].values()
        for name in response.get("content", {}).get(MEDIA_TYPE, {}).get("examples", ())
    }
    # A wrong method is no operation at all.
    assert documented == {item.value for item in ProblemType} - {"method-not-allowed"}


def test_examples_fit_their_schemas(document: Json) -> None:
    for name, schema, example in shown(document):
        validator = jsonschema.Draft202012Validator(
            {**schema, "components": document["components"]}
        )
        errors = [error.message for error in validator.iter_errors(example)]
        assert errors == [], name


def shown(document: Json) -> Iterator[tuple[str, Json, object]]:
    """Each example of the document, with the schema that it is an example of."""
    examples = document["components"]["examples"]
    for name, operation in operations(document):
        bodies = [*operation["responses"].items(), ("body", operation.get("requestBody", {}))]
        for status, body in bodies:
            for media in body.get("content", {}).values():
                if "example" in media:
                    yield f"{name} {status}", media["schema"], media["example"]
                for key in media.get("examples", ()):
                    yield f"{name} {status} {key}", media["schema"], examples[key]["value"]
        for parameter in operation.get("parameters", ()):
            yield f"{name} {parameter['name']}", parameter["schema"], parameter["example"]


def test_names_of_operations_are_different(document: Json) -> None:
    identifiers = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(identifiers)) == len(identifiers)


def test_links_lead_to_operations_and_their_parameters(document: Json) -> None:
    known = {
        operation["operationId"]: {item["name"] for item in operation.get("parameters", ())}
        for _, operation in operations(document)
    }
    links = [
        link
        for _, operation in operations(document)
        for response in operation["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert links
    for link in links:
        assert set(link["parameters"]) <= known[link["operationId"]]


def test_the_socket_is_documented_beside_the_ticket_that_opens_it(document: Json) -> None:
    assert "holdem.v1" in document["paths"][SOCKET_PATH]["get"]["description"]
    assert "text/event-stream" in str(document["paths"]["/v1/tables/{table_id}/events"])


def test_the_file_is_what_the_code_says() -> None:
    assert EXPORTED.read_text() == document_text(), "run `make openapi`"


def test_a_changed_description_makes_the_file_stale() -> None:
    text = EXPORTED.read_text()
    assert text.replace("Sit down", "Stand up", 1) != document_text()
