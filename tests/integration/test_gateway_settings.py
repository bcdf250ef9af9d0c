"""One's own preferences over HTTP, on SQLite and PostgreSQL (SPEC 1.6, Preferences)."""

import json
from collections.abc import Iterator

import httpx
import pytest

from services.common.database import migrate, reading
from services.gateway.app import MIGRATIONS
from services.gateway.store import preferences
from services.gateway.store.preferences import Kind
from tests.support import saved
from tests.support.gateways import NOON, Guest, House, Json, body_of, open_house
from tests.support.saved import is_refused

PATH = "/v1/me/settings"

DEFAULTS = {
    "four_colour_deck": True,
    "amounts": "chips",
    "animation_speed": 1,
    "reduced_motion": "system",
    "theme": "dark",
    "contrast": "system",
    "sounds": {"muted": False, "your_turn": True, "only_my_turn": False},
    "vibration": False,
    "confirm_all_in": False,
    "keyboard": {
        "enabled": True,
        "keys": {
            "fold": "f", "check_call": "c", "bet_raise": "r", "all_in": "a", "less": "ArrowLeft",
            "more": "ArrowRight", "skip": "s", "next_hand": "n", "top_up": "t", "leave": "l",
            "history": "h", "help": "?", "shortcuts": list("1234567890"),
        },
    },
    "auto_next_hand": False,
    "auto_top_up": False,
    "left_handed": False,
    "language": "und",
    "text_table": False,
    "show_equity": True,
    "show_hand_strength": True,
}  # fmt: skip

CHANGED = {
    "four_colour_deck": False,
    "amounts": "bb",
    "animation_speed": 2,
    "reduced_motion": "on",
    "theme": "light",
    "contrast": "high",
    "sounds": {"muted": True, "your_turn": False, "only_my_turn": True},
    "vibration": True,
    "confirm_all_in": True,
    "keyboard": {"enabled": False, "keys": {"fold": "x", "less": "-", "more": "+", "help": None}},
    "auto_next_hand": True,
    "auto_top_up": True,
    "left_handed": True,
    "language": "pt-BR",
    "text_table": True,
    "show_equity": False,
    "show_hand_strength": False,
}


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


@pytest.fixture
def ana(house: House) -> Guest:
    return house.guest("Ana")


def put(guest: Guest, body: Json, tag: str | None = '"0"') -> httpx.Response:
    return saved.put(guest, PATH, body, tag)


def read(guest: Guest) -> tuple[str, Json]:
    return saved.read(guest, PATH)


def store(house: House, guest: Guest, settings: Json) -> None:
    """Have settings saved as another release saved them."""
    body = json.dumps(settings)
    with house.sql_engine.begin() as connection:
        user_id, kind = guest.user["id"], Kind.SETTINGS
        preferences.save(connection, user_id, kind, body, allows=lambda _: True, now=NOON)


def test_everybody_starts_with_the_defaults(ana: Guest) -> None:
    assert read(ana) == ('"0"', DEFAULTS)


def test_everything_can_be_changed(ana: Guest) -> None:
    response = put(ana, CHANGED)
    assert (response.status_code, response.headers["ETag"]) == (200, '"1"')
    keys = {**DEFAULTS["keyboard"]["keys"], **CHANGED["keyboard"]["keys"]}  # type: ignore[index]  # nested
    expected = {**CHANGED, "keyboard": {"enabled": False, "keys": keys}}
    assert body_of(response) == expected
    assert read(ana) == ('"1"', expected)


def test_what_is_read_can_be_put_again(ana: Guest) -> None:
    put(ana, CHANGED)
    tag, body = read(ana)
    assert body_of(put(ana, body, tag)) == body


def test_what_is_left_out_goes_back_to_its_default(ana: Guest) -> None:
    put(ana, CHANGED)
    assert body_of(put(ana, {"amounts": "bb"}, '"1"')) == {**DEFAULTS, "amounts": "bb"}
    assert body_of(put(ana, {}, '"2"')) == DEFAULTS


def test_a_change_needs_the_version_it_was_made_on(ana: Guest) -> None:
    is_refused(put(ana, CHANGED, None), 428, "precondition-required")
    is_refused(put(ana, CHANGED, '"1"'), 412, "precondition-failed")
    assert read(ana) == ('"0"', DEFAULTS)
    put(ana, {"amounts": "bb"})
    response = put(ana, CHANGED)
    is_refused(response, 412, "precondition-failed")
    assert response.headers["ETag"] == '"1"'
    assert read(ana) == ('"1"', {**DEFAULTS, "amounts": "bb"})


def test_commands_may_have_no_key_and_swap_keys(ana: Guest) -> None:
    keys = {"fold": "c", "check_call": "f", "skip": None, "leave": None, "help": "é"}
    found = body_of(put(ana, {"keyboard": {"keys": keys}}))["keyboard"]["keys"]
    assert {name: found[name] for name in keys} == keys


def test_settings_are_a_persons_own(house: House, ana: Guest) -> None:
    put(ana, CHANGED)
    assert read(house.guest("Ben")) == ('"0"', DEFAULTS)
    for method in ("GET", "PUT"):
        response = Guest(house).send(method, PATH, json={}, headers={"If-Match": "*"})
        is_refused(response, 401, "no-session")


def test_settings_and_shortcuts_have_versions_of_their_own(ana: Guest) -> None:
    put(ana, CHANGED)
    assert ana.send("GET", "/v1/me/bet-presets").headers["ETag"] == '"0"'


def test_what_a_newer_release_saved_is_read_as_far_as_it_is_known(house: House, ana: Guest) -> None:
    newer = {
        "left_handed": True,
        "theme": "sepia",
        "sounds": {"muted": True, "volume": 3},
        "avatar": "otter",
    }
    store(house, ana, newer)
    sounds = {"muted": True, "your_turn": True, "only_my_turn": False}
    assert read(ana) == ('"1"', {**DEFAULTS, "left_handed": True, "sounds": sounds})
    with reading(house.sql_engine) as connection:
        stored = preferences.load(connection, ana.user["id"], Kind.SETTINGS)
    assert json.loads(stored.body or "") == newer


def test_a_language_that_was_only_the_default_of_before_is_nobodys_choice(house: House) -> None:
    ana, ben = house.guest("Ana"), house.guest("Ben")
    store(house, ana, {**DEFAULTS, "amounts": "bb", "language": "en"})
    store(house, ben, {**DEFAULTS, "language": "en-GB"})
    with house.sql_engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0007'")
    migrate(house.sql_engine, MIGRATIONS)
    assert read(ana) == ('"2"', {**DEFAULTS, "amounts": "bb", "language": "und"})
    assert read(ben) == ('"1"', {**DEFAULTS, "language": "en-GB"})


def test_an_english_that_is_chosen_stays(ana: Guest) -> None:
    put(ana, {"language": "en"})
    assert read(ana) == ('"1"', {**DEFAULTS, "language": "en"})
