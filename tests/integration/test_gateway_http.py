"""The edges of HTTP: identity, headers, the web client, the OpenAPI document, probes."""

import gzip
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from services.gateway.api import account_schemas, schemas, table_schemas
from services.gateway.problems import KINDS, MEDIA_TYPE, ProblemType
from tests.support.gateways import House, Seat, open_house

FAR = timedelta(days=365)


@pytest.fixture
def web_root(tmp_path: Path) -> Path:
    root = tmp_path / "dist"
    (root / "assets").mkdir(parents=True)
    (root / "index.html").write_text("<!doctype html><title>Riverboat</title>")
    (root / "assets" / "index-abc123.js").write_text("export {};")
    (root / "icon.svg").write_text("<svg/>")
    (root / "sw.js").write_text("'worker'")
    (root / "manifest.webmanifest").write_text("{}")
    (tmp_path / "secret.txt").write_text("SECRET")
    return root


@pytest.fixture
def house(tmp_path: Path, web_root: Path) -> Iterator[House]:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with open_house(url, web_root=web_root) as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


# Identity


def test_a_guest_gets_a_cookie_that_scripts_cannot_read(house: House) -> None:
    guest = house.guest()
    guest.http.cookies.clear()
    response = guest.send("POST", "/v1/sessions/guest", json={"display_name": " Ana  B "})
    assert response.status_code == 201
    assert response.json()["user"]["display_name"] == "Ana B"
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith("riverboat_session=")
    assert cookie.endswith("; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax")


def test_over_https_the_cookie_is_secure(house: House) -> None:
    guest = house.guest()
    guest.http.cookies.clear()
    response = guest.send("POST", "https://riverboat.test/v1/sessions/guest")
    assert "; Secure" in response.headers["Set-Cookie"]


def test_a_guest_who_clicks_twice_stays_the_same(house: House) -> None:
    guest = house.guest("Ana")
    response = guest.send("POST", "/v1/sessions/guest", json={"display_name": "Ben"})
    assert (response.status_code, response.json()["user"]) == (200, guest.user)
    assert "Set-Cookie" not in response.headers


def test_a_name_can_be_changed_and_shows_at_the_table(seat: Seat) -> None:
    response = seat.guest.send("PATCH", "/v1/me", json={"display_name": "Zoë"})
    assert response.json()["user"]["display_name"] == "Zoë"
    assert seat.guest.get("/v1/me")["user"]["display_name"] == "Zoë"
    assert seat.refresh()["seats"][0]["name"] == "Zoë"


def test_a_session_that_was_signed_out_is_worth_nothing(house: House) -> None:
    guest = house.guest()
    token = guest.http.cookies["riverboat_session"]
    response = guest.send("DELETE", "/v1/sessions/current")
    assert response.status_code == 204
    assert 'riverboat_session=""' in response.headers["Set-Cookie"]
    headers = {"Cookie": f"riverboat_session={token}"}
    assert guest.send("GET", "/v1/me", headers=headers).status_code == 401


def test_a_token_also_works_as_bearer(house: House) -> None:
    guest = house.guest("Ana")
    token = guest.http.cookies["riverboat_session"]
    guest.http.cookies.clear()
    response = guest.send("GET", "/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert response.json()["user"] == guest.user


def test_a_session_lives_a_year_from_its_last_use(house: House) -> None:
    guest = house.guest()
    assert "Set-Cookie" not in guest.send("GET", "/v1/me").headers
    house.clock.advance(days=300)
    renewed = guest.send("GET", "/v1/me").headers["Set-Cookie"]
    assert "Max-Age=31536000" in renewed
    house.clock.advance(days=364)
    assert guest.send("GET", "/v1/me").status_code == 200
    house.clock.advance(days=365)
    assert guest.send("GET", "/v1/me").status_code == 401


# Headers


def test_every_response_carries_the_security_headers(house: House) -> None:
    guest = house.guest()
    for path in ("/", "/v1/me", "/v1/nope", "/healthz", "/assets/index-abc123.js"):
        headers = guest.send("GET", path).headers
        policy = headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe-eval" not in policy
        assert "unsafe-inline" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert len(headers["X-Request-Id"]) == 32


def test_answers_of_the_interface_are_not_cached(seat: Seat) -> None:
    response = seat.guest.send("GET", f"/v1/tables/{seat.table_id}")
    assert response.headers["Cache-Control"] == "no-store"


# The web client


@pytest.mark.parametrize("path", ["/", "/leaderboard", "/table/t_1", "/match/m_1", "/a.b/c"])
def test_the_clients_routes_get_its_first_page(house: House, path: str) -> None:
    response = house.guest().send("GET", path)
    assert response.status_code == 200
    assert "Riverboat" in response.text
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["Content-Type"].startswith("text/html")


def test_hashed_assets_are_cached_for_ever(house: House) -> None:
    response = house.guest().send("GET", "/assets/index-abc123.js")
    assert response.text == "export {};"
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "javascript" in response.headers["Content-Type"]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "gzip"), ("GZIP;q=0.5", "gzip"), ("br, gzip ; q=1", "gzip"),
        ("", None), ("identity", None), ("br", None), ("gzip;q=0", None), ("br, gzip; q=0.0", None),
    ],
)  # fmt: skip
def test_a_file_is_sent_small_to_who_can_read_that(
    house: House, web_root: Path, accepted: str, encoding: str | None
) -> None:
    (web_root / "assets" / "index-abc123.js.gz").write_bytes(gzip.compress(b"export {};"))
    response = house.guest().send(
        "GET", "/assets/index-abc123.js", headers={"Accept-Encoding": accepted}
    )
    assert response.text == "export {};"
    assert response.headers.get("Content-Encoding") == encoding
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_what_was_packed_before_a_file_changed_is_not_sent(house: House, web_root: Path) -> None:
    twin = web_root / "assets" / "index-abc123.js.gz"
    twin.write_bytes(gzip.compress(b"of the build before"))
    os.utime(twin, (1, 1))
    response = house.guest().send("GET", "/assets/index-abc123.js")
    assert response.text == "export {};"


def test_a_part_of_a_file_is_a_part_of_the_file_itself(house: House, web_root: Path) -> None:
    (web_root / "assets" / "index-abc123.js.gz").write_bytes(gzip.compress(b"export {};"))
    response = house.guest().send(
        "GET",
        "/assets/index-abc123.js",
        headers={"Accept-Encoding": "gzip", "Range": "bytes=0-5"},
    )
    assert (response.status_code, response.text) == (206, "export")
    assert "Content-Encoding" not in response.headers


def test_a_file_without_a_small_form_is_sent_as_it_is(house: House) -> None:
    response = house.guest().send("GET", "/icon.svg", headers={"Accept-Encoding": "gzip"})
    assert response.text == "<svg/>"
    assert "Content-Encoding" not in response.headers


def test_other_files_are_checked_every_time(house: House) -> None:
    response = house.guest().send("GET", "/icon.svg")
    assert (response.text, response.headers["Cache-Control"]) == ("<svg/>", "no-cache")


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/sw.js", "text/javascript"), ("/manifest.webmanifest", "application/manifest+json")],
)
def test_what_makes_the_client_installable_is_checked_every_time(
    house: House, path: str, media_type: str
) -> None:
    response = house.guest().send("GET", path)
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["Content-Type"].partition(";")[0] == media_type
    assert "worker-src 'self'" in response.headers["Content-Security-Policy"]
    assert "manifest-src 'self'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path", ["/assets/gone-123.js", "/icons/gone.png", "/sw.js", "/manifest.webmanifest"]
)
def test_a_missing_file_is_not_the_first_page(house: House, web_root: Path, path: str) -> None:
    for name in ("sw.js", "manifest.webmanifest"):
        (web_root / name).unlink()
    assert house.guest().send("GET", path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt", "/..%2fsecret.txt", "/%00", "/" + "a" * 5_000,
        "//etc/passwd", "/%2fetc%2fpasswd",
    ],
)  # fmt: skip
def test_nothing_outside_the_client_is_served(house: House, path: str) -> None:
    response = house.guest().send("GET", path)
    assert response.status_code in {200, 404}
    assert "SECRET" not in response.text
    assert "root:" not in response.text


def test_without_a_built_client_pages_are_not_found(house: House, web_root: Path) -> None:
    (web_root / "index.html").unlink()
    assert house.guest().get("/", status=404)["type"].endswith("/not-found")


# Reference


def test_rulesets_are_told(house: House) -> None:
    guest = house.guest()
    listed = guest.get("/v1/rulesets")["items"]
    assert [(item["id"], item["open"]) for item in listed] == [
        ("hu_river", True), ("party", False), ("practice", False),
    ]  # fmt: skip
    assert guest.get("/v1/rulesets/hu_river") == listed[0]["options"]


@pytest.mark.parametrize("problem_type", ProblemType)
def test_every_problem_type_explains_itself_at_its_address(
    house: House, problem_type: ProblemType
) -> None:
    info = house.guest().get(f"/v1/problems/{problem_type}")
    assert info["status"] == KINDS[problem_type].status
    assert info["description"]


def test_meta_tells_version_features_and_limits(house: House) -> None:
    meta = house.guest().get("/v1/meta")
    assert meta["api_version"] == "1"
    assert meta["features"]["hu_river"]
    assert meta["limits"]["actions"]["per_second"] == 5


def test_probes_and_metrics_answer(house: House, seat: Seat) -> None:
    seat.act("fold")
    guest = seat.guest
    assert guest.send("GET", "/healthz").text == "ok"
    assert guest.get("/readyz") == {"status": "ready", "checks": {"database": True}}
    text = guest.send("GET", "/metrics").text
    assert 'riverboat_hands_total{state="finished"} 1.0' in text
    assert "riverboat_http_requests_total" in text


# The OpenAPI document


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_operation_has_a_name_a_summary_and_a_description(house: House) -> None:
    found = operations(house.guest().get("/openapi.json"))
    assert len(found) >= 24
    for name, operation in found:
        assert operation["operationId"].isidentifier(), name
        assert operation["summary"], name
        assert operation["description"], name
    identifiers = [operation["operationId"] for _, operation in found]
    assert len(set(identifiers)) == len(identifiers)


def test_refusals_are_documented_as_problems(house: House) -> None:
    for name, operation in operations(house.guest().get("/openapi.json")):
        for status, response in operation["responses"].items():
            if status[0] in "45" and (name, status) != ("GET /readyz", "503"):
                assert list(response["content"]) == ["application/problem+json"], (name, status)


def test_operations_that_need_a_session_say_so(house: House) -> None:
    for name, operation in operations(house.guest().get("/openapi.json")):
        needed = bool(operation["security"]) and {} not in operation["security"]
        refused = operation["responses"].get("401", {"content": {MEDIA_TYPE: {"examples": {}}}})
        assert needed == ("no-session" in refused["content"][MEDIA_TYPE]["examples"]), name


def test_commands_document_their_key(house: House) -> None:
    document = house.guest().get("/openapi.json")
    commands = ["/v1/matches", "/v1/tables/{table_id}/actions"]
    commands += [f"/v1/matches/{{match_id}}/{name}" for name in ("next-hand", "top-up", "settle")]
    for path in commands:
        parameters = document["paths"][path]["post"]["parameters"]
        key = next(item for item in parameters if item["name"] == "Idempotency-Key")
        assert key["required"]


def test_answers_have_the_documented_shapes(house: House) -> None:
    guest = house.guest("Ana")
    fits(account_schemas.MeReply, guest.get("/v1/me"))
    fits(schemas.Meta, guest.get("/v1/meta"))
    fits(schemas.RulesetList, guest.get("/v1/rulesets"))
    body = {"ruleset": "hu_river", "buy_in": 3_000}
    sat_down = guest.post("/v1/matches", body, status=201)
    fits(table_schemas.SatDown, sat_down)
    seat = Seat(guest, sat_down)
    fits(schemas.Lobby, guest.get("/v1/lobby"))
    while seat.legal is not None:
        order = seat.order("check" if seat.legal["can_check"] else "call")
        fits(table_schemas.ActionReply, seat.took(guest.post(seat.actions, order)))
    fits(table_schemas.Snapshot, seat.refresh())
    fits(table_schemas.HandRecord, guest.get(f"/v1/hands/{seat.state['hand']['id']}"))
    if seat.state["match"]["can_top_up"]:
        fits(table_schemas.ToppedUp, seat.do("top-up"))
    fits(table_schemas.Played, seat.next_hand())
    fits(table_schemas.HandList, guest.get(seat.path("hands")))
    fits(schemas.MatchList, guest.get("/v1/matches"))
    fits(schemas.MatchReply, guest.get("/v1/matches/current"))
    fits(table_schemas.EventPage, guest.get(f"/v1/tables/{seat.table_id}/events"))
    fits(schemas.SummaryReply, guest.get(seat.path("summary")))
    fits(schemas.Readiness, guest.get("/readyz"))
    fits(schemas.Problem, guest.get("/v1/nope", status=404))


def fits(model: type[BaseModel], body: dict[str, Any]) -> None:
    model.model_validate(body, strict=True)
