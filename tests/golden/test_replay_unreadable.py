"""Input that cannot be read ends the replay with status 2 and a place, never a traceback."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from services.engine.replay.cli import main

DATA = Path(__file__).parent / "data"
HANDS = DATA / "replay" / "hands.jsonl"
SCENARIOS = DATA / "poker" / "rule_scenarios.jsonl"


def sound_hand() -> dict[str, Any]:
    hand: dict[str, Any] = json.loads(HANDS.read_text().splitlines()[0])
    return hand


def sound_case() -> dict[str, Any]:
    case: dict[str, Any] = json.loads(SCENARIOS.read_text().splitlines()[0])
    return case


def dropped(name: str) -> bytes:
    record = sound_hand()
    del record[name]
    return json.dumps(record).encode()


def replaced(name: str, value: object) -> bytes:
    return json.dumps(sound_hand() | {name: value}).encode()


GOOD_LINE = json.dumps(sound_hand()).encode()


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"null",
        b"\x00\xff\xfe\x80 garbage",
        b'{"id": "\xff"}',
        GOOD_LINE[:-1],
        dropped("final_stacks"),
        dropped("antes"),
        replaced("sb", "5"),
        replaced("sb", 2.5),
        replaced("sb", -1),
        replaced("sb", True),
        replaced("seats", []),
        replaced("seats", [{"seat": 11, "stack": 1}]),
        replaced("board", "AsXx"),
        replaced("board", "As2c3c4c5c6c"),
        replaced("holes", {"1": "As"}),
        replaced("holes", {"one": "AsKs"}),
        replaced("id", ""),
        replaced("actions", [{"street": "ocean", "seat": 1, "type": "fold", "amount": 0, "to": 0}]),
        b'{"deep": ' + b"[" * 100_000,
        b" " * 1_000_001 + b"{}",
    ],
    ids=map(str, range(22)),
)
def test_a_broken_line_is_named_by_its_number(
    line: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_bytes(GOOD_LINE + b"\n\n" + line + b"\n" + GOOD_LINE + b"\n")
    assert main([str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"{path}:3: ")
    assert len(captured.err.splitlines()) == 1


def test_a_broken_line_in_packed_hands_is_named_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands.jsonl.gz"
    path.write_bytes(gzip.compress(GOOD_LINE + b"\n{}\n"))
    assert main([str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    "content",
    [b"not gzip at all", gzip.compress(GOOD_LINE * 50)[:-40], gzip.compress(b"x")[:5], b""],
    ids=["text", "cut short", "cut header", "empty"],
)
def test_what_is_not_gzip_is_unreadable(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands.jsonl.gz"
    path.write_bytes(content)
    status = main([str(path)])
    if content:
        assert status == 2
        assert capsys.readouterr().err.startswith(f"{path}:1: ")
    else:
        assert status == 0  # no bytes are no hands, packed or not


def test_a_corrupted_byte_in_packed_hands_is_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hands.jsonl.gz"
    packed = bytearray(gzip.compress(GOOD_LINE + b"\n"))
    packed[len(packed) // 2] ^= 0xFF
    path.write_bytes(bytes(packed))
    assert main([str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:")


@pytest.mark.parametrize("name", ["missing.jsonl", "missing.jsonl.gz", "."])
def test_a_file_that_cannot_be_opened_is_unreadable(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    assert main([str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}: ")


@pytest.mark.parametrize("field", ["players", "stacks", "expect"])
def test_a_broken_case_is_named_by_its_number(
    field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = sound_case()
    del case[field]
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case))
    assert main(["--scenarios", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:1: {field}")


@pytest.mark.parametrize(
    ("field", "value"),
    [("holes", [["As"], ["Kd", "Kc"]]), ("stacks", [100]), ("committed", [5]), ("folded", [True])],
)
def test_a_case_with_a_list_too_short_for_its_players_is_unreadable(
    field: str, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(sound_case() | {field: value}))
    assert main(["--scenarios", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:1: ")


def test_a_case_that_expects_something_unheard_of_is_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = sound_case()
    case["expect"]["weather"] = "fine"
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case))
    assert main(["--scenarios", str(path)]) == 2
    assert "weather" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], [str(HANDS), "--target", "nowhere"]])
def test_a_mistyped_command_is_an_error_of_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2
