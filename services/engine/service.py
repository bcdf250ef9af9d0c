"""The rules over gRPC: decode a hand, fold it, answer what follows."""

from typing import Final

import grpc

from poker.actions import Action
from poker.errors import IllegalActionError, MalformedError, PokerError
from poker.hand import Hand
from poker.setup import HandSetup
from proto.engine.v1 import engine_pb2, engine_pb2_grpc
from services.common.codec import (
    decode_action,
    decode_hand,
    refuse,
    write_events,
    write_legal,
    write_snapshot,
)

SERVICE_NAME: Final = "riverboat.engine.v1.EngineService"

ActContext = grpc.aio.ServicerContext[engine_pb2.ActRequest, engine_pb2.ActResponse]
ReplayContext = grpc.aio.ServicerContext[engine_pb2.ReplayRequest, engine_pb2.ReplayResponse]


class EngineServicer(engine_pb2_grpc.EngineServiceServicer):
    """Stateless: every call carries the whole hand.

    A call takes well under a millisecond of CPU, so it runs in the event loop; more cores
    are used by more processes.
    """

    async def Replay(  # noqa: N802 - the name in the contract
        self, request: engine_pb2.ReplayRequest, _context: ReplayContext
    ) -> engine_pb2.ReplayResponse:
        """Fold a hand; PokerErrors name the action at fault in ``action_no`` (from 0)."""
        hand = _fold_request(request)
        response = engine_pb2.ReplayResponse()
        write_events(hand.events, response.events)
        write_snapshot(hand.snapshot(), response.snapshot)
        return response

    async def Act(  # noqa: N802 - the name in the contract
        self, request: engine_pb2.ActRequest, _context: ActContext
    ) -> engine_pb2.ActResponse:
        """Apply one action; an error without ``action_no`` is about this very action."""
        if not request.HasField("action"):
            raise refuse("action")
        action = decode_action(request.action)
        hand = _fold_request(request)
        response = engine_pb2.ActResponse()
        write_events(hand.act(action), response.events)
        legal = hand.legal
        if legal is not None:
            write_legal(legal, response.legal)
        return response


def _fold_request(request: engine_pb2.ReplayRequest | engine_pb2.ActRequest) -> Hand:
    if not request.HasField("hand"):
        raise refuse("hand")
    return _fold(*decode_hand(request.hand))


def _fold(setup: HandSetup, actions: tuple[Action, ...]) -> Hand:
    hand = Hand(setup)
    for number, action in enumerate(actions):
        try:
            hand.apply(action)
        except (MalformedError, IllegalActionError) as error:
            raise _at(error, number) from None
    return hand


def _at(error: PokerError, number: int) -> PokerError:
    return type(error)(error.reason, **{**error.facts, "action_no": number})
