"""A service that answers as told and counts its calls, behind the real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import grpc

from services.common.grpc_server import GrpcServer, ServerOptions

SERVICE = "riverboat.engine.v1.EngineService"
"""Its name is one that may be repeated."""

METHOD = f"/{SERVICE}/Act"
OPTIONS = ServerOptions("127.0.0.1:0", lame_duck_seconds=0, grace_seconds=5)


@dataclass
class Probe:
    """Answers ``ok``; ``code`` makes it refuse, ``hold`` makes it wait."""

    code: grpc.StatusCode | None = None
    hold: asyncio.Event | None = None
    calls: int = 0
    entered: asyncio.Event = field(default_factory=asyncio.Event)
    metadata: list[tuple[str, str | bytes]] = field(default_factory=list)

    async def answer(self, _data: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        self.calls += 1
        self.metadata = list(context.invocation_metadata() or ())
        self.entered.set()
        if self.hold is not None:
            await self.hold.wait()
        if self.code is not None:
            await context.abort(self.code, "as told")
        return b"ok"

    def register(self, server: grpc.aio.Server) -> None:
        behaviour: Any = self.answer
        handler: Any = grpc.unary_unary_rpc_method_handler(behaviour)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, {"Act": handler}),)
        )


@asynccontextmanager
async def serving(
    probe: Probe, listen: str = "127.0.0.1:0", options: ServerOptions = OPTIONS
) -> AsyncIterator[GrpcServer]:
    """Run a probe's server; it may be drained before the end."""
    server = GrpcServer(probe.register, (SERVICE,), replace(options, listen=listen))
    await server.start()
    try:
        yield server
    finally:
        await server.drain()


async def call(channel: grpc.aio.Channel, **options: Any) -> bytes:  # noqa: ANN401
    """Call a probe."""
    method: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(METHOD)
    return await method(b"", **options)


async def refused(channel: grpc.aio.Channel, **options: Any) -> grpc.StatusCode:  # noqa: ANN401
    """Call a probe and return the code of its refusal."""
    try:
        await call(channel, **options)
    except grpc.aio.AioRpcError as error:
        return error.code()
    raise AssertionError("the call succeeded")
