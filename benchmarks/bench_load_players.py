"""Virtual players in processes of their own: ``python -m benchmarks.bench_load_players``.

Reads one JSON object from stdin, plays until it is over, and writes one with what it saw. A
player is a guest with a match, a socket that follows the table, and a connection for commands. It
thinks for a while (exponentially distributed), acts, and waits for the answer; after ``hands_max``
hands, or when the chips are gone, it settles and sits down again.
"""

import asyncio
import itertools
import json
import random
import sys
import time
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.bench_load_wire import Answer, ClosedError, Http, Json, Socket
from tests.support.player import careful

PING_SECONDS = 15.0
HANDS_MAX = 60
RIVER_SEAT = 2


@dataclass
class Order:
    """What a generator is to do; times are on the monotonic clock of the machine.

    What is answered between ``from_`` and ``until`` counts.
    """

    ports: list[int]
    players: int
    first: int
    seed: int
    think_seconds: float
    from_: float
    until: float


@dataclass
class Seen:
    """What happened in the time that counts; latencies in seconds.

    ``with_river`` are actions whose answer holds a move of River's, ``alone`` those without.
    ``told`` is the time until an action was heard over the player's socket, before River thinks.
    """

    hands: int = 0
    actions: int = 0
    river_moves: int = 0
    deals: int = 0
    requests: int = 0
    events: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    with_river: list[float] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    cpu_seconds: float = 0.0


class Player:
    """One virtual player."""

    def __init__(self, order: Order, number: int, seen: Seen) -> None:
        self._rng = random.Random(f"{order.seed}:{number}")
        self._order, self._number, self._seen = order, number, seen
        self._port = order.ports[number % len(order.ports)]
        self._http = Http("127.0.0.1", self._port)
        self._socket: Socket | None = None
        self._jobs: list[asyncio.Task[None]] = []
        self._keys = itertools.count(1)
        self._acted_at: dict[int, float] = {}
        self._heard_at: dict[int, float] = {}
        self._state: Json = {}
        self._hands = 0
        self._synced = asyncio.Event()
        self.bytes = [0, 0]

    async def play(self) -> None:
        """Play until the time is over."""
        await self._join()
        try:
            while time.monotonic() < self._order.until:
                await self._match()
        finally:
            self._leave()

    async def sit(self) -> str:
        """Sit down and return the table."""
        await self._join()
        return await self._sit_down()

    async def watch(self, table_id: str) -> None:
        """Follow a table over a socket."""
        self._socket = socket = Socket("127.0.0.1", self._port, self._http.token)
        await socket.open()
        socket.say(op="sub", ch=f"table:{table_id}")
        self._synced.clear()
        self._jobs = [
            asyncio.create_task(self._listen(socket)),
            asyncio.create_task(self._ping(socket)),
        ]

    async def synced(self) -> None:
        """Wait until the socket has told all that there was."""
        await self._synced.wait()

    async def _join(self) -> None:
        answer = await self._http.post("/v1/sessions/guest", {}, "guest")
        assert answer.status == 201, answer
        self._http.token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]

    async def _sit_down(self) -> str:
        body = {"ruleset": "hu_river", "buy_in": 10_000}
        answer = await self._command("/v1/matches", body)
        found = answer.json()
        self._state, self._hands = found["snapshot"], 1
        return str(found["table_id"])

    async def _match(self) -> None:
        table_id = await self._sit_down()
        await self.watch(table_id)
        match_id = self._state["match"]["id"]
        try:
            while time.monotonic() < self._order.until:
                await asyncio.sleep(self._rng.expovariate(1 / self._order.think_seconds))
                if self._state["legal"] is not None:
                    await self._act(table_id)
                elif self._state["match"]["can_next_hand"] and self._hands < HANDS_MAX:
                    await self._deal(match_id)
                else:
                    await self._command(f"/v1/matches/{match_id}/settle", {})
                    return
        finally:
            self._unwatch()

    async def _act(self, table_id: str) -> None:
        move = careful(self._state, self._rng)
        body = {"turn_token": self._state["legal"]["turn_token"], "type": move["kind"]}
        if "to" in move:
            body["to"] = move["to"]
        began = time.monotonic()
        answer = await self._command(f"/v1/tables/{table_id}/actions", body)
        found = answer.json()
        self._state = found["snapshot"]
        if self._counts():
            events = found["events"]
            self._seen.actions += 1
            self._count_hands(events)
            moves = sum(_is_rivers(event) for event in events)
            self._seen.river_moves += moves
            kind = self._seen.with_river if moves else self._seen.alone
            kind.append(time.monotonic() - began)
            self._note_told(began, int(events[0]["seq"]))

    def _note_told(self, began: float, seq: int) -> None:
        heard = self._heard_at.pop(seq, None)
        if heard is None:
            self._acted_at[seq] = began
        else:
            self._seen.told.append(heard - began)

    async def _deal(self, match_id: str) -> None:
        answer = await self._command(f"/v1/matches/{match_id}/next-hand", {})
        found = answer.json()
        self._state = found["snapshot"]
        self._hands += 1
        if self._counts():
            self._seen.deals += 1
            self._count_hands(found["events"])
            self._seen.river_moves += sum(_is_rivers(event) for event in found["events"])

    def _count_hands(self, events: list[Json]) -> None:
        self._seen.hands += sum(event["type"] == "hand.ended" for event in events)

    def _counts(self) -> bool:
        """Whether what has just come to an end counts."""
        return self._order.from_ <= time.monotonic() <= self._order.until

    async def _command(self, path: str, body: Json) -> Answer:
        """Ask until it is done."""
        key = f"{self._number}-{next(self._keys)}"
        while True:
            try:
                answer = await self._http.post(path, body, key)
            except ClosedError:
                self._fail("lost")
                continue
            if self._counts():
                self._seen.requests += 1
            if answer.status < 400:
                return answer
            self._fail(f"{answer.status} {answer.json()['type'].rpartition('/')[2]}")
            assert answer.status in {409, 503}, answer
            await asyncio.sleep(float(answer.headers.get("retry-after", "1")))

    def _fail(self, what: str) -> None:
        self._seen.failures[what] = self._seen.failures.get(what, 0) + 1

    async def _listen(self, socket: Socket) -> None:
        while True:
            try:
                message = await socket.hear()
            except ClosedError:
                self._fail("socket closed")
                return
            if message["op"] == "synced":
                self._synced.set()
            if message["op"] != "ev":
                continue
            self._seen.events += self._counts()
            if message["type"] == "action.taken" and message["data"]["seat"] != RIVER_SEAT:
                began = self._acted_at.pop(message["seq"], None)
                if began is None:
                    self._heard_at[message["seq"]] = time.monotonic()
                else:
                    self._seen.told.append(time.monotonic() - began)

    async def _ping(self, socket: Socket) -> None:
        await asyncio.sleep(self._rng.uniform(0, PING_SECONDS))
        while True:
            socket.say(op="ping", t=0)
            await asyncio.sleep(PING_SECONDS)

    def _unwatch(self) -> None:
        for job in self._jobs:
            job.cancel()
        if self._socket is not None:
            self._socket.close()
            self.bytes[0] += self._socket.bytes_in
            self.bytes[1] += self._socket.bytes_out
            self._socket = None
        self._acted_at.clear()
        self._heard_at.clear()

    def _leave(self) -> None:
        self._unwatch()
        self._http.close()

    @property
    def socket_bytes(self) -> tuple[int, int]:
        """Bytes that came and went over the open socket."""
        assert self._socket is not None
        return self._socket.bytes_in, self._socket.bytes_out

    def leave(self) -> None:
        """Go away without a word."""
        self._leave()


def _is_rivers(event: Json) -> bool:
    return bool(event["type"] == "action.taken" and event["data"]["seat"] == RIVER_SEAT)


async def generate(order: Order) -> Seen:
    """Let the players of one generator play."""
    seen = Seen()
    players = [Player(order, order.first + number, seen) for number in range(order.players)]

    async def enter(player: Player, delay: float) -> None:
        await asyncio.sleep(delay)
        await player.play()

    # Not all at once: sitting down is dearer than playing.
    each = max(0.0, order.from_ - time.monotonic()) * 0.6 / max(1, order.players)
    tasks = [asyncio.create_task(enter(p, i * each)) for i, p in enumerate(players)]
    measuring = asyncio.create_task(_measure_cpu(order, seen))
    await asyncio.gather(*tasks, measuring)
    return seen


async def _measure_cpu(order: Order, seen: Seen) -> None:
    await asyncio.sleep(order.from_ - time.monotonic())
    began = time.process_time()
    await asyncio.sleep(order.until - time.monotonic())
    seen.cpu_seconds = time.process_time() - began


def main() -> None:
    order = Order(**json.loads(sys.stdin.read()))
    seen: dict[str, Any] = asdict(asyncio.run(generate(order)))
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main()
