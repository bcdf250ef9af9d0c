"""Bad input: a typed problem each, nothing changed, never a 500."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.common.database import reading
from services.gateway.api import cursors
from services.gateway.ratelimit import RateLimiter
from services.gateway.store import queries
from tests.support.gateways import House, Seat, body_of, open_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def raw(seat: Seat, path: str, content: bytes, **headers: str) -> httpx.Response:
    fields = {"Content-Type": "application/json", "Idempotency-Key": "raw", **headers}
    return seat.guest.send("POST", path, content=content, headers=fields)


def is_problem(response: httpx.Response, status: int, name: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["Content-Type"] == "application/problem+json"
    body = body_of(response)
    assert body["type"] == f"http://riverboat.test/v1/problems/{name}"
    assert body["status"] == status
    assert body["title"]
    request_id = response.headers["X-Request-Id"]
    assert body["instance"] == f"urn:riverboat:request:{request_id}"
    return body


def nothing_changed(house: House, seat: Seat) -> None:
    with reading(house.sql_engine) as connection:
        scene = queries.load_scene(connection, seat.table_id)
    assert scene is not None
    assert scene.table.version == seat.state["version"]


@pytest.mark.parametrize(
    "content",
    [
        b"{", b"", b"nope", b'{"a":1}}', b"\xff\xfe", b'{"turn_token":"x","type":"bet","to":1e',
        b"[" * 10_000, b'{"to":' + b"9" * 5_000 + b"}",
    ],
)  # fmt: skip
def test_a_body_that_is_no_json_is_malformed(house: House, seat: Seat, content: bytes) -> None:
    response = raw(seat, seat.actions, content)
    if content:
        is_problem(response, 400, "malformed")
    else:
        is_problem(response, 422, "request-invalid")
    nothing_changed(house, seat)


@pytest.mark.parametrize("content", [b"[]", b"null", b'"x"', b"7", b"{}", b"NaN"])
def test_a_body_of_another_shape_is_invalid(house: House, seat: Seat, content: bytes) -> None:
    is_problem(raw(seat, seat.actions, content), 422, "request-invalid")
    nothing_changed(house, seat)


@pytest.mark.parametrize(
    "amount",
    [12.5, 100.0, 1e300, "100", True, [100], {"chips": 100}, 0, -1, -300, 10**12 + 1, 10**40,
     float("nan"), float("inf")],
)  # fmt: skip
def test_an_amount_that_is_no_whole_number_of_chips_is_invalid(
    house: House,
    seat: Seat,
    amount: Any,  # noqa: ANN401
) -> None:
    body = {**seat.order("raise"), "to": amount}
    problem = is_problem(raw(seat, seat.actions, json.dumps(body).encode()), 422, "request-invalid")
    assert problem["errors"][0]["field"] == "body.to"
    nothing_changed(house, seat)


@pytest.mark.parametrize("amount", [1, 99, 101, 199, 10_001, 10**12])
def test_an_amount_out_of_bounds_is_illegal_and_names_the_bounds(
    house: House, seat: Seat, amount: int
) -> None:
    problem = seat.guest.refused(
        seat.actions, seat.order("raise", amount), status=422, problem="illegal-action"
    )
    assert (problem["to_call"], problem["min_to"], problem["max_to"]) == (50, 200, 10_000)
    nothing_changed(house, seat)


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("type", "shove"), ("type", "FOLD"), ("type", None), ("type", 1), ("type", ""),
        ("turn_token", None), ("turn_token", 7), ("turn_token", ""), ("turn_token", "x" * 200),
        ("seat", 2), ("all_in", True), ("cards", ["As", "Ah"]),
    ],
)  # fmt: skip
def test_wrong_types_and_unknown_fields_are_invalid(
    house: House,
    seat: Seat,
    change: str,
    value: Any,  # noqa: ANN401
) -> None:
    body = {**seat.order("call"), change: value}
    is_problem(raw(seat, seat.actions, json.dumps(body).encode()), 422, "request-invalid")
    nothing_changed(house, seat)


@pytest.mark.parametrize(
    ("kind", "to"), [("call", 100), ("fold", 100), ("check", 1), ("raise", None), ("bet", None)]
)
def test_an_amount_belongs_to_bets_and_raises_only(
    house: House, seat: Seat, kind: str, to: int | None
) -> None:
    body = {**seat.order(kind), "to": to}
    is_problem(raw(seat, seat.actions, json.dumps(body).encode()), 422, "request-invalid")
    nothing_changed(house, seat)


@pytest.mark.parametrize(("kind", "to"), [("check", None), ("bet", 300)])
def test_an_action_of_the_wrong_kind_is_illegal(
    house: House, seat: Seat, kind: str, to: int | None
) -> None:
    problem = seat.guest.refused(
        seat.actions, seat.order(kind, to), status=422, problem="illegal-action"
    )
    assert problem["reason"] in {"must_call_or_fold", "bet_already_made"}
    nothing_changed(house, seat)


def test_lone_surrogates_are_invalid(house: House, seat: Seat) -> None:
    is_problem(
        raw(seat, seat.actions, b'{"turn_token":"\\ud800","type":"call"}'), 422, "request-invalid"
    )
    patch = seat.guest.send(
        "PATCH",
        "/v1/me",
        content=b'{"display_name":"\\ud800"}',
        headers={"Content-Type": "application/json"},
    )
    is_problem(patch, 422, "request-invalid")
    nothing_changed(house, seat)


@pytest.mark.parametrize("buy_in", [10_000.0, "10000", None, True, [], 5e3])
def test_a_buy_in_is_a_whole_number(house: House, buy_in: Any) -> None:  # noqa: ANN401
    guest = house.guest()
    body = {"ruleset": "hu_river", "buy_in": buy_in}
    guest.refused("/v1/matches", body, status=422, problem="request-invalid")
    assert guest.get("/v1/matches")["items"] == []


def test_commands_take_no_surprises_in_their_body(house: House, seat: Seat) -> None:
    is_problem(raw(seat, seat.path("settle"), b'{"force":true}'), 422, "request-invalid")
    nothing_changed(house, seat)


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_content_type_is_refused(house: House, seat: Seat, media_type: str) -> None:
    content = json.dumps(seat.order("call")).encode()
    response = raw(seat, seat.actions, content, **{"Content-Type": media_type})
    is_problem(response, 415, "unsupported-media-type")
    nothing_changed(house, seat)


def test_a_large_body_is_refused(house: House, seat: Seat) -> None:
    is_problem(raw(seat, seat.actions, b" " * (64 * 1024 + 1)), 413, "too-large")
    nothing_changed(house, seat)


def test_a_large_body_without_a_length_is_refused(house: House, seat: Seat) -> None:
    async def chunks() -> Any:  # noqa: ANN401
        for _ in range(70):
            yield b" " * 1024

    async def post() -> httpx.Response:
        headers = {"Content-Type": "application/json", "Idempotency-Key": "raw"}
        return await seat.guest.http.post(seat.actions, content=chunks(), headers=headers)

    is_problem(house.run(post()), 413, "too-large")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/nope", "/v1/matches/nope", "/v1/tables/nope", "/v1/hands/nope", "/v1/rulesets/nope",
        "/v1/problems/nope", "/v1/leaderboards/nope", "/v1/leaderboards/nope/me",
        "/v1/tables/t_%00", "/v1/matches/m_00000000000000000000/summary",
        "/v1/tables/%F0%9F%83%8F", "/v1/tables/t_00000000000000000000/events",
        "/v1/hands/" + "h" * 3_000,
    ],
)  # fmt: skip
def test_unknown_things_are_not_found(seat: Seat, path: str) -> None:
    is_problem(seat.guest.send("GET", path), 404, "not-found")


@pytest.mark.parametrize(
    ("method", "path", "status", "name"),
    [
        ("PUT", "/v1/me", 405, "method-not-allowed"),
        ("DELETE", "/v1/lobby", 405, "method-not-allowed"),
        ("POST", "/v1/nope", 404, "not-found"),
        ("POST", "/", 404, "not-found"),
    ],
)
def test_other_methods_are_refused_as_problems(
    seat: Seat, method: str, path: str, status: int, name: str
) -> None:
    is_problem(seat.guest.send(method, path), status, name)


@pytest.mark.parametrize(
    "query",
    [
        "matches?limit=0", "matches?limit=101", "matches?limit=x", "matches?cursor=nope",
        "matches?cursor=999999999999999999-m_00000000000000000000x",
        "matches?cursor=" + "x" * 100, "leaderboards/hu_river?section=nope",
        "leaderboards/hu_river?limit=-1",
    ],
)  # fmt: skip
def test_bad_queries_are_invalid(seat: Seat, query: str) -> None:
    is_problem(seat.guest.send("GET", f"/v1/{query}"), 422, "request-invalid")


@pytest.mark.parametrize("since", ["-1", "x", "1.5", str(10**30)])
def test_a_bad_sequence_number_is_invalid(seat: Seat, since: str) -> None:
    path = f"/v1/tables/{seat.table_id}/events?since={since}"
    is_problem(seat.guest.send("GET", path), 422, "request-invalid")


def test_a_cursor_from_the_far_future_is_just_a_page(seat: Seat) -> None:
    cursor = cursors.pack(10**17, "m_00000000000000000000")
    page = seat.guest.get(f"/v1/matches?cursor={cursor}")
    assert len(page["items"]) == 1


@pytest.mark.parametrize(
    "path",
    ["/v1/me", "/v1/lobby", "/v1/matches", "/v1/matches/current", "/v1/leaderboards/hu_river/me"],
)
@pytest.mark.parametrize("token", [None, "nope", "x" * 5_000])
def test_without_a_session_there_is_nothing_to_see(
    house: House, path: str, token: str | None
) -> None:
    stranger = house.guest()
    stranger.http.cookies.clear()
    headers = {} if token is None else {"Cookie": f"riverboat_session={token}"}
    is_problem(stranger.send("GET", path, headers=headers), 401, "no-session")


def test_commands_without_a_session_are_refused(house: House, seat: Seat) -> None:
    seat.guest.http.cookies.clear()
    seat.guest.refused(seat.actions, seat.order("call"), status=401, problem="no-session")
    nothing_changed(house, seat)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://elsewhere.test"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Origin": "http://elsewhere.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[::1"}, 403),
        ({"Origin": "//["}, 403),
        ({"Origin": "http://riverboat.test"}, 200),
        ({}, 200),
    ],
)
def test_other_sites_pages_cannot_act(
    house: House, seat: Seat, headers: dict[str, str], status: int
) -> None:
    content = json.dumps(seat.order("call")).encode()
    response = raw(seat, seat.actions, content, **headers)
    if status == 403:
        is_problem(response, 403, "cross-origin")
        nothing_changed(house, seat)
    assert response.status_code == status


def test_other_sites_pages_cannot_even_make_a_guest(house: House) -> None:
    guest = house.guest()
    response = guest.send("POST", "/v1/sessions/guest", headers={"Sec-Fetch-Site": "cross-site"})
    is_problem(response, 403, "cross-origin")


def test_too_many_guests_from_one_place_have_to_wait(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with open_house(url, limiter=RateLimiter(clock=lambda: 0.0)) as house:
        guest = house.guest()
        for _ in range(99):
            house.gateway.limiter.spend("guests", "127.0.0.1")
        guest.http.cookies.clear()
        response = guest.send("POST", "/v1/sessions/guest", json={})
        problem = is_problem(response, 429, "rate-limited")
        assert problem["ratelimit"] == {"key": "guests", "seconds": 360}
        assert response.headers["Retry-After"] == "360"


def test_what_was_sent_is_not_repeated_in_a_problem(seat: Seat) -> None:
    response = seat.guest.send("PATCH", "/v1/me", json={"display_name": "SECRET" * 40})
    is_problem(response, 422, "request-invalid")
    assert "SECRET" not in response.text


def test_a_bug_is_a_500_problem_that_tells_nothing(
    house: House, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("As Kd")

    monkeypatch.setattr(queries, "load_scene", broken)
    response = seat.guest.send("GET", f"/v1/tables/{seat.table_id}")
    is_problem(response, 500, "internal")
    assert "As" not in response.text


def test_a_failed_attempt_frees_its_key(
    house: House, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError

    with monkeypatch.context() as patch:
        patch.setattr("services.gateway.matches.check_turn", broken)
        is_problem(
            house.run(seat.guest.posting(seat.actions, seat.order("call"), "k")), 500, "internal"
        )
    seat.act("call", key="k")
