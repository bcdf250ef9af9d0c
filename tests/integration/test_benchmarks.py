"""The benchmarks measure what they say: real answers, nothing silently left out."""

from pathlib import Path

import pytest

from benchmarks import subjects
from benchmarks.install_peers import requirements
from benchmarks.service import load, workload
from benchmarks.service.processes import engine
from services.engine.service import SERVICE_NAME

ACT = f"/{SERVICE_NAME}/Act"


def test_the_load_counts_answers_and_refusals_apart() -> None:
    request = workload.growing(3)
    good = request.SerializeToString()
    request.action.seat = 1
    refused = request.SerializeToString()
    with engine() as server:
        host, port = server.address.split(":")
        outcome = load.run(
            (host, int(port)), ACT, [good, refused], seconds=0.2, connections=2, streams=4
        )
    assert outcome["answered"] > 0
    assert abs(outcome["answered"] - outcome["failed"]) <= 8
    assert 0 < outcome["p50_ms"] <= outcome["p99_ms"]


def test_a_load_that_is_only_refused_is_an_error() -> None:
    with engine() as server:
        host, port = server.address.split(":")
        with pytest.raises(ConnectionError, match="no call was answered"):
            load.run((host, int(port)), ACT, [b""], seconds=0.1, connections=1, streams=1)


def test_own_subjects_play_and_rank() -> None:
    answers, unavailable = subjects.compare(["riverboat", "bare"], {"players": 2, "hands": 20}, 2)
    assert unavailable == {}
    assert {name: len(given) for name, given in answers.items()} == {"riverboat": 2, "bare": 2}
    assert all(answer["decisions"] >= 20 for given in answers.values() for answer in given)


def test_a_peer_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subjects, "PEERS_PYTHON", tmp_path / "python")
    _, unavailable = subjects.compare(["pokerkit"], {"players": 2, "hands": 1}, 1)
    assert "not installed" in unavailable["pokerkit"]


def test_a_subject_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subjects, "OWN", ("no_such_module",))
    _, unavailable = subjects.compare(["no_such_module"], {"players": 2, "hands": 1}, 1)
    assert "No module named" in unavailable["no_such_module"]


def test_a_lock_splits_into_requirements_with_their_hashes() -> None:
    lock = "a==1 \\\n    --hash=sha256:00\nb==2 \\\n    --hash=sha256:01 \\\n    --hash=sha256:02\n"
    assert [text.split()[0] for text in requirements(lock)] == ["a==1", "b==2"]
    assert "".join(requirements(lock)) == lock
