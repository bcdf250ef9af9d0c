"""Leaving for good: what is taken along, what is erased, what stays without a name."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from services.common.database import reading
from services.gateway.ratelimit import RateLimiter
from services.gateway.store.schema import METADATA, SESSIONS, USERS
from services.gateway.store.users import ERASED_NAME
from tests.support.gateways import Guest, House, Seat, open_house
from tests.support.people import (
    account,
    account_body,
    browser,
    make_token,
    register,
    send_as,
    session_of,
    sign_in,
)

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


def export(guest: Guest) -> dict[str, Any]:
    """The files of an archive, read."""
    response = guest.send("GET", "/v1/me/export")
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"] == "application/zip"
    assert "attachment" in response.headers["Content-Disposition"]
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert archive.testzip() is None
    return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def stored(house: House) -> str:
    """Everything in the gateway's database, as text."""
    with reading(house.sql_engine) as connection:
        rows = [connection.execute(table.select()).all() for table in METADATA.sorted_tables]
    return repr(rows)


def settled_match(guest: Guest) -> Seat:
    seat = guest.sit_down()
    seat.act("fold")
    seat.do("settle")
    return seat


def test_nobody_is_erased_at_an_open_table(house: House) -> None:
    guest = account(house)
    seat = guest.sit_down()
    response = guest.send("DELETE", "/v1/me")
    assert response.status_code == 409
    problem = response.json()
    assert problem["type"].endswith("/active-match")
    assert (problem["match_id"], problem["table_id"]) == (seat.match_id, seat.table_id)
    assert guest.get("/v1/me")["user"] == guest.user


def test_an_erased_person_is_gone_and_their_hands_are_nobodys(house: House) -> None:
    guest = browser(house)
    guest.post("/v1/accounts", account_body("zebedee", email="zeb@example.org"), status=201)
    guest.send("PATCH", "/v1/me", json={"display_name": "Zebedee the Bold"})
    words = guest.post("/v1/me/recovery-code")["words"]
    token, session = make_token(guest, "play")["token"], session_of(guest)
    seat = settled_match(guest)
    user_id = guest.get("/v1/me")["user"]["id"]
    response = guest.send("DELETE", "/v1/me")
    assert response.status_code == 204
    assert 'riverboat_session=""' in response.headers["Set-Cookie"]
    for dead in (token, session):
        assert send_as(guest, dead, "GET", "/v1/me").status_code == 401
    other = browser(house)
    other.refused("/v1/sessions/recover", {"words": words}, status=401, problem="bad-credentials")
    login = {"username": "zebedee", "password": account_body()["password"]}
    other.refused("/v1/sessions", login, status=401, problem="bad-credentials")
    kept = stored(house)
    for gone in ("zebedee", "Zebedee", "example.org", "argon2"):
        assert gone not in kept
    scene = house.run(house.gateway.driver.load(seat.table_id))
    assert (scene.match.user_id, scene.player.display_name) == (user_id, ERASED_NAME)


def test_an_erased_name_is_free_again_and_is_somebody_else(house: House) -> None:
    guest = account(house)
    old_id = guest.user["id"]
    settled_match(guest)
    guest.send("DELETE", "/v1/me")
    again = account(house)
    assert again.user["id"] != old_id
    assert again.get("/v1/matches")["items"] == []


def test_a_guest_merged_into_an_account_is_erased_with_it(house: House) -> None:
    account(house)
    guest = house.guest("Ottilie")
    settled_match(guest)
    offer = sign_in(guest)["merge_offer"]
    guest.post("/v1/me/merge-guest", {"guest_token": offer["guest_token"]})
    guest.send("DELETE", "/v1/me")
    with reading(house.sql_engine) as connection:
        names = connection.execute(USERS.select()).all()
        assert {row.display_name for row in names} == {ERASED_NAME}
        assert connection.execute(SESSIONS.select()).all() == []


def test_erasing_can_be_bound_to_the_profile_that_was_read(house: House) -> None:
    guest = account(house)
    response = guest.send("DELETE", "/v1/me", headers={"If-Match": '"99"'})
    assert response.status_code == 412
    tag = guest.send("GET", "/v1/me").headers["ETag"]
    assert response.headers["ETag"] == tag
    assert guest.send("DELETE", "/v1/me", headers={"If-Match": tag}).status_code == 204


def test_a_guest_can_be_erased_too(house: House) -> None:
    guest = house.guest("Ottilie")
    assert guest.send("DELETE", "/v1/me").status_code == 204
    assert "Ottilie" not in stored(house)


def test_the_archive_has_everything_that_is_kept(house: House) -> None:
    guest = browser(house)
    guest.post("/v1/accounts", account_body(email="ana@example.org"), status=201)
    make_token(guest, "play", name="phone")
    first, second = settled_match(guest), settled_match(guest)
    second = guest.sit_down()
    files = export(guest)
    profile = files["profile.json"]
    assert (profile["username"], profile["email"]) == ("ana_p", "ana@example.org")
    assert [token["name"] for token in profile["tokens"]] == ["phone"]
    assert len(profile["sessions"]) == 1
    assert set(files["settings.json"]) == {"bet_presets", "settings"}
    matches = files["matches.json"]
    assert len(matches) == 3
    assert {f"hands/{match['id']}.json" for match in matches} | {
        "profile.json", "settings.json", "matches.json",
    } == set(files)  # fmt: skip
    (hand,) = files[f"hands/{first.match_id}.json"]
    assert hand == guest.get(f"/v1/hands/{hand['hand_id']}")
    (running,) = files[f"hands/{second.match_id}.json"]
    assert running["state"] == "open"


def test_the_archive_shows_no_card_that_was_not_shown(house: House) -> None:
    guest = account(house)
    seat = guest.sit_down()
    own = seat.state["seats"][0]["cards"]
    seat.act("fold")
    (hand,) = export(guest)[f"hands/{seat.match_id}.json"]
    assert set(CARD.findall(json.dumps(hand))) == set(own)


def test_a_long_match_is_exported_in_whole(house: House) -> None:
    guest = account(house)
    seat = guest.sit_down()
    for _ in range(54):
        while seat.legal is not None:
            seat.act("fold" if seat.legal["can_fold"] else "check")
        seat.next_hand()
    hands = export(guest)[f"hands/{seat.match_id}.json"]
    assert sorted(hand["hand_no"] for hand in hands) == list(range(1, 56))


def test_the_archive_holds_no_secret(house: House) -> None:
    guest = account(house)
    token, words = make_token(guest, "read")["token"], guest.post("/v1/me/recovery-code")["words"]
    text = json.dumps(export(guest))
    for secret in (token, words, session_of(guest), account_body()["password"], "argon2"):
        assert secret not in text


def test_an_archive_a_minute(database_url: str) -> None:
    with open_house(database_url, limiter=RateLimiter(clock=lambda: 0.0)) as house:
        guest = house.guest()
        export(guest)
        response = guest.send("GET", "/v1/me/export")
        assert response.status_code == 429
        assert response.json()["ratelimit"] == {"key": "exports", "seconds": 60}


def test_without_an_engine_an_archive_needs_no_engine(house: House) -> None:
    guest = house.guest()
    register(guest)
    settled_match(guest)
    house.engine.down = True
    assert len(export(guest)["matches.json"]) == 1
