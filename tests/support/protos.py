"""Proto files as descriptors, with their comments."""

import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

ROOT = Path(__file__).resolve().parents[2]


def compile_protos(folder: Path = ROOT) -> list[FileDescriptorProto]:
    """Return what the files under ``folder/proto`` declare, in the order of their names.

    Raises:
        subprocess.CalledProcessError: they do not compile.

    """
    protos = sorted(str(path.relative_to(folder)) for path in folder.glob("proto/**/*.proto"))
    with tempfile.TemporaryDirectory() as work:
        output = Path(work) / "descriptors"
        options = ["-I.", "--include_source_info", f"--descriptor_set_out={output}"]
        command = [sys.executable, "-m", "grpc_tools.protoc", *options, *protos]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        files = FileDescriptorSet.FromString(output.read_bytes()).file
    return sorted(files, key=lambda file: file.name)


def comments(file: FileDescriptorProto) -> dict[tuple[int, ...], str]:
    """Return the comment above each part of a file, in one line, by the part's path."""
    return {
        tuple(location.path): " ".join(location.leading_comments.split())
        for location in file.source_code_info.location
        if location.leading_comments.strip()
    }
