"""The streams that the web client's tests are played with are what a gateway sends.

``python -m tests.contract.test_web_streams`` writes them anew.
"""

import json
import tempfile
from pathlib import Path

import pytest

from tests.support.gateways import Json
from tests.support.recordings import SCENES, recorded
from tests.support.web_client import WEB

STREAMS = WEB / "tests/streams"


def as_text(recording: Json) -> str:
    """One message, and one moment, a line."""
    parts = [
        f'"{name}": [\n' + ",\n".join(json.dumps(one) for one in recording[name]) + "\n]"
        for name in ("messages", "moments")
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


@pytest.mark.parametrize("name", SCENES)
def test_the_web_client_is_tested_with_what_is_sent_now(name: str, tmp_path: Path) -> None:
    assert recorded(name, tmp_path) == json.loads((STREAMS / f"{name}.json").read_text())


def test_no_stream_is_left_of_a_scene_that_is_gone() -> None:
    assert {path.stem for path in STREAMS.iterdir()} == set(SCENES)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        for scene in SCENES:
            (STREAMS / f"{scene}.json").write_text(as_text(recorded(scene, Path(home))))
