"""The composition root of the bot."""

import asyncio
from concurrent.futures.process import BrokenProcessPool

import grpc
from prometheus_client import CollectorRegistry

from proto.bot.v1 import bot_pb2_grpc
from services.bot.budget import Budget
from services.bot.config import BotSettings
from services.bot.metrics import Metrics
from services.bot.pool import DecisionPool
from services.bot.service import SERVICE_NAME, BotServicer
from services.common.credentials import CredentialsError
from services.common.grpc_metrics import CallMetrics
from services.common.grpc_server import ServerOptions, serve, stop_on_signals
from services.common.logs import configure_logging, get_logger
from services.common.telemetry import metrics_server, traced_process

_log = get_logger(__name__)


def run(settings: BotSettings) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status."""
    configure_logging("bot", settings.log_level)
    try:
        registry = CollectorRegistry()
        with (
            metrics_server(settings.bot_metrics_listen, registry),
            traced_process("bot", settings),
        ):
            asyncio.run(_serve(settings, registry))
    except OSError as error:
        _log.error("cannot listen", address=settings.bot_listen, error=str(error))
        return 1
    except CredentialsError as error:
        _log.error("no credentials", error=str(error))
        return 1
    except BrokenProcessPool:
        _log.error("decision processes do not start")
        return 1
    return 0


async def _serve(settings: BotSettings, registry: CollectorRegistry) -> None:
    stop = stop_on_signals()
    budget = Budget(seconds=settings.bot_time_cap_ms / 1_000)
    pool = DecisionPool(settings.bot_workers, budget)
    metrics = Metrics(registry, pool)
    options = ServerOptions(
        settings.bot_listen,
        security=settings.security,
        metrics=CallMetrics("server", registry),
    )
    try:
        await pool.start()

        def register(server: grpc.aio.Server) -> None:
            bot_pb2_grpc.add_BotServiceServicer_to_server(BotServicer(pool, metrics), server)

        await serve(register, (SERVICE_NAME,), options, stop=stop)
    finally:
        pool.close()
