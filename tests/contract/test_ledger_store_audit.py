"""The audit finds what was tampered with, on SQLite and on PostgreSQL."""

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.ledger import posting
from services.ledger.schema import (
    BALANCES,
    EVENTS,
    HANDS,
    MATCHES,
    PLAYERS,
    SEATS,
    STANDINGS,
    TRANSFERS,
)
from tests.support.ledgers import Script, apply_all, run_audit, whole_match

TAMPERINGS: dict[str, sa.Update | sa.Delete] = {
    "a balance": sa.update(BALANCES)
    .where(BALANCES.c.account == "stack:open:seal")
    .values(chips=BALANCES.c.chips + 1),
    "a transfer": sa.update(TRANSFERS)
    .where(TRANSFERS.c.transfer_no == 5)
    .values(chips=TRANSFERS.c.chips + 1),
    "where a transfer went": sa.update(TRANSFERS)
    .where(TRANSFERS.c.transfer_no == 1)
    .values(credit="stack:open:seal"),
    "a transfer gone": sa.delete(TRANSFERS).where(TRANSFERS.c.transfer_no == 4),
    "a standing": sa.update(STANDINGS).values(net_chips=STANDINGS.c.net_chips + 1),
    "the order of a standing": sa.update(STANDINGS).values(average_rest=7),
    "a standing gone": sa.delete(STANDINGS),
    "an event": sa.update(EVENTS).where(EVENTS.c.event_no == 2).values(type=posting.HAND_SETTLED),
    "a digest": sa.update(EVENTS).where(EVENTS.c.event_no == 3).values(digest="0" * 64),
    "a match": sa.update(MATCHES).values(hands=MATCHES.c.hands + 1),
    "a seat": sa.update(SEATS).values(net_chips=SEATS.c.net_chips + 1),
    "a hand": sa.update(HANDS).values(put_in_chips=7, won_chips=7),
    "a name": sa.update(PLAYERS).values(display_name="Mallory"),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_the_audit_finds_what_was_tampered_with(ledger: Engine, what: str) -> None:
    running = Script("open", "seal").sit_down()
    running.hand(40)
    apply_all(ledger, [*whole_match("otter", [100, -250]), *running.events])
    assert run_audit(ledger).findings == []
    with ledger.begin() as connection:
        assert connection.execute(TAMPERINGS[what]).rowcount >= 1
    report = run_audit(ledger)
    assert not report.ok
    assert report.findings


def test_the_audit_finds_a_consistent_theft(ledger: Engine) -> None:
    """Transfers and balances agree with each other, but not with the events."""
    script = Script().sit_down()
    apply_all(ledger, script.events)
    with ledger.begin() as connection:
        first = TRANSFERS.c.transfer_no == 1
        connection.execute(sa.update(TRANSFERS).where(first).values(chips=20_000))
        for account, delta in (("bank", -10_000), ("stack:m1:otter", 10_000)):
            where = BALANCES.c.account == account
            changed = sa.update(BALANCES).where(where)
            connection.execute(changed.values(chips=BALANCES.c.chips + delta))
    assert any("transfers of event" in finding for finding in run_audit(ledger).findings)
