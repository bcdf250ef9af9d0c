"""A socket's manners: what ends it, what it bounds, and how it says goodbye."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from services.gateway.live import envelope
from services.gateway.live.channels import Channel
from services.gateway.live.envelope import Farewell
from services.gateway.live.line import GoneError, Viewer
from services.gateway.live.registry import Registry
from services.gateway.live.settings import LiveSettings
from services.gateway.live.socket import Connection
from services.gateway.model import User
from services.gateway.problems import ProblemError, ProblemType, document
from tests.support.fake_feeds import FakeChannel, FakeWakeups
from tests.support.gateway_steps import ANA

Json = dict[str, Any]

WAIT_SECONDS = 20.0
CALM = LiveSettings(session_seconds=1_000, silence_seconds=1_000, poll_seconds=1_000)
GREETING = {"op": "hello"}


class FakeWire:
    """A socket in memory. Without ``taken`` the peer takes nothing any more."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[str | Exception | None] = asyncio.Queue()
        self.outgoing: asyncio.Queue[Json] = asyncio.Queue()
        self.taken = asyncio.Event()
        self.taken.set()
        self.closed: tuple[int, str] | None = None

    async def send(self, text: str) -> None:
        await self.taken.wait()
        self.outgoing.put_nowait(json.loads(text))

    async def receive(self) -> str | None:
        message = await self.incoming.get()
        if isinstance(message, Exception):
            raise message
        return message

    async def close(self, code: int, reason: str) -> None:
        await self.taken.wait()
        self.closed = (code, reason)

    def say(self, **message: Any) -> None:  # noqa: ANN401
        self.incoming.put_nowait(json.dumps(message))

    async def hear(self) -> Json:
        async with asyncio.timeout(WAIT_SECONDS):
            return await self.outgoing.get()


class Talk:
    """A running connection and what it leans on."""

    def __init__(self, settings: LiveSettings = CALM, user: User = ANA) -> None:
        self.wire = FakeWire()
        self.wakeups = FakeWakeups()
        self.channels: dict[str, FakeChannel] = {}
        self.checks: list[bool | Exception] = []
        self.connection = Connection(
            self.wire,
            Viewer(user, self._is_signed_in),
            open_channel=self._open,
            describe=lambda problem: document(problem, "http://here", "session"),
            wakeups=self.wakeups,
            settings=settings,
        )
        self._serving = asyncio.create_task(self.connection.serve(GREETING))

    async def _is_signed_in(self) -> bool:
        result = self.checks.pop(0) if self.checks else True
        if isinstance(result, Exception):
            raise result
        return result

    async def _open(self, name: str) -> Channel:
        if name == "nowhere":
            raise ProblemError(ProblemType.NOT_FOUND)
        channel = FakeChannel(self.wakeups, 1)
        channel.name = name
        return self.channels.setdefault(name, channel)

    async def ended(self) -> Farewell | None:
        async with asyncio.timeout(WAIT_SECONDS):
            return await self._serving

    async def heard_all(self) -> list[Json]:
        return [self.wire.outgoing.get_nowait() for _ in range(self.wire.outgoing.qsize())]


Scene = Callable[[], Awaitable[None]]


def play(scene: Scene) -> None:
    async def run() -> None:
        await scene()

    asyncio.run(run())


def test_orders_are_answered() -> None:
    async def scene() -> None:
        talk = Talk()
        assert await talk.wire.hear() == GREETING
        talk.wire.say(op="ping", t=5)
        assert await talk.wire.hear() == {"op": "pong", "t": 5}
        talk.wire.say(op="sub", ch="fake")
        assert (await talk.wire.hear())["op"] == "snap"
        assert (await talk.wire.hear())["op"] == "synced"
        talk.channels["fake"].commit()
        assert (await talk.wire.hear())["seq"] == 2
        talk.wire.say(op="unsub", ch="fake")
        talk.wire.say(op="ping")
        assert (await talk.wire.hear())["op"] == "pong"
        talk.channels["fake"].commit()
        talk.wire.incoming.put_nowait(GoneError())
        assert await talk.ended() is None
        assert talk.wire.outgoing.empty()
        assert talk.wire.closed is None
        assert talk.wakeups.topics == set()

    play(scene)


def test_subscribing_again_starts_the_channel_anew() -> None:
    async def scene() -> None:
        talk = Talk()
        await talk.wire.hear()
        for _ in range(3):
            talk.wire.say(op="sub", ch="fake", since=0)
            assert [(await talk.wire.hear())["op"] for _ in range(2)] == ["ev", "synced"]
        talk.channels["fake"].commit()
        assert (await talk.wire.hear())["seq"] == 2
        talk.wire.incoming.put_nowait(GoneError())
        await talk.ended()
        assert talk.wire.outgoing.empty()

    play(scene)


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("not json", "malformed"),
        ('{"op":"act"}', "request-invalid"),
        ('{"op":"sub","ch":"nowhere"}', "not-found"),
    ],
)
def test_a_wrong_message_is_refused_and_the_talk_goes_on(message: str, problem: str) -> None:
    async def scene() -> None:
        talk = Talk()
        await talk.wire.hear()
        talk.wire.incoming.put_nowait(message)
        refused = await talk.wire.hear()
        assert refused["op"] == "err"
        assert refused["problem"]["type"] == f"http://here/v1/problems/{problem}"
        talk.wire.say(op="ping")
        assert (await talk.wire.hear())["op"] == "pong"
        talk.connection.line.end(None)
        await talk.ended()

    play(scene)


@pytest.mark.parametrize(
    ("message", "code"), [("nonsense", 1008), ('{"op":"sub","ch":"nowhere"}', 4404)]
)
def test_who_is_wrong_again_and_again_is_let_go(message: str, code: int) -> None:
    async def scene() -> None:
        talk = Talk(replace(CALM, errors=3))
        for _ in range(4):
            talk.wire.incoming.put_nowait(message)
        farewell = await talk.ended()
        assert farewell is not None
        assert talk.wire.closed == (code, farewell.reason)
        assert [message["op"] for message in await talk.heard_all()] == [
            "hello", "err", "err", "err", "bye",
        ]  # fmt: skip

    play(scene)


def test_channels_of_one_connection_are_bounded() -> None:
    async def scene() -> None:
        talk = Talk(replace(CALM, subscriptions=2))
        await talk.wire.hear()
        for name in ("one", "two", "three"):
            talk.wire.say(op="sub", ch=name, since=1)
        answers = [await talk.wire.hear() for _ in range(3)]
        refused = next(message for message in answers if message["op"] == "err")
        assert refused["ch"] == "three"
        assert refused["problem"]["ratelimit"] == {"key": "subscriptions", "seconds": 0}
        talk.wire.say(op="unsub", ch="one")
        talk.wire.say(op="sub", ch="three", since=1)
        assert (await talk.wire.hear())["ch"] == "three"
        talk.connection.line.end(None)
        await talk.ended()

    play(scene)


@pytest.mark.parametrize(
    ("message", "code"), [(None, 1003), ("x" * 4097, 1009), ("é" * 2049, 1009)]
)
def test_what_is_no_small_text_ends_the_connection(message: str | None, code: int) -> None:
    async def scene() -> None:
        talk = Talk()
        talk.wire.incoming.put_nowait(message)
        farewell = await talk.ended()
        assert farewell is not None
        assert farewell.code == code

    play(scene)


def test_a_flood_ends_the_connection() -> None:
    async def scene() -> None:
        talk = Talk(replace(CALM, rate=0.001, burst=5))
        for _ in range(6):
            talk.wire.say(op="ping")
        farewell = await talk.ended()
        assert farewell is not None
        assert farewell.code == 4429
        assert farewell.retry_ms is not None
        assert 10_000 <= farewell.retry_ms < 20_000

    play(scene)


def test_who_says_nothing_is_let_go() -> None:
    async def scene() -> None:
        talk = Talk(replace(CALM, silence_seconds=0.02))
        assert (await talk.wire.hear())["op"] == "hello"
        bye = await talk.wire.hear()
        assert (bye["op"], bye["reason"]) == ("bye", "silent")
        assert await talk.ended() is not None
        assert talk.wire.closed == (4408, "silent")

    play(scene)


def test_who_is_away_may_be_silent_for_longer() -> None:
    async def scene() -> None:
        talk = Talk(replace(CALM, silence_seconds=0.05, away_seconds=1_000))
        talk.wire.say(op="presence", away=True)
        talk.wire.say(op="sub", ch="fake", since=1)
        assert await talk.wire.hear() == GREETING
        assert (await talk.wire.hear())["op"] == "synced"
        asyncio.get_running_loop().call_later(0.2, talk.channels["fake"].commit)
        assert (await talk.wire.hear())["op"] == "ev"
        talk.connection.line.end(None)
        assert await talk.ended() is None

    play(scene)


def test_a_session_that_ends_ends_the_connection_at_the_next_look() -> None:
    async def scene() -> None:
        talk = Talk(replace(CALM, session_seconds=0.01))
        talk.checks = [True, OperationalError("", None, Exception()), True, False]
        farewell = await talk.ended()
        assert farewell is not None
        assert farewell.code == 4401
        assert farewell.retry_ms is None

    play(scene)


def test_a_peer_that_takes_nothing_is_let_go_without_a_word() -> None:
    async def scene() -> None:
        talk = Talk(replace(CALM, send_seconds=0.02))
        await talk.wire.hear()
        talk.wire.taken.clear()
        talk.wire.say(op="sub", ch="fake", since=1)
        farewell = await talk.ended()
        assert farewell is not None
        assert (farewell.code, farewell.reason) == (1013, "slow")
        assert talk.wire.closed is None

    play(scene)


def test_a_slow_peer_costs_one_page_however_much_happens() -> None:
    async def scene() -> None:
        talk = Talk()
        await talk.wire.hear()
        talk.wire.say(op="sub", ch="fake", since=1)
        assert (await talk.wire.hear())["op"] == "synced"
        talk.wire.taken.clear()
        channel = talk.channels["fake"]
        reads = channel.reads
        for _ in range(50):
            channel.commit(100)
            await asyncio.sleep(0)
        assert channel.reads == reads + 1
        talk.wire.taken.set()
        seqs = [(await talk.wire.hear())["seq"] for _ in range(5_000)]
        assert seqs == list(range(2, 5_002))
        talk.connection.line.end(None)
        await talk.ended()

    play(scene)


def test_a_bug_ends_the_connection_and_tells_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    async def scene() -> None:
        talk = Talk()
        await talk.wire.hear()
        talk.wire.incoming.put_nowait(KeyError("As Kh"))
        farewell = await talk.ended()
        assert farewell is not None
        assert farewell.code == 1011

    play(scene)
    written = capsys.readouterr()
    assert "KeyError" in written.out + written.err
    assert "As Kh" not in written.out + written.err


def test_of_too_many_connections_the_oldest_ends() -> None:
    async def scene() -> None:
        registry = Registry(replace(CALM, user_connections=2))
        talks = [Talk() for _ in range(3)]
        with ExitStack() as stack:
            for talk in talks:
                stack.enter_context(registry.held(ANA.user_id, talk.connection.line))
            farewell = await talks[0].ended()
            assert farewell is not None
            assert (farewell.code, farewell.retry_ms) == (4409, None)
            registry.drain()
            for talk in talks[1:]:
                farewell = await talk.ended()
                assert farewell is not None
                assert farewell.code == 1012
        assert len(registry) == 0

    play(scene)


def test_an_address_has_so_many_places_and_no_more() -> None:
    registry = Registry(replace(CALM, address_connections=1))
    with registry.arriving("10.0.0.1") as first:
        assert first is None
        with registry.arriving("10.0.0.1") as second:
            assert second is envelope.TOO_OFTEN
        with registry.arriving("10.0.0.2") as other:
            assert other is None
    with registry.arriving("10.0.0.1") as again:
        assert again is None
    registry.drain()
    with registry.arriving("10.0.0.3") as late:
        assert late is envelope.RESTART
