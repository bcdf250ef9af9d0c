"""Whatever is sent to the engine, the answer is a hand or a typed refusal, and small."""

import asyncio
import threading
import tracemalloc
from collections.abc import Coroutine, Iterator
from random import Random
from typing import Any, TypeVar

import grpc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from poker.actions import Action, ActionKind
from poker.cards import DECK
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from proto.engine.v1 import engine_pb2
from services.common import codec
from services.common.grpc_server import GrpcServer, ServerOptions
from services.common.rpc_errors import to_poker_error
from services.engine.app import register
from services.engine.service import SERVICE_NAME
from tests.support.fuzz import mutated, mutated_bytes
from tests.support.strategies import hands_in_play, players_rng, random_action

T = TypeVar("T")

SECONDS = 30.0
REFUSED = (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION)
METHODS = ("Act", "Replay")
RESPONSE_BYTES_MAX = 128 * 1024
MEMORY_BYTES_MAX = 16 * 1024 * 1024


class Engine:
    """An engine on a loopback port, with its event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server = self._run(self._start())
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self._server.port}")

    def send(self, method: str, data: bytes) -> bytes | grpc.RpcError:
        """Send raw bytes; return the raw response, or the error of the call."""
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(
            f"/{SERVICE_NAME}/{method}"
        )
        try:
            return call(data, timeout=SECONDS)
        except grpc.RpcError as error:
            return error

    def close(self) -> None:
        """Stop the server and its thread."""
        self.channel.close()
        self._run(self._server.drain())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> GrpcServer:
        options = ServerOptions("127.0.0.1:0", lame_duck_seconds=0, grace_seconds=5)
        server = GrpcServer(register, (SERVICE_NAME,), options)
        await server.start()
        return server

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    # A call's log line may be written after its answer is here, when nobody captures it.
    with capture_logs():
        running = Engine()
        yield running
        running.close()


def assert_answered(answer: bytes | grpc.RpcError) -> None:
    """A response of bounded size, or a refusal that a client can read."""
    if isinstance(answer, bytes):
        assert len(answer) <= RESPONSE_BYTES_MAX
        return
    assert isinstance(answer, grpc.Call)
    assert answer.code() in REFUSED, answer.details()
    assert to_poker_error(answer) is not None
    assert len(answer.details() or "") < 300


@settings(max_examples=100)
@given(data=st.binary(max_size=600), method=st.sampled_from(METHODS))
def test_any_bytes_are_answered(engine: Engine, data: bytes, method: str) -> None:
    assert_answered(engine.send(method, data))


def request_of(hand: Hand, rng: Random) -> engine_pb2.ActRequest:
    assert hand.legal is not None
    return engine_pb2.ActRequest(
        hand=codec.encode_hand(hand.setup, hand.actions),
        action=codec.encode_action(random_action(hand.legal, rng)),
    )


@settings(max_examples=150)
@given(hand=hands_in_play(), rng=players_rng(), changes=st.integers(1, 4))
def test_changed_requests_are_answered(
    engine: Engine, hand: Hand, rng: Random, changes: int
) -> None:
    request = mutated(request_of(hand, rng), rng, changes)
    data = request.SerializeToString()
    for method in METHODS:
        assert_answered(engine.send(method, data))


@settings(max_examples=100)
@given(hand=hands_in_play(), rng=players_rng())
def test_broken_requests_are_answered(engine: Engine, hand: Hand, rng: Random) -> None:
    data = mutated_bytes(request_of(hand, rng).SerializeToString(), rng)
    for method in METHODS:
        assert_answered(engine.send(method, data))


def longest_hand() -> Hand:
    """As many actions as a request may have: two deep stacks that raise by the minimum."""
    seats = tuple(SeatStack(seat, 10**12) for seat in range(1, 10))
    hand = Hand(HandSetup("h" * 60, HandRules(1, 1), seats, 1, DECK))
    while len(hand.actions) < codec.ACTIONS_MAX:
        assert hand.legal is not None
        assert hand.legal.raises is not None
        raises = hand.legal.raises
        hand.act(Action(hand.legal.seat, ActionKind(raises.kind), raises.min_to_chips))
    return hand


def test_the_longest_hand_costs_bounded_memory(engine: Engine) -> None:
    hand = longest_hand()
    data = engine_pb2.ReplayRequest(
        hand=codec.encode_hand(hand.setup, hand.actions)
    ).SerializeToString()
    tracemalloc.start()
    try:
        answer = engine.send("Replay", data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(answer, bytes)
    assert len(answer) <= RESPONSE_BYTES_MAX
    assert peak <= MEMORY_BYTES_MAX


def test_one_action_more_is_refused_before_any_is_played(engine: Engine) -> None:
    hand = longest_hand()
    message = codec.encode_hand(hand.setup, hand.actions)
    message.actions.append(message.actions[-1])
    answer = engine.send("Replay", engine_pb2.ReplayRequest(hand=message).SerializeToString())
    assert_answered(answer)
    assert isinstance(answer, grpc.Call)
    assert answer.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_a_request_larger_than_the_limit_is_not_even_read(engine: Engine) -> None:
    answer = engine.send("Act", bytes(64 * 1024 + 1))
    assert isinstance(answer, grpc.Call)
    assert answer.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
