"""A short run of chaos in the whole system; ``make chaos`` is the long one."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.chaos import EXIT_UNAVAILABLE

REPO = Path(__file__).resolve().parents[2]
DRAWN_SEED = random.SystemRandom().randrange(10**6)


@pytest.mark.kafka
@pytest.mark.postgres
def test_no_move_and_no_chip_is_lost_whatever_breaks() -> None:
    """In a process of its own, which may take a network namespace for itself."""
    options = ["--seed", str(DRAWN_SEED), "--faults", "3", "--least", "1", "--most", "3"]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.simulation.chaos", *options, "--clients=4"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    if done.returncode == EXIT_UNAVAILABLE and os.environ.get("CI") != "true":
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    assert "act 200" in done.stdout
    assert "every chip in its place" in done.stdout
