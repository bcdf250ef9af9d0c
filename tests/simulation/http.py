"""The clients' side of HTTP, over whatever carries it."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from tests.simulation.door import Answer, Ask, Json, LostError, Person

Carry = Callable[
    [str, str, dict[str, str], Json | None], Awaitable[tuple[int, dict[str, str], bytes]]
]
"""Carries a request (method, path, headers, body); raises LostError without a response."""

SESSION = "riverboat_session"


class HttpDoor:
    """A door of HTTP; what is no definite answer is LostError."""

    def __init__(self, carry: Carry, pause: Callable[[float], Awaitable[None]]) -> None:
        self._carry = carry
        self._pause = pause

    async def join(self) -> Person:
        """See `Door`."""
        status, headers, content = await self._ask("POST", "/v1/sessions/guest", {}, {})
        assert status == 201, content
        cookie = headers["set-cookie"].partition(";")[0]
        return Person(json.loads(content)["user"]["id"], cookie.partition("=")[2])

    async def send(self, person: Person, ask: Ask) -> Answer:
        """See `Door`."""
        headers = {**_session(person), "idempotency-key": ask.key}
        status, _, content = await self._ask("POST", ask.path, headers, ask.body)
        body: Json = json.loads(content)
        if status < 400:
            return Answer(status, body)
        problem = body["type"].rpartition("/")[2]
        if problem == "idempotency-in-progress":
            raise LostError
        # When a refusal is given again, the request has another number, and the gateway that
        # answers perhaps another address.
        return Answer(status, {**body, "type": problem, "instance": ""}, problem)

    async def look(self, person: Person, table_id: str) -> Json:
        """See `Door`."""
        return await self._read(person, f"/v1/tables/{table_id}")

    async def current(self, person: Person) -> str | None:
        """See `Door`."""
        status, _, content = await self._ask("GET", "/v1/matches/current", _session(person), None)
        if status == 404:
            return None
        assert status == 200, content
        return str(json.loads(content)["match"]["table_id"])

    async def pause(self, seconds: float) -> None:
        """See `Door`."""
        await self._pause(seconds)

    async def _read(self, person: Person, path: str) -> Json:
        status, _, content = await self._ask("GET", path, _session(person), None)
        assert status == 200, content
        return dict(json.loads(content))

    async def _ask(
        self, method: str, path: str, headers: dict[str, str], body: Json | None
    ) -> tuple[int, dict[str, Any], bytes]:
        status, answer, content = await self._carry(method, path, headers, body)
        if status >= 500:
            raise LostError
        return status, answer, content


def _session(person: Person) -> dict[str, str]:
    return {"cookie": f"{SESSION}={person.token}"}
