"""The rules, asked over gRPC."""

from typing import Final, Protocol

import grpc

from poker.actions import Action
from poker.snapshot import HandSnapshot
from proto.engine.v1 import engine_pb2, engine_pb2_grpc
from services.common.advance import advance
from services.common.codec import (
    decode_events,
    decode_legal,
    decode_snapshot,
    encode_action,
    encode_hand,
)
from services.common.rpc_errors import to_poker_error
from services.gateway.model import Hand, Reply

DEADLINE_SECONDS: Final = 3.0


class EngineUnavailableError(Exception):
    """The engine cannot be reached, is late or is broken; nothing was changed."""


class Engine(Protocol):
    """What the gateway needs of the rules.

    Both calls raise PokerError for what the rules refuse and EngineUnavailableError when
    there is no answer.
    """

    async def replay(self, hand: Hand) -> Reply:
        """Return all events of a hand and the position it has reached."""

    async def act(self, hand: Hand, before: HandSnapshot, action: Action) -> Reply:
        """Return what an action leads to from the hand's position; neither is changed."""


class EngineClient:
    """The engine service; ``deadline_seconds`` covers a call with all its retries."""

    def __init__(
        self, channel: grpc.aio.Channel, *, deadline_seconds: float = DEADLINE_SECONDS
    ) -> None:
        self._stub = engine_pb2_grpc.EngineServiceStub(channel)
        self._deadline_seconds = deadline_seconds

    async def replay(self, hand: Hand) -> Reply:
        """See `Engine`."""
        request = engine_pb2.ReplayRequest(hand=encode_hand(hand.setup, hand.played))
        try:
            response = await self._stub.Replay(
                request, timeout=self._deadline_seconds, wait_for_ready=True
            )
        except grpc.RpcError as error:
            raise _translated(error) from error
        return Reply(decode_events(response.events), decode_snapshot(response.snapshot))

    async def act(self, hand: Hand, before: HandSnapshot, action: Action) -> Reply:
        """See `Engine`."""
        request = engine_pb2.ActRequest(
            hand=encode_hand(hand.setup, hand.played), action=encode_action(action)
        )
        try:
            response = await self._stub.Act(
                request, timeout=self._deadline_seconds, wait_for_ready=True
            )
        except grpc.RpcError as error:
            raise _translated(error) from error
        events = decode_events(response.events)
        legal = decode_legal(response.legal) if response.HasField("legal") else None
        return Reply(events, advance(before, events, legal))


def _translated(error: grpc.RpcError) -> Exception:
    refusal = to_poker_error(error)
    return EngineUnavailableError() if refusal is None else refusal
