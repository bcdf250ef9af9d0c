"""Changes to shortcuts and settings that are refused: named problems, and nothing changes."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.gateways import Guest, House, Json, open_house
from tests.support.saved import is_refused, put, read

PRESETS, SETTINGS = "/v1/me/bet-presets", "/v1/me/settings"
OWN = {
    "preflop": [{"kind": "bb", "value": "2.5"}, {"kind": "allin"}],
    "postflop": [{"kind": "pot_fraction", "value": "3/4"}],
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    path = tmp_path_factory.mktemp("refusals") / "tables.sqlite3"
    with open_house(f"sqlite:///{path}") as house:
        yield house


@pytest.fixture
def ana(house: House) -> Guest:
    """A new person each time."""
    return house.guest("Ana")


@pytest.mark.parametrize("path", [PRESETS, SETTINGS])
@pytest.mark.parametrize("tag", ['"0"', '"2"', 'W/"1"', "1", '"', "", '"1', '"a", "b"', '"*"'])
def test_a_change_on_another_version_is_refused(ana: Guest, path: str, tag: str) -> None:
    first = OWN if path == PRESETS else {"left_handed": True}
    second = {**OWN, "preflop": [{"kind": "min"}]} if path == PRESETS else {}
    assert put(ana, path, first, '"0"').status_code == 200
    before = read(ana, path)
    response = put(ana, path, second, tag)
    is_refused(response, 412, "precondition-failed")
    assert response.headers["ETag"] == before[0] == '"1"'
    assert read(ana, path) == before


@pytest.mark.parametrize("tag", ['"0"', 'W/"1"', "1"])
def test_a_reset_on_another_version_is_refused(ana: Guest, tag: str) -> None:
    put(ana, PRESETS, OWN, '"0"')
    before = read(ana, PRESETS)
    response = ana.send("DELETE", PRESETS, headers={"If-Match": tag})
    is_refused(response, 412, "precondition-failed")
    assert read(ana, PRESETS) == before


@pytest.mark.parametrize("tag", ['"0"', '"7", "0"', 'W/"0" , "0"', "*", " * "])
def test_a_version_may_be_one_of_several_or_any(ana: Guest, tag: str) -> None:
    assert put(ana, PRESETS, OWN, tag).status_code == 200


@pytest.mark.parametrize("count", [0, 11])
@pytest.mark.parametrize("name", ["preflop", "postflop"])
def test_none_and_the_eleventh_are_over_the_limit(ana: Guest, name: str, count: int) -> None:
    before = read(ana, PRESETS)
    row = [{"kind": "bb", "value": str(number)} for number in range(1, count + 1)]
    body = is_refused(put(ana, PRESETS, {**OWN, name: row}, '"0"'), 422, "preset-limit")
    assert (body["set"], body["count"], body["min"], body["max"]) == (name, count, 1, 10)
    assert read(ana, PRESETS) == before


@pytest.mark.parametrize(
    ("row", "index", "reason"),
    [
        ([{"kind": "min"}, {"kind": "bb", "value": "2.3"}], 1, "out_of_bounds"),
        ([{"kind": "bb"}], 0, "value_missing"),
        ([{"kind": "allin", "value": "1"}], 0, "value_unused"),
        ([{"kind": "pot_percent", "value": "fifty"}], 0, "malformed"),
        ([{"kind": "pot_fraction", "value": "1/13"}], 0, "out_of_bounds"),
        ([{"kind": "min"}, {"kind": "allin"}, {"kind": "min"}], 2, "duplicate"),
    ],
)
def test_a_shortcut_that_cannot_be_is_named(
    ana: Guest, row: list[Json], index: int, reason: str
) -> None:
    before = read(ana, PRESETS)
    body = is_refused(put(ana, PRESETS, {**OWN, "postflop": row}, '"0"'), 422, "preset-invalid")
    (error,) = body["errors"]
    assert (error["set"], error["index"], error["reason"]) == ("postflop", index, reason)
    assert read(ana, PRESETS) == before


@pytest.mark.parametrize(
    "body",
    [
        {}, [], {"preflop": OWN["preflop"]}, {**OWN, "river": []}, {**OWN, "preflop": None},
        {**OWN, "preflop": {"kind": "min"}}, {**OWN, "preflop": ["min"]},
        {**OWN, "preflop": [{"kind": "spr", "value": "2"}]}, {**OWN, "preflop": [{"value": "2"}]},
        {**OWN, "preflop": [{"kind": "bb", "value": 2.5}]},
        {**OWN, "preflop": [{"kind": "bb", "value": 2}]},
        {**OWN, "preflop": [{"kind": "min", "label": "Tiny"}]},
    ],
)  # fmt: skip
def test_a_body_of_another_shape_is_invalid(ana: Guest, body: Any) -> None:  # noqa: ANN401
    before = read(ana, PRESETS)
    is_refused(put(ana, PRESETS, body, '"0"'), 422, "request-invalid")
    assert read(ana, PRESETS) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"colour": "red"}, "body.colour"),
        ({"sounds": {"volume": 1}}, "body.sounds.volume"),
        ({"keyboard": {"keys": {"bluff": "b"}}}, "body.keyboard.keys.bluff"),
        ({"amounts": "euro"}, "body.amounts"),
        ({"animation_speed": 3}, "body.animation_speed"),
        ({"animation_speed": -1}, "body.animation_speed"),
        ({"animation_speed": 1.0}, "body.animation_speed"),
        ({"animation_speed": True}, "body.animation_speed"),
        ({"animation_speed": "1"}, "body.animation_speed"),
        ({"four_colour_deck": 1}, "body.four_colour_deck"),
        ({"four_colour_deck": None}, "body.four_colour_deck"),
        ({"theme": ""}, "body.theme"),
        ({"language": "English"}, "body.language"),
        ({"language": "en_GB"}, "body.language"),
        ({"language": "en\n"}, "body.language"),
        ({"language": "en-" + "a" * 60}, "body.language"),
        ({"sounds": None}, "body.sounds"),
        ({"keyboard": {"keys": {"fold": "ff"}}}, "body.keyboard.keys.fold"),
        ({"keyboard": {"keys": {"fold": "F"}}}, "body.keyboard.keys.fold"),
        ({"keyboard": {"keys": {"fold": " "}}}, "body.keyboard.keys.fold"),
        ({"keyboard": {"keys": {"fold": ""}}}, "body.keyboard.keys.fold"),
        ({"keyboard": {"keys": {"fold": "\u200b"}}}, "body.keyboard.keys.fold"),
        ({"keyboard": {"keys": {"fold": "Tab"}}}, "body.keyboard.keys.fold"),
        ({"keyboard": {"keys": {"fold": "Enter"}}}, "body.keyboard.keys.fold"),
        ({"keyboard": {"keys": {"shortcuts": ["1"]}}}, "body.keyboard.keys.shortcuts"),
        ({"keyboard": {"keys": {"fold": "c"}}}, "body.keyboard.keys"),
        ({"keyboard": {"keys": {"fold": "3"}}}, "body.keyboard.keys"),
        ({"keyboard": {"keys": {"shortcuts": ["1"] * 10}}}, "body.keyboard.keys"),
        ([], "body"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_by_name_and_changes_nothing(
    ana: Guest,
    body: Any,  # noqa: ANN401
    field: str,
) -> None:
    before = read(ana, SETTINGS)
    problem = is_refused(put(ana, SETTINGS, body, '"0"'), 422, "request-invalid")
    assert problem["errors"][0]["field"] == field
    assert read(ana, SETTINGS) == before
