"""No contract breaks a promise: a change that would break a consumer fails here."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.contracts import (
    COMPAT,
    Promise,
    broken,
    promises,
    read_promises,
    write_promises,
)
from tests.support.protos import ROOT, compile_protos

REFRESH = "run `.venv/bin/python -m tests.support.contracts`"

EXAMPLE = """
syntax = "proto3";
package example.v1;
enum Kind {
  reserved 5, 7 to 9;
  reserved "KIND_OLD";
  KIND_UNSPECIFIED = 0;
  KIND_HOUSE = 1;
}
message Stack {
  reserved 4, 100 to max;
  reserved "rake";
  string player_id = 1;
  int64 chips = 2;
  optional Kind kind = 3;
  oneof until {
    int32 hand_no = 5;
    bool ever = 6;
  }
  message Part { int32 seat = 1; }
  repeated Part parts = 7;
}
message ReadRequest {}
service Bank {
  rpc Read(ReadRequest) returns (Stack);
  rpc Follow(ReadRequest) returns (stream Stack);
}
"""

BREAKING = {
    "a field is removed": ("  int64 chips = 2;\n", "", "Stack: 2 (int64 chips) is gone"),
    "only its number is reserved": (
        "  int64 chips = 2;\n",
        "  reserved 2;\n",
        "Stack: 2 (int64 chips) is gone and not reserved",
    ),
    "a field gets another number": ("chips = 2", "chips = 8", "Stack: 2 (int64 chips) is gone"),
    "a field gets another type": ("int64 chips", "int32 chips", "was int64 chips, is int32 chips"),
    "a field gets another name": ("chips = 2", "amount = 2", "was int64 chips, is int64 amount"),
    "a field is repeated": ("  int64 chips", "  repeated int64 chips", "is repeated int64 chips"),
    "a field has no presence any more": ("optional Kind", "Kind", "was optional example.v1.Kind"),
    "a field leaves its choice": (
        "    bool ever = 6;\n  }\n",
        "  }\n  bool ever = 6;\n",
        "was oneof until: bool ever, is bool ever",
    ),
    "a retired number is free again": ("4, 100 to max", "100 to max", "4 to 4 is not reserved"),
    "a retired range is smaller": ("100 to max", "101 to max", "Stack: 100 to"),
    "a retired name is free again": ('  reserved "rake";\n', "", "Stack: rake is not reserved"),
    "a field inside a message inside one": ("int32 seat", "int64 seat", "Stack.Part: 1 was"),
    "a value is removed": ("  KIND_HOUSE = 1;\n", "", "Kind: 1 (KIND_HOUSE) is gone"),
    "a value gets another number": ("HOUSE = 1", "HOUSE = 2", "Kind: 1 (KIND_HOUSE) is gone"),
    "a value gets another name": ("KIND_HOUSE", "KIND_RIVER", "was KIND_HOUSE, is KIND_RIVER"),
    "a retired value is free again": ("5, 7 to 9", "7 to 9", "Kind: 5 to 5 is not reserved"),
    "a message is renamed": ("ReadRequest", "GetRequest", "ReadRequest is gone"),
    "a call is removed": (
        "  rpc Read(ReadRequest) returns (Stack);\n",
        "",
        "Bank.Read is gone",
    ),
    "a call asks for something else": ("Read(ReadRequest)", "Read(Stack)", "Bank.Read was"),
    "a call answers with one": ("stream Stack", "Stack", "Bank.Follow was"),
    "a service is renamed": ("service Bank", "service Teller", "Bank is gone"),
    "a package is renamed": ("example.v1", "example.v2", "example.v1 is gone"),
}

ALLOWED = {
    "nothing": ("", ""),
    "a new field": ("  int64 chips = 2;\n", "  int64 chips = 2;\n  int64 bet = 9;\n"),
    "a new value": ("HOUSE = 1;", "HOUSE = 1;\n  KIND_BOT = 2;"),
    "a new message and call": (
        "service Bank {\n",
        "message Pot {}\nservice Bank {\n  rpc Rake(Pot) returns (Pot);\n",
    ),
    "a field retired with its name and number": (
        "  int64 chips = 2;\n",
        '  reserved 2;\n  reserved "chips";\n',
    ),
    "a value retired with its name and number": (
        "  KIND_HOUSE = 1;\n",
        '  reserved 1;\n  reserved "KIND_HOUSE";\n',
    ),
    "two ranges for one": ("7 to 9", "7, 8 to 9"),
}


@pytest.fixture(scope="module")
def now() -> dict[str, Promise]:
    return promises(compile_protos())


Compile = Callable[[str, str], dict[str, Promise]]


@pytest.fixture
def changed(tmp_path: Path) -> Compile:
    """Compile the example, changed in one place."""

    def compile_changed(before: str, after: str) -> dict[str, Promise]:
        assert before in EXAMPLE
        (tmp_path / "proto").mkdir()
        (tmp_path / "proto/example.proto").write_text(EXAMPLE.replace(before, after))
        return promises(compile_protos(tmp_path))

    return compile_changed


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Promise]:
    folder = tmp_path_factory.mktemp("example")
    (folder / "proto").mkdir()
    (folder / "proto/example.proto").write_text(EXAMPLE)
    return promises(compile_protos(folder))


def test_every_promise_is_kept(now: dict[str, Promise]) -> None:
    assert broken(read_promises(), now) == []


def test_everything_that_is_there_is_promised(now: dict[str, Promise]) -> None:
    stale = [package for package, promise in now.items() if read_promises().get(package) != promise]
    assert stale == [], REFRESH
    assert {path.stem for path in COMPAT.glob("*.json")} == now.keys(), REFRESH


@pytest.mark.parametrize("change", BREAKING)
def test_a_breaking_change_is_found(
    example: dict[str, Promise], changed: Compile, change: str
) -> None:
    before, after, problem = BREAKING[change]
    found = broken(example, changed(before, after))
    assert [one for one in found if problem in one], found


@pytest.mark.parametrize("change", ALLOWED)
def test_a_compatible_change_is_allowed(
    example: dict[str, Promise], changed: Compile, change: str
) -> None:
    assert broken(example, changed(*ALLOWED[change])) == []


def test_a_broken_copy_of_the_events_is_found(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    events = tmp_path / "proto/events/v1/events.proto"
    events.write_text(events.read_text().replace("int64 net_chips = 5", "int32 net_chips = 6"))
    assert broken(read_promises(), promises(compile_protos(tmp_path))) == [
        "riverboat.events.v1: PlayerResult: 5 (int64 net_chips) is gone and not reserved"
    ]


def test_promises_survive_their_files(now: dict[str, Promise], tmp_path: Path) -> None:
    (tmp_path / "gone.v1.json").write_text("{}")
    write_promises(now, tmp_path)
    assert read_promises(tmp_path) == now
