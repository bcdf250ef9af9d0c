"""From guest to account: the same person, new credentials, nothing lost."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest

from services.gateway.model import EndReason
from services.gateway.ratelimit import RateLimiter
from tests.support.gateways import Guest, House, open_house
from tests.support.people import (
    PASSWORD,
    account,
    account_body,
    browser,
    make_token,
    register,
    send_as,
    session_of,
    sign_in,
)


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


def test_upgrading_keeps_the_person_and_the_open_match_hu_075(house: House) -> None:
    guest = house.guest("Ana")
    seat = guest.sit_down()
    seat.act("call")
    before, state = guest.user, seat.state
    user = register(guest, "Ana_P")
    assert user["id"] == before["id"]
    assert (user["kind"], user["username"], user["display_name"]) == ("account", "Ana_P", "Ana_P")
    assert seat.refresh()["legal"] == state["legal"]
    assert seat.refresh()["seats"][0]["cards"] == state["seats"][0]["cards"]
    assert guest.get("/v1/lobby")["resume"]["match_id"] == seat.match_id
    seat.play_out()
    assert seat.do("settle")["summary"]["hands"] == 1


def test_a_deleted_cookie_is_leaving_and_the_hand_is_finished_hu_075(house: House) -> None:
    guest = house.guest("Ana")
    seat = guest.sit_down()
    while seat.legal is not None and seat.state["hand"]["street"] != "river":
        seat.take_free()
    seat.play_out()
    seat.next_hand()
    seat.take_free()
    guest.http.cookies.clear()
    assert guest.get("/v1/me", status=401)
    stranger = guest.post("/v1/sessions/guest", {}, status=201)["user"]
    assert stranger["id"] != guest.user["id"]
    assert guest.get("/v1/lobby")["resume"] is None
    house.clock.advance(hours=25)
    house.run(house.gateway.sweeper.sweep())
    scene = house.run(house.gateway.driver.drive(seat.table_id))
    assert scene.match.end_reason is EndReason.EXPIRED
    assert not scene.match.is_open


def test_somebody_new_gets_an_account_at_once(house: House) -> None:
    guest = browser(house)
    user = register(guest)
    assert guest.get("/v1/me")["user"] == user
    assert guest.sit_down().state["seats"][0]["name"] == "ana_p"


def test_the_guests_token_is_worth_nothing_after_the_upgrade(house: House) -> None:
    guest = house.guest("Ana")
    old, token = session_of(guest), make_token(guest, "play")["token"]
    words = guest.post("/v1/me/recovery-code")["words"]
    register(guest)
    assert session_of(guest) != old
    for dead in (old, token):
        assert send_as(guest, dead, "GET", "/v1/me").status_code == 401
    browser(house).refused(
        "/v1/sessions/recover", {"words": words}, status=401, problem="bad-credentials"
    )
    assert len(guest.get("/v1/sessions")["items"]) == 1


def test_a_name_is_taken_whatever_its_capitals(house: House) -> None:
    register(house.guest(), "Ana_P")
    other = house.guest("Ben")
    for name in ("Ana_P", "ANA_P", " ana_p "):
        body = account_body(name)
        other.refused("/v1/accounts", body, status=409, problem="name-taken")
    assert other.get("/v1/me")["user"] == other.user


@pytest.mark.parametrize("password", ["short", "password123", "ana_p ana_p", "11111111"])
def test_a_weak_password_makes_no_account(house: House, password: str) -> None:
    guest = house.guest("Ana")
    body = {"username": "ana_p", "password": password}
    problem = guest.refused("/v1/accounts", body, status=422, problem="weak-password")
    assert problem["min"] == 8
    assert problem["reason"] in {"too-short", "common", "like-the-name", "repetitive"}
    assert guest.get("/v1/me")["user"] == guest.user


def test_an_account_cannot_become_another_one(house: House) -> None:
    guest = account(house)
    body = account_body("other")
    problem = guest.refused("/v1/accounts", body, status=409, problem="not-eligible")
    assert problem["reason"] == "has-account"
    assert guest.get("/v1/me")["user"]["username"] == "ana_p"


@pytest.mark.parametrize("as_guest", [True, False])
def test_a_repeated_request_signs_in_to_the_account_it_made(house: House, as_guest: bool) -> None:
    guest = house.guest("Ana") if as_guest else browser(house)
    cookies = dict(guest.http.cookies)
    first = register(guest, key="the-key")
    # The answer was lost: the browser still has what it had before.
    guest.http.cookies.clear()
    guest.http.cookies.update(cookies)
    assert register(guest, key="the-key") == first
    assert guest.get("/v1/me")["user"] == first
    # And with the new cookie.
    assert register(guest, key="the-key") == first


def test_a_key_belongs_to_its_password_and_name(house: House) -> None:
    register(house.guest(), key="the-key")
    other = browser(house)
    for change in ({"password": PASSWORD + "!"}, {"email": "a@example.org"}, {"username": "ANA_P"}):
        body = {**account_body(), **change}
        answer = other.post("/v1/accounts", body, status=422, key="the-key")
        assert answer["type"].endswith("/idempotency-mismatch")
    assert "riverboat_session" not in other.http.cookies


def test_two_upgrades_at_once_make_one_account(house: House) -> None:
    guest = house.guest("Ana")
    session = {"Cookie": f"riverboat_session={session_of(guest)}"}
    browsers = [browser(house) for _ in range(4)]

    async def upgrade(number: int, one: Guest) -> int:
        body, headers = account_body(f"ana_{number}"), {**session, "Idempotency-Key": f"k{number}"}
        response = await one.sending("POST", "/v1/accounts", json=body, headers=headers)
        return response.status_code

    async def all_at_once() -> list[int]:
        return await asyncio.gather(*(upgrade(*pair) for pair in enumerate(browsers)))

    statuses = house.run(all_at_once())
    assert statuses.count(201) == 1
    # The others found the guest an account already, or signed out.
    assert set(statuses) <= {201, 409}
    made = [one for one in browsers if "riverboat_session" in one.http.cookies]
    assert made[0].get("/v1/me")["user"]["id"] == guest.user["id"]


def test_one_request_sent_many_times_at_once_makes_one_account(house: House) -> None:
    browsers = [browser(house) for _ in range(5)]

    async def all_at_once() -> set[str]:
        answers = await asyncio.gather(
            *(one.posting("/v1/accounts", account_body(), "same") for one in browsers)
        )
        assert {answer.status_code for answer in answers} == {201}
        return {answer.json()["user"]["id"] for answer in answers}

    (user_id,) = house.run(all_at_once())
    assert {one.get("/v1/me")["user"]["id"] for one in browsers} == {user_id}
    assert len({session_of(one) for one in browsers}) == 5


def test_a_profile_changes_only_as_it_was_read(house: House) -> None:
    guest = account(house)
    tag = guest.send("GET", "/v1/me").headers["ETag"]
    rename = {"display_name": "Ana the Great"}
    response = guest.send("PATCH", "/v1/me", json=rename, headers={"If-Match": tag})
    assert response.status_code == 200
    assert response.json()["user"]["display_name"] == "Ana the Great"
    newer = response.headers["ETag"]
    assert newer != tag
    stale = guest.send("PATCH", "/v1/me", json={"display_name": "B"}, headers={"If-Match": tag})
    assert stale.status_code == 412
    assert stale.headers["ETag"] == newer
    assert guest.get("/v1/me")["user"]["display_name"] == "Ana the Great"
    any_tag = guest.send("PATCH", "/v1/me", json=rename, headers={"If-Match": "*"})
    assert any_tag.status_code == 200


def test_of_two_devices_that_change_a_profile_at_once_one_is_told(house: House) -> None:
    guest = account(house)
    tag = guest.send("GET", "/v1/me").headers["ETag"]

    async def both() -> list[int]:
        changes = [
            guest.sending("PATCH", "/v1/me", json={"display_name": name}, headers={"If-Match": tag})
            for name in ("Left", "Right")
        ]
        return [response.status_code for response in await asyncio.gather(*changes)]

    assert sorted(house.run(both())) == [200, 412]


def test_accounts_from_one_address_are_limited(database_url: str) -> None:
    with open_house(database_url, limiter=RateLimiter(clock=lambda: 0.0)) as house:
        guest = browser(house)
        for _ in range(20):
            body = {"username": "ana_p", "password": "short"}
            guest.refused("/v1/accounts", body, status=422, problem="weak-password")
        problem = guest.refused("/v1/accounts", account_body(), status=429, problem="rate-limited")
        assert problem["ratelimit"] == {"key": "accounts", "seconds": 360}


def test_the_email_is_shown_to_its_owner_only(house: House) -> None:
    guest = browser(house)
    guest.post("/v1/accounts", account_body(email="ana@example.org"), status=201)
    assert guest.get("/v1/me")["email"] == "ana@example.org"
    token = make_token(guest, "read")["token"]
    assert send_as(guest, token, "GET", "/v1/me").json()["email"] is None
    assert "example.org" not in sign_in(browser(house))["user"].__repr__()


@pytest.mark.parametrize("email", ["a", "a@b", "@b.org", "a b@c.org", "a@b..org", "a@b.org\n"])
def test_what_is_no_address_is_refused(house: House, email: str) -> None:
    body = account_body(email=email)
    browser(house).refused("/v1/accounts", body, status=422, problem="request-invalid")


def test_an_account_lives_as_long_as_it_is_used(house: House) -> None:
    guest = account(house)
    house.clock.advance(days=364)
    assert guest.get("/v1/me")["user"]["username"] == "ana_p"
    house.clock.now += timedelta(days=366)
    guest.get("/v1/me", status=401)
    assert sign_in(guest)["user"]["username"] == "ana_p"
