"""SIGTERM in the middle of play: whatever was begun is finished, and no command is lost."""

import signal
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from services.common.database import open_engine, reading
from services.common.eventlog.embedded import PARTITION, EmbeddedSource
from services.common.eventlog.outbox import OUTBOX
from services.ledger.audit import audit
from services.ledger.progress import load_offset
from tests.support.system import until
from tests.support.whole_site import Part, WholeSite, Wiring, whole_site

Json = dict[str, Any]
PLAYERS = 3
COMMANDS = 4
"""Commands of each player before a part is stopped, and after it is back."""

STOP_SECONDS = 60.0
ANSWER_SECONDS = 120.0
PARTNERS = ("gateway", "bot")


@dataclass
class Player:
    """Plays until told to stop; asks again, with the same key, whatever was not answered."""

    base_url: str
    stop: threading.Event
    done: int = 0
    acted: Counter[str] = field(default_factory=Counter)
    """Actions that were answered, by table."""
    refusals: list[httpx.Response] = field(default_factory=list)
    failure: BaseException | None = None

    def __post_init__(self) -> None:
        self.http = httpx.Client(base_url=self.base_url, trust_env=False, timeout=30.0)
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            self._command("/v1/sessions/guest", {})
            while not self.stop.is_set():
                self._play_match()
        except BaseException as error:
            self.failure = error

    def _play_match(self) -> None:
        sat = self._command("/v1/matches", {"ruleset": "hu_river", "buy_in": 10_000})
        match, table, state = sat["match"]["id"], sat["table_id"], sat["snapshot"]
        while True:
            while (legal := state["legal"]) is not None:
                kind = "check" if legal["can_check"] else "call"
                order = {"turn_token": legal["turn_token"], "type": kind}
                state = self._command(f"/v1/tables/{table}/actions", order)["snapshot"]
                self.acted[table] += 1
            if self.stop.is_set() or not state["match"]["can_next_hand"]:
                break
            state = self._command(f"/v1/matches/{match}/next-hand", {})["snapshot"]
        self._command(f"/v1/matches/{match}/settle", {})

    def _command(self, path: str, body: Json) -> Json:
        """Post a command until it is answered."""
        key, give_up = uuid.uuid4().hex, time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < give_up:
            try:
                response = self.http.post(path, json=body, headers={"Idempotency-Key": key})
            except httpx.TransportError:
                time.sleep(0.05)
                continue
            if response.status_code in {200, 201}:
                self.done += 1
                return dict(response.json())
            self.refusals.append(response)
            if response.status_code != 503:
                break
            time.sleep(0.05)
        raise AssertionError(f"{path}: {self.refusals[-1:]} {[r.text for r in self.refusals[-1:]]}")

    def took_part(self, table: str) -> int:
        """How many of our actions a table has, by its own account."""
        since, found, more = 0, 0, True
        while more:
            page = self.http.get(f"/v1/tables/{table}/events", params={"since": since}).json()
            mine = [one for one in page["items"] if one["type"] == "action.taken"]
            found += sum(one["data"]["seat"] == 1 for one in mine)
            more = page["next_cursor"] is not None
            since = int(page["next_cursor"] or 0)
        return found


@pytest.fixture(scope="module")
def site() -> Iterator[WholeSite]:
    with whole_site(Wiring(bot="caller")) as site:
        yield site


@contextmanager
def playing(site: WholeSite) -> Iterator[list[Player]]:
    stop = threading.Event()
    players = [Player(site.base_urls[0], stop) for _ in range(PLAYERS)]
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.http.close)
        for player in players:
            player.thread.start()
        try:
            yield players
        finally:
            stop.set()
            for player in players:
                player.thread.join(ANSWER_SECONDS)


def await_commands(players: list[Player], more: int) -> None:
    aims = [player.done + more for player in players]

    def there() -> bool:
        for player in players:
            if player.failure is not None:
                raise player.failure
        return all(player.done >= aim for player, aim in zip(players, aims, strict=True))

    until(there, "everybody goes on playing", ANSWER_SECONDS)


def stop_in_order(part: Part) -> None:
    """SIGTERM, as every operator sends it; it ends by itself and says that all is well."""
    process = part.server.process
    assert process is not None
    process.send_signal(signal.SIGTERM)
    assert process.wait(STOP_SECONDS) == 0, part.server.tail()


@pytest.mark.parametrize("name", ["engine", "bot", "ledger", "gateway"])
def test_a_part_that_is_stopped_under_load_loses_nothing(site: WholeSite, name: str) -> None:
    part = next(one for one in site.parts if one.kind == name)
    with playing(site) as players:
        await_commands(players, COMMANDS)
        stop_in_order(part)
        part.start()
        await_commands(players, COMMANDS)
    for player in players:
        assert player.failure is None
        # Every command that was answered was done, and was done once.
        with httpx.Client(base_url=player.base_url, trust_env=False, timeout=30.0) as http:
            http.cookies.update(player.http.cookies)
            player.http = http
            assert {table: player.took_part(table) for table in player.acted} == player.acted
        for refusal in player.refusals:
            assert refusal.status_code == 503
            assert "Retry-After" in refusal.headers
    if name in {"bot", "ledger"}:
        assert all(player.refusals == [] for player in players)
    books_are_right(site)


def books_are_right(site: WholeSite) -> None:
    """The ledger reads to the end, and every chip is where the events say."""
    ledger = open_engine(site.ledger_url, read_only=True)
    outbox = open_engine(site.gateway_url, read_only=True)

    def has_all() -> bool:
        with reading(outbox) as connection:
            newest = connection.execute(sa.select(sa.func.max(OUTBOX.c.position))).scalar_one()
        with reading(ledger) as connection:
            return load_offset(connection, EmbeddedSource.name, PARTITION) >= int(newest)

    try:
        until(has_all, "the ledger has read everything", ANSWER_SECONDS)
        report = audit(ledger, outbox)
        assert report.ok, report.findings
        assert (report.unknown, report.dead_letters) == ([], 0)
        assert report.transfers > 0
    finally:
        ledger.dispose()
        outbox.dispose()


def test_an_action_that_waits_for_river_is_answered_before_a_gateway_ends(
    site: WholeSite,
) -> None:
    gateway, bot = (next(one for one in site.parts if one.kind == kind) for kind in PARTNERS)
    with (
        httpx.Client(base_url=site.base_urls[0], trust_env=False, timeout=60.0) as http,
        httpx.Client(base_url=site.base_urls[0], trust_env=False, timeout=60.0) as watcher,
        ThreadPoolExecutor(1) as pool,
    ):
        posted(http, "/v1/sessions/guest", {})
        watcher.cookies.update(http.cookies)
        sat = posted(http, "/v1/matches", {"ruleset": "hu_river", "buy_in": 10_000})
        bot.signal_all(signal.SIGSTOP)
        try:
            answer = act_until_river_must(http, watcher, pool, sat)
            assert gateway.server.process is not None
            gateway.server.process.send_signal(signal.SIGTERM)
            until(lambda: wants_no_more(site.base_urls[0]), "the gateway drains")
            assert not answer.done() or answer.result().status_code == 200
        finally:
            bot.signal_all(signal.SIGCONT)
        response = answer.result(ANSWER_SECONDS)
        assert response.status_code == 200, response.text
        assert response.json()["snapshot"]["seats"]
        assert gateway.server.process.wait(STOP_SECONDS) == 0, gateway.server.tail()
    gateway.start()
    site.wait_ready()


def wants_no_more(base_url: str) -> bool:
    """Whether a gateway that has all it needs says that it is not ready, or is not there."""
    try:
        address = f"{base_url}/readyz?need=database"
        return httpx.get(address, trust_env=False, timeout=30.0).status_code == 503
    except httpx.TransportError:
        return True


def act_until_river_must(
    http: httpx.Client, watcher: httpx.Client, pool: ThreadPoolExecutor, sat: Json
) -> Future[httpx.Response]:
    """Act until it is the turn of a River that does not answer; returns what is not answered."""
    table, state = sat["table_id"], sat["snapshot"]

    def river_must() -> bool:
        page = watcher.get(f"/v1/tables/{table}/events", params={"limit": 100}).json()
        last = page["items"][-1]
        return bool(last["type"] == "turn.started" and last["data"]["seat"] == 2)

    while (legal := state["legal"]) is not None:
        kind = "check" if legal["can_check"] else "call"
        order = {"turn_token": legal["turn_token"], "type": kind}
        answer = pool.submit(post, http, f"/v1/tables/{table}/actions", order)
        until(lambda: answer.done() or river_must(), "River must act", ANSWER_SECONDS)  # noqa: B023
        if not answer.done():
            return answer
        state = answer.result().json()["snapshot"]
    raise AssertionError("the hand ended without River")


def post(http: httpx.Client, path: str, body: Json) -> httpx.Response:
    return http.post(path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex})


def posted(http: httpx.Client, path: str, body: Json) -> Json:
    response = post(http, path, body)
    assert response.status_code == 201, response.text
    return dict(response.json())
