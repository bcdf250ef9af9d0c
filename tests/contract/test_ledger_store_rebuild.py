"""Balances and boards are made again from transfers and events, a little at a time."""

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.common.database import reading
from services.ledger.posting import MATCH_STARTED
from services.ledger.rebuild import (
    UnreadableEventError,
    rebuild_balances,
    rebuild_boards,
)
from services.ledger.schema import BALANCES, EVENTS, HANDS, SEAT_DAYS
from tests.support.boards import projections
from tests.support.ledgers import Script, apply_all, run_audit, whole_match
from tests.support.played_matches import Season

TODAY = 30_000


def balances(ledger: Engine) -> dict[str, int]:
    with reading(ledger) as connection:
        rows = connection.execute(sa.select(BALANCES.c.account, BALANCES.c.chips))
        return {row.account: row.chips for row in rows}


def test_balances_are_rebuilt_from_the_transfers(ledger: Engine) -> None:
    apply_all(ledger, whole_match("otter", [100, -50]))
    still_open = Script("open", "seal").sit_down()
    still_open.hand(700)
    apply_all(ledger, still_open.events)
    apply_all(ledger, [Script("without-chips", "heron").started()])
    before = balances(ledger)
    assert before["stack:open:seal"] == 10_700
    with ledger.begin() as connection:
        stacks = BALANCES.c.account != "bank"
        connection.execute(sa.update(BALANCES).values(chips=3).where(stacks))
    assert not run_audit(ledger).ok
    with ledger.begin() as connection:
        rebuild_balances(connection)
    assert balances(ledger) == before
    assert run_audit(ledger).ok


def test_a_ledger_without_transfers_has_empty_balances(ledger: Engine) -> None:
    with ledger.begin() as connection:
        rebuild_balances(connection)
    assert balances(ledger) == {"bank": 0}


def test_hands_that_come_in_pieces_are_all_counted(
    ledger: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.ledger.rebuild.CHUNK", 3)
    monkeypatch.setattr("services.ledger.rebuild.FETCH", 7)
    hands = 0
    for match in Season(seed=3, hands=300, players=4, hands_a_match=20).matches():
        apply_all(ledger, match, TODAY)
        hands += sum("hand" in event.type for event in match)
    before = projections(ledger)
    with ledger.begin() as connection:
        connection.execute(sa.update(SEAT_DAYS).values(hands=1))
        assert rebuild_boards(connection, TODAY) == hands == 300
    assert projections(ledger) == before


@pytest.mark.parametrize(
    "changed",
    [{"value": b"\xff"}, {"type": MATCH_STARTED}, {"type": "no.such"}, {"match_id": "another"}],
    ids=lambda changed: next(iter(changed)) + str(*changed.values())[:5],
)
def test_an_event_that_was_changed_stops_the_rebuild(
    ledger: Engine, changed: dict[str, object]
) -> None:
    apply_all(ledger, whole_match("otter", [100, -50]))
    before = projections(ledger)
    with ledger.begin() as connection:
        last_hand = sa.select(sa.func.max(HANDS.c.event_no)).scalar_subquery()
        connection.execute(sa.update(EVENTS).where(EVENTS.c.event_no == last_hand).values(changed))
    with pytest.raises(UnreadableEventError, match=r"event \d"), ledger.begin() as connection:
        rebuild_boards(connection, TODAY)
    assert projections(ledger) == before
