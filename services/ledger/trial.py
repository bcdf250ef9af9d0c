"""The trial balance: what went in and out of every class of accounts, and that all is zero."""

import json
from dataclasses import asdict, dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.ledger.matches import BANK
from services.ledger.schema import BALANCES, TRANSFERS

CLASSES = (BANK, "stack", "pot")
"""Accounts by what stands before the colon in their names; any other would be a fault."""


@dataclass(frozen=True, slots=True)
class ClassTotal:
    """A class of accounts, in chips.

    Attributes:
        accounts: how many took part in transfers.
        debit_chips: what left them, by the transfers.
        credit_chips: what came to them, by the transfers.
        balance_chips: credits less debits.
        stored_chips: the balances that are stored; pots have none, they are empty.

    """

    name: str
    accounts: int
    debit_chips: int
    credit_chips: int
    balance_chips: int
    stored_chips: int


@dataclass(frozen=True, slots=True)
class TrialBalance:
    """Every class of accounts and the sums of all of them."""

    classes: tuple[ClassTotal, ...]

    @property
    def balance_chips(self) -> int:
        """What all stored balances sum to: zero unless chips were made or lost."""
        return sum(one.stored_chips for one in self.classes)

    @property
    def faults(self) -> list[str]:
        """What does not balance, in words; empty when the books do."""
        found = [
            f"{one.name} accounts hold {one.stored_chips} chips, transfers say {one.balance_chips}"
            for one in self.classes
            if one.stored_chips != one.balance_chips
        ]
        found += [
            f"{one.name} accounts are of no class"
            for one in self.classes
            if one.name not in CLASSES
        ]
        if self.balance_chips:
            found.append(f"all balances sum to {self.balance_chips}, not to zero")
        return found

    def to_json(self) -> str:
        """Return the balance as one line."""
        classes = [asdict(one) for one in self.classes]
        faults = self.faults
        whole = {"ok": not faults, "balance_chips": self.balance_chips, "classes": classes}
        return json.dumps({**whole, "faults": faults})


def read_trial_balance(connection: Connection) -> TrialBalance:
    """Add up all transfers and balances by class; reads both tables from end to end."""
    moved = _moved(connection)
    stored = _stored(connection)
    names = [*CLASSES, *sorted((moved.keys() | stored.keys()) - set(CLASSES))]
    totals = []
    for name in names:
        accounts, debits, credits_ = moved.get(name, (0, 0, 0))
        balance = credits_ - debits
        totals.append(ClassTotal(name, accounts, debits, credits_, balance, stored.get(name, 0)))
    return TrialBalance(tuple(totals))


def _moved(connection: Connection) -> dict[str, tuple[int, int, int]]:
    """Return accounts, debits and credits of each class, by the transfers."""
    nothing = sa.literal(0, sa.BigInteger)
    c = TRANSFERS.c
    out = sa.select(c.debit.label("account"), c.chips.label("debit"), nothing.label("credit"))
    in_ = sa.select(c.credit, nothing, c.chips)
    both = sa.union_all(out, in_).subquery()
    name = _class_of(both.c.account)
    query = sa.select(
        name.label("name"),
        sa.func.count(both.c.account.distinct()).label("accounts"),
        sa.func.sum(both.c.debit).label("debit"),
        sa.func.sum(both.c.credit).label("credit"),
    ).group_by(name)
    return {
        row.name: (int(row.accounts), int(row.debit), int(row.credit))
        for row in connection.execute(query)
    }


def _stored(connection: Connection) -> dict[str, int]:
    name = _class_of(BALANCES.c.account)
    query = sa.select(name.label("name"), sa.func.sum(BALANCES.c.chips).label("chips"))
    return {row.name: int(row.chips) for row in connection.execute(query.group_by(name))}


def _class_of(account: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
    """Return the class of an account: what stands before the colon, or all of it."""
    known = [(sa.func.substr(account, 1, len(name) + 1) == f"{name}:", name) for name in CLASSES]
    return sa.case(*((condition, sa.literal(name)) for condition, name in known), else_=account)
