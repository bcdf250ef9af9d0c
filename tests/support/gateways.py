"""A gateway in this process: real database and HTTP stack, rules without the wire.

The engine and River are ports, so tests can break them, delay them and script them.
"""

import asyncio
import json
import random
import uuid
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import grpc
import httpx

from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK, Card, parse_cards
from poker.hand import replay
from poker.snapshot import HandSnapshot
from poker.view import HandView
from services.common.advance import advance
from services.common.database import migrate, open_engine, reading
from services.common.eventlog import outbox
from services.common.eventlog.schemas import MESSAGES
from services.gateway.app import MIGRATIONS
from services.gateway.dealer import RandomDealer
from services.gateway.engine_client import EngineUnavailableError
from services.gateway.gateway import Gateway, assemble
from services.gateway.http_app import create_app
from services.gateway.ledger_client import LedgerClient
from services.gateway.lifecycle import Lifecycle
from services.gateway.model import Hand, Reply
from services.gateway.ratelimit import RateLimiter
from services.gateway.river_client import Decision, RiverUnavailableError

Json = dict[str, Any]
Chooser = Callable[[HandView], Action]
T = TypeVar("T")

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


class LocalEngine:
    """The rules library as an engine; ``down`` makes it unreachable."""

    def __init__(self) -> None:
        self.down = False
        self.before_act: Callable[[], None] = lambda: None

    async def replay(self, hand: Hand) -> Reply:
        self._check()
        played = replay(hand.setup, hand.played)
        return Reply(played.events, played.snapshot())

    async def act(self, hand: Hand, before: HandSnapshot, action: Action) -> Reply:
        self._check()
        self.before_act()
        played = replay(hand.setup, hand.played)
        events = played.act(action)
        return Reply(events, advance(before, events, played.legal))

    def _check(self) -> None:
        if self.down:
            raise EngineUnavailableError


def passive(view: HandView) -> Action:
    """Check, or else call."""
    legal = view.legal
    assert legal is not None
    kind = ActionKind.CHECK if legal.can_check else ActionKind.CALL
    return Action(legal.seat, kind)


def folding(view: HandView) -> Action:
    """Check, or else fold."""
    legal = view.legal
    assert legal is not None
    return Action(legal.seat, ActionKind.CHECK if legal.can_check else ActionKind.FOLD)


def shoving(view: HandView) -> Action:
    """Put everything in whenever that is allowed."""
    legal = view.legal
    assert legal is not None
    if legal.raises is None:
        return passive(view)
    return Action(legal.seat, legal.raises.kind, legal.raises.max_to_chips)


def whimsical(seed: int) -> Chooser:
    """A bit of everything, the same every time."""
    rng = random.Random(seed)

    def choose(view: HandView) -> Action:
        assert view.legal is not None
        return any_action(view.legal, rng)

    return choose


def any_action(legal: Legal, rng: random.Random) -> Action:
    """A random legal action; raises are rarely for everything."""
    raises = legal.raises
    if raises is not None and rng.random() < 0.3:
        top = raises.max_to_chips
        if rng.random() < 0.85:
            top = min(top, raises.min_to_chips + 400)
        return Action(legal.seat, raises.kind, rng.randint(raises.min_to_chips, top))
    if legal.can_check:
        return Action(legal.seat, ActionKind.CHECK)
    fold = legal.can_fold and rng.random() < 0.25
    return Action(legal.seat, ActionKind.FOLD if fold else ActionKind.CALL)


class ScriptedRiver:
    """A River that does as it is told, and remembers what it was shown."""

    def __init__(self, choose: Chooser = passive) -> None:
        self.choose = choose
        self.down = False
        self.before: Callable[[], Coroutine[Any, Any, None]] | None = None
        self.asked: list[tuple[HandView, int]] = []

    async def decide(self, view: HandView, seed: int) -> Decision:
        self.asked.append((view, seed))
        if self.before is not None:
            await self.before()
        if self.down:
            raise RiverUnavailableError
        return Decision(self.choose(view), "scripted-1")


class StackedDealer(RandomDealer):
    """Deals given decks first, then seeded ones; the player gets the first button."""

    def __init__(self, decks: Sequence[tuple[Card, ...]] = (), seed: int = 1) -> None:
        super().__init__(random.Random(seed))
        self.decks = list(decks)
        self.first_button = 1

    def shuffled_deck(self) -> tuple[Card, ...]:
        return self.decks.pop(0) if self.decks else super().shuffled_deck()

    def pick_button(self, seats: Sequence[int]) -> int:
        assert self.first_button in seats
        return self.first_button


@dataclass
class Clock:
    """A clock that moves only when told."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> None:
        self.now += timedelta(**amount)


@dataclass
class House:
    """One database with a running gateway on it, and the strings to pull."""

    url: str
    runner: asyncio.Runner
    engine: LocalEngine = field(default_factory=LocalEngine)
    river: ScriptedRiver = field(default_factory=ScriptedRiver)
    dealer: StackedDealer = field(default_factory=StackedDealer)
    clock: Clock = field(default_factory=Clock)
    limiter: RateLimiter = field(default_factory=lambda: RateLimiter(enabled=False))
    lifecycle: Lifecycle = field(default_factory=Lifecycle)
    web_root: Path = Path("/nonexistent")
    ledger_target: str = "127.0.0.1:1"

    def __post_init__(self) -> None:
        self.sql_engine = open_engine(self.url)
        migrate(self.sql_engine, MIGRATIONS)
        self.guests: list[Guest] = []
        self.run(self._open())

    async def _open(self) -> None:
        self.channel = grpc.aio.insecure_channel(self.ledger_target)
        self.gateway = self.assemble()
        self.app = create_app(self.gateway)

    def assemble(self) -> Gateway:
        """Another gateway replica on the same database."""
        return assemble(
            self.sql_engine,
            engine=self.engine,
            river=self.river,
            ledger=LedgerClient(self.channel, deadline_seconds=0.5),
            dealer=self.dealer,
            clock=self.clock,
            limiter=self.limiter,
            lifecycle=self.lifecycle,
            web_root=self.web_root,
        )

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def guest(self, name: str | None = None, address: str = "127.0.0.1") -> "Guest":
        """A new person with a session."""
        guest = Guest(self, address)
        body = {} if name is None else {"display_name": name}
        guest.user = guest.post("/v1/sessions/guest", body, status=201)["user"]
        return guest

    def restart(self) -> None:
        """Start a new gateway on the same database, as after ``kill -9``."""
        self.run(self.gateway.close())
        self.gateway = self.assemble()
        self.app.state.gateway = self.gateway
        self.run(self.gateway.start())

    def close(self) -> None:
        self.run(self._close())

    async def _close(self) -> None:
        for guest in self.guests:
            await guest.http.aclose()
        await self.gateway.close()
        await self.channel.close()


@contextmanager
def open_house(url: str, **parts: Any) -> Iterator[House]:  # noqa: ANN401
    with ExitStack() as stack:
        runner = asyncio.Runner()
        house = House(url, runner, **parts)
        # Last, when the runner has waited for its threads: none still holds a connection then.
        stack.callback(house.sql_engine.dispose)
        stack.enter_context(runner)
        stack.callback(house.close)
        yield house


class Guest:
    """A person at a browser; ``answers`` keeps every response body."""

    def __init__(self, house: House, address: str = "127.0.0.1") -> None:
        self.house = house
        transport = httpx.ASGITransport(app=house.app, client=(address, 50_000))
        self.http = httpx.AsyncClient(transport=transport, base_url="http://riverboat.test")
        self.answers: list[str] = []
        self.user: Json = {}
        house.guests.append(self)

    def send(self, method: str, path: str, **kwargs: Any) -> httpx.Response:  # noqa: ANN401
        return self.house.run(self.sending(method, path, **kwargs))

    async def sending(self, method: str, path: str, **kwargs: Any) -> httpx.Response:  # noqa: ANN401
        response = await self.http.request(method, path, **kwargs)
        self.answers.append(response.text)
        return response

    def get(self, path: str, status: int = 200) -> Json:
        response = self.send("GET", path)
        assert response.status_code == status, response.text
        return dict(response.json())

    async def posting(self, path: str, body: Any, key: str | None = None) -> httpx.Response:  # noqa: ANN401
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        return await self.sending("POST", path, json=body, headers=headers)

    def post(
        self,
        path: str,
        body: Any = None,  # noqa: ANN401
        *,
        status: int = 200,
        key: str | None = None,
    ) -> Json:
        response = self.house.run(self.posting(path, {} if body is None else body, key))
        assert response.status_code == status, response.text
        return dict(response.json())

    def refused(self, path: str, body: Any = None, *, status: int, problem: str) -> Json:  # noqa: ANN401
        """Post something that is refused; return the problem."""
        answer = self.post(path, body, status=status)
        assert answer["type"].endswith(f"/v1/problems/{problem}"), answer
        return answer

    def sit_down(self, buy_in: int = 10_000, **more: Any) -> "Seat":  # noqa: ANN401
        body = {"ruleset": "hu_river", "buy_in": buy_in, **more}
        return Seat(self, self.post("/v1/matches", body, status=201))


class Seat:
    """A match as its player holds it; ``state`` is the newest snapshot."""

    def __init__(self, guest: Guest, sat_down: Json) -> None:
        self.guest = guest
        self.match_id: str = sat_down["match"]["id"]
        self.table_id: str = sat_down["table_id"]
        self.state: Json = sat_down["snapshot"]
        self.events: list[Json] = sat_down["events"]

    @property
    def legal(self) -> Json | None:
        legal: Json | None = self.state["legal"]
        return legal

    @property
    def actions(self) -> str:
        return f"/v1/tables/{self.table_id}/actions"

    def path(self, command: str) -> str:
        return f"/v1/matches/{self.match_id}/{command}"

    def order(self, kind: str, to: int | None = None) -> Json:
        """The body of an action on the current turn."""
        assert self.legal is not None
        body: Json = {"turn_token": self.legal["turn_token"], "type": kind}
        return body if to is None else {**body, "to": to}

    def act(self, kind: str, to: int | None = None, key: str | None = None) -> Json:
        return self.took(self.guest.post(self.actions, self.order(kind, to), key=key))

    def took(self, body: Json) -> Json:
        self.state = body["snapshot"]
        self.events.extend(body.get("events", []))
        return body

    def do(self, command: str) -> Json:
        return self.guest.post(self.path(command))

    def next_hand(self) -> Json:
        return self.took(self.do("next-hand"))

    def refresh(self) -> Json:
        self.state = self.guest.get(f"/v1/tables/{self.table_id}")
        return self.state

    def match(self) -> Json:
        return dict(self.guest.get(f"/v1/matches/{self.match_id}")["match"])

    def take_free(self) -> None:
        """Check, or else call, once."""
        assert self.legal is not None
        self.act("check" if self.legal["can_check"] else "call")

    def play_out(self) -> Json:
        """Check and call to the end of the hand; return the match."""
        while self.legal is not None:
            self.take_free()
        return dict(self.state["match"])


def body_of(response: httpx.Response) -> Json:
    return dict(json.loads(response.text))


def stacked_deck(
    player: str, river: str, board: str, *, player_on_button: bool = True
) -> tuple[Card, ...]:
    """A deck that deals these cards heads-up; the big blind gets the first card."""
    own, theirs = parse_cards(player), parse_cards(river)
    first, second = (theirs, own) if player_on_button else (own, theirs)
    top = (first[0], second[0], first[1], second[1], *parse_cards(board))
    return (*top, *(card for card in DECK if card not in top))


def published(house: House) -> list[Any]:
    """Everything in the outbox, decoded, in order."""
    with reading(house.sql_engine) as connection:
        events = [event for _, event in outbox.read_after(connection, 0, 100_000)]
    return [MESSAGES[event.type].FromString(event.value) for event in events]
