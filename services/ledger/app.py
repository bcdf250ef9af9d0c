"""The composition root of the ledger.

One thread consumes, others roll the window on at midnight and look at the books, the event loop
serves reads.
"""

import asyncio
import threading
from contextlib import ExitStack, closing
from functools import partial

import grpc
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from proto.ledger.v1 import ledger_pb2_grpc
from services.common.credentials import CredentialsError
from services.common.database import SchemaError, open_engine, reading, require_schema
from services.common.eventlog.backoff import describe
from services.common.eventlog.embedded import PARTITION, EmbeddedSource
from services.common.eventlog.kafka import KafkaDeadLetters, KafkaSource
from services.common.eventlog.port import DeadLetters, EventSource
from services.common.grpc_server import GrpcServer, ServerOptions, stop_on_signals
from services.common.logs import configure_logging, get_logger, stack_of
from services.common.telemetry import metrics_server, traced_process
from services.ledger.checks import Check, auditing, check_sum, checking
from services.ledger.consumer import Consumer, HaltedError
from services.ledger.metrics import Metrics
from services.ledger.progress import load_offset
from services.ledger.service import CONSUMER_NAME, SERVICE_NAME, LedgerServicer
from services.ledger.settings import ServeSettings
from services.ledger.store import MIGRATIONS, upgrade
from services.ledger.windows import keep_rolling

_log = get_logger(__name__)


def run(settings: ServeSettings) -> int:
    """Consume and serve until SIGTERM or SIGINT; returns the exit status.

    A consumer that halts leaves reads on: they say how old they are, health says NOT_SERVING
    for `CONSUMER_NAME` alone, and nothing restarts a process that would only halt again.

    1 means a fault of ours, that the address is taken, or that the database is not ready; the
    log says which.
    """
    configure_logging("ledger", settings.log_level)
    engine = open_engine(settings.database_url)
    try:
        if engine.dialect.name == "sqlite":
            upgrade(engine)  # elsewhere it is a job of its own: ``migrate``
        else:
            require_schema(engine, MIGRATIONS)
        with traced_process("ledger", settings):
            return asyncio.run(_serve(settings, engine))
    except CredentialsError as error:
        _log.error("no credentials", error=str(error))
    except (SchemaError, SQLAlchemyError) as error:
        _log.error("database not ready; did migrate run?", error=describe(error))
    except OSError as error:
        _log.error("cannot listen", address=settings.ledger_listen, error=str(error))
    finally:
        engine.dispose()
    return 1


async def _serve(settings: ServeSettings, engine: Engine) -> int:
    stop, stop_consuming = stop_on_signals(), threading.Event()
    metrics = Metrics()
    with ExitStack() as stack:
        address = settings.ledger_metrics_listen
        stack.enter_context(metrics_server(address, metrics.registry))
        outbox = _open_outbox(settings, stack)
        source, dead_letters = _event_log(settings, engine, outbox, stack)
        consumer = Consumer(
            engine,
            source,
            dead_letters=dead_letters,
            poison_limit=settings.ledger_poison_limit,
            metrics=metrics,
        )
        server = _server(settings, engine, metrics)
        await server.start()
        await server.set_part_serving(CONSUMER_NAME, serving=True)
        consuming = asyncio.create_task(_consume(consumer, source, server, stop, stop_consuming))
        rolling = asyncio.create_task(keep_rolling(engine, stop))
        stack.enter_context(checking(*_checks(settings, engine, outbox, metrics)))
        stopping = asyncio.create_task(stop.wait())
        tasks = {consuming, rolling, stopping}
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        # Either way: no more events, and reads until the last call is answered.
        stop_consuming.set()
        stopping.cancel()
        await server.drain()
        stop.set()  # one of the two may have ended by itself
        return max([await _outcome("consumer", consuming), await _outcome("window", rolling)])


def _checks(
    settings: ServeSettings, engine: Engine, outbox: Engine | None, metrics: Metrics
) -> list[Check]:
    """Return what is to be looked at for the metrics, as often as the settings say."""
    checks = []
    if settings.ledger_metrics_listen is not None:
        checks.append(Check(partial(check_sum, engine, metrics)))
    if settings.ledger_audit_minutes is not None:
        checks.append(auditing(engine, outbox, metrics, settings.ledger_audit_minutes))
    return checks


async def _consume(
    consumer: Consumer,
    source: EventSource,
    server: GrpcServer,
    stop: asyncio.Event,
    stop_consuming: threading.Event,
) -> None:
    """Apply events until told to stop; once halted, only wait to be told."""
    try:
        await asyncio.to_thread(consumer.run, stop_consuming)
    except HaltedError as error:
        _log.error("halted", error=str(error))
        await server.set_part_serving(CONSUMER_NAME, serving=False)
        # What is not polled anymore is for others to read.
        await asyncio.to_thread(source.close)
        await stop.wait()


async def _outcome(part: str, task: asyncio.Task[None]) -> int:
    """Wait for a part's last transaction and say how it went."""
    try:
        await task
    except Exception as error:  # a fault of ours: stop, so that somebody looks
        _log.critical(f"{part} failed", error=type(error).__name__, stack=stack_of(error))
    else:
        return 0
    return 1


def _server(settings: ServeSettings, engine: Engine, metrics: Metrics) -> GrpcServer:
    def register(server: grpc.aio.Server) -> None:
        ledger_pb2_grpc.add_LedgerServiceServicer_to_server(LedgerServicer(engine), server)

    options = ServerOptions(
        settings.ledger_listen, security=settings.security, metrics=metrics.calls
    )
    return GrpcServer(register, (SERVICE_NAME,), options)


def _open_outbox(settings: ServeSettings, stack: ExitStack) -> Engine | None:
    """Open the log that is a database, to be closed with the stack; None when it is Kafka."""
    if settings.outbox_database_url is None:
        return None
    outbox = open_engine(settings.outbox_database_url, read_only=True)
    stack.callback(outbox.dispose)
    return outbox


def _event_log(
    settings: ServeSettings, engine: Engine, outbox: Engine | None, stack: ExitStack
) -> tuple[EventSource, DeadLetters | None]:
    """Open the log that the settings name, to be closed with the stack."""
    if outbox is None:
        servers = settings.kafka_bootstrap_servers or ""
        source = stack.enter_context(closing(KafkaSource(servers, settings.ledger_group)))
        return source, stack.enter_context(closing(KafkaDeadLetters(servers)))
    with reading(engine) as connection:
        position = load_offset(connection, EmbeddedSource.name, PARTITION)
    return EmbeddedSource(outbox, position), None
