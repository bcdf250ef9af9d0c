"""A WebSocket connection that speaks `holdem.v1`."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final, Protocol

from services.common import tracing
from services.common.tracing import Kind
from services.gateway.live import envelope
from services.gateway.live.channels import Channel
from services.gateway.live.envelope import Farewell, Ping, Presence, Sub, Unsub
from services.gateway.live.following import follow
from services.gateway.live.hub import Wakeups
from services.gateway.live.line import GoneError, Line, Viewer, to_text
from services.gateway.live.settings import LiveSettings
from services.gateway.problems import ProblemError, ProblemType

Json = dict[str, Any]
Opener = Callable[[str], Awaitable[Channel]]
Describe = Callable[[ProblemError], Json]

BYE_SECONDS: Final = 2.0
"""How long a peer that is told goodbye may take to hear it."""


class Wire(Protocol):
    """A socket after its handshake."""

    async def send(self, text: str) -> None:
        """Send a text message, as soon as the peer takes it; raises GoneError."""

    async def receive(self) -> str | None:
        """Return the next text message, None for a binary one; raises GoneError."""

    async def close(self, code: int, reason: str) -> None:
        """Close; harmless when the peer is gone."""


class Connection:
    """One person's socket: takes orders, follows channels, says goodbye.

    Args:
        wire: the socket.
        viewer: whose it is.
        open_channel: returns the viewer's channel of a name; raises ProblemError.
        describe: writes a problem as JSON.
        wakeups: where hints come from.
        settings: the limits.

    """

    def __init__(
        self,
        wire: Wire,
        viewer: Viewer,
        *,
        open_channel: Opener,
        describe: Describe,
        wakeups: Wakeups,
        settings: LiveSettings,
    ) -> None:
        self.line = Line(viewer, wire.send, settings)
        self._wire = wire
        self._open = open_channel
        self._describe = describe
        self._wakeups = wakeups
        self._settings = settings
        self._following: dict[str, asyncio.Task[None]] = {}
        self._clock = asyncio.get_running_loop().time
        self._heard_at = self._clock()
        self._allowance = float(settings.burst)
        self._away = False
        self._errors = 0

    async def serve(self, greeting: Json) -> Farewell | None:
        """Talk until the connection ends; returns why, None when the peer just left."""
        self.line.start(self._talk, greeting)
        self.line.start(self._watch_silence)
        farewell = await self.line.until_ended()
        if farewell is not None:
            await part(self._wire, farewell)
        return farewell

    async def _talk(self, greeting: Json) -> None:
        await self.line.say(greeting)
        while True:
            text = await self._wire.receive()
            self._count_message()
            if text is None:
                self.line.end(envelope.NOT_TEXT)
            elif len(text.encode()) > envelope.MESSAGE_BYTES_MAX:
                self.line.end(envelope.TOO_LARGE)
            else:
                await self._hear(text)

    def _count_message(self) -> None:
        now = self._clock()
        gained = (now - self._heard_at) * self._settings.rate
        self._heard_at = now
        self._allowance = min(float(self._settings.burst), self._allowance + gained) - 1
        if self._allowance < 0 and self._settings.limits_on:
            self.line.end(envelope.TOO_OFTEN)

    async def _hear(self, text: str) -> None:
        channel = None
        try:
            order = envelope.parse(text)
            match order:
                case Sub():
                    channel = order.ch
                    # A part of the handshake's trace, or one of its own.
                    with tracing.span("WS sub", Kind.SERVER, parent=tracing.current()):
                        await self._subscribe(order)
                case Unsub():
                    self._stop(order.ch)
                case Ping():
                    await self.line.say(envelope.pong(order.t))
                case Presence():
                    self._away = order.away
        except ProblemError as problem:
            await self._refuse(channel, problem)
        else:
            self._errors = 0

    async def _subscribe(self, order: Sub) -> None:
        channel = await self._open(order.ch)
        # A second subscription replaces the first: so a client that saw a gap starts again.
        self._stop(order.ch)
        if len(self._following) >= self._settings.subscriptions:
            raise ProblemError(
                ProblemType.RATE_LIMITED,
                "too many channels on one connection",
                ratelimit={"key": "subscriptions", "seconds": 0},
            )
        self._following[order.ch] = self.line.start(self._follow, channel, order.since)

    def _stop(self, name: str) -> None:
        task = self._following.pop(name, None)
        if task is not None:
            task.cancel()

    async def _follow(self, channel: Channel, since: int | None) -> None:
        messages = follow(channel, self._wakeups, since, self._settings.poll_seconds)
        async with aclosing(messages):
            async for message in messages:
                await self.line.say(message)

    async def _refuse(self, channel: str | None, problem: ProblemError) -> None:
        self._errors += 1
        if self._errors > self._settings.errors:
            self.line.end(envelope.CONFUSED if channel is None else envelope.NO_CHANNEL)
            return
        await self.line.say(envelope.err(channel, self._describe(problem)))

    async def _watch_silence(self) -> None:
        while True:
            allowed = self._settings.away_seconds if self._away else self._settings.silence_seconds
            left = self._heard_at + allowed - self._clock()
            if left <= 0:
                self.line.end(envelope.SILENT)
                return
            await asyncio.sleep(left)


async def part(wire: Wire, farewell: Farewell) -> None:
    """Say goodbye and close; a peer that does not listen is closed without a word."""
    try:
        async with asyncio.timeout(BYE_SECONDS):
            await wire.send(to_text(envelope.bye(farewell)))
            await wire.close(farewell.code, farewell.reason)
    except (TimeoutError, GoneError):
        return
