"""The rolling window of 30 days goes on at midnight (UTC), also when nobody plays.

A rolling row names the oldest day in it, so the index leads to the rows that are due; every
other row is right already. Some players at a time, each in a transaction of their own: the
consumer never waits long, and a process that is killed leaves the rest for the next.
"""

import asyncio
import contextlib
from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError

from services.common.database import reading
from services.common.eventlog.backoff import describe
from services.common.logs import get_logger
from services.ledger.days import day_of, window_start
from services.ledger.projections import roll_window
from services.ledger.schema import STANDINGS
from services.ledger.standings import LAST_30_DAYS
from services.ledger.store import now_us

CHUNK = 500
"""Rows that are rolled on in one transaction."""

CHECK_SECONDS = 30.0

_log = get_logger(__name__)


def roll(engine: Engine, today: int) -> int:
    """Let every rolling row end with a day; returns how many players that changed."""
    rolled = 0
    while due := _due(engine, today):
        with engine.begin() as connection:
            roll_window(connection, due, today)
        rolled += len(due)
    return rolled


def current_day() -> int:
    """Return the day (UTC, since 1970) that the clock says."""
    return day_of(now_us())


async def keep_rolling(
    engine: Engine, stop: asyncio.Event, today: Callable[[], int] = current_day
) -> None:
    """Look every half minute whether a day is over, until told to stop."""
    while not stop.is_set():
        try:
            await asyncio.to_thread(roll, engine, today())
        except OperationalError as error:
            _log.warning("window not rolled on; tried again soon", error=describe(error))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), CHECK_SECONDS)


def _due(engine: Engine, today: int) -> set[str]:
    period: sa.ColumnElement[str] = sa.literal_column(f"'{LAST_30_DAYS}'")  # as in the index
    query = (
        sa.select(STANDINGS.c.player_id)
        .where(STANDINGS.c.period == period, STANDINGS.c.from_day < window_start(today))
        .order_by(STANDINGS.c.from_day)
        .limit(CHUNK)
    )
    with reading(engine) as connection:
        return set(connection.execute(query).scalars())
