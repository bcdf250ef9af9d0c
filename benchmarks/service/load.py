"""A load of unary calls, a fixed number in flight, over a few connections.

``python -m benchmarks.service.load ADDRESS PATH SECONDS CONNECTIONS STREAMS FILE``
sends the messages of FILE (JSON, a list of hex texts) in turn and prints a JSON line.
"""

import json
import selectors
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.service import wire

_READ_BYTES: Final = 1 << 18


@dataclass(slots=True)
class Outcome:
    """Latencies in seconds of the calls that were answered; calls that failed."""

    latencies: list[float] = field(default_factory=list)
    failed: int = 0


class Connection:
    """One HTTP/2 connection that keeps ``streams`` calls in flight until told to stop."""

    def __init__(
        self, address: tuple[str, int], path: str, messages: Sequence[bytes], outcome: Outcome
    ) -> None:
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stopping = False
        self._headers = wire.call_headers(path)
        self._bodies = [wire.grpc_message(message) for message in messages]
        self._next = 0
        self._stream = 1
        self._started: dict[int, float] = {}
        self._answered: set[int] = set()
        self._outcome = outcome
        self._buffer = b""
        self.socket.sendall(wire.opening())

    @property
    def idle(self) -> bool:
        """Whether nothing is in flight."""
        return not self._started

    def call(self, count: int) -> None:
        """Start so many calls."""
        self.socket.sendall(b"".join([self._new_call() for _ in range(count)]))

    def read(self) -> None:
        """Take in what has come, and answer every finished call with a new one."""
        data = self.socket.recv(_READ_BYTES)
        if not data:
            raise ConnectionError("the server closed the connection")
        buffer = self._buffer + data
        position, end, finished = 0, len(buffer), 0
        while end - position >= wire.HEADER_BYTES:
            size = int.from_bytes(buffer[position : position + 3], "big")
            following = position + wire.HEADER_BYTES + size
            if following > end:
                break
            finished += self._take(buffer, position, following)
            position = following
        self._buffer = buffer[position:]
        if finished and not self.stopping:
            self.call(finished)

    def _new_call(self) -> bytes:
        stream, self._stream = self._stream, self._stream + 2
        body = self._bodies[self._next]
        self._next = (self._next + 1) % len(self._bodies)
        self._started[stream] = time.perf_counter()
        headers = wire.frame(wire.HEADERS, wire.END_HEADERS, stream, self._headers)
        return headers + wire.frame(wire.DATA, wire.END_STREAM, stream, body)

    def _take(self, buffer: bytes, position: int, following: int) -> int:
        """Handle one frame; return how many calls it finished."""
        kind, flags = buffer[position + 3], buffer[position + 4]
        if kind == wire.DATA:
            self._answered.add(int.from_bytes(buffer[position + 5 : position + 9], "big"))
        elif kind == wire.HEADERS and flags & wire.END_STREAM:
            self._finish(int.from_bytes(buffer[position + 5 : position + 9], "big"))
            return 1
        elif kind == wire.PING and not flags & wire.ACK:
            payload = buffer[position + wire.HEADER_BYTES : following]
            self.socket.sendall(wire.frame(wire.PING, wire.ACK, 0, payload))
        elif kind == wire.SETTINGS and not flags & wire.ACK:
            self.socket.sendall(wire.frame(wire.SETTINGS, wire.ACK, 0, b""))
        elif kind == wire.GOAWAY:
            raise ConnectionError("the server is going away")
        return 0

    def _finish(self, stream: int) -> None:
        took = time.perf_counter() - self._started.pop(stream)
        # A refused call has trailers only.
        if stream in self._answered:
            self._answered.discard(stream)
            self._outcome.latencies.append(took)
        else:
            self._outcome.failed += 1


def run(
    address: tuple[str, int],
    path: str,
    messages: Sequence[bytes],
    *,
    seconds: float,
    connections: int,
    streams: int,
) -> dict[str, float]:
    """Load a server; return calls a second, latencies in milliseconds, failures."""
    outcome = Outcome()
    opened = [Connection(address, path, messages, outcome) for _ in range(connections)]
    with selectors.DefaultSelector() as selector:
        for connection in opened:
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            connection.call(streams)
        start = time.perf_counter()
        while any(not connection.idle for connection in opened):
            for key, _ in selector.select():
                key.data.read()
            if time.perf_counter() - start >= seconds:
                for connection in opened:
                    connection.stopping = True
        took = time.perf_counter() - start
    for connection in opened:
        connection.socket.close()
    return _summary(outcome, took)


def _summary(outcome: Outcome, took: float) -> dict[str, float]:
    ordered = sorted(outcome.latencies)
    if not ordered:
        raise ConnectionError(f"no call was answered, {outcome.failed} failed")
    return {
        "answered": len(ordered),
        "calls_per_second": len(ordered) / took,
        "p50_ms": 1000 * ordered[len(ordered) // 2],
        "p99_ms": 1000 * ordered[len(ordered) * 99 // 100],
        "failed": outcome.failed,
    }


def main(arguments: Sequence[str]) -> None:
    """Run one load; see the module."""
    address, path, seconds, connections, streams, file = arguments
    host, port = address.rsplit(":", 1)
    messages = [bytes.fromhex(text) for text in json.loads(Path(file).read_text("ascii"))]
    summary = run(
        (host, int(port)),
        path,
        messages,
        seconds=float(seconds),
        connections=int(connections),
        streams=int(streams),
    )
    print(json.dumps(summary), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
