"""Passwords, tokens and codes are in no log, error, repr, answer or row that could tell them."""

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from fastapi import Request
from pydantic import SecretStr

from services.common.database import reading
from services.gateway.accounts import Device, MergeOffer, Registration
from services.gateway.api.account_bodies import AccountBody, LoginBody, MergeBody, RecoveryBody
from services.gateway.api.deps import Caller
from services.gateway.identity import SignedIn, new_session
from services.gateway.passwords import Passwords
from services.gateway.store.accounts import Entry, Profile, Secret
from services.gateway.store.belongings import Belongings
from services.gateway.store.schema import IDEMPOTENCY, METADATA
from services.gateway.store.sessions import Session
from tests.support.gateway_steps import ANA
from tests.support.gateways import NOON, House, open_house
from tests.support.people import account_body, browser, make_token, send_as, session_of, sign_in

PASSWORD = "a Swordfish under the Paddle wheel"  # noqa: S105


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


def everything_stored(house: House) -> str:
    with reading(house.sql_engine) as connection:
        rows = [connection.execute(table.select()).all() for table in METADATA.sorted_tables]
    return repr(rows)


def test_no_secret_is_logged_stored_or_answered_twice(house: House) -> None:
    log, secrets = io.StringIO(), [PASSWORD]
    guest, other = browser(house), browser(house)
    with redirect_stdout(log), redirect_stderr(log):
        guest.post("/v1/sessions/guest", {}, status=201)
        secrets.append(session_of(guest))
        seat = guest.sit_down()
        body = account_body(password=PASSWORD, email="ana@secret.example")
        guest.post("/v1/accounts", body, status=201, key="the-wish")
        secrets.append(session_of(guest))
        seat.act("fold")
        secrets.append(guest.post("/v1/me/recovery-code")["words"])
        secrets.append(make_token(guest, "play")["token"])
        other.post("/v1/sessions/guest", {}, status=201)
        secrets.append(session_of(other))
        other.sit_down()
        offer = sign_in(other, password=PASSWORD)["merge_offer"]
        secrets.extend((offer["guest_token"], session_of(other)))
        guest.answers.clear()
        other.answers.clear()
        refuse_everything(house, secrets)
        send_as(guest, secrets[4], "GET", "/v1/me")
        send_as(guest, secrets[4] + "x", "GET", "/v1/me")
        for path in ("/v1/me", "/v1/sessions", "/v1/me/tokens", "/v1/lobby", "/metrics"):
            guest.send("GET", path)
    assert "request" in log.getvalue()
    answers = "".join(text for one in house.guests for text in one.answers)
    stored = everything_stored(house)
    for secret in secrets:
        assert secret not in log.getvalue()
        assert secret not in answers
        assert secret not in stored
    assert "secret.example" not in log.getvalue()


def refuse_everything(house: House, secrets: list[str]) -> None:
    """Send every secret where it is wrong."""
    one = browser(house)
    for secret in secrets:
        tries = [
            ("/v1/sessions", {"username": "nobody", "password": secret}),
            ("/v1/sessions", {"username": secret, "password": secret, "more": secret}),
            ("/v1/sessions", {"username": "ana_p", "password": [secret]}),
            ("/v1/sessions", {"username": "ana_p", "password": secret * 9}),
            ("/v1/sessions/recover", {"words": secret + " x"}),
            ("/v1/sessions/recover", {"word": secret}),
            ("/v1/accounts", {"username": "ana_p", "password": secret}),
            ("/v1/accounts", {"username": secret, "password": "password"}),
            ("/v1/me/merge-guest", {"guest_token": secret}),
        ]
        for path, body in tries:
            assert house.run(one.posting(path, body)).status_code >= 400


def test_keys_remember_nothing_of_a_password(house: House) -> None:
    guest = browser(house)
    guest.post("/v1/accounts", account_body(), status=201, key="the-wish")
    with reading(house.sql_engine) as connection:
        assert connection.execute(IDEMPOTENCY.select()).all() == []
    assert "the-wish" not in everything_stored(house)


def test_a_bug_on_the_way_tells_no_secret(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(self: Passwords, password: SecretStr) -> str:
        raise RuntimeError(f"cannot hash {password.get_secret_value()}")

    monkeypatch.setattr(Passwords, "hash", broken)
    log = io.StringIO()
    with redirect_stdout(log), redirect_stderr(log):
        guest = browser(house)
        response = house.run(guest.posting("/v1/accounts", account_body(password=PASSWORD)))
    assert response.status_code == 500
    assert PASSWORD not in response.text
    assert "RuntimeError" in log.getvalue()
    assert PASSWORD not in log.getvalue()


def test_no_secret_has_a_repr(house: House) -> None:
    secret = SecretStr(PASSWORD)
    session = new_session(PASSWORD, NOON, None)
    request = Request({"type": "http"})
    things = [
        Registration("ana", secret, PASSWORD, "key"),
        Device(ANA, PASSWORD, "Firefox"),
        SignedIn(ANA, PASSWORD),
        MergeOffer(ANA, PASSWORD, Belongings(1, 1, open_match=False)),
        Secret(PASSWORD, PASSWORD, PASSWORD),
        Entry(session, ANA, PASSWORD, PASSWORD, NOON),
        Profile(ANA, PASSWORD, NOON),
        Session("s_1", PASSWORD, NOON, NOON, NOON, None),
        session,
        Caller(ANA, PASSWORD, house.gateway, request),
        AccountBody.model_validate({"username": "ana", "password": PASSWORD}),
        LoginBody.model_validate({"username": "ana", "password": PASSWORD}),
        RecoveryBody.model_validate({"words": PASSWORD}),
        MergeBody.model_validate({"guest_token": PASSWORD}),
    ]
    for thing in things:
        assert PASSWORD not in repr(thing), type(thing).__name__
        assert PASSWORD not in str(thing), type(thing).__name__


def test_the_document_of_the_interface_marks_passwords(house: House) -> None:
    schemas = browser(house).get("/openapi.json")["components"]["schemas"]
    for name, field in (
        ("AccountBody", "password"), ("LoginBody", "password"), ("RecoveryBody", "words"),
        ("MergeBody", "guest_token"),
    ):  # fmt: skip
        shape = schemas[name]["properties"][field]
        assert (shape["format"], shape["writeOnly"]) == ("password", True), json.dumps(shape)
