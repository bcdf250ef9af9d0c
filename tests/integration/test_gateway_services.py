"""The gateway against real services on real sockets, and as a process of its own."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import httpx
import pytest

from poker.actions import Action, ActionKind, Legal
from poker.errors import IllegalActionError, MalformedError, Reason
from poker.view import view_for
from proto.bot.v1 import bot_pb2, bot_pb2_grpc
from services.common.channels import open_channel
from services.common.codec import encode_action
from services.common.grpc_server import GrpcServer, ServerOptions
from services.engine.app import register
from services.engine.service import SERVICE_NAME
from services.gateway.engine_client import EngineClient, EngineUnavailableError
from services.gateway.river_client import (
    Decision,
    RiverClient,
    RiverUnavailableError,
    fallback_action,
)
from services.local import free_ports
from tests.support.gateway_steps import acted, reply_to, sat_down

REPO = Path(__file__).parents[2]
READY_SECONDS = 60.0


@asynccontextmanager
async def engine_client() -> AsyncIterator[EngineClient]:
    options = ServerOptions("127.0.0.1:0", lame_duck_seconds=0, grace_seconds=5)
    server = GrpcServer(register, (SERVICE_NAME,), options)
    port = await server.start()
    try:
        async with open_channel(f"127.0.0.1:{port}") as channel:
            yield EngineClient(channel)
    finally:
        await server.drain()


def test_the_engine_over_the_wire_says_what_the_library_says() -> None:
    hand = sat_down().scene.hand
    call = Action(1, ActionKind.CALL)

    async def main() -> None:
        async with engine_client() as engine:
            dealt = await engine.replay(hand)
            assert dealt == reply_to(hand)
            assert await engine.act(hand, dealt.snapshot, call) == reply_to(hand, call)

    asyncio.run(main())


def test_refusals_of_the_engine_arrive_as_the_same_errors() -> None:
    hand = sat_down().scene.hand
    before = reply_to(hand).snapshot

    async def main() -> None:
        async with engine_client() as engine:
            with pytest.raises(IllegalActionError) as illegal:
                await engine.act(hand, before, Action(1, ActionKind.RAISE, 101))
            assert illegal.value.reason is Reason.BELOW_MINIMUM
            twice = replace(hand, setup=replace(hand.setup, deck=(hand.setup.deck[0],) * 52))
            with pytest.raises(MalformedError):
                await engine.replay(twice)

    asyncio.run(main())


def test_an_engine_that_is_not_there_is_unavailable_within_the_deadline() -> None:
    hand = sat_down().scene.hand
    before, action = reply_to(hand).snapshot, Action(1, ActionKind.CALL)

    async def main() -> None:
        async with open_channel("127.0.0.1:1") as channel:
            engine = EngineClient(channel, deadline_seconds=0.2)
            for call in (engine.replay(hand), engine.act(hand, before, action)):
                with pytest.raises(EngineUnavailableError):
                    await call

    asyncio.run(main())


class StubbornBot(bot_pb2_grpc.BotServiceServicer):
    """Fails a number of times, then answers; or thinks for ever."""

    def __init__(self, failures: int = 0, *, thinks_for_ever: bool = False) -> None:
        self.failures = failures
        self.thinks_for_ever = thinks_for_ever
        self.asked: list[bot_pb2.DecideRequest] = []

    async def Decide(  # noqa: N802
        self,
        request: bot_pb2.DecideRequest,
        context: "grpc.aio.ServicerContext[bot_pb2.DecideRequest, bot_pb2.DecideResponse]",
    ) -> bot_pb2.DecideResponse:
        self.asked.append(request)
        if self.thinks_for_ever:
            await asyncio.Event().wait()
        if len(self.asked) <= self.failures:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "not now")
        action = encode_action(Action(request.view.seat, ActionKind.CHECK))
        return bot_pb2.DecideResponse(action=action, bot_version="stub-1")


@asynccontextmanager
async def river_client(bot: StubbornBot, deadline_seconds: float) -> AsyncIterator[RiverClient]:
    server = grpc.aio.server()
    bot_pb2_grpc.add_BotServiceServicer_to_server(bot, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with open_channel(f"127.0.0.1:{port}") as channel:
            yield RiverClient(channel, deadline_seconds=deadline_seconds)
    finally:
        await server.stop(None)


def test_river_is_asked_again_when_it_is_not_there_at_first() -> None:
    scene = acted(sat_down().scene, ActionKind.CALL).scene
    view = view_for(reply_to(scene.hand).snapshot, 2)
    bot = StubbornBot(failures=2)

    async def main() -> None:
        async with river_client(bot, 10.0) as river:
            decision = await river.decide(view, 2**64 - 1)
            assert decision == Decision(Action(2, ActionKind.CHECK), "stub-1")

    asyncio.run(main())
    assert len(bot.asked) == 3
    assert bot.asked[0].seed == 2**64 - 1
    # The big blind's cards are the first and the third.
    assert bot.asked[0].view.hole_cards == bytes(scene.hand.setup.deck[:4:2])


def test_a_river_that_thinks_too_long_is_unavailable() -> None:
    scene = acted(sat_down().scene, ActionKind.CALL).scene
    view = view_for(reply_to(scene.hand).snapshot, 2)

    async def main() -> None:
        async with river_client(StubbornBot(thinks_for_ever=True), 0.2) as river:
            with pytest.raises(RiverUnavailableError):
                await river.decide(view, 1)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("can_check", "to_call", "pot", "kind"),
    [
        (True, 0, 200, ActionKind.CHECK),
        (False, 100, 400, ActionKind.CALL),
        (False, 100, 399, ActionKind.FOLD),
        (False, 9_900, 10_100, ActionKind.FOLD),
    ],
)
def test_the_fixed_rule_pays_up_to_a_quarter_of_the_pot(
    can_check: bool, to_call: int, pot: int, kind: ActionKind
) -> None:
    legal = Legal(2, not can_check, can_check, to_call, False, None)
    assert fallback_action(legal, pot) == Action(2, kind)


@contextmanager
def process(tmp_path: Path, *arguments: str, **more: str) -> Iterator["subprocess.Popen[bytes]"]:
    env = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'tables.sqlite3'}",
        "ENGINE_TARGET": "127.0.0.1:1",
        "BOT_TARGET": "127.0.0.1:1",
        "LEDGER_TARGET": "127.0.0.1:1",
        **more,
    }
    with (tmp_path / "log").open("ab") as log:
        command = [sys.executable, "-m", "services.gateway", *arguments]
        running = subprocess.Popen(command, cwd=REPO, env=env, stdout=log, stderr=log)
        try:
            yield running
        finally:
            running.kill()
            running.wait()


def wait_until_it_answers(port: int) -> None:
    give_up = time.monotonic() + READY_SECONDS
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False).raise_for_status()
        except httpx.TransportError:
            assert time.monotonic() < give_up, "the gateway did not start"
            time.sleep(0.05)
        else:
            return


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_process_serves_and_stops_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    (port,) = free_ports(1)
    with process(tmp_path, PORT=str(port)) as running:
        wait_until_it_answers(port)
        base_url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=base_url, trust_env=False) as client:
            ready = client.get("/readyz")
            assert ready.status_code == 503
            assert ready.json()["checks"] == {
                "database": True, "engine": False, "bot": False, "ledger": False,
            }  # fmt: skip
            assert client.get("/readyz?need=database").status_code == 200
            assert client.post("/v1/sessions/guest").status_code == 201
        running.send_signal(number)
        assert running.wait(30) == 0


def test_a_guest_outlives_a_killed_process(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
        with process(tmp_path, PORT=str(port)):
            wait_until_it_answers(port)
            user = client.post("/v1/sessions/guest").json()["user"]
        with process(tmp_path, PORT=str(port)):
            wait_until_it_answers(port)
            assert client.get("/v1/me").json()["user"] == user


def test_migrate_is_a_command_that_can_be_repeated(tmp_path: Path) -> None:
    for _ in range(2):
        with process(tmp_path, "migrate") as running:
            assert running.wait(READY_SECONDS) == 0
    assert (tmp_path / "tables.sqlite3").exists()


def test_all_configuration_problems_are_told_at_once(tmp_path: Path) -> None:
    with process(tmp_path, PORT="99999", DATABASE_URL="mysql://x", RATE_LIMITS="maybe") as running:
        assert running.wait(READY_SECONDS) == 2
    log = (tmp_path / "log").read_text()
    assert all(name in log for name in ("PORT", "DATABASE_URL", "RATE_LIMITS"))
    assert "mysql://x" not in log


def test_a_port_that_is_taken_is_a_failure(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    with process(tmp_path, PORT=str(port)):
        wait_until_it_answers(port)
        with process(tmp_path, PORT=str(port)) as second:
            assert second.wait(READY_SECONDS) != 0
