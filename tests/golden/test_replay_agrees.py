"""Recorded hands and hand-made cases: the rules see every one as it was."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.engine.replay.cli import main

DATA = Path(__file__).parent / "data"
HANDS = DATA / "replay" / "hands.jsonl"
SCENARIOS = DATA / "poker" / "rule_scenarios.jsonl"
CORPUS = Path(__file__).parents[3] / "shared" / "hands"
CORPUS_COUNTS = {
    "open_hands.jsonl.gz": (
        3_000,
        {"antes": 383, "no_small_blind": 79, "posts": 189, "straddles": 48},
    ),
    "extra_synthetic_open.jsonl.gz": (667, {"antes": 82}),
}


@contextmanager
def running_engine(log: Path) -> Iterator[str]:
    """``python -m services.engine`` on a free loopback port; gives its address."""
    environment = os.environ | {"ENGINE_LISTEN": "127.0.0.1:0", "ENGINE_WORKERS": "1"}
    command = [sys.executable, "-m", "services.engine"]
    with log.open("wb") as output, subprocess.Popen(command, env=environment, stderr=output) as it:
        try:
            yield f"127.0.0.1:{port_in(log, it)}"
        finally:
            it.terminate()
            it.wait(30)


def port_in(log: Path, process: subprocess.Popen[bytes]) -> int:
    """Wait until the engine's log says where it serves."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        for line in log.read_text().splitlines(keepends=True):
            if line.endswith("\n") and '"serving"' in line:
                port: int = json.loads(line)["port"]
                return port
        time.sleep(0.05)
    pytest.fail(f"the engine did not start: {log.read_text()[-500:]}")


def counts(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    captured = capsys.readouterr()
    assert captured.err == ""
    line: dict[str, object] = json.loads(captured.out.splitlines()[-1])
    return line


GOLDEN_COUNTS = {
    "hands": 77,
    "replayed": 68,
    "skipped": {"antes": 4, "no_small_blind": 3, "posts": 1, "straddles": 1},
    "mismatches": 0,
}


def test_golden_hands_and_cases_agree_with_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(HANDS), "--scenarios", str(SCENARIOS)]) == 0
    assert counts(capsys) == GOLDEN_COUNTS


def test_golden_hands_and_cases_agree_with_a_running_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_engine(tmp_path / "engine.log") as target:
        assert main([str(HANDS), "--scenarios", str(SCENARIOS), "--target", target]) == 0
    assert counts(capsys) == GOLDEN_COUNTS


def test_an_engine_that_does_not_answer_is_neither_agreement_nor_difference(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.engine.replay.run.CONNECT_SECONDS", 0.5)
    assert main([str(HANDS), "--target", "127.0.0.1:1"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no engine at 127.0.0.1:1" in captured.err


@pytest.mark.corpus
@pytest.mark.parametrize("name", CORPUS_COUNTS)
def test_the_whole_corpus_agrees_with_the_library(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = corpus(name)
    assert main([str(path)]) == 0
    hands, skipped = CORPUS_COUNTS[name]
    assert counts(capsys) == {
        "hands": hands,
        "replayed": hands - sum(skipped.values()),
        "skipped": skipped,
        "mismatches": 0,
    }


@pytest.mark.corpus
@pytest.mark.timeout(900)  # some 55,000 calls: half a minute alone, minutes on a busy machine
def test_the_whole_corpus_agrees_with_a_running_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(corpus(name)) for name in CORPUS_COUNTS]
    with running_engine(tmp_path / "engine.log") as target:
        assert main([*paths, "--target", target]) == 0
    line = counts(capsys)
    assert (line["hands"], line["mismatches"]) == (3_667, 0)


@pytest.mark.corpus
def test_the_copied_cases_are_the_shared_ones() -> None:
    assert SCENARIOS.read_bytes() == corpus("rule_scenarios.jsonl").read_bytes()


def corpus(name: str) -> Path:
    path = CORPUS / name
    if not path.exists():
        pytest.skip(f"no shared hand corpora beside the repository ({name})")
    return path
