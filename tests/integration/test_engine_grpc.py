"""The engine over a real socket: calls, errors, health, reflection, limits."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from poker.actions import Action, ActionKind
from poker.errors import IllegalActionError, MalformedError, PokerError, Reason
from poker.hand import Hand
from proto.engine.v1 import engine_pb2, engine_pb2_grpc
from services.common import codec
from services.common.advance import advance
from services.common.channels import open_channel
from services.common.grpc_server import GrpcServer, ServerOptions
from services.common.rpc_errors import to_poker_error
from services.engine.app import register
from services.engine.service import SERVICE_NAME
from tests.support.scripted_hands import move, play, table


@asynccontextmanager
async def engine_channel() -> AsyncIterator[grpc.aio.Channel]:
    """A channel to an engine on a loopback port."""
    options = ServerOptions("127.0.0.1:0", lame_duck_seconds=0, grace_seconds=5)
    server = GrpcServer(register, (SERVICE_NAME,), options)
    port = await server.start()
    try:
        async with open_channel(f"127.0.0.1:{port}") as channel:
            yield channel
    finally:
        await server.drain()


def with_engine(test: Callable[[grpc.aio.Channel], Awaitable[None]]) -> None:
    async def main() -> None:
        async with engine_channel() as channel:
            await test(channel)

    asyncio.run(main())


def untyped(stub_class: Any, channel: grpc.aio.Channel) -> Any:  # noqa: ANN401
    """A stub of grpcio's own services, whose type stubs know only the synchronous API."""
    return stub_class(channel)


async def send_raw(channel: grpc.aio.Channel, data: bytes) -> None:
    method: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
        f"/{SERVICE_NAME}/Act"
    )
    await method(data)


def heads_up() -> Hand:
    return table({1: 10_000, 2: 10_000}, button=1)


def act_request(hand: Hand, action: Action) -> engine_pb2.ActRequest:
    return engine_pb2.ActRequest(
        hand=codec.encode_hand(hand.setup, hand.actions), action=codec.encode_action(action)
    )


async def refusal(channel: grpc.aio.Channel, request: engine_pb2.ActRequest) -> PokerError:
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await engine_pb2_grpc.EngineServiceStub(channel).Act(request)
    error = to_poker_error(failed.value)
    assert error is not None, failed.value.code()
    return error


def test_a_hand_played_over_the_wire_is_the_hand_played_here() -> None:
    moves = [move(text) for text in ("1 raise 300", "2 call", "2 check", "1 bet 400", "2 fold")]

    async def check(channel: grpc.aio.Channel) -> None:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        here = heads_up()
        answer = await stub.Replay(engine_pb2.ReplayRequest(hand=codec.encode_hand(here.setup, ())))
        assert codec.decode_events(answer.events) == here.events
        position = codec.decode_snapshot(answer.snapshot)
        for action in moves:
            step = await stub.Act(act_request(here, action))
            events = codec.decode_events(step.events)
            assert events == here.act(action)
            legal = codec.decode_legal(step.legal) if step.HasField("legal") else None
            position = advance(position, events, legal)
            assert position == here.snapshot()
        whole = await stub.Replay(
            engine_pb2.ReplayRequest(hand=codec.encode_hand(here.setup, here.actions))
        )
        assert codec.decode_events(whole.events) == here.events
        assert codec.decode_snapshot(whole.snapshot).result == here.result

    with_engine(check)


def test_an_illegal_action_is_the_same_exception_as_in_the_library() -> None:
    hand = play(heads_up(), "1 raise 300")
    short = Action(2, ActionKind.RAISE, 400)
    with pytest.raises(IllegalActionError) as here:
        hand.act(short)

    async def check(channel: grpc.aio.Channel) -> None:
        there = await refusal(channel, act_request(hand, short))
        assert type(there) is IllegalActionError
        assert there.reason is here.value.reason is Reason.BELOW_MINIMUM
        assert there.facts == here.value.facts

    with_engine(check)


def test_an_unknown_card_is_an_invalid_argument() -> None:
    request = act_request(heads_up(), Action(1, ActionKind.CALL))
    request.hand.setup.deck = b"\xff" + request.hand.setup.deck[1:]

    async def check(channel: grpc.aio.Channel) -> None:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await engine_pb2_grpc.EngineServiceStub(channel).Act(request)
        assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        error = to_poker_error(failed.value)
        assert isinstance(error, MalformedError)
        assert error.reason is Reason.UNKNOWN_CARD

    with_engine(check)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (engine_pb2.ActRequest(), Reason.INVALID_REQUEST),
        (
            engine_pb2.ActRequest(action=codec.encode_action(Action(1, ActionKind.FOLD))),
            Reason.INVALID_REQUEST,
        ),
        (act_request(heads_up(), Action(7, ActionKind.FOLD)), Reason.UNKNOWN_SEAT),
    ],
    ids=["empty", "no hand", "absent seat"],
)
def test_a_request_that_makes_no_sense_is_malformed(
    request_: engine_pb2.ActRequest, reason: Reason
) -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        error = await refusal(channel, request_)
        assert isinstance(error, MalformedError)
        assert error.reason is reason

    with_engine(check)


def test_more_than_a_thousand_actions_are_malformed() -> None:
    request = act_request(heads_up(), Action(1, ActionKind.CALL))
    request.hand.actions.extend([request.action] * 1_001)

    async def check(channel: grpc.aio.Channel) -> None:
        error = await refusal(channel, request)
        assert isinstance(error, MalformedError)
        assert error.facts == {"field": "hand.actions"}

    with_engine(check)


def test_an_error_in_the_hand_so_far_says_which_action() -> None:
    request = act_request(play(heads_up(), "1 raise 300"), Action(2, ActionKind.CALL))
    request.hand.actions[0].to_chips = 101

    async def check(channel: grpc.aio.Channel) -> None:
        error = await refusal(channel, request)
        assert error.reason is Reason.BELOW_MINIMUM
        assert error.facts["action_no"] == 0

    with_engine(check)


def test_bytes_that_are_no_message_are_an_invalid_argument() -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await send_raw(channel, b"\xff\xff\xff")
        assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT

    with_engine(check)


def test_a_request_above_64_kilobytes_is_refused() -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await send_raw(channel, bytes(64 * 1024 + 1))
        assert failed.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED

    with_engine(check)


@pytest.mark.parametrize("service", ["", SERVICE_NAME])
def test_health_says_serving(service: str) -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        stub = untyped(health_pb2_grpc.HealthStub, channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING

    with_engine(check)


def test_health_does_not_know_other_services() -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        stub = untyped(health_pb2_grpc.HealthStub, channel)
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await stub.Check(health_pb2.HealthCheckRequest(service="nobody"))
        assert failed.value.code() is grpc.StatusCode.NOT_FOUND

    with_engine(check)


def test_reflection_lists_the_service() -> None:
    async def check(channel: grpc.aio.Channel) -> None:
        stub = untyped(reflection_pb2_grpc.ServerReflectionStub, channel)
        call = stub.ServerReflectionInfo(
            iter([reflection_pb2.ServerReflectionRequest(list_services="")])
        )
        names = [
            service.name
            async for answer in call
            for service in answer.list_services_response.service
        ]
        assert SERVICE_NAME in names

    with_engine(check)
