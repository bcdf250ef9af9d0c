"""A gRPC server as every service runs it: health, reflection, callers, errors, limits, drain.

Handlers are coroutines of unary methods. A `PokerError` that leaves one becomes its status
(`services.common.rpc_errors`); any other exception becomes INTERNAL without its text.
"""

import asyncio
import gc
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from services.common.credentials import (
    OPEN,
    CallSecurity,
    gatekeeper,
    is_exposed,
    server_credentials,
)
from services.common.grpc_interceptor import GuardCalls
from services.common.grpc_metrics import CallMetrics
from services.common.logs import get_logger
from services.common.settings import split_address

Register = Callable[[grpc.aio.Server], None]

PING_INTERVAL_MS_MIN: Final = 10_000
"""What is asked more often than that is cut off; clients ask every 20 s (channels)."""

_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How a server listens and stops.

    ``max_request_bytes`` bounds a request message. ``lame_duck_seconds`` is how long calls
    are still accepted after health says NOT_SERVING, so that load balancers notice;
    ``grace_seconds`` is how long calls in flight may then take. ``reuse_port`` lets several
    processes share one port; without it a taken port is an error. ``security`` says who may
    call, ``metrics`` counts calls.
    """

    listen: str
    max_request_bytes: int = 64 * 1024
    lame_duck_seconds: float = 0.2
    grace_seconds: float = 10.0
    reuse_port: bool = False
    security: CallSecurity = OPEN
    metrics: CallMetrics | None = None


class GrpcServer:
    """One listening server; `start` it, and `drain` it once. ``port`` is set by `start`."""

    def __init__(
        self, register: Register, service_names: Sequence[str], options: ServerOptions
    ) -> None:
        self._options = options
        self._health = health.aio.HealthServicer()
        self._names = (*service_names, "")
        self.port = 0
        may_call = gatekeeper(options.security)
        self._guard = GuardCalls(may_call, options.metrics)
        self._server = grpc.aio.server(
            interceptors=(self._guard,), options=_channel_arguments(options)
        )
        register(self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        if may_call is None:
            reflection.enable_server_reflection(
                (*service_names, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server
            )

    async def start(self) -> int:
        """Listen and report SERVING; returns the port.

        Raises OSError when it is taken, CredentialsError when the files of TLS cannot be read.
        """
        listen, security = self._options.listen, self._options.security
        host, _ = split_address(listen)
        if is_exposed(listen, security):
            _log.warning("anybody who reaches this address may call", host=host)
        try:
            self.port = self._add_port(listen, security)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {listen}") from error
        await self._server.start()
        for name in self._names:
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        _log.info("serving", host=host, port=self.port)
        return self.port

    def _add_port(self, listen: str, security: CallSecurity) -> int:
        if security.tls is None:
            return self._server.add_insecure_port(listen)
        return self._server.add_secure_port(listen, server_credentials(security.tls))

    async def set_serving(self, serving: bool) -> None:
        """Report whether the process can do its work now; calls are accepted either way."""
        status = health_pb2.HealthCheckResponse
        for name in self._names:
            await self._health.set(name, status.SERVING if serving else status.NOT_SERVING)

    async def set_part_serving(self, name: str, *, serving: bool) -> None:
        """Report about a part of the process under a name of its own, beside the rest."""
        status = health_pb2.HealthCheckResponse
        await self._health.set(name, status.SERVING if serving else status.NOT_SERVING)

    async def drain(self) -> None:
        """Report NOT_SERVING, then refuse new calls, then wait for those in flight."""
        _log.info("draining")
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(self._options.lame_duck_seconds)
        self._guard.release()
        await self._server.stop(self._options.grace_seconds)
        _log.info("stopped")


async def serve(
    register: Register,
    service_names: Sequence[str],
    options: ServerOptions,
    *,
    stop: asyncio.Event | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT (or ``stop``), then drain.

    ``register`` adds the servicers; ``service_names`` are their full names, such as
    ``riverboat.engine.v1.EngineService``, for health and reflection.
    """
    stop = stop or stop_on_signals()
    server = GrpcServer(register, service_names, options)
    await server.start()
    _relieve_the_collector()
    try:
        await stop.wait()
    finally:
        await server.drain()


def _relieve_the_collector() -> None:
    """Keep what is here for good out of garbage collections, and collect less often.

    A call makes many objects that end with it, hardly any of them in cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def stop_on_signals() -> asyncio.Event:
    """Return an event that SIGTERM or SIGINT sets in the running loop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def _channel_arguments(options: ServerOptions) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", options.max_request_bytes),
        ("grpc.so_reuseport", int(options.reuse_port)),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.min_ping_interval_without_data_ms", PING_INTERVAL_MS_MIN),
        ("grpc.keepalive_permit_without_calls", 1),
        # Connections move now and then, so that new replicas and workers get their share.
        ("grpc.max_connection_age_ms", 120_000),
        ("grpc.max_connection_age_grace_ms", 30_000),
    ]
