"""River over gRPC: a view and a seed in, a legal action out."""

import asyncio
import time
from concurrent.futures.process import BrokenProcessPool
from typing import Final

import grpc
from prometheus_client import CollectorRegistry

from proto.bot.v1 import bot_pb2, bot_pb2_grpc
from services.bot.metrics import Metrics
from services.bot.policy import Option
from services.bot.pool import DecisionPool, PoolFullError
from services.bot.view import check
from services.common import tracing
from services.common.codec import decode_bot_view, encode_action, refuse

SERVICE_NAME: Final = "riverboat.bot.v1.BotService"

DecideContext = grpc.aio.ServicerContext[bot_pb2.DecideRequest, bot_pb2.DecideResponse]


class BotServicer(bot_pb2_grpc.BotServiceServicer):
    """Stateless: every call carries everything the answer depends on."""

    def __init__(self, pool: DecisionPool, metrics: Metrics | None = None) -> None:
        self._pool = pool
        self._metrics = metrics or Metrics(CollectorRegistry())

    async def Decide(  # noqa: N802 - the name in the contract
        self, request: bot_pb2.DecideRequest, context: DecideContext
    ) -> bot_pb2.DecideResponse:
        """Choose an action for the view's seat.

        INVALID_ARGUMENT for a view that lacks a part or contradicts itself, UNAVAILABLE
        when too many decisions are waiting or the worker is lost twice. A decision that is
        not made by the client's deadline is given up.
        """
        if not request.HasField("view"):
            raise refuse("view")
        view = check(decode_bot_view(request.view))
        started = time.perf_counter()
        try:
            async with asyncio.timeout(context.time_remaining()):
                with tracing.span("decide") as span:
                    decision = await self._pool.decide(view, request.seed)
                    span.note({"riverboat.stage": decision.stage})
        except TimeoutError:
            # The client's own clock has ended the call: nobody is left to be told.
            raise asyncio.CancelledError from None
        except PoolFullError:
            self._metrics.count_turned_away()
            await context.abort(grpc.StatusCode.UNAVAILABLE, "too many decisions are waiting")
        except BrokenProcessPool:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the decision process was lost")
        self._metrics.count_decision(decision.stage, time.perf_counter() - started)
        return bot_pb2.DecideResponse(
            action=encode_action(decision.action),
            bot_version=decision.bot_version,
            stage=decision.stage,
            options=map(_encode_option, decision.options),
        )


def _encode_option(option: Option) -> bot_pb2.WeighedAction:
    return bot_pb2.WeighedAction(
        action=encode_action(option.action),
        probability=option.probability,
        value_chips=option.value_chips,
    )
