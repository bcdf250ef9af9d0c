"""The code beside the proto files is what they generate today, byte for byte."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
GENERATED = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


def protoc(folder: Path, outputs: list[str], protos: list[Path]) -> None:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    names = [str(proto.relative_to(folder)) for proto in protos]
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I.", *outputs, *names]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)


def generated(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for pattern in GENERATED
        for path in folder.glob(f"proto/**/{pattern}")
    }


def regenerated(folder: Path) -> dict[str, bytes]:
    """What `make proto` writes, from the proto files in `folder`, which gets the results."""
    protos = sorted(folder.glob("proto/**/*.proto"))
    services = [proto for proto in protos if "\nservice " in proto.read_text()]
    protoc(folder, ["--python_out=.", "--mypy_out=quiet:."], protos)
    protoc(folder, ["--grpc_python_out=.", "--mypy_grpc_out=quiet:."], services)
    return generated(folder)


def copy_of_the_contracts(folder: Path) -> None:
    for proto in ROOT.glob("proto/**/*.proto"):
        target = folder / proto.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(proto, target)


def test_the_generated_code_is_fresh(tmp_path: Path) -> None:
    copy_of_the_contracts(tmp_path)
    fresh, committed = regenerated(tmp_path), generated(ROOT)
    assert committed.keys() == fresh.keys()
    stale = [name for name, code in fresh.items() if committed[name] != code]
    assert stale == [], "run `make proto`"


def test_a_changed_contract_makes_it_stale(tmp_path: Path) -> None:
    copy_of_the_contracts(tmp_path)
    bot = tmp_path / "proto/bot/v1/bot.proto"
    bot.write_text(bot.read_text().replace("uint64 seed = 2;", "uint64 seed = 2;\n  bool x = 9;"))
    fresh, committed = regenerated(tmp_path), generated(ROOT)
    stale = {name for name, code in fresh.items() if committed[name] != code}
    assert stale == {"proto/bot/v1/bot_pb2.py", "proto/bot/v1/bot_pb2.pyi"}
