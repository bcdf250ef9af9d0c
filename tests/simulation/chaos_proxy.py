"""A bad network between parts on one machine: TCP proxies that delay, stall, stutter and cut.

All proxies live in one thread with an event loop of its own; their methods may be called from
any other.
"""

import asyncio
import contextlib
import random
import socket
import struct
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

CHUNK_BYTES: Final = 65_536
DELAY_SECONDS: Final = 0.15
"""How long everything is late, each way."""

STUTTER_SHARE: Final = 0.1
STUTTER_SECONDS: Final = (0.2, 0.8)
"""What a lost packet costs: TCP asks again after so long, and what is behind it waits."""

T = TypeVar("T")


class Weather(StrEnum):
    """What a link does with what is sent over it."""

    FAIR = "fair"
    DELAY = "delay"
    STUTTER = "stutter"
    STALL = "stall"
    CUT = "cut"


@dataclass(eq=False)
class _Pipe:
    """A connection through a proxy."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter

    def abort(self) -> None:
        """End both halves without goodbye, as a lost machine does: with a reset."""
        for half in (self.client, self.server):
            if not half.is_closing():
                own, linger = half.get_extra_info("socket"), struct.pack("ii", 1, 0)
                with contextlib.suppress(OSError):  # it has ended
                    own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            half.transport.abort()


class Proxy:
    """One link. ``port`` is where its clients come to."""

    def __init__(self, name: str, target: str, rng: random.Random) -> None:
        self.name = name
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._rng = rng
        self._weather = Weather.FAIR
        self._clear = asyncio.Event()
        self._clear.set()
        self._pipes: set[_Pipe] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    async def listen(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def become(self, weather: Weather) -> None:
        """Change the weather; a cut ends every connection at once."""
        self._weather = weather
        if weather is Weather.STALL:
            self._clear.clear()
        else:
            self._clear.set()
        if weather is Weather.CUT:
            self._abort_all()

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self._clear.set()
        self._abort_all()

    def _is_cut(self) -> bool:
        return self._weather is Weather.CUT

    def _abort_all(self) -> None:
        for pipe in list(self._pipes):
            pipe.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut():
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection(*self._target)
        except OSError:  # nobody is there: neither is the proxy
            writer.transport.abort()
            return
        pipe = _Pipe(writer, far_writer)
        if self._is_cut():  # in the meantime
            pipe.abort()
            return
        self._pipes.add(pipe)
        try:
            await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))
        finally:
            self._pipes.discard(pipe)
            pipe.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one direction on, in order, as late as the weather wants it."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sending = asyncio.create_task(self._send(queue, writer))
        due = 0.0
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK_BYTES):
                due = max(due, loop.time() + self._lateness())
                queue.put_nowait((due, data))
        queue.put_nowait((due, b""))
        await sending

    def _lateness(self) -> float:
        if self._weather is Weather.DELAY:
            return DELAY_SECONDS
        if self._weather is Weather.STUTTER and self._rng.random() < STUTTER_SHARE:
            return self._rng.uniform(*STUTTER_SECONDS)
        return 0.0

    async def _send(
        self, queue: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter
    ) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError, RuntimeError):
            while True:
                due, data = await queue.get()
                await asyncio.sleep(max(0.0, due - loop.time()))
                await self._clear.wait()
                if not data:
                    writer.write_eof()
                    return
                writer.write(data)
                await writer.drain()


class Network:
    """All links of a site, by name."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(f"network {seed}")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="network", daemon=True)
        self._thread.start()
        self.links: dict[str, Proxy] = {}

    def route(self, link: str, address: str) -> str:
        """Return the address of the proxy in front of an address; see `whole_site.Route`."""
        if link not in self.links:
            proxy = Proxy(link, address, random.Random(self._rng.random()))
            self._run(proxy.listen())
            self.links[link] = proxy
        return f"127.0.0.1:{self.links[link].port}"

    def become(self, link: str, weather: Weather) -> None:
        """Change the weather of one link."""
        self._run(self.links[link].become(weather))

    def close(self) -> None:
        for proxy in self.links.values():
            self._run(proxy.close())
        self._run(_end_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)


async def _end_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def network(seed: int) -> Iterator[Network]:
    """Give a network without links, and close it with all of them."""
    found = Network(seed)
    try:
        yield found
    finally:
        found.close()
