"""Channels between services: shared out, cut off in time, repeated only where that is safe."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import grpc
import pytest
from prometheus_client import CollectorRegistry

from proto.bot.v1 import bot_pb2
from proto.engine.v1 import engine_pb2
from proto.ledger.v1 import ledger_pb2
from services.common import channels
from services.common.channels import REPEATABLE, SERVICE_CONFIG, open_channel
from services.common.grpc_metrics import CallMetrics
from services.common.grpc_server import PING_INTERVAL_MS_MIN
from tests.support.name_server import Names, names
from tests.support.probes import Probe, call, refused, serving

SECONDS = 60.0
"""A deadline for what must succeed, on any machine."""

BOTH = ("127.0.0.1", "127.0.0.2")


def target(server: Names, port: int) -> str:
    return f"dns://127.0.0.1:{server.port}/engine.test:{port}"


async def until(true: Callable[[], bool], action: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(SECONDS):
        while not true():
            await action()
            await asyncio.sleep(0.01)


def test_servers_behind_one_name_share_the_calls() -> None:
    async def main() -> None:
        one, other = Probe(), Probe()
        async with (
            names(BOTH) as server,
            serving(one) as first,
            serving(other, f"127.0.0.2:{first.port}"),
            open_channel(target(server, first.port), deadline_seconds=SECONDS) as channel,
        ):
            # The second may be connected later than the first.
            await until(lambda: bool(one.calls and other.calls), lambda: call(channel))
            one.calls = other.calls = 0
            for _ in range(20):
                await call(channel)
            assert (one.calls, other.calls) == (10, 10)

    asyncio.run(main())


def test_a_dead_server_is_skipped_and_a_new_one_found() -> None:
    async def main() -> None:
        dying, staying, new = Probe(), Probe(), Probe()
        async with (
            names(BOTH) as server,
            serving(staying, "127.0.0.2:0") as second,
            open_channel(target(server, second.port), deadline_seconds=SECONDS) as channel,
        ):
            async with serving(dying, f"127.0.0.1:{second.port}"):
                await until(lambda: bool(dying.calls and staying.calls), lambda: call(channel))
            dying.calls = 0
            for _ in range(20):
                assert await call(channel, wait_for_ready=True) == b"ok"
            assert dying.calls == 0
            # Its successor has another address, which is found because a connection ended.
            server.addresses[0] = "127.0.0.3"
            async with serving(new, f"127.0.0.3:{second.port}"):
                await until(lambda: bool(new.calls), lambda: call(channel))

    asyncio.run(main())


def test_a_call_ends_by_its_deadline() -> None:
    async def main() -> None:
        probe = Probe(hold=asyncio.Event())
        async with (
            serving(probe) as server,
            open_channel(f"127.0.0.1:{server.port}", deadline_seconds=0.2) as channel,
        ):
            assert await refused(channel, wait_for_ready=True) is grpc.StatusCode.DEADLINE_EXCEEDED
            assert probe.hold is not None
            probe.hold.set()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        (grpc.StatusCode.UNAVAILABLE, 3),
        (grpc.StatusCode.INTERNAL, 1),
        (grpc.StatusCode.ABORTED, 1),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, 1),
        (grpc.StatusCode.UNAUTHENTICATED, 1),
    ],
)
def test_only_unavailable_is_tried_again(code: grpc.StatusCode, calls: int) -> None:
    async def main() -> None:
        probe = Probe(code=code)
        async with (
            serving(probe) as server,
            open_channel(f"127.0.0.1:{server.port}", deadline_seconds=SECONDS) as channel,
        ):
            assert await refused(channel) is code
            assert probe.calls == calls

    asyncio.run(main())


def test_a_service_that_is_not_known_to_be_repeatable_is_called_once() -> None:
    policies = SERVICE_CONFIG["methodConfig"]
    assert isinstance(policies, list)
    assert [one["name"] for one in policies] == [[{"service": name} for name in REPEATABLE]]
    files = (engine_pb2.DESCRIPTOR, bot_pb2.DESCRIPTOR, ledger_pb2.DESCRIPTOR)
    ours = {service.full_name for file in files for service in file.services_by_name.values()}
    assert ours == {name for name in REPEATABLE if name.startswith("riverboat.")}
    assert json.dumps(SERVICE_CONFIG)


def test_clients_ask_no_more_often_than_servers_allow() -> None:
    assert channels.KEEPALIVE_MS > PING_INTERVAL_MS_MIN


def test_calls_are_counted_at_both_ends() -> None:
    async def main() -> None:
        registry = CollectorRegistry()
        client = CallMetrics("client", registry)
        probe = Probe()
        async with (
            serving(probe) as server,
            open_channel(f"127.0.0.1:{server.port}", metrics=client) as channel,
        ):
            assert await call(channel, wait_for_ready=True, timeout=SECONDS) == b"ok"
            probe.code = grpc.StatusCode.ABORTED
            await refused(channel, timeout=SECONDS)
        for code in ("OK", "ABORTED"):
            labels = {"method": "EngineService/Act", "code": code}
            name = "riverboat_grpc_client_calls_total"
            assert registry.get_sample_value(name, labels) == 1

    asyncio.run(main())
