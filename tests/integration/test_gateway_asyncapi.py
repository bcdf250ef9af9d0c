"""The gateway serves the AsyncAPI document as its file has it."""

from pathlib import Path

import yaml

from tests.support.asyncapi import EXPORTED
from tests.support.gateways import open_house


def test_the_asyncapi_document_is_served(tmp_path: Path) -> None:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        response = house.guest().send("GET", "/asyncapi.yaml")
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/yaml")
    assert response.text == EXPORTED.read_text()
    assert yaml.safe_load(response.text)["channels"]["matches"]["address"] == "riverboat.matches.v1"
