"""Writing many rows at once means the same on SQLite and PostgreSQL."""

from collections.abc import Iterable
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from services.common.database import reading
from services.ledger.schema import BALANCES, DEAD_LETTERS, EVENTS, MATCHES, PLAYERS
from services.ledger.updates import add_to_rows, insert_numbered, insert_rows, update_rows
from tests.support.ledgers import run_audit

ODD = ("\t", "\n", "\\N", "\\", "'", '"', "{a,b}", "NULL", "", "ÄÖ♠", " x ")
"""Texts that a format in between could take for something else."""


def player(number: int, name: str, named_us: int = 1) -> dict[str, Any]:
    return {"player_id": f"p{number}", "display_name": name, "kind": "guest", "named_us": named_us}


def names(ledger: Engine) -> list[str]:
    with reading(ledger) as connection:
        query = sa.select(PLAYERS.c.display_name).order_by(PLAYERS.c.named_us)
        return list(connection.execute(query).scalars())


def letter(offset: int, key: bytes, event_id: str | None) -> dict[str, Any]:
    row = {"log": "l", "partition": "0", "offset": offset, "event_id": event_id, "type": None}
    return {**row, "key": key, "value": key, "reason": "r", "detail": "", "buried_us": 2**62}


def event(number: int) -> dict[str, Any]:
    texts = ("event_id", "type", "match_id", "source", "digest", "seal")
    row: dict[str, Any] = {name: f"{name} {number}" for name in texts}
    return {**row, "time_us": number, "value": b"\0\xff", "applied_us": number}


def test_texts_come_back_as_they_were(ledger: Engine) -> None:
    with ledger.begin() as connection:
        insert_rows(connection, PLAYERS, [player(n, name, n) for n, name in enumerate(ODD)])
    assert names(ledger) == list(ODD)
    turned = [player(n, name, n) for n, name in enumerate(reversed(ODD))]
    with ledger.begin() as connection:
        update_rows(connection, PLAYERS, turned)
    assert names(ledger) == list(reversed(ODD))


def test_bytes_nothing_and_large_numbers_come_back_as_they_were(ledger: Engine) -> None:
    keys = (b"", b"\0", b"\\x00", bytes(range(256)))
    rows = [letter(n, key, None if n % 2 else "e") for n, key in enumerate(keys)]
    with ledger.begin() as connection:
        insert_rows(connection, DEAD_LETTERS, rows)
        found = connection.execute(sa.select(DEAD_LETTERS).order_by(DEAD_LETTERS.c.offset))
        assert [letter(row.offset, row.key, row.event_id) for row in found] == rows


def test_numbers_rise_in_the_order_of_the_rows(ledger: Engine) -> None:
    with ledger.begin() as connection:
        first = insert_numbered(connection, EVENTS, [event(n) for n in range(50)])
        more = insert_numbered(connection, EVENTS, [event(n) for n in range(50, 53)])
        query = sa.select(EVENTS.c.event_no).order_by(EVENTS.c.time_us)
        assert list(connection.execute(query).scalars()) == first + more
    assert first + more == sorted({*first, *more})


def test_rows_that_are_not_named_stay(ledger: Engine) -> None:
    with ledger.begin() as connection:
        insert_rows(connection, PLAYERS, [player(n, "before", n) for n in range(3)])
        update_rows(connection, PLAYERS, [player(1, "after", 1), player(7, "nobody", 7)])
    assert names(ledger) == ["before", "after", "before"]


def test_what_is_added_is_added(ledger: Engine) -> None:
    accounts = [f"stack:m:p{n}" for n in range(3)]
    with ledger.begin() as connection:
        rows = [{"account": a, "match_id": None, "player_id": None, "chips": 5} for a in accounts]
        insert_rows(connection, BALANCES, rows)
        add_to_rows(connection, BALANCES, "chips", {accounts[2]: 2**60, accounts[0]: -5})
        query = sa.select(BALANCES.c.chips).where(BALANCES.c.account.in_(accounts))
        found = connection.execute(query.order_by(BALANCES.c.account)).scalars()
        assert list(found) == [0, 5, 5 + 2**60]


def test_nothing_to_write_writes_nothing(ledger: Engine) -> None:
    with ledger.begin() as connection:
        insert_rows(connection, PLAYERS, [])
        update_rows(connection, PLAYERS, [])
        add_to_rows(connection, BALANCES, "chips", {})
    assert run_audit(ledger).ok


def _twice() -> Iterable[dict[str, Any]]:
    return [player(1, "one"), player(2, "two"), player(1, "one again")]


def test_a_row_that_is_there_is_an_integrity_error_and_nothing_stays(ledger: Engine) -> None:
    with pytest.raises(IntegrityError), ledger.begin() as connection:
        insert_rows(connection, PLAYERS, list(_twice()))
    assert names(ledger) == []


def test_a_stack_below_zero_is_an_integrity_error(ledger: Engine) -> None:
    row = {"account": "stack:m:p", "match_id": None, "player_id": None, "chips": 5}
    with ledger.begin() as connection:
        insert_rows(connection, BALANCES, [row])
    with pytest.raises(IntegrityError), ledger.begin() as connection:
        add_to_rows(connection, BALANCES, "chips", {"stack:m:p": -6})
    with reading(ledger) as connection:
        query = sa.select(BALANCES.c.chips).where(BALANCES.c.account == "stack:m:p")
        assert connection.execute(query).scalar_one() == 5


def test_a_row_that_refers_to_nothing_is_an_integrity_error(ledger: Engine) -> None:
    row = {"account": "stack:m:p", "match_id": "nowhere", "player_id": "p", "chips": 0}
    with pytest.raises(IntegrityError), ledger.begin() as connection:
        insert_rows(connection, BALANCES, [row])
    with reading(ledger) as connection:
        assert connection.execute(sa.select(MATCHES)).all() == []
