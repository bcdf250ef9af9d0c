"""Where a hand is replayed: in this process, or at a running engine."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import grpc

from poker.actions import Action, Legal
from poker.errors import PokerError
from poker.events import Event
from poker.hand import Hand
from poker.setup import HandSetup
from poker.snapshot import HandResult
from proto.engine.v1 import engine_pb2
from proto.poker.v1 import poker_pb2
from services.common.advance import result_of
from services.common.codec import (
    decode_events,
    decode_legal,
    decode_snapshot,
    encode_action,
    encode_hand,
)
from services.common.rpc_errors import to_poker_error

if TYPE_CHECKING:  # exists in the stubs only
    from proto.engine.v1.engine_pb2_grpc import EngineServiceAsyncStub


class EngineUnavailableError(Exception):
    """The running engine did not answer, or not as an engine does."""


@dataclass(frozen=True, slots=True)
class Step:
    """What an action led to: new events, then the next turn or the result."""

    events: tuple[Event, ...]
    legal: Legal | None
    result: HandResult | None


class RefusalChangedHandError(Exception):
    """The rules refused an action, yet the hand is not what it was before."""


class Table(Protocol):
    """One hand being played; a refused action raises PokerError and changes nothing."""

    async def act(self, action: Action) -> Step:
        """Carry out an action."""

    async def try_out(self, action: Action) -> Step:
        """Say what an action would lead to, without carrying it out."""


OpenTable = Callable[[HandSetup], Awaitable[tuple[Table, Step]]]
"""Deals a hand; raises PokerError for a setup that makes no sense."""


class LocalTable:
    """A hand played by the library."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand

    @classmethod
    async def open(cls, setup: HandSetup) -> tuple[Table, Step]:
        """Deal a hand."""
        hand = Hand(setup)
        return cls(hand), Step(hand.events, hand.legal, hand.result)

    async def act(self, action: Action) -> Step:
        """Carry out an action."""
        return Step(self._hand.act(action), self._hand.legal, self._hand.result)

    async def try_out(self, action: Action) -> Step:
        """Carry out an action on a copy, and see that a refusal leaves the copy as it was."""
        twin = self._hand.copy()
        try:
            return Step(twin.act(action), twin.legal, twin.result)
        except PokerError:
            if twin.snapshot() != self._hand.snapshot() or twin.events != self._hand.events:
                raise RefusalChangedHandError from None
            raise


class RemoteTable:
    """A hand played by an engine over gRPC, one call an action."""

    def __init__(self, stub: "EngineServiceAsyncStub", hand: poker_pb2.Hand) -> None:
        self._stub = stub
        self._hand = hand

    @classmethod
    async def open(cls, stub: "EngineServiceAsyncStub", setup: HandSetup) -> tuple[Table, Step]:
        """Deal a hand."""
        hand = encode_hand(setup, ())
        try:
            answer = await stub.Replay(engine_pb2.ReplayRequest(hand=hand))
        except grpc.RpcError as error:
            raise _translate(error) from error
        snapshot = decode_snapshot(answer.snapshot)
        return cls(stub, hand), Step(decode_events(answer.events), snapshot.legal, snapshot.result)

    async def act(self, action: Action) -> Step:
        """Carry out an action."""
        step = await self.try_out(action)
        self._hand.actions.append(encode_action(action))
        return step

    async def try_out(self, action: Action) -> Step:
        """Ask what an action would lead to; the engine itself keeps nothing."""
        request = engine_pb2.ActRequest(hand=self._hand, action=encode_action(action))
        try:
            answer = await self._stub.Act(request)
        except grpc.RpcError as error:
            raise _translate(error) from error
        events = decode_events(answer.events)
        legal = decode_legal(answer.legal) if answer.HasField("legal") else None
        return Step(events, legal, result_of(events))


def _translate(error: grpc.RpcError) -> Exception:
    known = to_poker_error(error)
    if known is not None:
        return known
    code = error.code().name if isinstance(error, grpc.aio.AioRpcError) else "no status"
    return EngineUnavailableError(f"the engine did not answer ({code})")
