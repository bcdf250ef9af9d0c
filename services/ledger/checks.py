"""The books looked at again and again while they are written, for the metrics.

The sum of all balances takes a moment; an audit reads everything, so it is done only as often as
somebody asked for. Neither stops anything: what is wrong is for a person to look at.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from services.common.database import reading
from services.common.eventlog.backoff import describe
from services.common.logs import get_logger
from services.ledger.audit import audit
from services.ledger.metrics import Metrics
from services.ledger.schema import BALANCES, DEAD_LETTERS

CHECK_SECONDS: Final = 60.0

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


async def keep_checking(
    check: Callable[[], None], stop: asyncio.Event, every_seconds: float = CHECK_SECONDS
) -> None:
    """Run a check at once and then every so often, until told to stop."""
    while not stop.is_set():
        try:
            await asyncio.to_thread(check)
        except SQLAlchemyError as error:
            _log.warning("the books could not be read; tried again", error=describe(error))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), every_seconds)
