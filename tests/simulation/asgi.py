"""HTTP without a network: one request handed to an application in this process."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from unittest.mock import patch

import anyio.to_thread
from starlette.types import ASGIApp, Message, Scope

from tests.simulation.door import Json

T = TypeVar("T")


async def request(
    app: ASGIApp, method: str, path: str, headers: dict[str, str], body: Json | None
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the response."""
    content = b"" if body is None else json.dumps(body).encode()
    scope = _scope(method, path, headers)
    incoming: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        # Whoever asks for more waits for the client to hang up, which it does not.
        return incoming.pop() if incoming else await asyncio.Future()

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    answer = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], answer, b"".join(part.get("body", b"") for part in sent[1:])


def _scope(method: str, path: str, headers: dict[str, str]) -> Scope:
    fields = {"host": "riverboat.test", "content-type": "application/json", **headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in fields.items()],
        "client": ("192.0.2.1", 50_000),
        "server": ("riverboat.test", 80),
        "state": {},
    }


@contextmanager
def threads_of_the_loop() -> Iterator[None]:
    """Give the web framework's work for threads to the running loop, like everybody else's."""

    async def run_sync(func: Callable[..., T], *args: object, **_: Any) -> T:  # noqa: ANN401
        return await asyncio.to_thread(func, *args)

    with patch.object(anyio.to_thread, "run_sync", run_sync):
        yield
