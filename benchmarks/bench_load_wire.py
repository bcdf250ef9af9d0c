"""A frugal HTTP/1.1 connection and a frugal WebSocket, so that players cost little CPU.

Only what the gateway sends is understood: answers with a Content-Length, text messages in one
frame. Both count the bytes that TCP carried for them, without its own headers.
"""

import asyncio
import base64
import json
import os
import struct
import time
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_KEPT_SECONDS = 4.0
"""A server ends a connection that was idle for five seconds: open another one before."""


class ClosedError(Exception):
    """The other side has ended the connection."""


@dataclass
class Answer:
    """A response; ``body`` is None without JSON."""

    status: int
    headers: dict[str, str]
    content: bytes

    def json(self) -> Json:
        return dict(json.loads(self.content))


@dataclass
class Http:
    """One connection to a gateway, opened when first needed; for one request at a time."""

    host: str
    port: int
    token: str = ""
    bytes_in: int = 0
    bytes_out: int = 0
    _used_at: float = 0.0
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = field(
        default=None, repr=False
    )

    async def post(self, path: str, body: Json, key: str) -> Answer:
        content = json.dumps(body, separators=(",", ":"))
        head = f"Idempotency-Key: {key}\r\nContent-Type: application/json\r\n"
        return await self._ask("POST", path, f"{head}Content-Length: {len(content)}\r\n", content)

    async def get(self, path: str) -> Answer:
        return await self._ask("GET", path, "", "")

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    async def _ask(self, method: str, path: str, head: str, content: str) -> Answer:
        if time.monotonic() - self._used_at > _KEPT_SECONDS:
            self.close()
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        session = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        start = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        request = f"{start}{session}{head}\r\n{content}".encode()
        self.bytes_out += len(request)
        try:
            writer.write(request)
            return await self._answer(reader)
        except (OSError, asyncio.IncompleteReadError) as error:
            self.close()
            raise ClosedError from error
        except BaseException:
            self.close()  # half an answer is on its way
            raise

    async def _answer(self, reader: asyncio.StreamReader) -> Answer:
        head = await reader.readuntil(b"\r\n\r\n")
        status, _, rest = head.decode("latin-1").partition("\r\n")
        headers = {
            name.lower(): value
            for name, _, value in (line.partition(": ") for line in rest.split("\r\n"))
        }
        content = await reader.readexactly(int(headers.get("content-length", "0")))
        self._used_at = time.monotonic()
        self.bytes_in += len(head) + len(content)
        return Answer(int(status.split(" ", 2)[1]), headers, content)


@dataclass
class Socket:
    """A WebSocket of `holdem.v1`."""

    host: str
    port: int
    token: str
    bytes_in: int = 0
    bytes_out: int = 0
    _reader: asyncio.StreamReader = field(init=False, repr=False)
    _writer: asyncio.StreamWriter = field(init=False, repr=False)

    async def open(self) -> None:
        """Shake hands; raises ClosedError when the gateway refuses."""
        self._reader, self._writer = await asyncio.open_connection(self.host, self.port)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            "GET /v1/ws HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: holdem.v1",
            f"Authorization: Bearer {self.token}",
        )
        self._send("\r\n".join((*lines, "\r\n")).encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        self.bytes_in += len(head)
        if not head.startswith(b"HTTP/1.1 101"):
            raise ClosedError(head.decode("latin-1"))

    def say(self, **message: Any) -> None:  # noqa: ANN401
        self._frame(_TEXT, json.dumps(message, separators=(",", ":")).encode())

    async def hear(self) -> Json:
        """Return the next message; raises ClosedError."""
        while True:
            try:
                opcode, content = await self._read_frame()
            except (OSError, asyncio.IncompleteReadError) as error:
                raise ClosedError from error
            if opcode == _TEXT:
                return dict(json.loads(content))
            if opcode == _CLOSE:
                raise ClosedError
            if opcode == _PING:
                self._frame(_PONG, content)

    def close(self) -> None:
        self._writer.transport.abort()

    async def _read_frame(self) -> tuple[int, bytes]:
        first, length = await self._reader.readexactly(2)
        extra = {126: 2, 127: 8}.get(length, 0)
        if extra:
            length = int.from_bytes(await self._reader.readexactly(extra), "big")
        content = await self._reader.readexactly(length)
        self.bytes_in += 2 + extra + length
        return first & 0x0F, content

    def _frame(self, opcode: int, content: bytes) -> None:
        """Send one frame, masked with zeros: clients must mask, with whatever key."""
        size = len(content)
        head = struct.pack(">BB", 0x80 | opcode, 0x80 | size)
        if size > 125:
            head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, size)
        self._send(head + bytes(4) + content)

    def _send(self, data: bytes) -> None:
        self.bytes_out += len(data)
        self._writer.write(data)
