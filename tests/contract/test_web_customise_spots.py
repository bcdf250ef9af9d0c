"""The spots of SPEC 1.7 that the web client's tests render are what the gateway says of them.

``python -m tests.contract.test_web_customise_spots`` writes the file anew.
"""

import json
from pathlib import Path
from typing import Any

from tests.unit.test_gateway_presets import CLOSED, ROWS

FILE = Path(__file__).parents[2] / "services/gateway/web/tests/spots.json"


def spots() -> dict[str, Any]:
    """What the gateway offers in every row of the section, by the name of the row."""
    found = {row.name: row.spot for row in ROWS} | {name: spot for name, spot, _ in CLOSED}
    return {name: offered(spot.legal()) for name, spot in found.items()}


def offered(legal: dict[str, Any]) -> dict[str, Any]:
    """Without what differs in every run, and without what is there twice."""
    raises = legal["raise"] and {**legal["raise"], "presets": []}
    return {**legal, "turn_token": "turn-1", "raise": raises}


def as_text() -> str:
    """One row a line."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(spot, ensure_ascii=False)}"
        for name, spot in spots().items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def test_the_web_client_renders_the_gateways_own_words_and_amounts() -> None:
    assert json.loads(FILE.read_text()) == spots()


if __name__ == "__main__":
    FILE.write_text(as_text())
