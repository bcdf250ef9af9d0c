"""Coming back: by password or by words, past guesses and planted sessions."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from services.common.database import reading
from services.gateway.ratelimit import RateLimiter
from services.gateway.store.schema import CREDENTIALS
from tests.support.gateways import Guest, House, open_house
from tests.support.people import (
    PASSWORD,
    account,
    browser,
    send_as,
    session_of,
    sign_in,
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


def login(username: str = "ana_p", password: str = PASSWORD) -> dict[str, str]:
    return {"username": username, "password": password}


def test_on_another_device_one_is_the_same_person(house: House) -> None:
    first = account(house)
    seat = first.sit_down()
    second = browser(house)
    answer = sign_in(second, "ANA_P")
    assert answer == {"user": first.user, "merge_offer": None}
    assert second.get("/v1/lobby")["resume"]["match_id"] == seat.match_id
    assert second.get(f"/v1/tables/{seat.table_id}")["legal"] == seat.legal
    assert first.get("/v1/me") == second.get("/v1/me")


def test_every_wrong_guess_gets_the_same_answer(house: House) -> None:
    account(house)
    guesses = [
        login(password=PASSWORD + "x"), login("nobody"), login("ana_p\0"), login("é" * 60),
        login("", "x"), login(password=PASSWORD.upper()),
    ]  # fmt: skip
    answers = [
        browser(house).refused("/v1/sessions", body, status=401, problem="bad-credentials")
        for body in guesses
    ]
    for answer in answers:
        del answer["instance"]
    assert all(answer == answers[0] for answer in answers)


def test_a_name_that_nobody_has_costs_a_comparison_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    account(house)
    compared = []
    original = PasswordHasher.verify

    def verify(self: PasswordHasher, stored: str | bytes, password: str | bytes) -> bool:
        compared.append(str(stored).split("$")[3])
        return original(self, stored, password)

    monkeypatch.setattr(PasswordHasher, "verify", verify)
    for name in ("ana_p", "nobody"):
        body = login(name, "wrong " + PASSWORD)
        browser(house).refused("/v1/sessions", body, status=401, problem="bad-credentials")
    assert compared == ["m=19456,t=2,p=1"] * 2


def test_a_session_from_before_signing_in_ends_with_it(house: House) -> None:
    account(house)
    planted = house.guest("Mallory's")
    token = session_of(planted)
    sign_in(planted)
    assert session_of(planted) != token
    assert send_as(planted, token, "GET", "/v1/me").status_code == 401


def test_signing_in_again_replaces_the_session_of_the_device(house: House) -> None:
    guest = account(house)
    token = session_of(guest)
    sign_in(guest)
    assert send_as(guest, token, "GET", "/v1/me").status_code == 401
    assert len(guest.get("/v1/sessions")["items"]) == 1


def test_a_hash_of_older_parameters_is_renewed(house: House) -> None:
    guest = account(house)
    old = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    with house.sql_engine.begin() as connection:
        connection.execute(sa.update(CREDENTIALS).values(password_hash=old))
    sign_in(guest)
    with reading(house.sql_engine) as connection:
        stored = connection.execute(sa.select(CREDENTIALS.c.password_hash)).scalar_one()
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    sign_in(guest)


def test_ten_words_bring_a_guest_back(house: House) -> None:
    guest = house.guest("Ana")
    seat = guest.sit_down()
    words = guest.post("/v1/me/recovery-code")["words"]
    assert len(words.split()) == 10
    assert guest.get("/v1/me")["recovery_code_at"] is not None
    guest.http.cookies.clear()
    answer = guest.post("/v1/sessions/recover", {"words": words.upper().replace(" ", " - ")})
    assert answer == {"user": guest.user, "merge_offer": None}
    assert seat.refresh()["legal"] == seat.legal
    # It is good for the next lost cookie too.
    assert browser(house).post("/v1/sessions/recover", {"words": words})["user"] == guest.user


def test_a_new_code_replaces_the_old_one(house: House) -> None:
    guest = account(house)
    old, new = (guest.post("/v1/me/recovery-code")["words"] for _ in "ab")
    assert old != new
    other = browser(house)
    other.refused("/v1/sessions/recover", {"words": old}, status=401, problem="bad-credentials")
    assert other.post("/v1/sessions/recover", {"words": new})["user"] == guest.user


@pytest.mark.parametrize("words", ["otter", "x" * 400, "é ☃", " ", "otter " * 10])
def test_other_words_bring_nobody_back(house: House, words: str) -> None:
    house.guest().post("/v1/me/recovery-code")
    browser(house).refused(
        "/v1/sessions/recover", {"words": words}, status=401, problem="bad-credentials"
    )


def guess(guest: Guest, path: str, body: dict[str, str], times: int) -> None:
    for _ in range(times):
        guest.refused(path, body, status=401, problem="bad-credentials")


def test_guesses_from_one_address_have_to_wait(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with open_house(url, limiter=RateLimiter(clock=lambda: 0.0)) as house:
        guest = browser(house)
        guess(guest, "/v1/sessions", login("nobody"), 5)
        # Words and passwords are guessed from one allowance.
        guess(guest, "/v1/sessions/recover", {"words": "otter"}, 5)
        for path, body in (("/v1/sessions", login()), ("/v1/sessions/recover", {"words": "x"})):
            problem = guest.refused(path, body, status=429, problem="rate-limited")
            assert problem["ratelimit"] == {"key": "logins", "seconds": 90}
        elsewhere = Guest(house, "10.0.0.7")
        guess(elsewhere, "/v1/sessions", login("nobody"), 1)


def test_guesses_at_one_name_have_to_wait_wherever_they_come_from(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with open_house(url, limiter=RateLimiter(clock=lambda: 0.0)) as house:
        for number in range(4):
            guess(Guest(house, f"10.0.0.{number}"), "/v1/sessions", login("Ana_P"), 5)
        last = Guest(house, "10.0.1.1")
        problem = last.refused("/v1/sessions", login("ANA_P"), status=429, problem="rate-limited")
        assert problem["ratelimit"] == {"key": "login_names", "seconds": 45}
        guess(last, "/v1/sessions", login("nobody"), 1)


def test_a_whole_ipv6_subscriber_is_one_address(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with open_house(url, limiter=RateLimiter(clock=lambda: 0.0)) as house:
        for number in range(10):
            guess(Guest(house, f"2001:db8::{number}"), "/v1/sessions", login("nobody"), 1)
        again = Guest(house, "2001:db8::ffff")
        again.refused("/v1/sessions", login("nobody"), status=429, problem="rate-limited")
        guess(Guest(house, "2001:db8:0:1::1"), "/v1/sessions", login("nobody"), 1)
        again = Guest(house, "::ffff:10.0.0.1")
        guess(again, "/v1/sessions", login("nobody"), 1)


CALLS = [
    ("POST", "/v1/accounts"), ("POST", "/v1/sessions"), ("POST", "/v1/sessions/recover"),
    ("POST", "/v1/me/merge-guest"), ("POST", "/v1/me/recovery-code"), ("POST", "/v1/me/tokens"),
    ("DELETE", "/v1/me/tokens/k_1"), ("POST", "/v1/me/bot-upgrade"), ("PATCH", "/v1/me"),
    ("DELETE", "/v1/me"), ("DELETE", "/v1/sessions/s_1"), ("DELETE", "/v1/sessions/current"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), CALLS)
@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.test"}]
)
def test_other_sites_pages_can_do_none_of_it(
    house: House, method: str, path: str, headers: dict[str, str]
) -> None:
    guest = house.guest("Ana")
    response = guest.send(method, path, json=login(), headers=headers)
    assert response.status_code == 403
    assert response.json()["type"].endswith("/cross-origin")
    assert guest.get("/v1/me")["user"] == guest.user


@pytest.mark.parametrize(("method", "path"), [call for call in CALLS if call[0] != "DELETE"])
def test_large_and_strange_bodies_are_refused(house: House, method: str, path: str) -> None:
    guest = house.guest("Ana")
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
    large = guest.send(method, path, content=b"[" * 70_000, headers=headers)
    assert large.status_code == 413
    form = {**headers, "Content-Type": "application/x-www-form-urlencoded"}
    assert guest.send(method, path, content=b"username=x", headers=form).status_code == 415


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/v1/accounts", b'{"username":"ana_p","password":"half \\ud800 of a pair"}'),
        ("/v1/sessions", b'{"username":"ana_p","password":"half \\ud800 of a pair"}'),
        ("/v1/sessions", b'{"username":"\\udfff","password":"half of a pair"}'),
        ("/v1/sessions/recover", b'{"words":"half \\ud800 of a pair"}'),
        ("/v1/me/merge-guest", b'{"guest_token":"half \\ud800 of a pair"}'),
    ],
)
def test_half_a_character_is_no_part_of_a_secret(house: House, path: str, content: bytes) -> None:
    guest = house.guest("Ana")
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
    refused = guest.send("POST", path, content=content, headers=headers)
    assert refused.status_code == 422
    assert refused.json()["type"].endswith("/request-invalid")
    assert guest.get("/v1/me")["user"] == guest.user


def test_the_new_calls_carry_the_security_headers_and_are_not_cached(house: House) -> None:
    guest = account(house)
    for path in ("/v1/me", "/v1/sessions", "/v1/me/tokens", "/v1/me/export"):
        headers = guest.send("GET", path).headers
        assert headers["Cache-Control"] == "no-store"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_session_is_seen_where_it_is_used_and_revoked_at_once(house: House) -> None:
    laptop, phone = account(house), browser(house)
    laptop.http.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
    phone.http.headers["User-Agent"] = "Mozilla/5.0 (iPhone; CPU) Version/19.0 Safari/604.1"
    sign_in(laptop)
    house.clock.advance(hours=2)
    sign_in(phone)
    house.clock.advance(minutes=20)
    laptop.get("/v1/me")
    items = laptop.get("/v1/sessions")["items"]
    assert [(item["agent"], item["current"]) for item in items] == [
        ("Firefox on Linux", True), ("Safari on iOS", False),
    ]  # fmt: skip
    assert items[0]["last_seen_at"] == "2026-05-01T14:20:00.000Z"
    assert items[1]["created_at"] == items[1]["last_seen_at"] == "2026-05-01T14:00:00.000Z"
    seat = phone.sit_down()
    assert laptop.send("DELETE", f"/v1/sessions/{items[1]['id']}").status_code == 204
    assert phone.send("GET", f"/v1/tables/{seat.table_id}").status_code == 401
    assert phone.send("POST", seat.actions, json=seat.order("call")).status_code == 401
    assert len(laptop.get("/v1/sessions")["items"]) == 1
    laptop.send("DELETE", f"/v1/sessions/{items[0]['id']}")
    assert "riverboat_session" not in laptop.http.cookies


def test_a_sessions_id_is_no_token_and_nobody_elses_to_end(house: House) -> None:
    guest, other = account(house), account(house, "ben")
    session_id = guest.get("/v1/sessions")["items"][0]["id"]
    assert send_as(guest, session_id, "GET", "/v1/me").status_code == 401
    for name in (session_id, "s_00000000000000000000", session_of(guest), "x" * 500):
        assert other.send("DELETE", f"/v1/sessions/{name}").status_code == 404
    assert guest.get("/v1/me")["user"] == guest.user


def test_signing_out_ends_one_session_only(house: House) -> None:
    first, second = account(house), browser(house)
    sign_in(second)
    assert second.send("DELETE", "/v1/sessions/current").status_code == 204
    second.get("/v1/me", status=401)
    assert first.get("/v1/me")["user"] == first.user


def test_registering_with_a_dead_cookie_is_somebody_new(house: House) -> None:
    guest = house.guest("Ana")
    before = guest.user["id"]
    guest.send("DELETE", "/v1/sessions/current")
    guest.http.headers["Cookie"] = "riverboat_session=" + "A" * 43
    answer = guest.post("/v1/accounts", login(), status=201)
    assert answer["user"]["id"] != before
