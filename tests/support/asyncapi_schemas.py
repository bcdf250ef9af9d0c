"""Protobuf messages as AsyncAPI schemas: every field with its number, type and comment."""

from collections.abc import Iterable
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.message import Message

from tests.support.protos import comments, compile_protos

Json = dict[str, Any]

MESSAGE, ENUM = 4, 5
FIELD, VALUE = 2, 2
"""Numbers of the parts in a path of a FileDescriptorProto."""

TIMESTAMP = "google.protobuf.Timestamp"

KINDS: dict[int, str] = {
    number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()
}

SCALARS: dict[str, Json] = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "bytes": {"type": "string", "contentEncoding": "base16"},
    "int32": {"type": "integer", "format": "int32"},
    "int64": {"type": "integer", "format": "int64"},
}


def payload_schemas(messages: Iterable[type[Message]]) -> dict[str, Json]:
    """Return the schemas of messages and of all that they are made of, by name."""
    said = {
        f"{file.package}.{name}": text
        for file in compile_protos()
        for name, text in _comments_by_name(file).items()
    }
    found: dict[str, Json] = {}
    waiting: list[Any] = [message.DESCRIPTOR for message in messages]
    while waiting:
        part = waiting.pop(0)
        if part.name in found:
            continue
        if isinstance(part, EnumDescriptor):
            found[part.name] = _enum(part, said)
            continue
        found[part.name] = _message(part, said)
        for field in part.fields:
            inner = field.message_type or field.enum_type
            if inner is not None and inner.full_name != TIMESTAMP:
                waiting.append(inner)
    return found


def _comments_by_name(file: FileDescriptorProto) -> dict[str, str]:
    """Return the comments of messages, fields, enums and values by their names."""
    said, names = comments(file), {}
    for index, message in enumerate(file.message_type):
        names[message.name] = said.get((MESSAGE, index), "")
        for number, field in enumerate(message.field):
            text = said.get((MESSAGE, index, FIELD, number), "")
            names[f"{message.name}.{field.name}"] = text
    for index, enum in enumerate(file.enum_type):
        names[enum.name] = said.get((ENUM, index), "")
        for number, value in enumerate(enum.value):
            names[f"{enum.name}.{value.name}"] = said.get((ENUM, index, VALUE, number), "")
    return names


def _message(message: Descriptor, said: dict[str, str]) -> Json:
    return {
        "type": "object",
        "title": message.full_name,
        "description": said[message.full_name],
        "x-protobuf": {"message": message.full_name, "file": message.file.name},
        "properties": {
            field.name: _field(field, said[field.full_name]) for field in message.fields
        },
    }


def _enum(enum: EnumDescriptor, said: dict[str, str]) -> Json:
    names = {value.name: said[f"{enum.full_name}.{value.name}"] for value in enum.values}
    explained = (f"- {name}: {text}" for name, text in names.items() if text)
    return {
        "type": "string",
        "title": enum.full_name,
        "description": "\n".join([said[enum.full_name], "", *explained]),
        "enum": list(names),
        "x-protobuf": {value.name: value.number for value in enum.values},
    }


def _field(field: FieldDescriptor, comment: str) -> Json:
    inner = field.message_type or field.enum_type
    named = KINDS[field.type] if inner is None else inner.full_name
    schema = _value(named, inner)
    protobuf: Json = {"number": field.number, "type": named}
    if field.is_repeated:
        schema = {"type": "array", "items": schema}
        protobuf["repeated"] = True
    elif "$ref" in schema:
        # Whatever stands beside a reference is passed over.
        schema = {"allOf": [schema]}
    return {"description": comment, **schema, "x-protobuf": protobuf}


def _value(named: str, inner: Descriptor | EnumDescriptor | None) -> Json:
    if named == TIMESTAMP:
        return {"type": "string", "format": "date-time"}
    if inner is not None:
        return {"$ref": f"#/components/schemas/{inner.name}"}
    return dict(SCALARS[named])
