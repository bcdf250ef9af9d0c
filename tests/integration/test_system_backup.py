"""Backups taken while people play, put back, and what was lost made good from the events."""

import asyncio
import os
import re
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy.engine import Engine

from services.common.backup import BackupError, back_up, restore
from services.common.database import open_engine, reading
from services.common.eventlog.embedded import PARTITION, EmbeddedSource
from services.common.eventlog.relay import Relay
from services.ledger.audit import audit
from services.ledger.consumer import Consumer
from services.ledger.progress import load_offset
from services.ledger.store import upgrade
from services.ledger.trial import TrialBalance, read_trial_balance
from tests.support.gateways import (
    Guest,
    House,
    Json,
    StackedDealer,
    body_of,
    open_house,
    whimsical,
)
from tests.support.list_logs import ListSink, ListSource, drain

REPO = Path(__file__).parents[2]
PLAYERS = 3
NewDatabase = Callable[[], str]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewDatabase]:
    """Make URLs of databases that nothing is in."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            numbers = iter(range(100))
            yield lambda: f"sqlite:///{tmp_path / f'{next(numbers)}.sqlite3'}"
        else:
            from tests.support.postgres import fresh_database

            server: str = request.getfixturevalue("postgres_server_url")
            yield lambda: stack.enter_context(fresh_database(server))


@dataclass
class Site:
    """A gateway and a ledger that reads its outbox, both in use."""

    house: House
    ledger: Engine
    ledger_url: str


@contextmanager
def site_on(gateway_url: str, ledger_url: str, seed: int = 1) -> Iterator[Site]:
    ledger = open_engine(ledger_url)
    upgrade(ledger)
    try:
        with open_house(gateway_url, dealer=StackedDealer(seed=seed)) as house:
            house.river.choose = whimsical(7)
            yield Site(house, ledger, ledger_url)
    finally:
        ledger.dispose()


@contextmanager
def posting(site: Site) -> Iterator[None]:
    """Let the ledger read along in a thread."""
    stop = threading.Event()
    consumer = Consumer(site.ledger, EmbeddedSource(site.house.sql_engine, 0))
    thread = threading.Thread(target=consumer.run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def play_while(site: Site, guests: list[Guest], work: Callable[[], None]) -> int:
    """Let everybody play until the work is done; returns how many commands were answered."""

    async def main() -> int:
        done = asyncio.Event()
        warm = asyncio.Semaphore(0)
        playing = [asyncio.create_task(play(guest, warm, done)) for guest in guests]
        for _ in guests:
            await warm.acquire()
        try:
            await asyncio.to_thread(work)
        finally:
            done.set()
        return sum(await asyncio.gather(*playing))

    return site.house.run(main())


async def play(guest: Guest, warm: asyncio.Semaphore, done: asyncio.Event) -> int:
    """Check, call and deal until told to stop; some hands are over before anybody starts."""
    answered, told = 0, False

    async def post(path: str, body: Json) -> Json:
        nonlocal answered
        response = await guest.posting(path, body)
        assert response.status_code in {200, 201}, response.text
        answered += 1
        return body_of(response)

    while True:
        sat = await post("/v1/matches", {"ruleset": "hu_river", "buy_in": 10_000})
        match, table, state = sat["match"]["id"], sat["table_id"], sat["snapshot"]
        for number in range(6):
            if number > 0:
                if not state["match"]["can_next_hand"]:
                    break
                state = (await post(f"/v1/matches/{match}/next-hand", {}))["snapshot"]
            while state["match"]["state"] == "in_hand":
                if (legal := state["legal"]) is None:
                    # River's own move waited for a copy: the next look makes it.
                    state = body_of(await guest.sending("GET", f"/v1/tables/{table}"))
                    continue
                kind = "check" if legal["can_check"] else "call"
                order = {"turn_token": legal["turn_token"], "type": kind}
                state = (await post(f"/v1/tables/{table}/actions", order))["snapshot"]
                # Once: a quick guest does not speak for the others.
                if answered > 6 and not told:
                    told = True
                    warm.release()
                if done.is_set():
                    return answered
        await post(f"/v1/matches/{match}/settle", {})


def trial_of(ledger: Engine) -> TrialBalance:
    with reading(ledger) as connection:
        return read_trial_balance(connection)


def catch_up(ledger: Engine, outbox: Engine) -> None:
    """Let a ledger read on from where its database says."""
    with reading(ledger) as connection:
        position = load_offset(connection, EmbeddedSource.name, PARTITION)
    drain(Consumer(ledger, EmbeddedSource(outbox, position)))


def test_copies_taken_under_load_are_a_state_that_was(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    gateway_url, ledger_url = new_database(), new_database()
    chips, tables = tmp_path / "ledger.copy", tmp_path / "gateway.copy"

    def copy() -> None:
        # In this order, so that no ledger is further on than the tables it is about.
        back_up(ledger_url, chips)
        back_up(gateway_url, tables)

    with site_on(gateway_url, ledger_url) as site:
        guests = [site.house.guest(f"Otter {number}") for number in range(PLAYERS)]
        with posting(site):
            assert play_while(site, guests, copy) > 6 * PLAYERS
        cookies = [dict(guest.http.cookies) for guest in guests]

    restored_gateway, restored_ledger = new_database(), new_database()
    restore(tables, restored_gateway)
    restore(chips, restored_ledger)
    with site_on(restored_gateway, restored_ledger, seed=2) as site:
        catch_up(site.ledger, site.house.sql_engine)
        report = audit(site.ledger, site.house.sql_engine)
        assert report.ok, report.findings
        assert report.unknown == []
        assert report.transfers > 0
        assert trial_of(site.ledger).faults == []
        # And people play on, where the copy has left them.
        for cookie in cookies:
            guest = Guest(site.house)
            guest.http.cookies.update(cookie)
            for match in guest.get("/v1/matches")["items"]:
                if match["state"] in {"in_hand", "between_hands"}:
                    table = guest.get(f"/v1/tables/{match['table_id']}")
                    assert table["match"]["id"] == match["id"]
            guest.sit_down(supersede=True).play_out()
        catch_up(site.ledger, site.house.sql_engine)
        assert audit(site.ledger, site.house.sql_engine).ok


def test_a_ledger_that_is_lost_is_made_anew_from_the_events(new_database: NewDatabase) -> None:
    with site_on(new_database(), new_database()) as site:
        guests = [site.house.guest(f"Otter {number}") for number in range(PLAYERS)]
        with posting(site):
            play_while(site, guests, lambda: None)
        catch_up(site.ledger, site.house.sql_engine)
        before = trial_of(site.ledger)
        assert before.faults == []
        anew = open_engine(new_database())
        try:
            upgrade(anew)
            catch_up(anew, site.house.sql_engine)
            assert trial_of(anew) == before
            assert audit(anew, site.house.sql_engine).ok
        finally:
            anew.dispose()


def test_a_topic_that_is_lost_is_filled_again_from_the_outbox(new_database: NewDatabase) -> None:
    with site_on(new_database(), new_database()) as site:
        site.house.guest("Ana").sit_down().play_out()
        lost, made_again = ListSink(), ListSink()
        relay = Relay(site.house.sql_engine, lost)
        relay.run_once()
        relay.release()
        drain(Consumer(site.ledger, ListSource(lost.records)))
        before = trial_of(site.ledger)
        with site.house.sql_engine.begin() as connection:
            connection.exec_driver_sql(statement_of_the_manual())
        Relay(site.house.sql_engine, made_again, holder="another").run_once()
        assert made_again.records == lost.records != []
        drain(Consumer(site.ledger, ListSource(made_again.records)))
        assert trial_of(site.ledger) == before


def statement_of_the_manual() -> str:
    """What docs/operations.md says to run on the gateway's database when Kafka is lost."""
    page = (REPO / "docs/operations.md").read_text()
    (statement,) = re.findall(r"^    (UPDATE outbox_relays .*);$", page, re.MULTILINE)
    return str(statement)


def test_nothing_is_written_over(new_database: NewDatabase, tmp_path: Path) -> None:
    url, copy = new_database(), tmp_path / "copy"
    made(url)
    back_up(url, copy)
    kept = copy.read_bytes()
    with pytest.raises(BackupError, match="exists"):
        back_up(url, copy)
    with pytest.raises(BackupError, match=r"exists|not empty"):
        restore(copy, url)
    assert copy.read_bytes() == kept
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy"]


def test_what_is_no_copy_is_not_put_back(new_database: NewDatabase, tmp_path: Path) -> None:
    nonsense, url = tmp_path / "nonsense", new_database()
    nonsense.write_bytes(b"x" * 10_000)
    with pytest.raises(BackupError):
        restore(nonsense, url)
    with pytest.raises(BackupError, match="no file"):
        restore(tmp_path / "nowhere", url)
    # It is still empty: the true copy goes in.
    source = new_database()
    made(source)
    back_up(source, tmp_path / "copy")
    restore(tmp_path / "copy", url)


def test_a_copy_is_for_nobody_else_to_read(new_database: NewDatabase, tmp_path: Path) -> None:
    url = new_database()
    made(url)
    back_up(url, tmp_path / "copy")
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600


def test_a_copy_of_another_service_is_not_put_back(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    url, target = new_database(), new_database()
    made(url)
    with pytest.raises(BackupError, match="another database"):
        back_up(url, tmp_path / "copy", "outbox")
    assert list(tmp_path.glob("copy*")) == []
    back_up(url, tmp_path / "copy", "transfers")
    with pytest.raises(BackupError, match="another database"):
        restore(tmp_path / "copy", target, "outbox")
    restore(tmp_path / "copy", target, "transfers")


def test_a_copy_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'source.sqlite3'}"
    made(url)
    unfinished = tmp_path / "copy.part"
    unfinished.write_bytes(b"of somebody else")
    with pytest.raises(BackupError, match=r"copy\.part exists"):
        back_up(url, tmp_path / "copy")
    assert unfinished.read_bytes() == b"of somebody else"


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_what_a_killed_process_left_is_not_written_over_a_copy(suffix: str, tmp_path: Path) -> None:
    source, target = tmp_path / "source.sqlite3", tmp_path / "target.sqlite3"
    made(f"sqlite:///{source}")
    back_up(f"sqlite:///{source}", tmp_path / "copy")
    left = tmp_path / f"target.sqlite3{suffix}"
    left.write_bytes(b"changes")
    with pytest.raises(BackupError, match=f"target.sqlite3{suffix} exists"):
        restore(tmp_path / "copy", f"sqlite:///{target}")
    assert not target.exists()
    left.unlink()
    restore(tmp_path / "copy", f"sqlite:///{target}")


def test_rows_that_a_server_quotes_are_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "pg_dump"
    told = (
        "pg_dump: error: it failed\\nDETAIL:  Key (cards)=(As Kh)\\nCONTEXT:  COPY hands, As Kh\\n"
    )
    program.write_text(f"#!/bin/sh\nprintf '{told}' >&2\nexit 1\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(BackupError) as error:
        back_up("postgresql://ana:secret@127.0.0.1:1/tables", tmp_path / "copy")
    assert str(error.value) == "pg_dump failed: pg_dump: error: it failed"


def made(url: str) -> None:
    """Make a ledger's database."""
    ledger = open_engine(url)
    upgrade(ledger)
    ledger.dispose()


@pytest.mark.parametrize(("service", "table"), [("gateway", "outbox"), ("ledger", "transfers")])
def test_services_copy_their_databases(service: str, table: str, tmp_path: Path) -> None:
    source, target = tmp_path / "source.sqlite3", tmp_path / "target.sqlite3"
    copy = tmp_path / "copy"

    def run(path: Path, *arguments: str) -> int:
        return subprocess.run(
            [sys.executable, "-m", f"services.{service}", *arguments],
            cwd=REPO,
            env={**os.environ, "DATABASE_URL": f"sqlite:///{path}"},
            capture_output=True,
            check=False,
        ).returncode

    with closing(sqlite3.connect(source)) as connection, connection:
        connection.execute(f"CREATE TABLE {table} (player TEXT, chips INTEGER)")
        connection.execute(f"INSERT INTO {table} VALUES ('ana', 7)")  # noqa: S608 - ours
    assert run(source, "backup", str(copy)) == 0
    assert run(target, "restore", str(copy)) == 0
    with closing(sqlite3.connect(target)) as connection:
        found = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - ours
        assert found.fetchall() == [("ana", 7)]
