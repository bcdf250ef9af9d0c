"""The ledger's short commands; each returns its exit status."""

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from services.common.backup import copy
from services.common.database import open_engine
from services.common.eventlog.port import EventLogError
from services.common.eventlog.topics import compare_topics, create_topics, raise_partitions
from services.common.logs import configure_logging, get_logger
from services.ledger import progress
from services.ledger.days import day_of
from services.ledger.letters import replay_letters
from services.ledger.rebuild import (
    UnreadableEventError,
    lock_out,
    rebuild_balances,
    rebuild_boards,
)
from services.ledger.schema import TRANSFERS
from services.ledger.settings import DatabaseSettings, KafkaSettings
from services.ledger.store import now_us, upgrade

EXIT_OK = 0
EXIT_FAILED = 1

_log = get_logger(__name__)


def migrate(settings: DatabaseSettings) -> int:
    """Bring the database to the newest schema."""
    configure_logging("ledger", settings.log_level)
    engine = open_engine(settings.database_url)
    try:
        upgrade(engine)
    except SQLAlchemyError as error:
        _log.error("not migrated", error=str(error))
        return EXIT_FAILED
    finally:
        engine.dispose()
    _log.info("migrated")
    return EXIT_OK


def copy_database(settings: DatabaseSettings, command: str, file: Path) -> int:
    """Write a copy of the database, or put one into an empty database."""
    configure_logging("ledger", settings.log_level)
    return copy(command, settings.database_url, file, TRANSFERS.name)


def replay(settings: DatabaseSettings, numbers: Sequence[int]) -> int:
    """Apply dead letters again and print what became of each as a JSON line.

    0 when all were accepted, or there was none; 1 when one was refused again.
    """
    configure_logging("ledger", settings.log_level)
    engine = open_engine(settings.database_url)
    refused = 0
    try:
        for replayed in replay_letters(engine, numbers):
            refused += not replayed.accepted
            sys.stdout.write(json.dumps(asdict(replayed)) + "\n")
    except SQLAlchemyError as error:
        _log.error("not replayed", error=type(error).__name__)
        return EXIT_FAILED
    finally:
        engine.dispose()
    return EXIT_FAILED if refused else EXIT_OK


def resume(settings: DatabaseSettings) -> int:
    """Let a halted ledger go on, once it is started again: begin to count anew."""
    configure_logging("ledger", settings.log_level)
    engine = open_engine(settings.database_url)
    try:
        with engine.begin() as connection:
            forgiven = progress.forgive(connection)
    except SQLAlchemyError as error:
        _log.error("not resumed", error=type(error).__name__)
        return EXIT_FAILED
    finally:
        engine.dispose()
    for place in forgiven:
        _log.info("dead letters forgiven", **place)
    _log.info("resumed; start the ledger again", partitions=len(forgiven))
    return EXIT_OK


def rebuild(settings: DatabaseSettings) -> int:
    """Make balances anew from the transfers and leaderboards from their events.

    Prints what that took as a JSON line.

    Consumers wait meanwhile, on PostgreSQL for the length of a transaction.
    """
    configure_logging("ledger", settings.log_level)
    engine = open_engine(settings.database_url)
    began = time.monotonic()
    try:
        with engine.begin() as connection:
            lock_out(connection)
            rebuild_balances(connection)
            hands = rebuild_boards(connection, day_of(now_us()))
    except SQLAlchemyError as error:
        _log.error("not rebuilt", error=type(error).__name__)
        return EXIT_FAILED
    except UnreadableEventError as error:
        _log.error("not rebuilt; the audit tells what was changed", error=str(error))
        return EXIT_FAILED
    finally:
        engine.dispose()
    seconds = time.monotonic() - began
    report = {
        "hands": hands,
        "seconds": round(seconds, 3),
        "hands_per_second": round(hands / seconds),
    }
    sys.stdout.write(json.dumps(report) + "\n")
    return EXIT_OK


def topics(settings: KafkaSettings, *, check: bool = False, widen: bool = False) -> int:
    """Create the Kafka topics that do not exist yet and report what differs in the others.

    Args:
        settings: where the topics are to be, and their shape.
        check: change nothing; a difference makes the status 1.
        widen: give the topic of matches more partitions if it has fewer; see
            `raise_partitions` for what that takes.

    """
    configure_logging("ledger", settings.log_level)
    servers, partitions = settings.kafka_bootstrap_servers, settings.ledger_topic_partitions
    replicas = settings.ledger_topic_replicas
    created, widened = [], []
    try:
        if not check:
            created = create_topics(servers, partitions=partitions, replicas=replicas)
        if widen:
            widened = raise_partitions(servers, partitions)
        differences = compare_topics(servers, partitions=partitions, replicas=replicas)
    except EventLogError as error:
        _log.error("topics not ready", error=str(error))
        return EXIT_FAILED
    for difference in differences:
        _log.warning("topic differs", **asdict(difference))
    if check and differences:
        return EXIT_FAILED
    _log.info("topics ready", created=created, widened=widened, differences=len(differences))
    return EXIT_OK
