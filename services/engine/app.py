"""The composition root of the engine."""

import asyncio

import grpc

from proto.engine.v1 import engine_pb2_grpc
from services.common.grpc_server import ServerOptions, serve, stop_on_signals
from services.common.logs import configure_logging, get_logger
from services.common.workers import check_port_is_free, run_workers, stop_with_parent
from services.engine.config import EngineSettings
from services.engine.service import SERVICE_NAME, EngineServicer

_log = get_logger(__name__)


def run(settings: EngineSettings) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status."""
    configure_logging("engine", settings.log_level)
    try:
        check_port_is_free(settings.engine_listen)
        if settings.engine_workers > 1:
            return run_workers(run_worker, settings, settings.engine_workers)
        asyncio.run(_serve(settings))
    except OSError as error:
        _log.error("cannot listen", address=settings.engine_listen, error=str(error))
        return 1
    return 0


def run_worker(settings: EngineSettings) -> None:
    """Serve in a process of its own beside the other workers."""
    configure_logging("engine", settings.log_level)
    asyncio.run(_serve(settings))


def register(server: grpc.aio.Server) -> None:
    """Add the engine to a server."""
    engine_pb2_grpc.add_EngineServiceServicer_to_server(EngineServicer(), server)


async def _serve(settings: EngineSettings) -> None:
    stop = stop_on_signals()
    stop_with_parent(stop)
    options = ServerOptions(settings.engine_listen, reuse_port=settings.engine_workers > 1)
    await serve(register, (SERVICE_NAME,), options, stop=stop)
