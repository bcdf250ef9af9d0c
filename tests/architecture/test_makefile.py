"""``make help`` lists every documented task, in two straight columns."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
TASK = re.compile(r"  make (\S+)( +)(\S.*)")


def test_help_has_two_straight_columns() -> None:
    run = subprocess.run(
        # Under `make test` a second make would tell which directory it enters.
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    tasks = [TASK.fullmatch(line) for line in run.stdout.splitlines()]
    assert all(tasks), run.stdout
    assert len({task.start(3) for task in tasks if task}) == 1
    documented = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [task[1] for task in tasks if task] == documented
