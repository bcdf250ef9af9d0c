"""Damaged records end the replay with a status and a line, never with a traceback."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from services.engine.replay.cli import main
from tests.support.fuzz import mutated_bytes
from tests.support.strategies import players_rng

DATA = Path(__file__).parents[1] / "golden" / "data"
HANDS = (DATA / "replay" / "hands.jsonl").read_text().splitlines()
CASES = (DATA / "poker" / "rule_scenarios.jsonl").read_text().splitlines()
ODD = (
    None,
    True,
    0,
    1,
    -1,
    11,
    52,
    10**12,
    10**13,
    10**400,
    0.5,
    1e308,
    "",
    "As",
    "AsAs",
    "x" * 3000,
)
# One temporary file serves all examples: each writes it anew.
REUSING = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])


def damaged(value: Any, rng: Random) -> Any:  # noqa: ANN401
    """Return a JSON value with one thing in it changed, dropped, doubled or replaced."""
    if value and isinstance(value, dict) and rng.random() < 0.85:
        return damaged_object(value, rng)
    if value and isinstance(value, list) and rng.random() < 0.85:
        return damaged_list(value, rng)
    return rng.choice([*ODD, [], {}, [value], {"1": value}])


def damaged_object(value: dict[str, Any], rng: Random) -> dict[str, Any]:
    key, whim = rng.choice(list(value)), rng.random()
    if whim < 0.1:
        return {name: kept for name, kept in value.items() if name != key}
    if whim < 0.15:
        return value | {"11": value[key]}
    return value | {key: damaged(value[key], rng)}


def damaged_list(value: list[Any], rng: Random) -> list[Any]:
    at, whim = rng.randrange(len(value)), rng.random()
    if whim < 0.2:
        return value[:at] + value[at + 1 :]
    if whim < 0.3:
        return [*value, value[at]]
    return [*value[:at], damaged(value[at], rng), *value[at + 1 :]]


def statuses(lines: list[bytes], path: Path, *flags: str) -> int:
    path.write_bytes(b"\n".join(lines))
    return main([*flags, str(path)])


def assert_told(status: int, captured: Any) -> None:  # noqa: ANN401
    assert status in {0, 1, 2}
    assert "Traceback" not in captured.err
    assert (status == 2) == (captured.out == "")
    assert max(map(len, captured.err.splitlines()), default=0) < 2_000


@pytest.mark.parametrize(
    ("sound", "flags"), [(HANDS, ()), (CASES, ("--scenarios",))], ids=["hands", "cases"]
)
@REUSING
@given(rng=players_rng())
def test_damaged_records_are_told_apart(
    sound: list[str],
    flags: tuple[str, ...],
    rng: Random,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = rng.choice(sound)
    broken = json.dumps(damaged(json.loads(line), rng)).encode()
    status = statuses([line.encode(), broken], tmp_path / "records.jsonl", *flags)
    assert_told(status, capsys.readouterr())


@pytest.mark.parametrize(
    ("sound", "flags"), [(HANDS, ()), (CASES, ("--scenarios",))], ids=["hands", "cases"]
)
@REUSING
@given(rng=players_rng())
def test_damaged_bytes_are_told_apart(
    sound: list[str],
    flags: tuple[str, ...],
    rng: Random,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = mutated_bytes(rng.choice(sound).encode(), rng)
    status = statuses([broken], tmp_path / "records.jsonl", *flags)
    assert_told(status, capsys.readouterr())
