"""River over a real socket: answers, refusals, limits, the loss of a worker."""

import asyncio
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from time import monotonic, sleep
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from poker.errors import MalformedError, Reason
from poker.view import view_for
from proto.bot.v1 import bot_pb2, bot_pb2_grpc
from services.bot.pool import WAITING_PER_WORKER_MAX, DecisionPool, PoolFullError
from services.bot.service import SERVICE_NAME, BotServicer
from services.bot.strategy import BOT_VERSION, river
from services.common.channels import open_channel
from services.common.codec import decode_action, decode_bot_view, encode_bot_view
from services.common.grpc_server import GrpcServer, ServerOptions
from services.common.rpc_errors import to_poker_error
from tests.support.river import QUICK, heads_up
from tests.support.scripted_hands import play, table

SECONDS = 60.0
STUCK_SECONDS = 600.0


@asynccontextmanager
async def bot_channel() -> AsyncIterator[tuple[grpc.aio.Channel, DecisionPool]]:
    """A channel to River on a loopback port, with one decision process."""
    pool = DecisionPool(workers=1, budget=QUICK)
    try:
        await pool.start()

        def register(server: grpc.aio.Server) -> None:
            bot_pb2_grpc.add_BotServiceServicer_to_server(BotServicer(pool), server)

        options = ServerOptions("127.0.0.1:0", lame_duck_seconds=0, grace_seconds=5)
        server = GrpcServer(register, (SERVICE_NAME,), options)
        port = await server.start()
        try:
            async with open_channel(f"127.0.0.1:{port}", deadline_seconds=SECONDS) as channel:
                yield channel, pool
        finally:
            await server.drain()
    finally:
        pool.close()


def with_bot(test: Callable[[grpc.aio.Channel], Awaitable[None]]) -> None:
    async def main() -> None:
        async with bot_channel() as (channel, _):
            await test(channel)

    asyncio.run(main())


def flop_view() -> bot_pb2.BotView:
    hand = play(table({1: 10_000, 2: 10_000}, button=1), "1 raise 250", "2 call")
    return encode_bot_view(view_for(hand.snapshot(), 2))


def process_ids() -> set[int]:
    """The decision processes of this process."""
    return {child.pid for child in multiprocessing.active_children() if child.pid}


def test_the_answer_is_that_of_the_strategy_every_time() -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        stub = bot_pb2_grpc.BotServiceStub(channel)
        view = flop_view()
        for seed in (0, 1, 2**64 - 1):
            expected = river().decide(decode_bot_view(view), seed)
            for _ in range(2):
                answer = await stub.Decide(bot_pb2.DecideRequest(view=view, seed=seed))
                assert decode_action(answer.action) == expected.action
                assert (answer.stage, answer.bot_version) == (expected.stage, BOT_VERSION)

    with_bot(check)


def test_the_answer_explains_itself_for_its_own_cards() -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        stub = bot_pb2_grpc.BotServiceStub(channel)
        view = flop_view()
        answer = await stub.Decide(bot_pb2.DecideRequest(view=view, seed=1))
        weighed = river().policy(decode_bot_view(view)).options
        assert [
            (
                decode_action(option.action),
                option.probability,
                option.value_chips if option.HasField("value_chips") else None,
            )
            for option in answer.options
        ] == [(option.action, option.probability, option.value_chips) for option in weighed]
        assert answer.action in [option.action for option in answer.options]

    with_bot(check)


def test_views_that_make_no_sense_are_invalid_arguments() -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        stub = bot_pb2_grpc.BotServiceStub(channel)

        async def refusal(request: bot_pb2.DecideRequest) -> Reason:
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await stub.Decide(request)
            assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            error = to_poker_error(failed.value)
            assert isinstance(error, MalformedError)
            return error.reason

        assert await refusal(bot_pb2.DecideRequest(seed=1)) is Reason.INVALID_REQUEST
        for spoil, reason in SPOILS:
            view = flop_view()
            spoil(view)
            assert await refusal(bot_pb2.DecideRequest(view=view)) is reason

    with_bot(check)


def _unknown_card(view: bot_pb2.BotView) -> None:
    view.hole_cards = b"\x01\xff"


def _duplicate(view: bot_pb2.BotView) -> None:
    view.hole_cards = view.board[:2]


def _no_rules(view: bot_pb2.BotView) -> None:
    view.ClearField("rules")


def _no_legal(view: bot_pb2.BotView) -> None:
    view.ClearField("legal")


def _folded(view: bot_pb2.BotView) -> None:
    view.seats[1].folded = True


SPOILS: list[tuple[Callable[[bot_pb2.BotView], None], Reason]] = [
    (_unknown_card, Reason.UNKNOWN_CARD),
    (_duplicate, Reason.DUPLICATE_CARD),
    (_no_rules, Reason.INVALID_REQUEST),
    (_no_legal, Reason.INVALID_REQUEST),
    (_folded, Reason.NOT_YOUR_TURN),
]


def test_a_deadline_ends_the_call_and_health_answers_meanwhile() -> None:
    async def main() -> None:
        async with bot_channel() as (channel, _):
            (worker_id,) = process_ids()
            os.kill(worker_id, signal.SIGSTOP)
            try:
                stub = bot_pb2_grpc.BotServiceStub(channel)
                call = stub.Decide(bot_pb2.DecideRequest(view=flop_view()), timeout=STUCK_SECONDS)
                # The type stubs of the health service know only the synchronous API.
                health: Any = health_pb2_grpc.HealthStub(channel)
                answer = await health.Check(health_pb2.HealthCheckRequest(service=SERVICE_NAME))
                assert answer.status == health_pb2.HealthCheckResponse.SERVING
                with pytest.raises(grpc.aio.AioRpcError) as late:
                    await stub.Decide(bot_pb2.DecideRequest(view=flop_view()), timeout=0.5)
                assert late.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            finally:
                os.kill(worker_id, signal.SIGCONT)
            assert (await call).stage == "blueprint"

    asyncio.run(main())


def test_a_killed_worker_is_replaced_and_the_decision_made_all_the_same() -> None:
    async def main() -> None:
        async with bot_channel() as (channel, _):
            stub = bot_pb2_grpc.BotServiceStub(channel)
            (worker_id,) = process_ids()
            os.kill(worker_id, signal.SIGSTOP)
            calls = [asyncio.ensure_future(_decide(stub, seed)) for seed in range(3)]
            await asyncio.sleep(0)
            os.kill(worker_id, signal.SIGKILL)
            for seed, answer in enumerate(await asyncio.gather(*calls)):
                expected = river().decide(decode_bot_view(flop_view()), seed)
                assert decode_action(answer.action) == expected.action
            assert worker_id not in process_ids()

    asyncio.run(main())


async def _decide(stub: "bot_pb2_grpc.BotServiceAsyncStub", seed: int) -> bot_pb2.DecideResponse:
    answer: bot_pb2.DecideResponse = await stub.Decide(
        bot_pb2.DecideRequest(view=flop_view(), seed=seed)
    )
    return answer


def test_a_full_pool_turns_callers_away() -> None:
    async def main() -> None:
        async with bot_channel() as (_, pool):
            (worker_id,) = process_ids()
            os.kill(worker_id, signal.SIGSTOP)
            view = heads_up(10_000)
            waiting = [
                asyncio.ensure_future(pool.decide(view, seed))
                for seed in range(WAITING_PER_WORKER_MAX)
            ]
            await asyncio.sleep(0)
            try:
                with pytest.raises(PoolFullError):
                    await pool.decide(view, 0)
            finally:
                os.kill(worker_id, signal.SIGCONT)
            decisions = await asyncio.gather(*waiting)
            assert {decision.stage for decision in decisions} == {"blueprint"}

    asyncio.run(main())


# The service as a process


@contextmanager
def service() -> Iterator[tuple["Popen[str]", str]]:
    """``python -m services.bot`` and its address; killed at the end if still there."""
    environment = {**os.environ, "BOT_LISTEN": "127.0.0.1:0", "BOT_WORKERS": "2"}
    command = [sys.executable, "-m", "services.bot"]
    root = Path(__file__).parents[2]
    with Popen(command, env=environment, stderr=PIPE, text=True, cwd=root) as process:
        try:
            yield process, _address(process)
        finally:
            process.kill()


def _address(process: "Popen[str]") -> str:
    assert process.stderr is not None
    for line in process.stderr:
        record = json.loads(line)
        if record["event"] == "serving":
            return f"127.0.0.1:{record['port']}"
    raise AssertionError("the service did not start")


def _children(parent: int) -> set[int]:
    """Processes whose parent this is."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[1]) == parent:
                found.add(int(entry.name))
    return found


def _alive(process_id: int) -> bool:
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _until_gone(process_ids: set[int]) -> None:
    deadline = monotonic() + SECONDS
    while any(map(_alive, process_ids)):
        assert monotonic() < deadline, "a decision process outlives its service"
        sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_service(number: signal.Signals) -> None:
    with service() as (process, address):
        with grpc.insecure_channel(address) as channel:
            stub = bot_pb2_grpc.BotServiceStub(channel)
            request = bot_pb2.DecideRequest(view=flop_view(), seed=1)
            assert stub.Decide(request, timeout=SECONDS).bot_version == BOT_VERSION
        children = _children(process.pid)
        assert len(children) >= 2
        process.send_signal(number)
        assert process.wait(timeout=SECONDS) == (-number if number is signal.SIGKILL else 0)
        _until_gone(children)


def test_a_taken_port_is_an_error() -> None:
    with service() as (_, address):
        environment = {**os.environ, "BOT_LISTEN": address}
        command = [sys.executable, "-m", "services.bot"]
        with Popen(command, env=environment, stderr=PIPE, text=True) as second:
            assert second.stderr is not None
            assert "cannot listen" in second.stderr.read()
            assert second.wait(timeout=SECONDS) == 1


def test_bad_settings_are_listed_at_once() -> None:
    environment = {**os.environ, "BOT_LISTEN": "nowhere", "BOT_WORKERS": "0"}
    command = [sys.executable, "-m", "services.bot"]
    with Popen(command, env=environment, stderr=PIPE, text=True) as process:
        assert process.stderr is not None
        text = process.stderr.read()
        assert process.wait(timeout=SECONDS) == 2
    assert "BOT_LISTEN" in text
    assert "BOT_WORKERS" in text
