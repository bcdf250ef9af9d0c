"""The ledger at the end: it reads the whole outbox, and must agree with every match."""

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.common.database import open_engine, reading
from services.common.eventlog.embedded import EmbeddedSource
from services.gateway.model import PLAYER_SEAT, RIVER_SEAT
from services.gateway.store.schema import MATCHES
from services.ledger import schema as ledger_schema
from services.ledger.audit import audit
from services.ledger.consumer import Consumer
from services.ledger.report import Report
from services.ledger.store import upgrade


def audit_outbox(tables_url: str, ledger_url: str) -> Report:
    """Carry the outbox into an empty ledger and prove that every chip is where it should be."""
    outbox, ledger = open_engine(tables_url, read_only=True), open_engine(ledger_url)
    try:
        upgrade(ledger)
        consumer = Consumer(ledger, EmbeddedSource(outbox, 0))
        while consumer.run_once(timeout_seconds=0):
            pass
        report = audit(ledger, outbox)
        assert report.ok, report.findings
        assert report.dead_letters == 0
        assert report.unknown == []
        assert _stored_results(outbox) == _ledger_results(ledger)
        return report
    finally:
        outbox.dispose()
        ledger.dispose()


def _stored_results(tables: Engine) -> dict[str, tuple[int, int, int]]:
    """Return finished hands, the player's result and their stack now, by match.

    A stack of an ended match went back to the bank.
    """
    with reading(tables) as connection:
        return {
            row.match_id: (
                row.hands,
                row.result_chips,
                0 if row.state in {"settled", "void"} else row.stack_chips,
            )
            for row in connection.execute(sa.select(MATCHES))
        }


def _ledger_results(ledger: Engine) -> dict[str, tuple[int, int, int]]:
    seats, balances = ledger_schema.SEATS, ledger_schema.BALANCES
    mine = (balances.c.match_id == seats.c.match_id) & (balances.c.player_id == seats.c.player_id)
    query = sa.select(seats, balances.c.chips).join(balances, mine)
    results: dict[str, tuple[int, int, int]] = {}
    nets: dict[str, int] = {}
    with reading(ledger) as connection:
        for row in connection.execute(query):
            nets[row.match_id] = nets.get(row.match_id, 0) + row.net_chips
            assert row.number in {PLAYER_SEAT, RIVER_SEAT}
            if row.number == PLAYER_SEAT:
                results[row.match_id] = (row.hands, row.net_chips, row.chips)
    assert set(nets.values()) <= {0}, "a match does not sum to zero"
    return results
