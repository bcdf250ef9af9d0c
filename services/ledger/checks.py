"""The books looked at again and again while they are written, for the metrics.

The sum of all balances takes a moment; an audit reads everything, so it is done only as often as
somebody asked for. Neither stops anything: what is wrong is for a person to look at.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from services.common.database import reading
from services.common.eventlog.backoff import describe
from services.common.logs import get_logger, stack_of
from services.ledger.audit import audit
from services.ledger.metrics import Metrics
from services.ledger.schema import BALANCES, DEAD_LETTERS

CHECK_SECONDS: Final = 60.0
LEAVE_SECONDS: Final = 1.0

_log = get_logger(__name__)


def check_sum(engine: Engine, metrics: Metrics) -> None:
    """Add up all balances and count the dead letters that wait; tells the metrics."""
    total = sa.select(sa.func.coalesce(sa.func.sum(BALANCES.c.chips), 0))
    waiting = sa.select(sa.func.count()).where(DEAD_LETTERS.c.replayed_us.is_(None))
    with reading(engine) as connection:
        chips = int(connection.execute(total).scalar_one())
        letters = int(connection.execute(waiting).scalar_one())
    if chips:
        _log.critical("balances do not sum to zero", chips=chips)
    metrics.zero_sum.set(chips)
    metrics.letters_waiting.set(letters)
    metrics.checked.set_to_current_time()


def check_everything(engine: Engine, outbox: Engine | None, metrics: Metrics) -> None:
    """Audit the ledger; tells the metrics and, when anything is wrong, the log."""
    report = audit(engine, outbox)
    for finding in report.findings:
        _log.critical("audit finds", finding=finding)
    metrics.audit_findings.set(report.finding_count)
    metrics.audited.set_to_current_time()


@dataclass(frozen=True, slots=True)
class Check:
    """Something to look at, at once and then every so often."""

    look: Callable[[], None]
    every_seconds: float = CHECK_SECONDS


def auditing(engine: Engine, outbox: Engine | None, metrics: Metrics, minutes: int) -> Check:
    """Return the audit as a check. From now on one is owed, so the first may be late too."""
    metrics.audited.set_to_current_time()
    return Check(partial(check_everything, engine, outbox, metrics), minutes * 60.0)


@contextmanager
def checking(*checks: Check) -> Iterator[None]:
    """Do checks meanwhile, each in a thread of its own.

    At the end they are not waited for long: an audit reads for minutes, and writes nothing.
    """
    stop = threading.Event()
    threads = [
        threading.Thread(target=_keep_checking, args=(check, stop), daemon=True) for check in checks
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(LEAVE_SECONDS)


def _keep_checking(check: Check, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            check.look()
        except SQLAlchemyError as error:
            _log.warning("the books could not be read; tried again", error=describe(error))
        except Exception as error:  # it must not stop the ledger; its age tells of it
            _log.error("a check failed", error=type(error).__name__, stack=stack_of(error))
        stop.wait(check.every_seconds)
