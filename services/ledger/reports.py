"""The ledger's commands that only read; each prints JSON and returns its exit status."""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from services.common.database import open_engine, reading
from services.common.eventlog.outbox import from_microseconds
from services.common.eventlog.port import is_id
from services.common.logs import configure_logging, get_logger
from services.ledger.audit import audit as check
from services.ledger.settings import AuditSettings, DatabaseSettings
from services.ledger.statement import Entry, Period, iterate_entries, read_opening
from services.ledger.trial import read_trial_balance

EXIT_OK = 0
EXIT_WRONG = 1
EXIT_UNREADABLE = 2

_log = get_logger(__name__)


def audit(settings: AuditSettings) -> int:
    """Check the ledger and print the report as one JSON line.

    0 when every chip is where the events say, 1 when not, 2 when it cannot be told.
    """
    configure_logging("ledger", settings.log_level)
    engine = open_engine(settings.database_url, read_only=True)
    log_url = settings.outbox_database_url
    outbox = None if log_url is None else open_engine(log_url, read_only=True)
    try:
        report = check(engine, outbox)
    except SQLAlchemyError as error:
        _log.error("the ledger or its log cannot be read", error=type(error).__name__)
        return EXIT_UNREADABLE
    finally:
        engine.dispose()
        if outbox is not None:
            outbox.dispose()
    sys.stdout.write(report.to_json() + "\n")
    return EXIT_OK if report.ok else EXIT_WRONG


def trial_balance(settings: DatabaseSettings) -> int:
    """Add up every class of accounts and print that as one JSON line.

    0 when all is zero and balances are what the transfers say, 1 when not, 2 when unreadable.
    """

    def tell(connection: Connection) -> int:
        balance = read_trial_balance(connection)
        _print(balance.to_json())
        return EXIT_WRONG if balance.faults else EXIT_OK

    return _read(settings, tell)


def statement(settings: DatabaseSettings, player_id: str, period: Period) -> int:
    """Print a player's opening balance, every transfer of a period and the closing balance.

    Each is a JSON line, with the chips that the player then has on all tables. Those of guests who
    became part of the player are theirs. 1 for what is no player's id, 2 when unreadable.
    """

    def tell(connection: Connection) -> int:
        balance = read_opening(connection, player_id, period)
        _print(json.dumps({"player_id": player_id, "opening_chips": balance}))
        for entry in iterate_entries(connection, player_id, period):
            balance += entry.change_chips
            _print(_entry_text(entry, balance))
        _print(json.dumps({"player_id": player_id, "closing_chips": balance}))
        return EXIT_OK

    if not is_id(player_id):
        _log.error("a player's id has 1..128 printable characters")
        return EXIT_WRONG
    return _read(settings, tell)


def _entry_text(entry: Entry, balance: int) -> str:
    row = asdict(entry)
    time = from_microseconds(row.pop("posted_us")).isoformat().replace("+00:00", "Z")
    return json.dumps({"time": time, **row, "balance_chips": balance})


def _read(settings: DatabaseSettings, tell: Callable[[Connection], int]) -> int:
    """Run something that reads one snapshot and prints what it finds."""
    configure_logging("ledger", settings.log_level)
    engine = open_engine(settings.database_url, read_only=True)
    try:
        with reading(engine) as connection:
            return tell(connection)
    except SQLAlchemyError as error:
        _log.error("the ledger cannot be read", error=type(error).__name__)
        return EXIT_UNREADABLE
    finally:
        engine.dispose()


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
