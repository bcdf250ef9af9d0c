"""Whether the gateway and what it leans on can do their work."""

import asyncio
from typing import Final

import grpc
import sqlalchemy as sa
from grpc_health.v1 import health_pb2
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from services.gateway.store.database import Database

PROBE_SECONDS: Final = 1.0


class Health:
    """Probes the database and the services behind the channels, by name.

    ``draining`` is set when the gateway was asked to stop: it wants no new requests then, though
    it answers them.
    """

    def __init__(self, database: Database, channels: dict[str, grpc.aio.Channel]) -> None:
        self._database = database
        self.draining = False
        self._probes = {
            name: channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            for name, channel in channels.items()
        }

    async def checks(self) -> dict[str, bool]:
        """Return for each part whether it serves now."""
        names = list(self._probes)
        results = await asyncio.gather(
            self._database_serves(), *(self._serves(name) for name in names)
        )
        return dict(zip(["database", *names], results, strict=True))

    async def _database_serves(self) -> bool:
        try:
            await self._database.read(_ping)
        except SQLAlchemyError:
            return False
        return True

    async def _serves(self, name: str) -> bool:
        request = health_pb2.HealthCheckRequest()
        try:
            response = await self._probes[name](request, timeout=PROBE_SECONDS)
        except grpc.aio.AioRpcError:
            return False
        return bool(response.status == health_pb2.HealthCheckResponse.SERVING)


def _ping(connection: Connection) -> None:
    connection.execute(sa.select(1))
