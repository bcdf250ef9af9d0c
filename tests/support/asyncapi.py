"""The AsyncAPI document of the events, from the code that publishes them and the contracts.

    .venv/bin/python -m tests.support.asyncapi

writes ``services/gateway/asyncapi.yaml``, which the gateway serves at ``/asyncapi.yaml``.
"""

import sys
from collections.abc import Iterable
from typing import Any

import yaml

from services.common.eventlog.cloudevents import (
    CONTENT_TYPE,
    HEADERS,
    LETTER_HEADERS,
    OPTIONAL_HEADERS,
    SPEC_VERSION,
    UNDECODABLE,
    encode_headers,
)
from services.common.eventlog.port import GATEWAY_SOURCE, MAX_ID_CHARS
from services.common.eventlog.schemas import MESSAGES, schema_uri
from services.common.eventlog.topics import Topic, plan_topics
from tests.support.asyncapi_schemas import payload_schemas
from tests.support.event_examples import as_json, example_event, example_messages
from tests.support.protos import ROOT

EXPORTED = ROOT / "services" / "gateway" / "asyncapi.yaml"
KAFKA_BINDING = "0.5.0"

Json = dict[str, Any]

DESCRIPTION = """\
What happened at the tables of Riverboat, for internal services. Records are CloudEvents 1.0 in
Kafka's binary content mode: the headers say what a record is, its value is a protobuf message
of `proto/events/v1/events.proto`.

Payload schemas describe those messages: a property is a field, `x-protobuf` has its number and
type. Whole numbers are integers, times are `google.protobuf.Timestamp`, and bytes are cards, one
byte a card: 4 * rank + suit, rank 0 (deuce) to 12 (ace), suits clubs, diamonds, hearts, spades.
Examples write bytes as hexadecimal digits.

Delivery is at least once and in order for each key: drop a `ce_id` that you have seen. Fields,
enum values and types are added, never changed: pass over those that you do not know. No event
has a card that was not shown to everyone at the table. It does have names and results of
people: only services that need them may read the topic.
"""


def document() -> Json:
    """Return the document as plain values."""
    matches, dead = plan_topics()
    names = {event_type: message.DESCRIPTOR.name for event_type, message in MESSAGES.items()}
    schemas = payload_schemas(MESSAGES.values())
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Riverboat events", "version": "1.0.0", "description": DESCRIPTION},
        "defaultContentType": CONTENT_TYPE,
        "servers": {"kafka": _server()},
        "channels": {
            "matches": _channel(
                matches,
                "Everything about matches, keyed by the match id, and about players, by theirs.",
                names.values(),
            ),
            "deadLetters": _channel(
                dead, "Records that the ledger refused, as they came.", ["DeadLetter"]
            ),
        },
        "operations": {
            "publishMatchEvents": _operation("matches", "The gateway tells what happened."),
            "buryRecord": _operation("deadLetters", "The ledger sets aside what it refuses."),
        },
        "components": {
            "messages": {
                **{name: _message(kind, schemas[name]) for kind, name in names.items()},
                "DeadLetter": _dead_letter(),
            },
            "schemas": {
                "EventHeaders": _event_headers(),
                "DeadLetterHeaders": _letter_headers(),
                **schemas,
            },
        },
    }


def document_text() -> str:
    """Return the document as its file has it: the same for the same code."""
    return yaml.dump(document(), Dumper=_Readable, sort_keys=False, allow_unicode=True, width=100)


class _Readable(yaml.SafeDumper):
    """Writes texts of several lines as such, and the same value twice instead of a reference."""

    def ignore_aliases(self, data: object) -> bool:
        """Say that nothing is worth a reference."""
        return True


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Readable.add_representer(str, _write_text)


def _server() -> Json:
    return {
        "host": "{bootstrap}",
        "protocol": "kafka",
        "description": "The brokers, KAFKA_BOOTSTRAP_SERVERS of the gateway and the ledger.",
        "variables": {"bootstrap": {"default": "kafka:9092", "description": "HOST:PORT"}},
    }


def _channel(topic: Topic, summary: str, messages: Iterable[str]) -> Json:
    configs = topic.configs
    return {
        "address": topic.name,
        "summary": summary,
        "servers": [{"$ref": "#/servers/kafka"}],
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
        "bindings": {
            "kafka": {
                "topic": topic.name,
                "partitions": topic.partitions,
                # What else there is the binding does not know.
                "topicConfiguration": {
                    "cleanup.policy": [configs["cleanup.policy"]],
                    "retention.ms": int(configs["retention.ms"]),
                    "retention.bytes": int(configs["retention.bytes"]),
                },
                "bindingVersion": KAFKA_BINDING,
            }
        },
        "x-topic-configuration": dict(configs),
    }


def _operation(channel: str, summary: str) -> Json:
    return {"action": "send", "channel": {"$ref": f"#/channels/{channel}"}, "summary": summary}


def _message(event_type: str, schema: Json) -> Json:
    name, comment = MESSAGES[event_type].DESCRIPTOR.name, schema["description"]
    headers = {
        "properties": {"ce_type": {"const": event_type}, "ce_dataschema": _const(event_type)},
        "required": ["ce_dataschema"],
    }
    return {
        "name": event_type,
        "title": name,
        "summary": comment.split(". ")[0].rstrip(".") + ".",
        "description": comment,
        "contentType": CONTENT_TYPE,
        "headers": {"allOf": [{"$ref": "#/components/schemas/EventHeaders"}, headers]},
        "payload": {"$ref": f"#/components/schemas/{name}"},
        "bindings": {"kafka": {"key": _key(event_type), "bindingVersion": KAFKA_BINDING}},
        "examples": [_example(event_type)],
    }


def _const(event_type: str) -> Json:
    return {"const": schema_uri(event_type)}


def _example(event_type: str) -> Json:
    message = example_messages()[event_type]
    headers = encode_headers(example_event(event_type, message))
    return {
        "name": MESSAGES[event_type].DESCRIPTOR.name,
        "headers": {name: data.decode() for name, data in headers},
        "payload": dict(as_json(message)),
    }


def _key(event_type: str) -> Json:
    what = "The player's id." if event_type.startswith("riverboat.player.") else "The match id."
    return {"type": "string", "description": what, "minLength": 1, "maxLength": 64}


def _event_headers() -> Json:
    required = [name for name in HEADERS if name not in OPTIONAL_HEADERS]
    return {
        "type": "object",
        "description": "Headers of every event, as UTF-8.",
        "required": required,
        "properties": {name: _header(name, text) for name, text in HEADERS.items()},
    }


def _header(name: str, description: str) -> Json:
    schema: Json = {"type": "string", "description": description}
    fixed = {"ce_specversion": SPEC_VERSION, "content-type": CONTENT_TYPE}
    if name in fixed:
        schema["const"] = fixed[name]
    elif name in {"ce_id", "ce_type", "ce_source", "ce_subject"}:
        schema |= {"minLength": 1, "maxLength": MAX_ID_CHARS}
    elif name == "ce_time":
        schema["format"] = "date-time"
    if name == "ce_source":
        schema["examples"] = [GATEWAY_SOURCE]
    return schema


def _letter_headers() -> Json:
    undecodable = "Only when the record was damaged before it came to the topic: how."
    described = {**LETTER_HEADERS, UNDECODABLE: undecodable}
    return {
        "type": "object",
        "description": "The headers of the refused record, as they came, and these.",
        "required": list(LETTER_HEADERS),
        "properties": {
            name: {"type": "string", "description": text} for name, text in described.items()
        },
    }


def _dead_letter() -> Json:
    return {
        "title": "DeadLetter",
        "summary": "A record that the ledger can never accept.",
        "description": "Key, value and headers are those of the refused record.",
        "headers": {"$ref": "#/components/schemas/DeadLetterHeaders"},
        "payload": {"description": "Whatever came, byte for byte."},
    }


def main() -> int:
    """Write the document to its file."""
    EXPORTED.write_text(document_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
