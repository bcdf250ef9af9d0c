"""What the engine answers: decode a hand, fold it, tell what follows. Nothing is kept."""

from typing import Final

from google.protobuf.message import DecodeError

from poker.actions import Action
from poker.errors import IllegalActionError, MalformedError, PokerError
from poker.hand import Hand
from poker.setup import HandSetup
from proto.engine.v1 import engine_pb2
from services.common.codec import (
    decode_action,
    decode_hand,
    refuse,
    write_events,
    write_snapshot,
)
from services.engine.reading import Act, read_act
from services.engine.writing import write_act

SERVICE_NAME: Final = "riverboat.engine.v1.EngineService"


def replay(request: engine_pb2.ReplayRequest) -> engine_pb2.ReplayResponse:
    """Fold a hand; PokerErrors name the action at fault in ``action_no`` (from 0)."""
    if not request.HasField("hand"):
        raise refuse("hand")
    hand = _fold(*decode_hand(request.hand))
    response = engine_pb2.ReplayResponse()
    write_events(hand.events, response.events)
    write_snapshot(hand.snapshot(), response.snapshot)
    return response


def act(data: bytes) -> bytes:
    """Apply one action: from an ActRequest to an ActResponse, both as bytes.

    PokerErrors name the action of the hand at fault in ``action_no``; one without is about
    this very action.
    """
    setup, actions, action = read_act(data) or _decode_act(data)
    hand = _fold(setup, actions)
    return write_act(hand.act(action), hand.legal)


def _decode_act(data: bytes) -> Act:
    try:
        request = engine_pb2.ActRequest.FromString(data)
    except DecodeError:
        raise refuse("request") from None
    if not request.HasField("action"):
        raise refuse("action")
    action = decode_action(request.action)
    if not request.HasField("hand"):
        raise refuse("hand")
    return (*decode_hand(request.hand), action)


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
