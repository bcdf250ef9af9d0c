"""Servers that start, fail, retry, drain and end: with a servicer that takes its time."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

import grpc
import pytest
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc

from poker.actions import Action, ActionKind
from poker.errors import InvariantError, Reason
from proto.engine.v1 import engine_pb2, engine_pb2_grpc
from services.common import codec
from services.common.channels import open_channel
from services.common.grpc_server import GrpcServer, ServerOptions
from services.common.rpc_errors import to_poker_error
from services.engine.app import rules_are_compiled
from services.engine.service import SERVICE_NAME
from tests.support.scripted_hands import table

Context = grpc.aio.ServicerContext[Any, Any]


class SlowServicer(engine_pb2_grpc.EngineServiceServicer):
    """Stands in for a service: answers when told to, fails as told."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.release = asyncio.Event()
        self.failures: list[Exception | grpc.StatusCode] = []
        self.metadata: dict[str, str | bytes] = {}

    async def Act(  # noqa: N802 - the name in the contract
        self, _request: engine_pb2.ActRequest, context: Context
    ) -> engine_pb2.ActResponse:
        self.metadata = dict(context.invocation_metadata() or ())
        self.entered.set()
        if self.failures:
            failure = self.failures.pop(0)
            if isinstance(failure, Exception):
                raise failure
            await context.abort(failure, "as told")
        await self.release.wait()
        return engine_pb2.ActResponse()

    async def Replay(  # noqa: N802 - the name in the contract
        self, _request: engine_pb2.ReplayRequest, _context: Context
    ) -> engine_pb2.ReplayResponse:
        return engine_pb2.ReplayResponse()


@asynccontextmanager
async def serving(
    servicer: SlowServicer, *, lame_duck_seconds: float = 0.0, grace_seconds: float = 5.0
) -> AsyncIterator[tuple[GrpcServer, grpc.aio.Channel]]:
    """A server of the servicer, and a channel to it; the test drains the server."""
    options = ServerOptions(
        "127.0.0.1:0", lame_duck_seconds=lame_duck_seconds, grace_seconds=grace_seconds
    )
    server = GrpcServer(
        lambda it: engine_pb2_grpc.add_EngineServiceServicer_to_server(servicer, it),
        (SERVICE_NAME,),
        options,
    )
    port = await server.start()
    async with open_channel(f"127.0.0.1:{port}", deadline_seconds=5) as channel:
        yield server, channel


async def act(channel: grpc.aio.Channel, seconds: float | None = None) -> engine_pb2.ActResponse:
    return await engine_pb2_grpc.EngineServiceStub(channel).Act(
        engine_pb2.ActRequest(), timeout=seconds
    )


async def until_refused(channel: grpc.aio.Channel) -> None:
    """Call until the server takes no more calls; one that it still took is given up."""
    async with asyncio.timeout(10):
        while True:
            try:
                await act(channel, seconds=0.2)
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.UNAVAILABLE:
                    return


def test_a_drain_lets_calls_in_flight_end_and_refuses_new_ones() -> None:
    async def main() -> None:
        servicer = SlowServicer()
        async with serving(servicer) as (server, channel):
            in_flight = asyncio.create_task(act(channel))
            await servicer.entered.wait()
            draining = asyncio.create_task(server.drain())
            await until_refused(channel)
            assert not draining.done()
            servicer.release.set()
            assert await in_flight == engine_pb2.ActResponse()
            await draining

    asyncio.run(main())


def test_health_watchers_hear_of_a_drain_and_do_not_hold_it_up() -> None:
    async def main() -> None:
        slow_to_end = serving(SlowServicer(), lame_duck_seconds=0.1, grace_seconds=600)
        async with slow_to_end as (server, channel):
            # The type stubs of the health service know only the synchronous API.
            stub: Any = cast("Any", health_pb2_grpc.HealthStub)(channel)
            call = stub.Watch(health_pb2.HealthCheckRequest())
            answers = aiter(call)
            assert (await anext(answers)).status == health_pb2.HealthCheckResponse.SERVING
            draining = asyncio.create_task(server.drain())
            assert (await anext(answers)).status == health_pb2.HealthCheckResponse.NOT_SERVING
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await anext(answers)
            async with asyncio.timeout(60):  # the grace is longer
                await draining
            assert ended.value.code() is grpc.StatusCode.UNAVAILABLE

    asyncio.run(main())


def test_a_service_that_cannot_work_for_now_says_so_and_comes_back() -> None:
    async def main() -> None:
        async with serving(SlowServicer()) as (server, channel):
            stub: Any = cast("Any", health_pb2_grpc.HealthStub)(channel)
            request = health_pb2.HealthCheckRequest(service=SERVICE_NAME)
            for serving_now in (False, True):
                await server.set_serving(serving_now)
                answer = await stub.Check(request)
                assert (answer.status == health_pb2.HealthCheckResponse.SERVING) == serving_now
            await server.drain()

    asyncio.run(main())


def test_an_unexpected_exception_is_internal_and_says_nothing() -> None:
    async def main() -> None:
        servicer = SlowServicer()
        servicer.failures = [KeyError("AsKh")]
        async with serving(servicer) as (server, channel):
            with (
                structlog.testing.capture_logs() as logs,
                pytest.raises(grpc.aio.AioRpcError) as failed,
            ):
                await act(channel)
            await server.drain()
        assert failed.value.code() is grpc.StatusCode.INTERNAL
        assert "AsKh" not in str(failed.value)
        assert "AsKh" not in str(logs)
        (entry,) = [entry for entry in logs if entry["event"] == "call failed"]
        assert entry["error"] == "KeyError"

    asyncio.run(main())


def test_a_broken_invariant_is_logged_and_rebuilt() -> None:
    async def main() -> None:
        servicer = SlowServicer()
        servicer.failures = [InvariantError(Reason.CHIPS_NOT_CONSERVED, total_chips=7)]
        async with serving(servicer) as (server, channel):
            with (
                structlog.testing.capture_logs() as logs,
                pytest.raises(grpc.aio.AioRpcError) as failed,
            ):
                await act(channel)
            await server.drain()
        error = to_poker_error(failed.value)
        assert isinstance(error, InvariantError)
        assert error.facts == {"total_chips": 7}
        assert "invariant broken" in {entry["event"] for entry in logs}

    asyncio.run(main())


def test_unavailable_is_retried_and_nothing_else_is() -> None:
    async def main() -> None:
        servicer = SlowServicer()
        servicer.release.set()
        async with serving(servicer) as (server, channel):
            servicer.failures = [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNAVAILABLE]
            assert await act(channel) == engine_pb2.ActResponse()
            servicer.failures = [grpc.StatusCode.ABORTED, grpc.StatusCode.ABORTED]
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await act(channel)
            assert failed.value.code() is grpc.StatusCode.ABORTED
            assert len(servicer.failures) == 1
            await server.drain()

    asyncio.run(main())


def test_a_call_without_a_deadline_of_its_own_gets_the_channels() -> None:
    async def main() -> None:
        servicer = SlowServicer()
        async with serving(servicer) as (server, _):
            port = server.port
            async with open_channel(f"127.0.0.1:{port}", deadline_seconds=0.2) as channel:
                with pytest.raises(grpc.aio.AioRpcError) as failed:
                    await act(channel)
            assert failed.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            await server.drain()

    asyncio.run(main())


def test_the_request_id_travels_and_is_logged_with_the_outcome() -> None:
    async def main() -> None:
        servicer = SlowServicer()
        servicer.release.set()
        async with serving(servicer) as (server, channel):
            with (
                structlog.testing.capture_logs(
                    processors=[structlog.contextvars.merge_contextvars]
                ) as logs,
                structlog.contextvars.bound_contextvars(request_id="r-42"),
            ):
                await act(channel)
            await server.drain()
        assert servicer.metadata["x-request-id"] == "r-42"
        (call,) = [entry for entry in logs if entry["event"] == "call"]
        assert call["request_id"] == "r-42"
        assert call["method"] == f"/{SERVICE_NAME}/Act"
        assert call["code"] == "OK"

    asyncio.run(main())


def test_a_taken_port_is_an_error() -> None:
    async def main() -> None:
        async with serving(SlowServicer()) as (server, _):
            second = GrpcServer(lambda _: None, (), ServerOptions(f"127.0.0.1:{server.port}"))
            with pytest.raises(OSError, match="cannot listen"):
                await second.start()
            await server.drain()

    asyncio.run(main())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


@contextmanager
def engine_process(port: int, workers: int) -> Iterator[subprocess.Popen[str]]:
    """``python -m services.engine``, ended one way or another."""
    environment = os.environ | {
        "ENGINE_LISTEN": f"127.0.0.1:{port}",
        "ENGINE_WORKERS": str(workers),
    }
    command = [sys.executable, "-m", "services.engine"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_serving(process: subprocess.Popen[str], workers: int) -> None:
    """Read the log until every worker serves: until then a signal may find it still starting."""
    assert process.stderr is not None
    for line in process.stderr:
        workers -= '"event": "serving"' in line
        if not workers:
            return
    pytest.fail("the engine ended before it served")


async def call(port: int) -> engine_pb2.ActResponse:
    hand = table({1: 10_000, 2: 10_000}, button=1)
    request = engine_pb2.ActRequest(
        hand=codec.encode_hand(hand.setup, ()),
        action=codec.encode_action(Action(1, ActionKind.CALL)),
    )
    async with open_channel(f"127.0.0.1:{port}") as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        return await stub.Act(request, timeout=30, wait_for_ready=True)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_process_serves_and_ends_cleanly_on_sigterm(workers: int) -> None:
    port = free_port()
    with engine_process(port, workers) as process:
        wait_until_serving(process, workers)
        answer = asyncio.run(call(port))
        assert codec.decode_legal(answer.legal).seat == 2
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
    assert process.returncode == 0
    assert log.count('"event": "stopped"') == workers


def test_the_process_says_which_rules_it_runs() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with engine_process(taken.getsockname()[1], 1) as process:
            _, log = process.communicate(timeout=30)
        assert f'"compiled_rules": {str(rules_are_compiled()).lower()}' in log


def test_workers_end_when_their_parent_is_killed() -> None:
    port = free_port()
    with engine_process(port, 2) as process:
        wait_until_serving(process, 2)
        asyncio.run(call(port))
        process.kill()
        # The workers hold the other end of the pipe: it closes when the last has ended.
        _, log = process.communicate(timeout=30)
    assert log.count('"event": "stopped"') == 2


def test_bad_configuration_ends_with_status_two() -> None:
    with engine_process(0, 2) as process:
        _, log = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "fixed port" in log


def test_a_taken_port_ends_the_process_with_status_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with engine_process(taken.getsockname()[1], 1) as process:
            process.communicate(timeout=30)
        assert process.returncode == 1
