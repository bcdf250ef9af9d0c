"""Client channels to our own services: balanced, kept alive, bounded in time, retried."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any, Final

import grpc
import structlog

from services.common import tracing
from services.common.credentials import (
    OPEN,
    CallSecurity,
    channel_credentials,
    token_metadata,
)
from services.common.grpc_interceptor import REQUEST_ID_KEY
from services.common.grpc_metrics import CallMetrics
from services.common.tracing import TRACEPARENT_KEY, Kind

DEFAULT_DEADLINE_SECONDS: Final = 2.0
KEEPALIVE_MS: Final = 20_000
"""How often a client looks after a quiet connection; servers allow it (grpc_server)."""

REPEATABLE: Final = (
    "riverboat.engine.v1.EngineService",
    "riverboat.bot.v1.BotService",
    "riverboat.ledger.v1.LedgerService",
    "grpc.health.v1.Health",
)
"""Services whose every call may be made twice: it is a function of its request, or only reads."""

# Only UNAVAILABLE is retried; gRPC itself adds jitter to the pauses. When every third call fails,
# retries stop, so that an overloaded service does not get three times the calls.
SERVICE_CONFIG: Final = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [{"service": name} for name in REPEATABLE],
            "retryPolicy": {
                "maxAttempts": 3,
                "initialBackoff": "0.05s",
                "maxBackoff": "0.5s",
                "backoffMultiplier": 3,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
    "retryThrottling": {"maxTokens": 100, "tokenRatio": 0.5},
}

_OPTIONS: Final[tuple[tuple[str, int], ...]] = (
    ("grpc.keepalive_time_ms", KEEPALIVE_MS),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Channels to one address get connections of their own, hence workers of theirs.
    ("grpc.use_local_subchannel_pool", 1),
    # A server that restarts is found again quickly.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # A name is looked up again when a connection ends, but no more often than that.
    ("grpc.dns_min_time_between_resolutions_ms", 2_000),
)


def open_channel(
    target: str,
    *,
    deadline_seconds: float = DEFAULT_DEADLINE_SECONDS,
    security: CallSecurity = OPEN,
    metrics: CallMetrics | None = None,
) -> grpc.aio.Channel:
    """Open a channel to a gRPC target such as ``engine:50051`` or ``dns:///engine:50051``.

    Calls are spread over all addresses of the name. A unary call gets ``deadline_seconds`` unless
    it states its own ``timeout``, and carries the ``request_id`` bound in structlog's context and
    the trace, if any. UNAVAILABLE is retried where a call may be repeated (`REPEATABLE`), at most
    three attempts within the deadline. The caller closes the channel.

    Raises CredentialsError when the files of TLS cannot be read.
    """
    options: list[tuple[str, Any]] = [
        ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
        *_OPTIONS,
    ]
    interceptors = [_CallDefaults(deadline_seconds, token_metadata(security), metrics)]
    if security.tls is None:
        return grpc.aio.insecure_channel(target, options=options, interceptors=interceptors)
    if security.server_name is not None:
        options.append(("grpc.ssl_target_name_override", security.server_name))
    return grpc.aio.secure_channel(
        target, channel_credentials(security.tls), options=options, interceptors=interceptors
    )


class _CallDefaults(grpc.aio.UnaryUnaryClientInterceptor):
    """Gives calls a deadline, the id of the request they serve, our token and the trace.

    The deadline is not left to the service config: that one does not reach the server, and
    with an unsteady cycle counter it has been seen to expire early.
    """

    def __init__(
        self,
        deadline_seconds: float,
        token: tuple[tuple[str, str], ...],
        metrics: CallMetrics | None,
    ) -> None:
        self._deadline_seconds = deadline_seconds
        self._token = token
        self._metrics = metrics

    async def intercept_unary_unary(
        self,
        continuation: Callable[[grpc.aio.ClientCallDetails, Any], Any],
        client_call_details: grpc.aio.ClientCallDetails,
        request: Any,  # noqa: ANN401 - any message
    ) -> Any:  # noqa: ANN401 - the call object of grpc.aio
        """Complete the details and go on."""
        if not tracing.is_recording():
            details = self._completed(client_call_details)
            return await self._counted(continuation, details, request)
        method = _name(client_call_details.method)
        with tracing.span(method, Kind.CLIENT) as span:
            span.note({"rpc.system": "grpc", "rpc.method": method})
            details = self._completed(client_call_details, span.traceparent)
            try:
                response = await (await self._counted(continuation, details, request))
            except grpc.aio.AioRpcError as error:
                span.fail(error.code().name)
                raise
            return response

    def _completed(
        self, given: grpc.aio.ClientCallDetails, traceparent: str | None = None
    ) -> grpc.aio.ClientCallDetails:
        metadata = grpc.aio.Metadata(*(given.metadata or ()), *self._token)
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        if request_id is not None and metadata.get(REQUEST_ID_KEY) is None:
            metadata.add(REQUEST_ID_KEY, str(request_id))
        if traceparent is not None:
            metadata.add(TRACEPARENT_KEY, traceparent)
        timeout = given.timeout
        return grpc.aio.ClientCallDetails(
            given.method,
            self._deadline_seconds if timeout is None else timeout,
            metadata,
            given.credentials,
            given.wait_for_ready,
        )

    async def _counted(
        self,
        continuation: Callable[[grpc.aio.ClientCallDetails, Any], Any],
        details: grpc.aio.ClientCallDetails,
        request: Any,  # noqa: ANN401 - any message
    ) -> Any:  # noqa: ANN401 - the call object of grpc.aio
        """Make the call; with metrics wait until it has ended, and count how."""
        call = await continuation(details, request)
        if self._metrics is None:
            return call
        started, code = time.perf_counter(), "OK"
        try:
            await call
        except grpc.aio.AioRpcError as error:
            code = error.code().name
            raise
        except asyncio.CancelledError:
            code = "CANCELLED"
            raise
        finally:
            self._metrics.count(_name(details.method), code, time.perf_counter() - started)
        return call


def _name(method: str | bytes) -> str:
    """Return ``EngineService/Act`` of ``/riverboat.engine.v1.EngineService/Act``."""
    text = method if isinstance(method, str) else method.decode("ascii", "replace")
    return text.rpartition(".")[2]
