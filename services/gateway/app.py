"""The composition root of the gateway: opens everything, serves, closes everything."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import uvicorn
from fastapi import FastAPI
from sqlalchemy.engine import Engine as SqlEngine
from sqlalchemy.exc import SQLAlchemyError

from services.common.channels import open_channel
from services.common.credentials import CredentialsError
from services.common.database import SchemaError, migrate, open_engine, require_schema
from services.common.eventlog.backoff import describe
from services.common.eventlog.port import EventSink
from services.common.eventlog.relay import Relay
from services.common.grpc_server import stop_on_signals
from services.common.logs import configure_logging, get_logger
from services.common.telemetry import traced_process
from services.common.workers import check_port_is_free
from services.gateway.config import GatewaySettings
from services.gateway.engine_client import EngineClient
from services.gateway.gateway import Gateway, assemble
from services.gateway.health import Health
from services.gateway.http_app import Lifespan, create_app
from services.gateway.ledger_client import LedgerClient
from services.gateway.live.envelope import MESSAGE_BYTES_MAX
from services.gateway.live.settings import LiveSettings
from services.gateway.metrics import Metrics
from services.gateway.ratelimit import RateLimiter
from services.gateway.river_client import RiverClient
from services.gateway.store.database import Database

MIGRATIONS: Final = Path(__file__).parent / "migrations"
DRAIN_SECONDS: Final = 12
"""How long requests in flight may take after a stop was asked: River may think for ten."""

LAME_DUCK_SECONDS: Final = 0.2
"""How long everything goes on after readiness is off."""

RELAY_SECONDS: Final = 3.0
"""How long the relay's batch in hand may take at the end, before its log is closed and after."""

_log = get_logger(__name__)


def run_migrations(settings: GatewaySettings) -> int:
    """Bring the database to the newest schema; returns the exit status."""
    configure_logging("gateway", settings.log_level)
    sql_engine = open_engine(settings.database_url)
    try:
        migrate(sql_engine, MIGRATIONS)
    except SQLAlchemyError as error:
        _log.error("not migrated", error=str(error))
        return 1
    finally:
        sql_engine.dispose()
    _log.info("migrated")
    return 0


def run(settings: GatewaySettings) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status."""
    configure_logging("gateway", settings.log_level)
    sql_engine = open_engine(settings.database_url)
    try:
        _prepare(sql_engine)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        check_port_is_free(f"{host}:{settings.port}")
        with traced_process("gateway", settings, edge=True):
            return asyncio.run(_serve(settings, sql_engine))
    except CredentialsError as error:
        _log.error("no credentials", error=str(error))
    except OSError as error:
        _log.error("cannot listen", host=settings.host, port=settings.port, error=str(error))
    except (SchemaError, SQLAlchemyError) as error:
        _log.error("database not ready; did migrate run?", error=describe(error))
    finally:
        sql_engine.dispose()
    return 1


def _prepare(sql_engine: SqlEngine) -> None:
    """Migrate the embedded database, which is this process's own; a shared one has its job."""
    if sql_engine.dialect.name == "sqlite":
        migrate(sql_engine, MIGRATIONS)
    else:
        require_schema(sql_engine, MIGRATIONS)


class Relaying:
    """Carries the outbox to a sink in a thread of its own; without a sink it does nothing."""

    def __init__(self, sql_engine: SqlEngine, sink: EventSink | None) -> None:
        self._stop = threading.Event()
        self._sink = sink
        self._thread: threading.Thread | None = None
        if sink is not None:
            relay = Relay(sql_engine, sink)
            self._thread = threading.Thread(
                target=relay.run, args=(self._stop,), name="relay", daemon=True
            )

    def start(self) -> None:
        """Begin relaying."""
        if self._thread is not None:
            self._thread.start()

    def close(self) -> None:
        """Stop after the batch in hand; what is left stays in the outbox.

        So does a batch that a silent log takes longer than `RELAY_SECONDS` for.
        """
        self._stop.set()
        if self._thread is None or self._sink is None:
            return
        self._thread.join(RELAY_SECONDS)
        # Whoever waits for an answer gives up then.
        self._sink.close()
        self._thread.join(RELAY_SECONDS)


def _open_sink(bootstrap_servers: str | None) -> EventSink | None:
    if bootstrap_servers is None:
        return None
    # Only production pays for loading the Kafka client.
    from services.common.eventlog.kafka import KafkaSink  # noqa: PLC0415

    return KafkaSink(bootstrap_servers)


class _Server(uvicorn.Server):
    """A server that leaves signals to us, so that a requested stop ends with status 0."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def http_server(
    app: FastAPI, host: str, port: int, *, proxies: str | None = None
) -> uvicorn.Server:
    """Return the server of an application, with our limits; `serve` runs it.

    ``proxies`` are believed about who the client is; those of loopback if none are named.
    """
    return _Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            forwarded_allow_ips=proxies,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=DRAIN_SECONDS,
            ws_max_size=MESSAGE_BYTES_MAX,
            # A window of compression for each connection costs more than it saves.
            ws_per_message_deflate=False,
        )
    )


async def _stop_on_signals(server: uvicorn.Server, gateway: Gateway) -> None:
    await stop_on_signals().wait()
    _log.info("draining")
    gateway.health.draining = True
    # Whoever asks for readiness sees it before the first connection is refused.
    await asyncio.sleep(LAME_DUCK_SECONDS)
    try:
        # Before the server stops, because it waits for every stream to end by itself.
        await gateway.live.drain()
    finally:
        server.should_exit = True


async def _serve(settings: GatewaySettings, sql_engine: SqlEngine) -> int:
    relay = Relaying(sql_engine, _open_sink(settings.kafka_bootstrap_servers))
    async with _open_gateway(settings, sql_engine) as gateway:
        app = create_app(gateway, _lifespan_of(gateway, relay))
        server = http_server(
            app, settings.host, settings.port, proxies=settings.forwarded_allow_ips
        )
        stopping = asyncio.create_task(_stop_on_signals(server, gateway))
        try:
            await server.serve()
        finally:
            stopping.cancel()
        return 0 if server.started else 1


@asynccontextmanager
async def _open_gateway(settings: GatewaySettings, sql_engine: SqlEngine) -> AsyncIterator[Gateway]:
    metrics, security = Metrics(), settings.security
    async with AsyncExitStack() as stack:
        targets = {
            "engine": settings.engine_target,
            "bot": settings.bot_target,
            "ledger": settings.ledger_target,
        }
        channels = {
            name: await stack.enter_async_context(
                open_channel(target, security=security, metrics=metrics.calls)
            )
            for name, target in targets.items()
        }
        yield assemble(
            sql_engine,
            engine=EngineClient(channels["engine"]),
            river=RiverClient(channels["bot"]),
            ledger=LedgerClient(channels["ledger"]),
            health_of=Health(Database(sql_engine), channels),
            limiter=RateLimiter(enabled=settings.rate_limits == "on"),
            live=LiveSettings(limits_on=settings.rate_limits == "on"),
            lifecycle=settings.lifecycle,
            metrics=metrics,
            web_root=settings.web_root,
        )


def _lifespan_of(gateway: Gateway, relay: Relaying) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await gateway.start()
        relay.start()
        try:
            yield
        finally:
            await gateway.close()
            await asyncio.to_thread(relay.close)

    return lifespan
