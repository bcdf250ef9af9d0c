"""Server-sent events: one channel, with the messages of the socket and nothing to say back."""

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from services.gateway.live import envelope
from services.gateway.live.channels import Channel
from services.gateway.live.following import follow
from services.gateway.live.line import GoneError, Line, Viewer, to_text
from services.gateway.live.service import Live
from services.gateway.problems import ProblemError, ProblemType

Json = dict[str, Any]

MEDIA_TYPE: Final = "text/event-stream"
RETRY_MS: Final = 2000
BYE_SECONDS: Final = 2.0

_HEADERS: Final = {
    "Cache-Control": "no-store",
    # Proxies such as nginx would otherwise collect events before they pass them on.
    "X-Accel-Buffering": "no",
}


class EventStream(Response):
    """A response that goes on until either side has had enough.

    Every message is one unnamed event whose data is the socket's message; ``id`` is the
    number of the event or snapshot, so that a browser resumes by itself.
    """

    media_type = MEDIA_TYPE

    def __init__(
        self,
        live: Live,
        viewer: Viewer,
        channel: Channel,
        *,
        since: int | None,
        greeting: Json,
        address: str,
    ) -> None:
        self._live = live
        self._viewer = viewer
        self._channel = channel
        self._since = since
        self._greeting = greeting
        self._address = address
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the end; raises ProblemError when there is no place."""
        with self._live.registry.arriving(self._address) as refusal:
            if refusal is not None:
                raise _busy(refusal)
            scope.setdefault("state", {})["streams"] = True
            start: Message = {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
            await send(start)
            with self._live.counted("sse"):
                await self._stream(receive, send)

    async def _stream(self, receive: Receive, send: Send) -> None:
        async def write(text: str) -> None:
            body = text.encode()
            await send({"type": "http.response.body", "body": body, "more_body": True})

        line = Line(self._viewer, write, self._live.settings)
        with self._live.registry.held(self._viewer.user.user_id, line):
            line.start(self._tell, line)
            line.start(self._keep_alive, line)
            line.start(_until_left, receive)
            farewell = await line.until_ended()
            self._live.count_end("sse", farewell)
            if farewell is None:
                return
            try:
                async with asyncio.timeout(BYE_SECONDS):
                    await write(to_event(envelope.bye(farewell)))
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
            except TimeoutError:
                return

    async def _tell(self, line: Line) -> None:
        await line.write(f"retry: {RETRY_MS}\n{to_event(self._greeting)}")
        messages = follow(
            self._channel, self._live.wakeups, self._since, self._live.settings.poll_seconds
        )
        async with aclosing(messages):
            async for message in messages:
                await line.write(to_event(message))

    async def _keep_alive(self, line: Line) -> None:
        """Show proxies and clients that the connection lives."""
        while True:
            await asyncio.sleep(self._live.settings.ping_seconds)
            await line.write(": ping\n\n")


def to_event(message: Mapping[str, Any]) -> str:
    """Write a message as a server-sent event; events and snapshots carry their number."""
    number = f"id: {message['seq']}\n" if message["op"] in {"ev", "snap"} else ""
    return f"{number}data: {to_text(dict(message))}\n\n"


async def _until_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    raise GoneError


def _busy(refusal: envelope.Farewell) -> ProblemError:
    if refusal is envelope.RESTART:
        return ProblemError(ProblemType.DRAINING, headers={"Retry-After": "1"})
    return ProblemError(
        ProblemType.RATE_LIMITED,
        headers={"Retry-After": "10"},
        ratelimit={"key": "connections", "seconds": 10},
    )
