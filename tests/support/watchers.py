"""People who watch: a socket that speaks `holdem.v1`, and a reader of event streams."""

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any, Self

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.support.player import Player

Json = dict[str, Any]

HEAR_SECONDS = 60.0
COOKIE = "riverboat_session"


class Socket:
    """One connection; ``heard`` keeps every message as it came."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        bearer: bool = False,
        origin: str | None = None,
        subprotocols: tuple[str, ...] = ("holdem.v1",),
        max_queue: int | None = None,
    ) -> None:
        headers = {}
        if token is not None:
            name, value = (
                ("Authorization", f"Bearer {token}") if bearer else ("Cookie", f"{COOKIE}={token}")
            )
            headers[name] = value
        if origin is not None:
            headers["Origin"] = origin
        self.heard: list[str] = []
        self.wire: ClientConnection
        self._opening = connect(
            url,
            additional_headers=headers,
            subprotocols=[Subprotocol(name) for name in subprotocols] or None,
            proxy=None,
            compression=None,
            max_queue=max_queue,
            ping_interval=None,
        )

    def __enter__(self) -> Self:
        self.wire = self._opening.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:  # noqa: ANN401
        self._opening.__exit__(*failure)

    def deafen(self) -> None:
        """Break the connection off without reading what is on its way."""
        self.wire.socket.shutdown(socket.SHUT_RDWR)

    def say(self, **message: Any) -> None:  # noqa: ANN401
        self.send(json.dumps(message))

    def send(self, message: str | bytes) -> None:
        """Send a message; what comes after the server's close is lost.

        Whether the server has closed by then is a race; `hear` and `until_closed` tell how.
        """
        with contextlib.suppress(ConnectionClosed):
            self.wire.send(message)

    def sub(self, channel: str, since: int | None = None) -> None:
        self.say(op="sub", ch=channel, **({} if since is None else {"since": since}))

    def hear(self, seconds: float = HEAR_SECONDS) -> Json:
        """The next message."""
        text = self.wire.recv(timeout=seconds)
        assert isinstance(text, str)
        self.heard.append(text)
        return dict(json.loads(text))

    def hear_op(self, *ops: str) -> Json:
        """The next message of one of these kinds; skips others."""
        while True:
            message = self.hear()
            if message["op"] in ops:
                return message

    def events_until(self, seq: int, channel: str | None = None) -> list[Json]:
        """All events up to this number; nothing but events may come (of this channel)."""
        events: list[Json] = []
        while not events or events[-1]["seq"] < seq:
            message = self.hear()
            if channel is None or message.get("ch") == channel:
                assert message["op"] == "ev", message
                events.append(message)
        return events

    def until_closed(self) -> tuple[int, Json | None]:
        """The close code, and the goodbye if there was one."""
        goodbyes: list[Json] = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                goodbyes += [message for message in [self.hear()] if message["op"] == "bye"]
        code = self.wire.close_code
        assert code is not None
        return code, goodbyes[-1] if goodbyes else None


class Stream:
    """An event stream, read in the test's own thread as it asks."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.heard: list[str] = []
        self._lines = response.iter_lines()

    def hear(self) -> tuple[str | None, Json]:
        """The next event's id and message; comments are skipped."""
        event_id, data = None, ""
        for line in self._lines:
            name, _, value = line.partition(": ")
            if name == "id":
                event_id = value
            elif name == "data":
                data += value
            elif line == "" and data:
                self.heard.append(data)
                return event_id, dict(json.loads(data))
        raise EOFError("the stream has ended")

    def hear_op(self, *ops: str) -> Json:
        while True:
            _, message = self.hear()
            if message["op"] in ops:
                return message

    def events_until(self, seq: int) -> list[Json]:
        events: list[Json] = []
        while not events or events[-1]["seq"] < seq:
            event_id, message = self.hear()
            assert message["op"] == "ev", message
            assert event_id == str(message["seq"])
            events.append(message)
        return events


@contextlib.contextmanager
def event_stream(player: Player, table_id: str, **headers: str) -> Iterator[Stream]:
    """Open a stream of a table with the player's cookie."""
    accept = {"Accept": "text/event-stream", **headers}
    with (
        httpx.Client(base_url=player.base_url, trust_env=False, timeout=HEAR_SECONDS) as client,
        client.stream(
            "GET",
            f"/v1/tables/{table_id}/events",
            headers={"Cookie": f"{COOKIE}={token_of(player)}", **accept},
        ) as response,
    ):
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Stream(response)


def token_of(player: Player) -> str:
    return player.http.cookies[COOKIE]


def in_background(work: Any) -> threading.Thread:  # noqa: ANN401
    thread = threading.Thread(target=work)
    thread.start()
    return thread
