"""Whoever is not signed in any more hears it at once, on whichever device."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.support.live_servers import Served, served
from tests.support.people import PASSWORD
from tests.support.watchers import COOKIE, Socket


@pytest.fixture
def gateway(database_url: str) -> Iterator[Served]:
    # Without being told, its connections would not look within a test's life.
    with served(database_url) as gateway:
        yield gateway


@pytest.fixture
def browser(gateway: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=gateway.base_url, trust_env=False) as client:
        assert client.post("/v1/sessions/guest", json={}).status_code == 201
        yield client


def make_token(browser: httpx.Client) -> dict[str, Any]:
    body = {"name": "phone", "scopes": ["read"]}
    return dict(browser.post("/v1/me/tokens", json=body).json())


def upgrade(browser: httpx.Client) -> httpx.Response:
    body = {"username": "ana_p", "password": PASSWORD}
    return browser.post("/v1/accounts", json=body, headers={"Idempotency-Key": "k"})


def end_by_id(browser: httpx.Client) -> httpx.Response:
    (session,) = browser.get("/v1/sessions").json()["items"]
    return browser.delete(f"/v1/sessions/{session['id']}")


ENDS: dict[str, Callable[[httpx.Client], httpx.Response]] = {
    "signing out": lambda browser: browser.delete("/v1/sessions/current"),
    "revoking the session": end_by_id,
    "upgrading": upgrade,
    "erasing": lambda browser: browser.delete("/v1/me"),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_the_end_of_a_session_ends_its_socket(
    gateway: Served, browser: httpx.Client, end: Callable[[httpx.Client], httpx.Response]
) -> None:
    with Socket(gateway.ws_url, browser.cookies[COOKIE]) as socket:
        socket.hear_op("hello")
        assert end(browser).is_success
        assert socket.until_closed()[0] == 4401


def test_the_end_of_a_token_ends_its_programs_socket(
    gateway: Served, browser: httpx.Client
) -> None:
    token = make_token(browser)
    with Socket(gateway.ws_url, token["token"], bearer=True) as socket:
        socket.hear_op("hello")
        assert browser.delete(f"/v1/me/tokens/{token['id']}").status_code == 204
        assert socket.until_closed()[0] == 4401


def test_other_sessions_stay_connected(gateway: Served, browser: httpx.Client) -> None:
    assert upgrade(browser).status_code == 201
    with httpx.Client(base_url=gateway.base_url, trust_env=False) as other:
        login = {"username": "ana_p", "password": PASSWORD}
        assert other.post("/v1/sessions", json=login).status_code == 200
        with Socket(gateway.ws_url, browser.cookies[COOKIE]) as socket:
            socket.hear_op("hello")
            assert other.delete("/v1/sessions/current").status_code == 204
            socket.say(op="ping", t=1)
            assert socket.hear_op("pong")["t"] == 1
