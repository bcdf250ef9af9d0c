"""Every part of the contracts is explained in the contract itself."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from google.protobuf import descriptor_pb2

ROOT = Path(__file__).parents[2]
# Numbers of the parts inside a FileDescriptorProto; a location's path alternates them with
# indexes: (4, 0, 2, 1) is the second field of the first message.
MESSAGE, ENUM, SERVICE, SYNTAX = 4, 5, 6, 12
FIELD, METHOD = 2, 2

Comments = dict[tuple[int, ...], str]


def described(folder: Path, work: Path) -> list[descriptor_pb2.FileDescriptorProto]:
    """The proto files under `folder` with their comments."""
    protos = [str(path.relative_to(folder)) for path in sorted(folder.glob("proto/**/*.proto"))]
    output = work / "descriptors"
    options = ["-I.", "--include_source_info", f"--descriptor_set_out={output}"]
    command = [sys.executable, "-m", "grpc_tools.protoc", *options, *protos]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return list(descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes()).file)


def uncommented(files: list[descriptor_pb2.FileDescriptorProto]) -> list[str]:
    return [f"{file.name}: {name}" for file in files for name in uncommented_in(file)]


def uncommented_in(file: descriptor_pb2.FileDescriptorProto) -> Iterator[str]:
    comments: Comments = {
        tuple(location.path): location.leading_comments.strip()
        for location in file.source_code_info.location
    }
    for path, name in parts(file):
        if not comments.get(path):
            yield name


def parts(
    file: descriptor_pb2.FileDescriptorProto,
) -> Iterator[tuple[tuple[int, ...], str]]:
    """What needs a comment. A request or response has its call's; an enum value its name."""
    yield (SYNTAX,), "the file"
    for index, service in enumerate(file.service):
        yield (SERVICE, index), service.name
        for number, method in enumerate(service.method):
            yield (SERVICE, index, METHOD, number), f"{service.name}.{method.name}"
    for index, enum in enumerate(file.enum_type):
        yield (ENUM, index), enum.name
    for index, message in enumerate(file.message_type):
        if not message.name.endswith(("Request", "Response")):
            yield (MESSAGE, index), message.name
        for number, field in enumerate(message.field):
            yield (MESSAGE, index, FIELD, number), f"{message.name}.{field.name}"


def test_every_call_message_field_and_enum_is_explained(tmp_path: Path) -> None:
    assert uncommented(described(ROOT, tmp_path)) == []


def test_a_missing_comment_is_found(tmp_path: Path) -> None:
    source = tmp_path / "proto/x.proto"
    source.parent.mkdir()
    source.write_text(
        'syntax = "proto3";\n'
        "message Seat {\n  int32 no = 1;\n}\n"
        "// Why.\nenum Kind {\n  KIND_UNSPECIFIED = 0;\n}\n"
        "service Dealer {\n  // Deals.\n  rpc Deal(Seat) returns (Seat);\n}\n"
    )
    found = uncommented(described(tmp_path, tmp_path))
    assert found == [f"proto/x.proto: {name}" for name in ("the file", "Dealer", "Seat", "Seat.no")]


NUMBERS = {
    descriptor_pb2.FieldDescriptorProto.TYPE_INT32,
    descriptor_pb2.FieldDescriptorProto.TYPE_INT64,
    descriptor_pb2.FieldDescriptorProto.TYPE_UINT32,
    descriptor_pb2.FieldDescriptorProto.TYPE_UINT64,
}


def unbounded(files: list[descriptor_pb2.FileDescriptorProto]) -> list[str]:
    """Number fields whose comment names no number: a range always has one."""
    found = []
    for file in files:
        comments = {tuple(at.path): at.leading_comments for at in file.source_code_info.location}
        for index, message in enumerate(file.message_type):
            for number, field in enumerate(message.field):
                comment = comments.get((MESSAGE, index, FIELD, number), "")
                if field.type in NUMBERS and not re.search(r"\d", comment):
                    found.append(f"{message.name}.{field.name}")
    return found


def test_every_number_names_its_range(tmp_path: Path) -> None:
    assert unbounded(described(ROOT, tmp_path)) == []


def test_a_number_without_a_range_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "proto" / "x" / "v1"
    folder.mkdir(parents=True)
    text = 'syntax = "proto3";\nmessage Stack {\n  // Chips left.\n  int64 chips = 1;\n}\n'
    (folder / "x.proto").write_text(text)
    assert unbounded(described(tmp_path, tmp_path)) == ["Stack.chips"]
