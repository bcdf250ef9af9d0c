"""The AsyncAPI document says what the code publishes, completely, in the form of AsyncAPI 3.0."""

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it brings no types
import pytest
import yaml
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from services.common.eventlog.cloudevents import HEADERS, LETTER_HEADERS, encode_headers
from services.common.eventlog.schemas import MESSAGES
from services.common.eventlog.topics import plan_topics
from services.gateway import outbox_events
from services.ledger import posting
from tests.support.asyncapi import EXPORTED, document_text
from tests.support.event_examples import example_event, example_messages
from tests.support.protos import comments, compile_protos

Json = dict[str, Any]

EVENTS = "riverboat.events.v1"
REFRESH = "run `.venv/bin/python -m tests.support.asyncapi`"

MEMBERS = {
    "document": (
        {"asyncapi", "info"},
        {"id", "servers", "defaultContentType", "channels", "operations", "components"},
    ),
    "info": (
        {"title", "version"},
        {"description", "termsOfService", "contact", "license", "tags", "externalDocs"},
    ),
    "server": (
        {"host", "protocol"},
        {"protocolVersion", "pathname", "description", "title", "summary", "variables"}
        | {"security", "tags", "externalDocs", "bindings"},
    ),
    "channel": (
        {"address", "messages"},
        {"title", "summary", "description", "servers", "parameters", "tags", "externalDocs"}
        | {"bindings"},
    ),
    "operation": (
        {"action", "channel"},
        {"title", "summary", "description", "security", "tags", "externalDocs", "bindings"}
        | {"traits", "messages", "reply"},
    ),
    "message": (
        {"headers", "payload"},
        {"correlationId", "contentType", "name", "title", "summary", "description", "tags"}
        | {"externalDocs", "bindings", "examples", "traits"},
    ),
}
"""Members that an object of AsyncAPI 3.0 must have (here), and those that it may have."""


@pytest.fixture(scope="module")
def document() -> Json:
    found: Json = yaml.safe_load(EXPORTED.read_text())
    return found


@pytest.fixture(scope="module")
def events_file() -> FileDescriptorProto:
    return next(file for file in compile_protos() if file.package == EVENTS)


def problems(document: Json, events: FileDescriptorProto) -> list[str]:
    """Everything in which a document differs from AsyncAPI 3.0, or from the code."""
    checks: tuple[Iterator[str], ...] = (
        broken_form(document),
        dead_references(document, document),
        wrong_topics(document),
        wrong_types(document),
        wrong_headers(document),
        wrong_fields(document, events),
        wrong_values(document, events),
    )
    return [problem for check in checks for problem in check]


def broken_form(document: Json) -> Iterator[str]:
    if document.get("asyncapi") != "3.0.0":
        yield "not AsyncAPI 3.0.0"
    for kind, place, found in objects(document):
        needed, allowed = MEMBERS[kind]
        yield from (f"{place} has no {name}" for name in sorted(needed - found.keys()))
        extra = {name for name in found.keys() - needed - allowed if not name.startswith("x-")}
        yield from (f"{place} may not have {name}" for name in sorted(extra))
    for name, operation in document["operations"].items():
        if operation.get("action") not in {"send", "receive"}:
            yield f"{name} neither sends nor receives"


def objects(document: Json) -> Iterator[tuple[str, str, Json]]:
    yield "document", "the document", document
    yield "info", "info", document["info"]
    for kind in ("server", "channel", "operation"):
        for name, found in document[f"{kind}s"].items():
            yield kind, name, found
    for name, found in document["components"]["messages"].items():
        yield "message", name, found


def dead_references(document: Json, part: object) -> Iterator[str]:
    if isinstance(part, Mapping):
        reference = part.get("$ref")
        if isinstance(reference, str) and not resolves(document, reference):
            yield f"{reference} leads nowhere"
        for inner in part.values():
            yield from dead_references(document, inner)
    elif isinstance(part, list):
        for inner in part:
            yield from dead_references(document, inner)


def resolves(document: Json, reference: str) -> bool:
    place: object = document
    for name in reference.removeprefix("#/").split("/"):
        place = place.get(name) if isinstance(place, Mapping) else None
    return place is not None


def wrong_topics(document: Json) -> Iterator[str]:
    channels = {channel["address"]: channel for channel in document["channels"].values()}
    for topic in plan_topics():
        channel = channels.pop(topic.name, None)
        if channel is None:
            yield f"{topic.name} is missing"
            continue
        kafka = channel["bindings"]["kafka"]
        told = kafka["topicConfiguration"]
        if (kafka["topic"], kafka["partitions"]) != (topic.name, topic.partitions):
            yield f"{topic.name} has another name or other partitions"
        if channel["x-topic-configuration"] != topic.configs:
            yield f"{topic.name} is configured differently"
        if told["cleanup.policy"] != [topic.configs["cleanup.policy"]]:
            yield f"{topic.name} is cleaned up differently"
        if str(told["retention.ms"]) != topic.configs["retention.ms"]:
            yield f"{topic.name} is kept for another time"
    yield from (f"{name} is no topic of ours" for name in channels)


def wrong_types(document: Json) -> Iterator[str]:
    messages = document["components"]["messages"]
    told = {
        message["headers"]["allOf"][1]["properties"]["ce_type"]["const"]: name
        for name, message in messages.items()
        if name != "DeadLetter"
    }
    if told != {kind: message.DESCRIPTOR.name for kind, message in MESSAGES.items()}:
        yield "the event types are others"
    if set(document["channels"]["matches"]["messages"]) != set(told.values()):
        yield "the topic of matches has other messages"
    for name in told.values():
        if messages[name]["payload"] != {"$ref": f"#/components/schemas/{name}"}:
            yield f"{name} has another payload"


def wrong_headers(document: Json) -> Iterator[str]:
    schemas = document["components"]["schemas"]
    told = schemas["EventHeaders"]["properties"]
    if {name: header["description"] for name, header in told.items()} != HEADERS:
        yield "the headers are others"
    letter = schemas["DeadLetterHeaders"]["required"]
    if letter != list(LETTER_HEADERS):
        yield "the headers of dead letters are others"


def wrong_fields(document: Json, events: FileDescriptorProto) -> Iterator[str]:
    schemas, said = document["components"]["schemas"], comments(events)
    for index, message in enumerate(events.message_type):
        told = schemas.get(message.name)
        if told is None:
            yield f"{message.name} is missing"
            continue
        if told["description"] != said[4, index]:
            yield f"{message.name} is explained differently"
        numbers = {
            name: (field["x-protobuf"]["number"], field["description"])
            for name, field in told["properties"].items()
        }
        wanted = {
            field.name: (field.number, said[4, index, 2, place])
            for place, field in enumerate(message.field)
        }
        changed = {name for name in numbers | wanted if numbers.get(name) != wanted.get(name)}
        yield from (f"{message.name}.{name} differs" for name in sorted(changed))


def wrong_values(document: Json, events: FileDescriptorProto) -> Iterator[str]:
    schemas = document["components"]["schemas"]
    for enum in events.enum_type:
        told = schemas.get(enum.name, {"x-protobuf": None})
        if told["x-protobuf"] != {value.name: value.number for value in enum.value}:
            yield f"{enum.name} has other values"


def test_the_document_says_what_the_code_publishes(
    document: Json, events_file: FileDescriptorProto
) -> None:
    assert problems(document, events_file) == []


def test_the_file_is_what_the_code_makes() -> None:
    assert EXPORTED.read_text() == document_text(), REFRESH


def _hand(document: Json) -> Json:
    hand: Json = document["components"]["schemas"]["HandSettled"]
    return hand


def _event_headers(document: Json) -> Json:
    headers: Json = document["components"]["schemas"]["EventHeaders"]["properties"]
    return headers


BROKEN: dict[str, Callable[[Json], object]] = {
    "not AsyncAPI 3.0.0": lambda d: d.update(asyncapi="2.6.0"),
    "info has no version": lambda d: d["info"].pop("version"),
    "the document may not have topics": lambda d: d.update(topics={}),
    "buryRecord neither sends nor receives": lambda d: d["operations"]["buryRecord"].update(
        action="publish"
    ),
    "#/servers/kafka leads nowhere": lambda d: d["servers"].clear(),
    "#/channels/games leads nowhere": lambda d: d["operations"]["publishMatchEvents"].update(
        channel={"$ref": "#/channels/games"}
    ),
    "riverboat.matches.v1.dead is missing": lambda d: d["channels"].pop("deadLetters"),
    "riverboat.matches.v1 is kept for another time": lambda d: d["channels"]["matches"]["bindings"][
        "kafka"
    ]["topicConfiguration"].update({"retention.ms": 1}),
    "riverboat.matches.v1 is configured differently": lambda d: d["channels"]["matches"][
        "x-topic-configuration"
    ].update({"cleanup.policy": "compact"}),
    "the event types are others": lambda d: d["components"]["messages"].pop("HandVoided"),
    "the headers are others": lambda d: _event_headers(d).pop("ce_subject"),
    "HandSettled is missing": lambda d: d["components"]["schemas"].pop("HandSettled"),
    "HandSettled is explained differently": lambda d: _hand(d).update(description="A hand."),
    "HandSettled.board differs": lambda d: _hand(d)["properties"].pop("board"),
    "HandSettled.hand_no differs": lambda d: _hand(d)["properties"]["hand_no"].update(
        description="Number."
    ),
    "HandSettled.deck differs": lambda d: _hand(d)["properties"].update(
        deck={"description": "All cards.", "x-protobuf": {"number": 99}}
    ),
    "MatchEndReason has other values": lambda d: d["components"]["schemas"]["MatchEndReason"][
        "x-protobuf"
    ].update(MATCH_END_REASON_VOID=5),
}


@pytest.mark.parametrize("problem", BROKEN)
def test_a_broken_copy_is_found(
    document: Json, events_file: FileDescriptorProto, problem: str
) -> None:
    changed = copy.deepcopy(document)
    BROKEN[problem](changed)
    assert problem in problems(changed, events_file)


def test_gateway_ledger_and_contract_name_the_same_types(events_file: FileDescriptorProto) -> None:
    def types(module: object) -> set[str]:
        values = vars(module).values()
        return {one for one in values if isinstance(one, str) and one.startswith("riverboat.")}

    assert types(outbox_events) == MESSAGES.keys()
    assert types(posting) == MESSAGES.keys()
    said = comments(events_file)
    explained = {
        f"{EVENTS}.{message.name}": said[4, index]
        for index, message in enumerate(events_file.message_type)
    }
    for kind, message in MESSAGES.items():
        assert f"Type {kind}." in explained[message.DESCRIPTOR.full_name]


def test_examples_are_those_of_real_records_and_fit_their_schemas(document: Json) -> None:
    for kind, message in example_messages().items():
        described = document["components"]["messages"][message.DESCRIPTOR.name]
        example = described["examples"][0]
        for part in ("headers", "payload"):
            schema = {**described[part], "components": document["components"]}
            errors = jsonschema.Draft7Validator(schema).iter_errors(example[part])
            assert [error.message for error in errors] == [], f"{kind} {part}"
        headers = encode_headers(example_event(kind, message))
        assert example["headers"] == {name: data.decode() for name, data in headers}


def test_examples_are_five_different_events(document: Json) -> None:
    messages = document["components"]["messages"]
    headers = [one["examples"][0]["headers"] for one in messages.values() if "examples" in one]
    assert len({one["ce_id"] for one in headers}) == len(MESSAGES)


def test_a_header_that_an_event_needs_is_missed(document: Json) -> None:
    described = document["components"]["messages"]["HandSettled"]
    schema = {**described["headers"], "components": document["components"]}
    headers = dict(described["examples"][0]["headers"], ce_type="riverboat.hand.voided.v1")
    del headers["ce_subject"]
    errors = jsonschema.Draft7Validator(schema).iter_errors(headers)
    assert {error.validator for error in errors} == {"const", "required"}
