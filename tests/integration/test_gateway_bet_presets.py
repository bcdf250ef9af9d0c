"""One's own shortcuts over HTTP, on SQLite and PostgreSQL (UI-030, UI-040)."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from tests.support import saved
from tests.support.gateways import Guest, House, Json, body_of, open_house, shoving
from tests.support.saved import is_refused

PATH = "/v1/me/bet-presets"

OWN = {
    "preflop": [{"kind": "bb", "value": "2.5"}, {"kind": "allin"}, {"kind": "min", "value": None}],
    "postflop": [{"kind": "pot_fraction", "value": "3/4"}, {"kind": "pot_percent", "value": "33"}],
}
LABELS = {"preflop": ["2.5 BB", "All-in", "Min"], "postflop": ["¾ pot", "33%"]}
DEFAULT_LABELS = {
    "preflop": ["Min", "2 BB", "2.5 BB", "3 BB", "30%", "50%", "70%", "Pot", "All-in"],
    "postflop": ["Min", "30%", "50%", "⅔ pot", "70%", "Pot", "All-in"],
}


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


@pytest.fixture
def ana(house: House) -> Guest:
    return house.guest("Ana")


def put(guest: Guest, body: Json, tag: str | None) -> httpx.Response:
    return saved.put(guest, PATH, body, tag)


def read(guest: Guest) -> tuple[str, dict[str, list[str]]]:
    """The ETag and the labels of both rows."""
    tag, body = saved.read(guest, PATH)
    return tag, labels_of(body)


def labels_of(body: Json) -> dict[str, list[str]]:
    return {name: [item["label"] for item in body[name]] for name in ("preflop", "postflop")}


def test_everybody_starts_with_the_defaults(ana: Guest) -> None:
    tag, labels = read(ana)
    assert (tag, labels) == ('"0"', DEFAULT_LABELS)
    assert ana.get(PATH)["customised"] is False


def test_what_was_put_is_what_is_read(ana: Guest) -> None:
    response = put(ana, OWN, '"0"')
    assert (response.status_code, response.headers["ETag"]) == (200, '"1"')
    body = body_of(response)
    assert body == ana.get(PATH)
    assert body["customised"] is True
    assert body["postflop"] == [
        {"id": "pot_3_4", "label": "¾ pot", "kind": "pot_fraction", "value": "3/4"},
        {"id": "pot_33", "label": "33%", "kind": "pot_percent", "value": "33"},
    ]
    assert read(ana) == ('"1"', LABELS)


def test_what_is_read_can_be_put_again(ana: Guest) -> None:
    put(ana, OWN, '"0"')
    found = ana.get(PATH)
    wishes = {
        name: [{"kind": item["kind"], "value": item["value"]} for item in found[name]]
        for name in ("preflop", "postflop")
    }
    assert put(ana, wishes, '"1"').status_code == 200
    assert read(ana) == ('"2"', LABELS)


def test_a_change_needs_the_version_it_was_made_on(ana: Guest) -> None:
    is_refused(put(ana, OWN, None), 428, "precondition-required")
    is_refused(ana.send("DELETE", PATH), 428, "precondition-required")
    assert read(ana) == ('"0"', DEFAULT_LABELS)


def test_a_change_on_another_version_is_refused(ana: Guest) -> None:
    put(ana, OWN, '"0"')
    response = put(ana, {**OWN, "preflop": [{"kind": "min"}]}, '"0"')
    is_refused(response, 412, "precondition-failed")
    assert response.headers["ETag"] == '"1"'
    assert read(ana) == ('"1"', LABELS)


def test_delete_brings_the_defaults_back_as_a_new_version(ana: Guest) -> None:
    put(ana, OWN, '"0"')
    response = ana.send("DELETE", PATH, headers={"If-Match": '"1"'})
    assert (response.status_code, response.headers["ETag"]) == (200, '"2"')
    assert labels_of(body_of(response)) == DEFAULT_LABELS
    assert read(ana) == ('"2"', DEFAULT_LABELS)
    for late in ('"0"', '"1"'):
        is_refused(put(ana, OWN, late), 412, "precondition-failed")


def test_of_two_changes_on_one_version_one_wins(house: House, ana: Guest) -> None:
    put(ana, OWN, '"0"')
    rows = [[{"kind": "bb", "value": str(number)}] for number in range(1, 6)]

    async def at_once() -> list[httpx.Response]:
        changes = (
            ana.sending("PUT", PATH, json={**OWN, "preflop": row}, headers={"If-Match": '"1"'})
            for row in rows
        )
        return await asyncio.gather(*changes)

    responses = house.run(at_once())
    assert sorted(response.status_code for response in responses) == [200, 412, 412, 412, 412]
    winner = next(response for response in responses if response.status_code == 200)
    assert read(ana) == ('"2"', labels_of(body_of(winner)))


def test_shortcuts_need_a_session(house: House) -> None:
    nobody = Guest(house)
    for method in ("GET", "PUT", "DELETE"):
        response = nobody.send(method, PATH, json=OWN, headers={"If-Match": "*"})
        is_refused(response, 401, "no-session")


def test_they_are_the_same_on_another_device_and_after_a_restart(house: House, ana: Guest) -> None:
    put(ana, OWN, '"0"')
    house.restart()
    phone = Guest(house)
    phone.http.cookies = ana.http.cookies
    assert read(phone) == ('"1"', LABELS)
    assert read(house.guest("Ben")) == ('"0"', DEFAULT_LABELS)


def test_they_stay_when_a_guest_gets_an_account_and_follow_it_ui_040(
    house: House, ana: Guest
) -> None:
    put(ana, OWN, '"0"')
    seat = ana.sit_down()
    login = {"username": "ana_p", "password": "a seat by the paddle wheel"}
    assert ana.post("/v1/accounts", login, status=201)["user"]["id"] == ana.user["id"]
    assert read(ana) == ('"1"', LABELS)
    elsewhere = Guest(house)
    elsewhere.post("/v1/sessions", login)
    assert read(elsewhere) == ('"1"', LABELS)
    table = elsewhere.get(f"/v1/tables/{seat.table_id}")
    assert shown(table["legal"]) == LABELS["preflop"]


def shown(legal: Json) -> list[str]:
    """The labels of the buttons; the two places where they are told agree."""
    if legal["raise"] is not None:
        assert legal["raise"]["presets"] == legal["presets"]
    return [offer["label"] for offer in legal["presets"]]


def test_every_answer_of_a_table_offers_them(ana: Guest) -> None:
    put(ana, OWN, '"0"')
    seat = ana.sit_down()
    assert seat.legal is not None
    assert shown(seat.legal) == LABELS["preflop"]
    assert [offer["amount"] for offer in seat.legal["presets"]] == [250, 10_000, 200]
    answer = seat.act("call")
    assert shown(answer["legal"]) == shown(answer["snapshot"]["legal"]) == LABELS["postflop"]
    # Three quarters and a third of a pot of 200.
    assert [offer["amount"] for offer in answer["legal"]["presets"]] == [150, 66]
    assert shown(seat.refresh()["legal"]) == LABELS["postflop"]
    seat.play_out()
    assert shown(seat.next_hand()["snapshot"]["legal"]) == LABELS["preflop"]


def test_a_change_shows_at_the_table_at_once(ana: Guest) -> None:
    seat = ana.sit_down()
    path = f"/v1/tables/{seat.table_id}"
    tag = ana.send("GET", path).headers["ETag"]
    put(ana, OWN, '"0"')
    response = ana.send("GET", path, headers={"If-None-Match": tag})
    assert response.status_code == 200
    assert shown(body_of(response)["legal"]) == LABELS["preflop"]
    newer = response.headers["ETag"]
    assert ana.send("GET", path, headers={"If-None-Match": newer}).status_code == 304
    ana.send("DELETE", PATH, headers={"If-Match": '"1"'})
    back = ana.send("GET", path, headers={"If-None-Match": newer})
    assert back.status_code == 200
    assert shown(body_of(back)["legal"]) == DEFAULT_LABELS["preflop"]


def test_they_are_grey_when_nobody_can_call_a_raise(house: House, ana: Guest) -> None:
    house.river.choose = shoving
    put(ana, OWN, '"0"')
    seat = ana.sit_down()
    legal = seat.act("call")["legal"]
    assert legal["raise"] is None
    assert shown(legal) == LABELS["preflop"]
    assert {(offer["amount"], offer["reason"]) for offer in legal["presets"]} == {
        (None, "no raise")
    }
