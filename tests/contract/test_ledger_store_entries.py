"""The database itself lets no unbalanced and no negative entry in, by whatever SQL."""

from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from services.common.database import reading
from services.ledger.schema import BALANCES, HANDS, MERGES, TRANSFERS
from services.ledger.store import upgrade
from tests.support.ledger_schemas import CHECKS, before_entries
from tests.support.ledgers import Script, apply_all, merged, run_audit, whole_match

STACK, POT = "stack:m1:otter", "pot:m1-h1"


@pytest.fixture
def books(ledger: Engine) -> Engine:
    """Return a ledger with a running match and a settled one, by now of a merged guest."""
    script = Script().sit_down()
    script.hand(100)
    script.voided()
    apply_all(ledger, [*script.events, *whole_match("ana", [5]), merged("ana", "cy")])
    return ledger


def insert(table: str, **values: object) -> sa.TextClause:
    names = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    statement = sa.text(f"INSERT INTO {table} ({names}) VALUES ({places})")  # noqa: S608
    return statement.bindparams(**values)


def transfer(**changes: object) -> sa.TextClause:
    """A buy-in that would be right, but for the changes."""
    right: dict[str, object] = {
        "event_no": 1,
        "debit": "bank",
        "credit": STACK,
        "chips": 5,
        "kind": "buy_in",
        "match_id": "m1",
        "hand_id": None,
        "player_id": "otter",
        "posted_us": 0,
    }
    return insert("transfers", **{**right, **changes})


HAND = {"kind": "hand", "hand_id": "m1-h1"}
IN, OUT = {"debit": STACK, "credit": POT}, {"debit": POT, "credit": STACK}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"kind": "top_up"},
        {**HAND, **IN},
        {**HAND, **OUT},
        {"kind": "cash_out", "debit": STACK, "credit": "bank"},
    ],
    ids=str,
)
def test_the_database_takes_a_transfer_between_the_accounts_of_its_kind(
    books: Engine, changes: dict[str, Any]
) -> None:
    with books.begin() as connection:
        connection.execute(transfer(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"chips": 0},
        {"chips": -5},
        {"chips": None},
        {"debit": STACK},
        {"kind": "gift"},
        {"event_no": 999},
        {"event_no": None},
        # From or to an account that is not that of the player, the match or the hand.
        {"credit": "stack:m1:river"},
        {"credit": "stack:m-ana:otter"},
        {"player_id": "river"},
        {"match_id": "m-ana"},
        {"debit": POT},
        {"credit": POT},
        {"debit": "stack:m1:river"},
        {"debit": "purse"},
        {"hand_id": "m1-h1"},
        {**HAND, **IN, "hand_id": None},
        {**HAND, **IN, "hand_id": "m1-h9"},
        {**HAND, "debit": STACK, "credit": "bank"},
        {**HAND, "debit": POT, "credit": "pot:m1-h2"},
        {**HAND, "debit": STACK, "credit": "stack:m1:river"},
        {"kind": "cash_out"},
        {"kind": "cash_out", "debit": POT, "credit": "bank"},
    ],
    ids=str,
)
def test_the_database_refuses_any_other_transfer(books: Engine, changes: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), books.begin() as connection:
        connection.execute(transfer(**changes))
    assert run_audit(books).findings == []


def test_the_database_refuses_the_same_transfer_of_an_event_twice(books: Engine) -> None:
    with books.begin() as connection:
        connection.execute(transfer())
    with pytest.raises(IntegrityError), books.begin() as connection:
        connection.execute(transfer(chips=9))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE balances SET chips = -1 WHERE account = 'stack:m1:otter'",
        "UPDATE balances SET chips = chips - 1000000 WHERE account = 'stack:m1:river'",
        "UPDATE balances SET match_id = 'nowhere' WHERE account = 'stack:m1:otter'",
        "UPDATE balances SET account = 'bank' WHERE account = 'stack:m1:otter'",
        "UPDATE balances SET chips = NULL",
        "INSERT INTO balances (account, chips) VALUES ('pot:m1-h1', -5)",
        "UPDATE hands SET put_in_chips = -5, won_chips = -5 WHERE hand_id = 'm1-h1'",
        "UPDATE hands SET won_chips = won_chips + 1",
        "UPDATE hands SET put_in_chips = 7, won_chips = 7 WHERE hand_id = 'm1-h2'",
        "UPDATE hands SET hand_no = 1 WHERE hand_id = 'm1-h2'",
        "UPDATE hands SET event_no = 1",
        "UPDATE hands SET event_no = 5000 WHERE hand_id = 'm1-h1'",
        "UPDATE hands SET match_id = 'nowhere'",
        "UPDATE transfers SET chips = -chips",
        "UPDATE transfers SET credit = debit",
        "UPDATE transfers SET player_id = 'river' WHERE kind = 'buy_in' AND player_id = 'otter'",
        "DELETE FROM events WHERE event_no = 2",
        "DELETE FROM matches",
        "UPDATE seats SET number = 1",
        "UPDATE merges SET into_id = player_id",
        "UPDATE merges SET into_id = 'nobody'",
        "INSERT INTO merges (player_id, into_id, merged_us, event_no) VALUES ('ana','otter',0,1)",
    ],
)
def test_the_database_refuses_what_would_unbalance_the_books(books: Engine, statement: str) -> None:
    with pytest.raises(IntegrityError), books.begin() as connection:
        connection.exec_driver_sql(statement)
    assert run_audit(books).findings == []


def test_migrating_keeps_every_entry_and_checks_those_of_before(books: Engine) -> None:
    before, numbers = _rows(books), _newest(books)
    with books.begin() as connection:
        before_entries(connection)
    upgrade(books)
    assert _rows(books) == before
    assert run_audit(books).findings == []
    if books.dialect.name == "postgresql":
        query = sa.text("SELECT conname FROM pg_constraint WHERE convalidated")
        with reading(books) as connection:
            assert set(CHECKS) <= set(connection.execute(query).scalars())
    with pytest.raises(IntegrityError), books.begin() as connection:
        connection.execute(transfer(player_id="river"))
    # Numbers go on where they were.
    with books.begin() as connection:
        connection.execute(transfer())
    assert _newest(books) > numbers


def _newest(engine: Engine) -> int:
    with reading(engine) as connection:
        query = sa.select(sa.func.max(TRANSFERS.c.transfer_no))
        return int(connection.execute(query).scalar_one())


def _rows(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    with reading(engine) as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in (TRANSFERS, HANDS, BALANCES, MERGES)
        }
