"""What the contracts have promised, and whether they still keep it.

``proto/compat/<package>.json`` says what each package consists of. A field, value, message or
call that stands there is not taken away and does not change; the names and numbers of retired
fields and values stay reserved for ever. What is new is added to the file, and is a promise
from then on:

    .venv/bin/python -m tests.support.contracts

It refuses to forget a promise. Before the first release that anybody relies on, or when a
package was only ever used by this repository, ``--breaking`` makes it.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
)

from tests.support.protos import ROOT, compile_protos

COMPAT = ROOT / "proto" / "compat"

Promise = dict[str, Any]
"""What one package consists of, as in its JSON file."""


def promises(files: Iterable[FileDescriptorProto]) -> dict[str, Promise]:
    """Return what the packages of some files consist of, by package."""
    found: dict[str, Promise] = {}
    for file in files:
        promise = found.setdefault(file.package, {"messages": {}, "enums": {}, "services": {}})
        for name, message in _messages(file.message_type):
            promise["messages"][name] = _message(message)
            promise["enums"] |= {f"{name}.{enum.name}": _enum(enum) for enum in message.enum_type}
        promise["enums"] |= {enum.name: _enum(enum) for enum in file.enum_type}
        promise["services"] |= {
            service.name: {method.name: _call(method) for method in service.method}
            for service in file.service
        }
    return found


def read_promises(folder: Path = COMPAT) -> dict[str, Promise]:
    """Return what the packages have promised, by package."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def broken(old: Mapping[str, Promise], new: Mapping[str, Promise]) -> list[str]:
    """Return every promise in ``old`` that ``new`` does not keep, as a sentence."""
    return [
        f"{package}: {problem}" if package in new else f"{package} is gone"
        for package, promise in old.items()
        for problem in _broken_in(promise, new.get(package, {}))
    ]


def _broken_in(old: Promise, new: Promise) -> Iterator[str]:
    if not new:
        yield "everything"
        return
    for name, message in old["messages"].items():
        yield from _broken_block(name, message, new["messages"].get(name), "fields")
    for name, enum in old["enums"].items():
        yield from _broken_block(name, enum, new["enums"].get(name), "values")
    for name, calls in old["services"].items():
        if name not in new["services"]:
            yield f"{name} is gone"
            continue
        for call, shape in calls.items():
            found = new["services"][name].get(call)
            if found is None:
                yield f"{name}.{call} is gone"
            elif found != shape:
                yield f"{name}.{call} was {shape}, is {found}"


def _broken_block(name: str, old: Promise, new: Promise | None, members: str) -> Iterator[str]:
    """Compare a message or an enum; members may go when name and number are reserved."""
    if new is None:
        yield f"{name} is gone"
        return
    for number, member in old[members].items():
        found = new[members].get(number)
        named = member.split()[-1] in new["reserved_names"]
        retired = named and _covers(new["reserved"], int(number), int(number))
        if found is None and not retired:
            yield f"{name}: {number} ({member}) is gone and not reserved"
        elif found is not None and found != member:
            yield f"{name}: {number} was {member}, is {found}"
    for first, last in old["reserved"]:
        if not _covers(new["reserved"], first, last):
            yield f"{name}: {first} to {last} is not reserved any more"
    for retired_name in old["reserved_names"]:
        if retired_name not in new["reserved_names"]:
            yield f"{name}: {retired_name} is not reserved any more"


def _covers(ranges: Iterable[list[int]], first: int, last: int) -> bool:
    """Tell whether every number from first to last is in one of the ranges."""
    for start, end in sorted(ranges):
        if start <= first <= end:
            first = end + 1
    return first > last


def _messages(
    messages: Iterable[DescriptorProto], prefix: str = ""
) -> Iterator[tuple[str, DescriptorProto]]:
    for message in messages:
        name = f"{prefix}{message.name}"
        yield name, message
        yield from _messages(message.nested_type, f"{name}.")


def _message(message: DescriptorProto) -> Promise:
    return {
        "fields": {str(field.number): _field(field, message) for field in message.field},
        # The end of a range is not in it for a message; for an enum it is.
        **_reserved(message, 1),
    }


def _enum(enum: EnumDescriptorProto) -> Promise:
    return {"values": {str(one.number): one.name for one in enum.value}, **_reserved(enum, 0)}


class _Range(Protocol):
    start: int
    end: int


class _Reserving(Protocol):
    """A message or an enum."""

    @property
    def reserved_range(self) -> Sequence[_Range]: ...
    @property
    def reserved_name(self) -> Sequence[str]: ...


def _reserved(block: _Reserving, beyond: int) -> Promise:
    ranges = sorted([one.start, one.end - beyond] for one in block.reserved_range)
    return {"reserved": ranges, "reserved_names": sorted(block.reserved_name)}


def _field(field: FieldDescriptorProto, message: DescriptorProto) -> str:
    """Return a field as in a proto file, without its number: ``repeated string name``."""
    kind = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    words = [field.type_name.lstrip(".") or kind, field.name]
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        words.insert(0, "repeated")
    elif field.proto3_optional:
        words.insert(0, "optional")
    elif field.HasField("oneof_index"):
        words.insert(0, f"oneof {message.oneof_decl[field.oneof_index].name}:")
    return " ".join(words)


def _call(method: MethodDescriptorProto) -> str:
    sides = (
        (method.client_streaming, method.input_type),
        (method.server_streaming, method.output_type),
    )
    return " -> ".join(("stream " if many else "") + name.lstrip(".") for many, name in sides)


def write_promises(found: Mapping[str, Promise], folder: Path = COMPAT) -> None:
    """Write a file for each package, and remove those of packages that are gone."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.json"):
        if path.stem not in found:
            path.unlink()
    for package, promise in found.items():
        (folder / f"{package}.json").write_text(json.dumps(promise, indent=1) + "\n")


def main(arguments: Sequence[str]) -> int:
    """Bring the files up to date; 1 when that would forget a promise."""
    found = promises(compile_protos())
    problems = broken(read_promises(), found)
    if problems and "--breaking" not in arguments:
        sys.stderr.write("\n".join([*problems, "refused: see CONTRIBUTING.md, Contracts"]) + "\n")
        return 1
    write_promises(found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
