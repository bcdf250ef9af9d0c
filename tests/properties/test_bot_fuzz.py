"""Whatever is sent to River, the answer is a legal action or a typed refusal."""

import asyncio
from random import Random
from typing import Any

import grpc
from hypothesis import given, settings
from hypothesis import strategies as st

from poker.errors import MalformedError
from poker.view import view_for
from proto.bot.v1 import bot_pb2, bot_pb2_grpc
from services.bot.pool import DecisionPool
from services.bot.service import SERVICE_NAME, BotServicer
from services.bot.view import check
from services.common import codec
from services.common.channels import open_channel
from services.common.grpc_server import GrpcServer, ServerOptions
from services.common.rpc_errors import to_poker_error
from tests.support.fuzz import mutated, mutated_bytes
from tests.support.river import QUICK
from tests.support.scripted_hands import play, table
from tests.support.strategies import hands_in_play, players_rng

SECONDS = 60.0
REQUESTS = 60
SPOTS = (
    (),
    ("1 raise 250",),
    ("1 raise 250", "2 call"),
    ("1 call", "2 check", "2 bet 100", "1 raise 400"),
    ("1 raise 250", "2 call", "2 check", "1 bet 300"),
    ("1 raise 250", "2 call", "2 check", "1 check", "2 bet 333"),
    ("1 call", "2 check", "2 check", "1 check", "2 check", "1 bet 130", "2 call", "2 bet 177"),
)


def request_at(rng: Random) -> bot_pb2.DecideRequest:
    hand = play(table({1: 10_000, 2: 4_000}, button=1), *rng.choice(SPOTS))
    assert hand.legal is not None
    view = codec.encode_bot_view(view_for(hand.snapshot(), hand.legal.seat))
    return bot_pb2.DecideRequest(view=view, seed=rng.getrandbits(64))


def assert_whole_or_refused(view: bot_pb2.BotView) -> None:
    refusal = ""
    try:
        check(codec.decode_bot_view(view))
    except MalformedError as error:
        refusal = str(error)
    assert len(refusal) < 300


@settings(max_examples=250)
@given(rng=players_rng(), changes=st.integers(1, 4))
def test_a_changed_view_is_whole_or_refused(rng: Random, changes: int) -> None:
    request: Any = mutated(request_at(rng), rng, changes)
    assert_whole_or_refused(request.view)


@settings(max_examples=100)
@given(hand=hands_in_play(), rng=players_rng())
def test_a_changed_view_of_any_table_is_whole_or_refused(hand: Any, rng: Random) -> None:  # noqa: ANN401
    view = codec.encode_bot_view(view_for(hand.snapshot(), hand.legal.seat))
    request: Any = mutated(bot_pb2.DecideRequest(view=view), rng, 2)
    assert_whole_or_refused(request.view)


async def send_everything(channel: grpc.aio.Channel) -> set[grpc.StatusCode]:
    method: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
        f"/{SERVICE_NAME}/Decide"
    )
    codes, untyped = set(), 0
    for seed in range(REQUESTS):
        rng = Random(seed)
        request = request_at(rng)
        data = (
            mutated_bytes(request.SerializeToString(), rng)
            if seed % 2
            else mutated(request, rng).SerializeToString()
        )
        try:
            answer = bot_pb2.DecideResponse.FromString(await method(data))
            codes.add(grpc.StatusCode.OK)
            codec.decode_action(answer.action)
        except grpc.aio.AioRpcError as error:
            codes.add(error.code())
            untyped += to_poker_error(error) is None
    assert untyped == 0
    return codes


def test_changed_requests_get_an_action_or_a_refusal_and_leave_river_alive() -> None:
    async def main() -> set[grpc.StatusCode]:
        pool = DecisionPool(workers=1, budget=QUICK)
        await pool.start()

        def register(server: grpc.aio.Server) -> None:
            bot_pb2_grpc.add_BotServiceServicer_to_server(BotServicer(pool), server)

        server = GrpcServer(register, (SERVICE_NAME,), ServerOptions("127.0.0.1:0"))
        try:
            port = await server.start()
            async with open_channel(f"127.0.0.1:{port}", deadline_seconds=SECONDS) as channel:
                return await send_everything(channel)
        finally:
            await server.drain()
            pool.close()

    assert asyncio.run(main()) == {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT}
