"""People with accounts, at browsers and in programs."""

from typing import Any

import httpx

from services.gateway.api.deps import COOKIE
from tests.support.gateways import Guest, House, Json

PASSWORD = "a seat by the paddle wheel"  # noqa: S105


def browser(house: House) -> Guest:
    """A browser without a session."""
    return Guest(house, "127.0.0.1")


def session_of(guest: Guest) -> str:
    """The session token that a browser holds."""
    return str(guest.http.cookies[COOKIE])


def account_body(username: str = "ana_p", **more: Any) -> Json:  # noqa: ANN401
    return {"username": username, "password": PASSWORD, **more}


def register(guest: Guest, username: str = "ana_p", key: str | None = None) -> Json:
    """Make an account of this browser's guest, or a new one; returns the person."""
    user = guest.post("/v1/accounts", account_body(username), status=201, key=key)["user"]
    guest.user = user
    return dict(user)


def account(house: House, username: str = "ana_p") -> Guest:
    """A new person with an account, signed in."""
    guest = browser(house)
    register(guest, username)
    return guest


def sign_in(guest: Guest, username: str = "ana_p", password: str = PASSWORD) -> Json:
    return guest.post("/v1/sessions", {"username": username, "password": password})


def send_as(
    guest: Guest,
    token: str,
    method: str,
    path: str,
    **kwargs: Any,  # noqa: ANN401
) -> httpx.Response:
    """Send a request that carries only a Bearer token."""
    headers = {"Authorization": f"Bearer {token}", **kwargs.pop("headers", {})}
    cookies = dict(guest.http.cookies)
    guest.http.cookies.clear()
    try:
        return guest.send(method, path, headers=headers, **kwargs)
    finally:
        guest.http.cookies.update(cookies)


def make_token(guest: Guest, *scopes: str, name: str = "phone", days: int = 30) -> Json:
    body = {"name": name, "scopes": list(scopes), "expires_in_days": days}
    return guest.post("/v1/me/tokens", body, status=201)
