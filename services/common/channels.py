"""Client channels to our own services: balanced, kept alive, bounded in time, retried."""

import json
from collections.abc import Callable
from typing import Any, Final

import grpc
import structlog

from services.common.grpc_interceptor import REQUEST_ID_KEY

DEFAULT_DEADLINE_SECONDS: Final = 2.0

# Only UNAVAILABLE is retried; gRPC itself adds jitter to the pauses.
SERVICE_CONFIG: Final = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 3,
                "initialBackoff": "0.05s",
                "maxBackoff": "0.5s",
                "backoffMultiplier": 3,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}


def open_channel(
    target: str, *, deadline_seconds: float = DEFAULT_DEADLINE_SECONDS
) -> grpc.aio.Channel:
    """Open a channel to a gRPC target such as ``engine:50051`` or ``dns:///engine:50051``.

    A unary call gets ``deadline_seconds`` unless it states its own ``timeout``, and carries
    the ``request_id`` bound in structlog's context, if any. UNAVAILABLE is retried (at most
    three attempts within the deadline): all our methods are pure or idempotent. The caller
    closes the channel.
    """
    return grpc.aio.insecure_channel(
        target,
        options=[
            ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
            ("grpc.keepalive_time_ms", 20_000),
            ("grpc.keepalive_timeout_ms", 5_000),
            ("grpc.keepalive_permit_without_calls", 1),
            # Channels to one address get connections of their own, hence workers of theirs.
            ("grpc.use_local_subchannel_pool", 1),
            # A server that restarts is found again quickly.
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.min_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 2_000),
        ],
        interceptors=[_CallDefaults(deadline_seconds)],
    )


class _CallDefaults(grpc.aio.UnaryUnaryClientInterceptor):
    """Gives calls a deadline and the id of the request they serve.

    The deadline is not left to the service config: that one does not reach the server, and
    with an unsteady cycle counter it has been seen to expire early.
    """

    def __init__(self, deadline_seconds: float) -> None:
        self._deadline_seconds = deadline_seconds

    async def intercept_unary_unary(
        self,
        continuation: Callable[[grpc.aio.ClientCallDetails, Any], Any],
        client_call_details: grpc.aio.ClientCallDetails,
        request: Any,  # noqa: ANN401 - any message
    ) -> Any:  # noqa: ANN401 - the call object of grpc.aio
        """Complete the details and go on."""
        metadata = grpc.aio.Metadata(*(client_call_details.metadata or ()))
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        if request_id is not None and metadata.get(REQUEST_ID_KEY) is None:
            metadata.add(REQUEST_ID_KEY, str(request_id))
        timeout = client_call_details.timeout
        details = grpc.aio.ClientCallDetails(
            client_call_details.method,
            self._deadline_seconds if timeout is None else timeout,
            metadata,
            client_call_details.credentials,
            client_call_details.wait_for_ready,
        )
        return await continuation(details, request)
