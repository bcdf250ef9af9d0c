"""Personal tokens and bots: what programs may do, and how often."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from services.gateway.ratelimit import LIMITS, RateLimiter
from services.gateway.store.tokens import TOKENS_MAX
from tests.support.gateways import Guest, House, Seat, open_house, published
from tests.support.people import account, browser, make_token, send_as

MATCH = {"ruleset": "hu_river", "buy_in": 10_000}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


class Program:
    """Something that signs in with a personal token only."""

    def __init__(self, guest: Guest, *scopes: str) -> None:
        self.guest = guest
        self.made = make_token(guest, *scopes)
        self.token = str(self.made["token"])

    def send(self, method: str, path: str, **kwargs: object) -> httpx.Response:
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        return send_as(self.guest, self.token, method, path, headers=headers, **kwargs)

    def status(self, method: str, path: str, **kwargs: object) -> int:
        return self.send(method, path, **kwargs).status_code


def test_a_token_is_shown_once(house: House) -> None:
    guest = account(house)
    made = make_token(guest, "play", "read")
    assert made["token"].startswith("rbt_")
    assert made["scopes"] == ["play", "read"]
    listed = guest.get("/v1/me/tokens")["items"]
    secret = made.pop("token")
    assert listed == [made]
    assert secret not in str(listed)


def test_a_program_plays_with_the_scope_play(house: House) -> None:
    program = Program(account(house), "play")
    sat_down = program.send("POST", "/v1/matches", json=MATCH)
    assert sat_down.status_code == 201
    seat = Seat(program.guest, sat_down.json())
    assert program.status("POST", seat.actions, json=seat.order("fold")) == 200
    assert program.status("GET", f"/v1/tables/{seat.table_id}") == 200
    assert program.status("POST", seat.path("settle"), json={}) == 200


def test_a_program_that_may_read_only_reads(house: House) -> None:
    program = Program(account(house), "read")
    assert program.status("GET", "/v1/lobby") == 200
    response = program.send("POST", "/v1/matches", json=MATCH)
    assert response.status_code == 403
    assert response.json()["type"].endswith("/forbidden-scope")
    assert response.json()["needed"] == "play"
    assert program.guest.get("/v1/lobby")["resume"] is None


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/sessions"), ("DELETE", "/v1/sessions/current"), ("POST", "/v1/sessions"),
        ("POST", "/v1/sessions/guest"), ("POST", "/v1/sessions/recover"), ("POST", "/v1/accounts"),
        ("GET", "/v1/me/tokens"), ("POST", "/v1/me/tokens"), ("DELETE", "/v1/me/tokens/k_1"),
        ("PATCH", "/v1/me"), ("DELETE", "/v1/me"), ("GET", "/v1/me/export"),
        ("POST", "/v1/me/recovery-code"), ("POST", "/v1/me/merge-guest"),
        ("POST", "/v1/me/bot-upgrade"),
    ],
)  # fmt: skip
def test_no_program_manages_accounts_sessions_or_tokens(
    house: House, method: str, path: str
) -> None:
    program = Program(account(house), "play", "read", "party")
    bodies = {
        "/v1/me/tokens": {"name": "more", "scopes": ["play"]},
        "/v1/sessions": {"username": "ana_p", "password": "x"},
        "/v1/sessions/recover": {"words": "x"},
        "/v1/accounts": {"username": "other", "password": "a longer password"},
        "/v1/me": {"display_name": "Program"},
        "/v1/me/bot-upgrade": {"confirm": True},
        "/v1/me/merge-guest": {"guest_token": "x"},
    }
    kwargs = {"json": bodies.get(path, {})} if method != "GET" else {}
    response = program.send(method, path, **kwargs)
    assert response.status_code == 403
    assert response.json()["type"].endswith("/forbidden-scope")
    assert response.json()["needed"] == "session"
    assert program.guest.get("/v1/me")["user"] == program.guest.user


def test_a_revoked_token_stops_at_once(house: House) -> None:
    program = Program(account(house), "play")
    assert program.status("GET", "/v1/me") == 200
    path = f"/v1/me/tokens/{program.made['id']}"
    assert account(house, "ben").send("DELETE", path).status_code == 404
    assert program.guest.send("DELETE", path).status_code == 204
    assert program.status("GET", "/v1/me") == 401
    assert program.guest.send("DELETE", path).status_code == 404


def test_a_token_ends_when_it_was_said_to(house: House) -> None:
    program = Program(account(house), "read")
    house.clock.advance(days=29)
    assert program.status("GET", "/v1/me") == 200
    house.clock.advance(days=1)
    assert program.status("GET", "/v1/me") == 401
    assert program.guest.get("/v1/me/tokens")["items"] == []


def test_the_last_use_of_a_token_is_told(house: House) -> None:
    program = Program(account(house), "read")
    assert program.guest.get("/v1/me/tokens")["items"][0]["last_used_at"] is None
    house.clock.advance(hours=1)
    program.send("GET", "/v1/me")
    used = program.guest.get("/v1/me/tokens")["items"][0]["last_used_at"]
    assert used == "2026-05-01T13:00:00.000Z"


def test_a_person_has_twenty_tokens_at_most(house: House) -> None:
    guest = account(house)
    made = [make_token(guest, "read", name=f"t{number}") for number in range(TOKENS_MAX)]
    body = {"name": "one more", "scopes": ["read"]}
    problem = guest.refused("/v1/me/tokens", body, status=409, problem="too-many-tokens")
    assert problem["max"] == TOKENS_MAX
    guest.send("DELETE", f"/v1/me/tokens/{made[0]['id']}")
    assert guest.post("/v1/me/tokens", body, status=201)["name"] == "one more"


@pytest.mark.parametrize(
    "change",
    [
        {"scopes": []}, {"scopes": ["admin"]}, {"scopes": ["play"] * 4}, {"name": ""},
        {"name": "x" * 41}, {"expires_in_days": 0}, {"expires_in_days": 366}, {"more": 1},
        {"scopes": "play"}, {"expires_in_days": "9"},
    ],
)  # fmt: skip
def test_other_wishes_are_invalid(house: House, change: dict[str, object]) -> None:
    body = {"name": "phone", "scopes": ["play"], **change}
    house.guest().refused("/v1/me/tokens", body, status=422, problem="request-invalid")


def test_with_a_bearer_token_it_does_not_matter_which_page_asks(house: House) -> None:
    program = Program(account(house), "play")
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "app://mobile", "Idempotency-Key": "k"}
    response = send_as(
        program.guest, program.token, "POST", "/v1/matches", json=MATCH, headers=headers
    )
    assert response.status_code == 201


def test_with_a_bearer_token_the_cookie_does_not_count(house: House) -> None:
    guest = account(house)
    for bearer in (b"Bearer wrong", b"bearer ", b"Bearer rbt_wrong", b"Bearer \xe9"):
        headers = {b"Authorization": bearer, b"Sec-Fetch-Site": b"cross-site"}
        response = guest.send("POST", "/v1/me/recovery-code", json={}, headers=headers)
        assert response.status_code == 401, bearer
    basic = {"Authorization": "Basic eDp5", "Sec-Fetch-Site": "cross-site"}
    assert guest.send("POST", "/v1/me/recovery-code", headers=basic).status_code == 403
    assert guest.get("/v1/me")["recovery_code_at"] is None


def test_a_personal_token_is_no_cookie(house: House) -> None:
    guest = account(house)
    token = make_token(guest, "play")["token"]
    headers = {"Cookie": f"riverboat_session={token}"}
    assert browser(house).send("GET", "/v1/me", headers=headers).status_code == 401


# Bots


def bot(house: House) -> Guest:
    guest = account(house, "robo")
    answer = guest.post("/v1/me/bot-upgrade", {"confirm": True})
    assert answer["user"]["kind"] == "bot"
    guest.user = answer["user"]
    return guest


def test_an_account_that_never_played_can_be_a_bots_for_ever(house: House) -> None:
    guest = bot(house)
    assert guest.get("/v1/me")["user"] == guest.user
    assert guest.post("/v1/me/bot-upgrade", {"confirm": True})["user"] == guest.user
    guest.sit_down()
    assert guest.post("/v1/me/bot-upgrade", {"confirm": True})["user"] == guest.user
    started = next(event for event in published(house) if hasattr(event, "participants"))
    assert started.participants[0].kind == 3


def test_whoever_has_played_is_no_bot(house: House) -> None:
    guest = account(house)
    seat = guest.sit_down()
    body = {"confirm": True}
    for _ in range(2):
        problem = guest.refused("/v1/me/bot-upgrade", body, status=409, problem="not-eligible")
        assert problem["reason"] == "has-played"
        if seat.legal is not None:
            seat.act("fold")
            seat.do("settle")


def test_a_guest_is_no_bot(house: House) -> None:
    body = {"confirm": True}
    problem = house.guest().refused("/v1/me/bot-upgrade", body, status=409, problem="not-eligible")
    assert problem["reason"] == "no-account"


@pytest.mark.parametrize("body", [{}, {"confirm": False}, {"confirm": "true"}, {"confirm": 1}])
def test_becoming_a_bot_takes_a_clear_yes(house: House, body: dict[str, object]) -> None:
    guest = account(house)
    guest.refused("/v1/me/bot-upgrade", body, status=422, problem="request-invalid")
    assert guest.get("/v1/me")["user"]["kind"] == "account"


def test_bots_have_limits_of_their_own(tmp_path: Path) -> None:
    limiter = RateLimiter(clock=lambda: 0.0)
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}", limiter=limiter) as house:
        guest = bot(house)
        seat = guest.sit_down()
        for _ in range(LIMITS["bot_hands"].burst - 1):
            limiter.spend("bot_hands", guest.user["id"])
        for _ in range(LIMITS["actions"].burst):
            limiter.spend("actions", guest.user["id"])
        # A person's allowance is not a bot's.
        seat.act("fold")
        problem = guest.refused(seat.path("next-hand"), status=429, problem="rate-limited")
        assert problem["ratelimit"] == {"key": "bot_hands", "seconds": 18}
        for _ in range(LIMITS["bot_actions"].burst - 1):
            limiter.spend("bot_actions", guest.user["id"])
        problem = guest.refused(seat.actions, {}, status=429, problem="rate-limited")
        assert problem["ratelimit"] == {"key": "bot_actions", "seconds": 1}


def test_the_limits_of_bots_are_published(house: House) -> None:
    limits = browser(house).get("/v1/meta")["limits"]
    assert limits["bot_actions"]["per_second"] == 10
    assert limits["bot_hands"]["burst"] == 5_000
    assert limits["logins"]["per_second"] * 900 == 10
