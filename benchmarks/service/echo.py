"""An echo: ``python -m benchmarks.service.echo ADDRESS ANSWER KIND``.

Answers every Act with the same ActResponse (ANSWER, hex), without looking at the request. KIND
says how much of a service it is: ``echo`` is a servicer of the generated contract behind the
very server of the engine, ``raw`` the same server without messages, bytes in and bytes out,
``bare`` the bytes on gRPC alone.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import Any

import grpc

from proto.engine.v1 import engine_pb2, engine_pb2_grpc
from services.common.grpc_server import ServerOptions, serve, stop_on_signals
from services.common.logs import configure_logging
from services.engine.service import SERVICE_NAME

ActContext = grpc.aio.ServicerContext[engine_pb2.ActRequest, engine_pb2.ActResponse]
ReplayContext = grpc.aio.ServicerContext[engine_pb2.ReplayRequest, engine_pb2.ReplayResponse]
Register = Callable[[grpc.aio.Server], None]


class EchoServicer(engine_pb2_grpc.EngineServiceServicer):
    """The least that implements the contract: gRPC decodes the request and encodes the answer."""

    def __init__(self, answer: engine_pb2.ActResponse) -> None:
        self._answer = answer

    async def Act(  # noqa: N802 - the name in the contract
        self, _request: engine_pb2.ActRequest, _context: ActContext
    ) -> engine_pb2.ActResponse:
        """Answer."""
        return self._answer

    async def Replay(  # noqa: N802 - the name in the contract
        self, _request: engine_pb2.ReplayRequest, _context: ReplayContext
    ) -> engine_pb2.ReplayResponse:
        """Answer that nothing happened."""
        return engine_pb2.ReplayResponse()


def messages(answer: bytes) -> Register:
    """Return what adds the echo of messages to a server."""
    servicer = EchoServicer(engine_pb2.ActResponse.FromString(answer))

    def register(server: grpc.aio.Server) -> None:
        engine_pb2_grpc.add_EngineServiceServicer_to_server(servicer, server)

    return register


def raw(answer: bytes) -> Register:
    """Return what adds the echo of bytes to a server."""

    async def act(_request: bytes, _context: object) -> bytes:
        return answer

    # The stubs know handlers of typed messages only; these take and give bytes.
    behaviour: Any = act
    handlers: Any = {"Act": grpc.unary_unary_rpc_method_handler(behaviour)}

    def register(server: grpc.aio.Server) -> None:
        generic = grpc.method_handlers_generic_handler(SERVICE_NAME, handlers)
        server.add_generic_rpc_handlers((generic,))

    return register


async def serve_bare(address: str, register: Register) -> None:
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
    address, text, kind = arguments
    answer = bytes.fromhex(text)
    register = messages(answer) if kind == "echo" else raw(answer)
    configure_logging("echo")
    asyncio.run(_serve(address, register, kind))


async def _serve(address: str, register: Register, kind: str) -> None:
    if kind == "bare":
        await serve_bare(address, register)
    else:
        await serve(register, (SERVICE_NAME,), ServerOptions(address))


if __name__ == "__main__":
    main(sys.argv[1:])
