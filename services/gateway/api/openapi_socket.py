"""The socket in the OpenAPI document, which knows only its handshake."""

from typing import Any, Final

from services.gateway.api.problem_docs import problem_response
from services.gateway.live import envelope
from services.gateway.problems import ProblemType

SOCKET_PATH: Final = "/v1/ws"

_DESCRIPTION: Final = f"""
Open a WebSocket with the subprotocol `{envelope.SUBPROTOCOL}`. A browser sends the session
cookie and must come from this site's own pages; other programs send `Authorization`, or a
ticket of POST /v1/ws-tickets.

Messages are JSON text of at most {envelope.MESSAGE_BYTES_MAX} bytes. The client sends
`{{"op":"sub","ch":"table:…","since":17}}`, `unsub`, `ping` and `presence`; the server `hello`,
`snap`, `ev`, `synced`, `pong`, `err` with a problem, and `bye`. Channels are `table:<id>`,
`user:me` and `lobby`. The `seq` of a channel has no gaps. Actions are not sent on the socket.

A refused handshake tells a browser nothing, so every upgrade is accepted and a refusal is the
close code: 1002 another subprotocol, 1012 the server restarts, 4401 no session, 4403 another
site, 4404 no such channel, 4408 nothing heard for long, 4409 replaced by a newer connection,
4429 too many messages or connections.
"""


def socket_operation() -> dict[str, Any]:
    """Return the operation that opens the socket."""
    return {
        "tags": ["Live"],
        "operationId": "openSocket",
        "summary": "Open the socket for live updates",
        "description": _DESCRIPTION.strip(),
        "security": [{"session": []}, {"bearer": ["party", "play", "read"]}, {}],
        "parameters": [
            {
                "name": "ticket",
                "in": "query",
                "required": False,
                "description": "A ticket that was not used yet, in place of a session",
                "schema": {"type": "string", "maxLength": 128},
                "example": "2c0uZ5xNw3yVbqk8h1mT7fJdR4sLpA6eGoXiYtKz",
            },
            {
                "name": "Sec-WebSocket-Protocol",
                "in": "header",
                "required": True,
                "description": "The subprotocol; others are refused with 1002",
                "schema": {"type": "string", "const": envelope.SUBPROTOCOL},
                "example": envelope.SUBPROTOCOL,
            },
        ],
        "responses": {
            "101": {"description": "The socket is open"},
            "404": _not_a_handshake(),
        },
    }


def _not_a_handshake() -> dict[str, Any]:
    response = problem_response([ProblemType.NOT_FOUND])
    response["description"] += " (the request does not ask for an upgrade)"
    response["headers"] = {"X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"}}
    return response
