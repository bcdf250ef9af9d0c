"""The measurement of the web client in a browser, in small."""

import json
import subprocess
import sys

import pytest

from tests.support.browser import chromium_path
from tests.support.live_servers import REPO
from tests.support.web_client import BUILT

pytestmark = pytest.mark.browser


def test_every_screen_is_a_line_of_json_and_nothing_on_it_moves() -> None:
    chromium_path()
    assert (BUILT / "index.html").exists()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.trace_web", "--hands", "2"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    screens = [(size, motion) for size in ("desktop", "phone") for motion in ("full", "reduced")]
    assert [(row["screen"], row["motion"]) for row in rows] == screens
    for row in rows:
        assert row["hands"] == 2
        assert row["click_to_seen_ms"]["actions"] > 0
        assert row["layout_shift"] == {"total": 0, "moved": []}, row["screen"]
    logged = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert {line["service"] for line in logged} == {"trace_web"}
