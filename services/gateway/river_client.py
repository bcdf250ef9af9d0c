"""River, asked over gRPC with what its own seat may see; and what happens without it."""

from dataclasses import dataclass
from typing import Final, Protocol

import grpc

from poker.actions import Action, ActionKind, Legal
from poker.view import HandView
from proto.bot.v1 import bot_pb2, bot_pb2_grpc
from services.common.codec import decode_action, encode_bot_view

DEADLINE_SECONDS: Final = 10.0

CALL_ODDS: Final = 4
"""The fixed rule calls when the price is at most a quarter of the pot."""


class RiverUnavailableError(Exception):
    """River gave no answer in time."""


@dataclass(frozen=True, slots=True)
class Decision:
    """River's answer; ``bot_version`` names the strategy."""

    action: Action
    bot_version: str


class River(Protocol):
    """What the gateway needs of the computer opponent."""

    async def decide(self, view: HandView, seed: int) -> Decision:
        """Choose for the view's seat; raises RiverUnavailableError.

        The answer depends on nothing but the view and the seed.
        """


class RiverClient:
    """The bot service; ``deadline_seconds`` covers a call with all its retries."""

    def __init__(
        self, channel: grpc.aio.Channel, *, deadline_seconds: float = DEADLINE_SECONDS
    ) -> None:
        self._stub = bot_pb2_grpc.BotServiceStub(channel)
        self._deadline_seconds = deadline_seconds

    async def decide(self, view: HandView, seed: int) -> Decision:
        """See `River`."""
        request = bot_pb2.DecideRequest(view=encode_bot_view(view), seed=seed)
        try:
            response = await self._stub.Decide(
                request, timeout=self._deadline_seconds, wait_for_ready=True
            )
        except grpc.RpcError as error:
            raise RiverUnavailableError from error
        return Decision(decode_action(response.action), response.bot_version)


def fallback_action(legal: Legal, pot_total_chips: int) -> Action:
    """Return what is done for a seat whose program does not answer (HU-031).

    Check if that is free; else call a price of at most a quarter of the pot, else fold.
    """
    if legal.can_check:
        return Action(legal.seat, ActionKind.CHECK)
    if legal.to_call_chips * CALL_ODDS <= pot_total_chips:
        return Action(legal.seat, ActionKind.CALL)
    return Action(legal.seat, ActionKind.FOLD)
