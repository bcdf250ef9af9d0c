"""The rules compiled by `make fast` are the rules: same tests, same hands."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from poker.cards import DECK
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, ReopenRule, SeatStack
from tests.support.strategies import random_action
from tools import fast

ROOT = Path(__file__).parents[2]
HANDS = 400


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    # CI may lack a compiler, and nothing that is shipped needs one: a reason to skip everywhere.
    if (lack := fast.missing()) is not None:
        pytest.skip(f"cannot compile the rules: {lack}")
    fast.build()


def random_setup(rng: Random) -> HandSetup:
    blinds = sorted((rng.randint(1, 50), rng.randint(1, 100)))
    flags = [rng.random() < 0.5 for _ in range(3)]
    rules = HandRules(blinds[0], blinds[1], rng.choice(list(ReopenRule)), *flags)
    seats = sorted(rng.sample(range(1, 11), rng.randint(2, 9)))
    stacks = tuple(SeatStack(seat, rng.randint(1, 1_500)) for seat in seats)
    return HandSetup("hand", rules, stacks, rng.randint(1, 10), tuple(rng.sample(DECK, 52)))


def story_of_random_hands() -> str:
    """Digest every event, legal action, snapshot and result of many hands of all sorts."""
    rng, story = Random(10), hashlib.sha256()
    for _ in range(HANDS):
        hand = Hand(random_setup(rng))
        while hand.legal is not None:
            story.update(f"{hand.legal} {hand.snapshot()}".encode())
            hand.act(random_action(hand.legal, rng))
        told = (hand.events, hand.result, hand.stacks_chips)
        story.update(f"{told} {[list(map(str, hand.setup.deck))]}".encode())
    return story.hexdigest()


def test_the_tests_of_the_rules_pass_on_the_compiled_rules() -> None:
    command = [sys.executable, str(ROOT / "tools/fast.py"), "test", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-4_000:] + run.stderr[-2_000:]


def test_compiled_rules_play_every_hand_the_same() -> None:
    entry = f"from tests.integration.{Path(__file__).stem} import story_of_random_hands as story"
    run = fast.run(f"{entry}; print(story())", capture=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == story_of_random_hands()


def test_an_unchanged_build_is_kept() -> None:
    stamp = fast.FAST / "sources.sha256"
    before = stamp.stat().st_mtime_ns
    fast.build()
    assert stamp.stat().st_mtime_ns == before


def test_a_build_that_fails_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "FAST", tmp_path / "fast")
    monkeypatch.setattr(fast, "COMPILED", ("no_such_module",))
    with pytest.raises(subprocess.CalledProcessError):
        fast.build()
    assert not (fast.FAST / "sources.sha256").exists()


def test_the_engine_runs_the_build_that_is_first_on_its_path() -> None:
    script = "from services.engine.app import rules_are_compiled; print(rules_are_compiled())"
    for path, compiled in ((f"{fast.FAST}{os.pathsep}{ROOT}", "True"), (str(ROOT), "False")):
        command = [sys.executable, "-P", "-c", script]
        run = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE, check=True
        )
        assert run.stdout.decode().strip() == compiled


def test_a_build_goes_where_it_is_asked_to(tmp_path: Path) -> None:
    target = fast.build(tmp_path / "image")
    built = {path.relative_to(target).as_posix().split(".")[0] for path in target.rglob("*.so")}
    assert {path for path in built if "/" in path} == set(fast.COMPILED)
