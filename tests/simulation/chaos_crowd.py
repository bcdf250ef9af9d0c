"""The players of a chaos run, in a thread of their own, and what they are told meanwhile."""

import asyncio
import itertools
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from typing import Final

import httpx
from sqlalchemy.engine import Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from tests.simulation.chaos_faults import Fault
from tests.simulation.clients import Client, Quota
from tests.simulation.door import Json, LostError
from tests.simulation.http import Carry, HttpDoor
from tests.simulation.oracle import Book
from tests.simulation.trace import Trace

ANSWER_SECONDS: Final = 120.0
"""Longer than any fault: what hangs hangs until it is over."""

SLACK_SECONDS: Final = 1.0
"""How long after a fault was over an answer may come that was lost in it."""

CHECK_TRIES: Final = 900
BYSTANDER_PATHS: Final = ("/v1/lobby", "/v1/leaderboards/hu_river", "/v1/matches")
BYSTANDER_SECONDS: Final = 0.7


class UnexpectedError(AssertionError):
    """A client was told what no client should be told."""


@dataclass
class Watch:
    """What clients saw, on the monotonic clock. Written by their thread, read by others."""

    done: list[tuple[float, float, int]] = field(default_factory=list)
    refused: list[tuple[float, str]] = field(default_factory=list)
    away: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def fault_begins(self, fault: Fault) -> None:
        name = fault.hits_gateway
        if name is not None:
            self.away.setdefault(name, []).append((time.monotonic(), float("inf")))

    def fault_ends(self, fault: Fault) -> None:
        """Note that a gateway can be reached again."""
        name = fault.hits_gateway
        if name is not None:
            began, _ = self.away[name].pop()
            self.away[name].append((began, time.monotonic() + SLACK_SECONDS))

    def was_away(self, name: str, since: float) -> bool:
        """Whether a gateway could not be reached at some time from then until now."""
        return any(end >= since for _, end in self.away.get(name, ()))

    def between(self, start: float, end: float) -> Counter[str]:
        """Count what went wrong for clients in a time."""
        return Counter(what for at, what in self.refused if start <= at <= end)

    def longest_silence(self, start: float, end: float) -> float:
        """Return the longest time within a time in which no command was carried out."""
        times = sorted({start, end, *(at for _, at, _ in self.done if start < at < end)})
        return max((b - a for a, b in itertools.pairwise(times)), default=0.0)

    def first_done(self, since: float, port: int) -> float | None:
        """Return when the first command that was sent since then to a gateway was done."""
        return min(
            (at for sent, at, where in self.done if sent >= since and where == port), default=None
        )


class Crowd:
    """Clients that play as long as they may start matches; ``stop`` lets them finish."""

    def __init__(
        self, seed: int, clients: int, haste: float, ports: list[int], engine: Engine
    ) -> None:
        self.ports, self.watch = ports, Watch()
        self.book = Book(engine, lambda: datetime.now(UTC))
        self.trace = Trace(time.monotonic)
        self._seed, self._clients, self._haste = seed, clients, haste
        self._quota = Quota(10**9)
        self._checking: asyncio.Lock
        self._thread = threading.Thread(target=self._run, name="crowd", daemon=True)
        self.error: BaseException | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Start no more matches; those that are open are played to their end."""
        self._quota.left = 0

    @property
    def stopped(self) -> bool:
        """Whether nobody may start a match anymore."""
        return self._quota.left == 0

    @property
    def playing(self) -> bool:
        """Whether somebody still plays; raises what went wrong for them."""
        if self.error is not None:
            raise AssertionError(f"a client failed: {self.error!r}") from self.error
        return self._thread.is_alive()

    def _run(self) -> None:
        try:
            asyncio.run(self._play())
        except BaseException as error:  # told by `playing`
            self.error = error

    async def _play(self) -> None:
        self._checking = asyncio.Lock()
        # A connection that the gateway ends just when it is used again would look like a loss.
        limits = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(
            trust_env=False, timeout=ANSWER_SECONDS, limits=limits
        ) as http:
            # Everybody shares the connections, but not the sessions.
            http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
            bystander = asyncio.create_task(self._stand_by(http))
            clients = [self._client(http, number) for number in range(1, self._clients + 1)]
            playing = asyncio.gather(*(client.run() for client in clients))
            playing.add_done_callback(lambda _: bystander.cancel())
            bystander.add_done_callback(lambda _: playing.cancel())
            await asyncio.gather(playing, bystander, return_exceptions=True)
            for ended in (bystander, playing):
                if not ended.cancelled():
                    ended.result()

    def _client(self, http: httpx.AsyncClient, number: int) -> Client:
        door = HttpDoor(self.carry(http, number), asyncio.sleep)
        rng = random.Random(f"{self._seed}:client {number}")
        name = f"c{number:02d}"
        return Client(name, door, self.book, self.trace, rng, self._quota, self._check, self._haste)

    async def _stand_by(self, http: httpx.AsyncClient) -> None:
        """Look at pages that need other parts, and at what they answer when those are away."""
        carry = self.carry(http, 0)
        headers: dict[str, str] = {}
        pages = itertools.cycle(BYSTANDER_PATHS)
        while True:
            await asyncio.sleep(BYSTANDER_SECONDS)
            try:
                if not headers:
                    door = HttpDoor(carry, asyncio.sleep)
                    person = await door.join()
                    headers = {"cookie": f"riverboat_session={person.token}"}
                status, _, content = await carry("GET", next(pages), headers, None)
            except LostError:
                continue
            if status not in {200, 503}:
                raise UnexpectedError(f"a page was answered with {status}: {content[:500]!r}")

    def carry(self, http: httpx.AsyncClient, first: int) -> Carry:
        """Return a way to the gateways that leads to another one each time."""
        turns = itertools.count(first)

        async def carry(
            method: str, path: str, headers: dict[str, str], body: Json | None
        ) -> tuple[int, dict[str, str], bytes]:
            number = next(turns) % len(self.ports)
            port, sent = self.ports[number], time.monotonic()
            url = f"http://127.0.0.1:{port}{path}"
            try:
                answer = await http.request(method, url, headers=headers, json=body)
            except httpx.TransportError as error:
                self._lost(f"gateway-{number + 1}", sent, type(error).__name__)
                raise LostError from None
            self._note(answer, method, sent, port)
            return answer.status_code, dict(answer.headers), answer.content

        return carry

    def _lost(self, gateway: str, sent: float, error: str) -> None:
        self.watch.refused.append((time.monotonic(), "no answer"))
        if not self.watch.was_away(gateway, sent):
            raise UnexpectedError(f"{error} at {gateway}, which nothing ails")

    def _note(self, answer: httpx.Response, method: str, sent: float, port: int) -> None:
        now = time.monotonic()
        if answer.status_code < 400:
            if method == "POST":
                self.watch.done.append((sent, now, port))
            return
        if answer.status_code >= 500:
            problem = answer.json()["type"].rpartition("/")[2]
            self.watch.refused.append((now, f"{answer.status_code} {problem}"))
            patient = answer.status_code == 503 and answer.headers.get("retry-after", "").isdigit()
            if not patient:
                raise UnexpectedError(f"{answer.request.url.path}: {answer.text}")

    async def _check(self, table_id: str) -> None:
        """Compare a table with what its player was told, later if the database is away."""
        async with self._checking:
            for _ in range(CHECK_TRIES):
                try:
                    await asyncio.to_thread(self.book.check, table_id)
                except (OperationalError, InterfaceError):
                    await asyncio.sleep(0.2)
                else:
                    return
        raise AssertionError("the database does not come back")
