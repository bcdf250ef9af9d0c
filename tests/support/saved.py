"""Reading and changing what a person has saved, over HTTP."""

from typing import Any

import httpx

from tests.support.gateways import Guest, Json, body_of


def put(guest: Guest, path: str, body: Any, tag: str | None) -> httpx.Response:  # noqa: ANN401
    """Change something that was read with this ETag (None: without If-Match)."""
    headers = {} if tag is None else {"If-Match": tag}
    return guest.send("PUT", path, json=body, headers=headers)


def read(guest: Guest, path: str) -> tuple[str, Json]:
    """The ETag and the body."""
    response = guest.send("GET", path)
    assert response.status_code == 200, response.text
    return response.headers["ETag"], body_of(response)


def is_refused(response: httpx.Response, status: int, name: str) -> Json:
    """The problem that a request was refused with."""
    assert response.status_code == status, response.text
    assert response.headers["Content-Type"] == "application/problem+json"
    body = body_of(response)
    assert body["type"].endswith(f"/v1/problems/{name}"), body
    return body
