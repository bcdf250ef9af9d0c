"""Whether every chip is where it should be after a chaos run."""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from services.common.database import open_engine, reading
from services.common.eventlog.outbox import OUTBOX
from services.ledger.audit import audit
from services.ledger.schema import DEAD_LETTERS, EVENTS
from services.ledger.windows import current_day, roll
from tests.simulation.ledger import audit_outbox
from tests.simulation.ledger_facts import difference, facts_of

AWAY = (OperationalError, InterfaceError)


def events_written(gateway: Engine) -> int:
    """Return how many events the gateways have written into the outbox."""
    with reading(gateway) as connection:
        return int(connection.execute(sa.select(sa.func.count(OUTBOX.c.position))).scalar_one())


def events_applied(ledger: Engine) -> int:
    """Return how many events the ledger has applied."""
    with reading(ledger) as connection:
        return int(connection.execute(sa.select(sa.func.count(EVENTS.c.event_no))).scalar_one())


def check_money(gateway_url: str, ledger_url: str, home: Path) -> int:
    """Compare the ledger with one that had the same events one after another, in peace.

    Returns how many transfers were audited; raises AssertionError.
    """
    clean_url = f"sqlite:///{home}/clean.sqlite3"
    report = audit_outbox(gateway_url, clean_url)  # the matches agree with the clean one, too
    clean, ledger = open_engine(clean_url), open_engine(ledger_url)
    try:
        today = current_day()
        for engine in (clean, ledger):
            roll(engine, today)
        found = difference(facts_of(clean), facts_of(ledger))
        assert not found, f"not what a clean run gives: {found}"
        own = audit(ledger)
        assert own.findings == [], own.findings[:5]
        assert own.transfers == report.transfers
        with reading(ledger) as connection:
            letters = sa.select(sa.func.count()).select_from(DEAD_LETTERS)
            assert connection.execute(letters).scalar_one() == 0
        return own.transfers
    finally:
        clean.dispose()
        ledger.dispose()
