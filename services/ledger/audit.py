"""Whether every chip is where the events say it is.

Two independent paths must agree. By sums, in SQL: transfers add up to the balances, pots
are empty, no stack is negative, everything sums to zero. By `replay`: every stored event is
posted again from nothing, and the rows that follow must be the rows that are stored. Where
the log can be read, `position` tells whether events of it were passed over.
"""

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import reading
from services.common.eventlog.rows import any_text
from services.ledger.days import day_of
from services.ledger.matches import BANK
from services.ledger.position import check_position
from services.ledger.replay import Replay
from services.ledger.report import Report
from services.ledger.schema import BALANCES, DEAD_LETTERS, TRANSFERS
from services.ledger.store import now_us


def audit(ledger: Engine, outbox: Engine | None = None, today: int | None = None) -> Report:
    """Check everything in one snapshot of the ledger.

    Args:
        ledger: the ledger's database.
        outbox: the log that it tails, None when it reads a topic or the log is not at hand.
        today: the day (UTC, since 1970) that the rolling window may end with; None asks the clock.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: a database cannot be read.

    """
    report = Report()
    with reading(ledger) as connection, any_text(connection):
        check_sums(connection, report)
        Replay(connection, report, day_of(now_us()) if today is None else today).run()
        # Opened later, so it has whatever the ledger's snapshot has read from it.
        check_position(connection, outbox, report)
    return report


def check_sums(connection: Connection, report: Report) -> None:
    """Add up transfers and balances in the database and compare."""
    _count(connection, report)
    accounts = sum_transfers()
    total = connection.execute(sa.select(sa.func.sum(BALANCES.c.chips))).scalar_one()
    if total != 0:
        report.find(f"all balances sum to {total}, not to zero")
    pots = sa.select(accounts).where(accounts.c.account.startswith("pot:"), accounts.c.chips != 0)
    for row in connection.execute(pots):
        report.find(f"{row.account} keeps {row.chips} chips")
    negative = sa.select(BALANCES).where(BALANCES.c.chips < 0, BALANCES.c.account != BANK)
    for row in connection.execute(negative):
        report.find(f"{row.account} has {row.chips} chips")
    _compare_balances(connection, report, accounts)


def _compare_balances(connection: Connection, report: Report, accounts: sa.Subquery) -> None:
    moved = sa.func.coalesce(accounts.c.chips, 0)
    kept = (
        sa.select(BALANCES.c.account, BALANCES.c.chips, moved.label("moved"))
        .outerjoin(accounts, accounts.c.account == BALANCES.c.account)
        .where(BALANCES.c.chips != moved)
    )
    for row in connection.execute(kept):
        report.find(f"{row.account} has {row.chips} chips, transfers say {row.moved}")
    missing = (
        sa.select(accounts)
        .outerjoin(BALANCES, BALANCES.c.account == accounts.c.account)
        .where(BALANCES.c.account.is_(None), ~accounts.c.account.startswith("pot:"))
    )
    for row in connection.execute(missing):
        report.find(f"{row.account} has transfers but no balance")


def sum_transfers() -> sa.Subquery:
    """Return what transfers say about each account: chips in minus chips out."""
    credits_ = sa.select(TRANSFERS.c.credit.label("account"), TRANSFERS.c.chips.label("chips"))
    debits = sa.select(TRANSFERS.c.debit.label("account"), (-TRANSFERS.c.chips).label("chips"))
    both = sa.union_all(credits_, debits).subquery()
    total = sa.cast(sa.func.sum(both.c.chips), sa.BigInteger).label("chips")
    return sa.select(both.c.account, total).group_by(both.c.account).subquery()


def _count(connection: Connection, report: Report) -> None:
    def count(table: sa.Table) -> int:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())

    report.transfers = count(TRANSFERS)
    waiting = sa.select(sa.func.count()).where(DEAD_LETTERS.c.replayed_us.is_(None))
    report.dead_letters = int(connection.execute(waiting).scalar_one())
    stacks = sa.select(sa.func.sum(BALANCES.c.chips)).where(BALANCES.c.account != BANK)
    report.chips_on_tables = int(connection.execute(stacks).scalar_one() or 0)
