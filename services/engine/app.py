"""The composition root of the engine."""

import asyncio
from typing import Any

import grpc
from prometheus_client import CollectorRegistry

import poker.hand
import services.engine.reading
import services.engine.writing
from proto.engine.v1 import engine_pb2
from services.common.credentials import CredentialsError, server_credentials
from services.common.grpc_metrics import CallMetrics
from services.common.grpc_server import ServerOptions, serve, stop_on_signals
from services.common.logs import configure_logging, get_logger
from services.common.telemetry import metrics_server, shared_metrics, traced_process
from services.common.workers import check_port_is_free, run_workers, stop_with_parent
from services.engine.config import EngineSettings
from services.engine.service import SERVICE_NAME, act, replay

_log = get_logger(__name__)


def run(settings: EngineSettings) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status."""
    configure_logging("engine", settings.log_level)
    _log.info("starting", compiled_rules=rules_are_compiled())
    try:
        check_port_is_free(settings.engine_listen)
        if settings.engine_workers > 1:
            return _run_workers(settings)
        registry = CollectorRegistry()
        with metrics_server(settings.engine_metrics_listen, registry):
            _serve_until_stopped(settings, registry)
    except OSError as error:
        _log.error("cannot listen", address=settings.engine_listen, error=str(error))
        return 1
    except CredentialsError as error:
        _log.error("no credentials", error=str(error))
        return 1
    return 0


def _run_workers(settings: EngineSettings) -> int:
    """Serve in several processes; this one only adds up what they count."""
    if settings.security.tls is not None:
        # What is wrong with the files is told once, and before anybody starts.
        server_credentials(settings.security.tls)
    with shared_metrics(settings.engine_metrics_listen):
        return run_workers(run_worker, settings, settings.engine_workers)


def run_worker(settings: EngineSettings) -> None:
    """Serve in a process of its own beside the other workers."""
    configure_logging("engine", settings.log_level)
    _serve_until_stopped(settings, CollectorRegistry())


def _serve_until_stopped(settings: EngineSettings, registry: CollectorRegistry) -> None:
    with traced_process("engine", settings):
        asyncio.run(_serve(settings, registry))


def register(server: grpc.aio.Server) -> None:
    """Add the engine to a server.

    A call takes well under a millisecond of CPU, so it runs in the event loop; more cores are
    used by more processes. Act takes and gives bytes: it is most of the traffic, and messages
    cost it more than the rules do.
    """

    async def answer_replay(
        request: engine_pb2.ReplayRequest, _context: object
    ) -> engine_pb2.ReplayResponse:
        return replay(request)

    async def answer_act(data: bytes, _context: object) -> bytes:
        return act(data)

    # The stubs know handlers of typed messages only.
    on_replay: Any = answer_replay
    on_act: Any = answer_act
    handlers: dict[str, Any] = {
        "Replay": grpc.unary_unary_rpc_method_handler(
            on_replay,
            request_deserializer=engine_pb2.ReplayRequest.FromString,
            response_serializer=engine_pb2.ReplayResponse.SerializeToString,
        ),
        "Act": grpc.unary_unary_rpc_method_handler(on_act),
    }
    generic = grpc.method_handlers_generic_handler(SERVICE_NAME, handlers)
    server.add_generic_rpc_handlers((generic,))


def rules_are_compiled() -> bool:
    """Say whether this process runs the compiled rules (`tools/fast.py`) or the sources."""
    modules = (poker.hand, services.engine.reading, services.engine.writing)
    return not any(str(module.__file__).endswith(".py") for module in modules)


async def _serve(settings: EngineSettings, registry: CollectorRegistry) -> None:
    stop = stop_on_signals()
    stop_with_parent(stop)
    counted = settings.engine_metrics_listen is not None
    options = ServerOptions(
        settings.engine_listen,
        reuse_port=settings.engine_workers > 1,
        security=settings.security,
        metrics=CallMetrics("server", registry) if counted else None,
    )
    await serve(register, (SERVICE_NAME,), options, stop=stop)
