"""An empty echo: ``python -m benchmarks.service.echo ADDRESS ANSWER_BYTES KIND``.

Answers every Act with the same bytes, without reading the request. KIND says behind what:
``guarded`` is the very server of the engine, ``bare`` is gRPC alone.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc

from services.common.grpc_server import ServerOptions, serve, stop_on_signals
from services.common.logs import configure_logging
from services.engine.service import SERVICE_NAME


def registration(answer: bytes) -> Callable[[grpc.aio.Server], None]:
    """Return what adds the echo to a server."""

    async def echo(_request: bytes, _context: object) -> bytes:
        return answer

    # The stubs know handlers of typed messages only; these take and give bytes.
    behaviour: Any = echo
    handlers: Any = {"Act": grpc.unary_unary_rpc_method_handler(behaviour)}

    def register(server: grpc.aio.Server) -> None:
        generic = grpc.method_handlers_generic_handler(SERVICE_NAME, handlers)
        server.add_generic_rpc_handlers((generic,))

    return register


async def serve_bare(address: str, register: Callable[[grpc.aio.Server], None]) -> None:
    """Serve with no more than gRPC itself until a signal."""
    stop = stop_on_signals()
    server = grpc.aio.server()
    register(server)
    server.add_insecure_port(address)
    await server.start()
    await stop.wait()
    await server.stop(1)


def main(arguments: Sequence[str]) -> None:
    """Serve one echo; see the module."""
    address, size, kind = arguments
    register = registration(bytes(int(size)))
    configure_logging("echo")
    server: Awaitable[None] = serve_bare(address, register)
    if kind == "guarded":
        server = serve(register, (SERVICE_NAME,), ServerOptions(address))
    asyncio.run(_run(server))


async def _run(server: Awaitable[None]) -> None:
    await server


if __name__ == "__main__":
    main(sys.argv[1:])
