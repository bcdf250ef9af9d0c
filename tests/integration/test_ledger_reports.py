"""Statements, the trial balance and replayed letters by command, on both databases."""

import json
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.ledger.__main__ import main
from services.ledger.consumer import Consumer
from services.ledger.schema import BALANCES, TRANSFERS
from tests.support.ledgers import START, Script, apply_all, merged, whole_match
from tests.support.list_logs import ListSource, drain

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def environment(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    for module in ("reports", "commands"):  # logging is set up for a whole process
        monkeypatch.setattr(f"services.ledger.{module}.configure_logging", lambda *_: None)


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> list[Json]:
    """Run a command; return the JSON lines that it prints."""
    capsys.readouterr()
    assert main(list(arguments)) == status
    printed = capsys.readouterr().out.splitlines()
    return [json.loads(line) for line in printed if line.startswith("{")]


def fill(ledger: Engine) -> None:
    """Play a match on the 1st of March and begin one on the 3rd, before a merge."""
    running = Script("m2", "guest", start=START.replace(day=3)).sit_down(3_000)
    running.hand(500)
    apply_all(ledger, [*whole_match("ana", [100, -30]), *running.events, merged("guest", "ana")])


def test_a_statement_opens_lists_and_closes(
    ledger: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(ledger)
    opening, *entries, closing = told(capsys, "statement", "ana")
    assert opening == {"player_id": "ana", "opening_chips": 0}
    assert closing == {"player_id": "ana", "closing_chips": 3_500}
    balance = 0
    for entry in entries:
        balance += entry["change_chips"]
        assert entry["balance_chips"] == balance >= 0
        assert abs(entry["change_chips"]) == entry["chips"] > 0
    assert balance == 3_500
    ended, running = ["buy_in", *["hand"] * 4, "cash_out"], ["buy_in", "hand", "hand"]
    assert [entry["kind"] for entry in entries] == ended + running
    assert entries[0]["time"] == "2026-03-01T12:00:01Z"


def test_a_statement_of_a_time_opens_with_what_was_there_before(
    ledger: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    apply_all(ledger, Script("m1", "otter").sit_down(3_000).events)
    later = Script("m2", "otter", start=START.replace(day=3)).sit_down(500)
    apply_all(ledger, later.events)
    lines = told(capsys, "statement", "otter", "--since", "2026-03-02")
    assert [lines[0]["opening_chips"], lines[-1]["closing_chips"]] == [3_000, 3_500]
    assert [line["chips"] for line in lines[1:-1]] == [500]
    lines = told(capsys, "statement", "otter", "--until", "2026-03-03")
    assert [lines[0]["opening_chips"], lines[-1]["closing_chips"]] == [0, 3_000]


def test_a_stranger_s_statement_is_empty(
    ledger: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, "statement", "nobody") == [
        {"player_id": "nobody", "opening_chips": 0},
        {"player_id": "nobody", "closing_chips": 0},
    ]
    assert told(capsys, "statement", "a\nb", status=1) == []


def test_the_trial_balance_sums_every_class_to_zero(
    ledger: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(ledger)
    (report,) = told(capsys, "trial-balance")
    assert (report["ok"], report["balance_chips"], report["faults"]) == (True, 0, [])
    classes = {one["name"]: one for one in report["classes"]}
    assert list(classes) == ["bank", "stack", "pot"]
    assert classes["bank"]["stored_chips"] == -13_000
    assert classes["stack"]["stored_chips"] == 13_000
    assert classes["pot"]["debit_chips"] == classes["pot"]["credit_chips"] > 0
    assert sum(one["balance_chips"] for one in classes.values()) == 0
    assert (classes["bank"]["accounts"], classes["pot"]["accounts"]) == (1, 3)


def test_an_empty_ledger_balances(ledger: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    (report,) = told(capsys, "trial-balance")
    assert report["ok"]


@pytest.mark.parametrize("what", ["a balance", "a transfer gone", "both"])
def test_the_trial_balance_fails_when_chips_were_made_or_lost(
    ledger: Engine, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    fill(ledger)
    with ledger.begin() as connection:
        if what != "a transfer gone":
            stack = BALANCES.c.account == "stack:m2:guest"
            richer = sa.update(BALANCES).where(stack).values(chips=BALANCES.c.chips + 7)
            connection.execute(richer)
        if what != "a balance":
            connection.execute(sa.delete(TRANSFERS).where(TRANSFERS.c.transfer_no == 1))
    (report,) = told(capsys, "trial-balance", status=1)
    assert not report["ok"]
    assert report["faults"]


def test_dead_letters_are_replayed_by_command(
    ledger: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    events = whole_match("otter", [100])
    drain(Consumer(ledger, ListSource(events[1:])))
    lines = told(capsys, "replay", status=1)
    assert {line["reason"] for line in lines} == {"unknown_match"}
    apply_all(ledger, events[:1])
    (first,) = told(capsys, "replay", str(lines[0]["letter_no"]))
    assert (first["event_id"], first["accepted"]) == (events[1].event_id, True)
    assert all(line["accepted"] for line in told(capsys, "replay"))
    assert told(capsys, "replay") == []
    assert told(capsys, "audit")[0]["ok"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["statement"],
        ["statement", "a", "b"],
        ["statement", "a", "--since", "yesterday"],
        ["replay", "one"],
        ["replay", "9" * 30],
        ["audit", "something"],
        ["trial-balance", "--since", "2026-03-01"],
    ],
    ids=" ".join,
)
def test_arguments_that_mean_nothing_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["trial-balance"], ["statement", "ana"], ["audit"]])
def test_a_database_that_is_no_ledger_cannot_be_told_about(
    command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    missing = tmp_path_factory.mktemp("empty") / "no.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{missing}")
    assert main(command) == 2
