"""What a socket tells of hands that are played by a script, kept for the web client's tests.

Every scene is one table from its first snapshot on: the messages as they came, and snapshots that
the server gave at moments on the way (`seq`: the newest event by then) and at the end.
"""

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from services.gateway.lifecycle import Lifecycle
from tests.support.gateways import Json, ScriptedRiver, StackedDealer
from tests.support.live_servers import served
from tests.support.player import MatchSeat, Player
from tests.support.watchers import Socket, token_of
from tests.support.web_stage import Cards, Script, Stage

SPLIT: Cards = ("AhKh", "AsKs", "QdJd9h4c2c")
WON: Cards = ("AhKh", "QsQd", "Kd9h4c2h7s")
LOST: Cards = ("8c7d", "AcJd", "Th9s2d3cQh")


@dataclass
class Recorder:
    """One person's table, and what was told of it so far."""

    stage: Stage
    seat: MatchSeat
    socket: Socket = field(init=False)
    messages: list[Json] = field(default_factory=list)
    moments: list[Json] = field(default_factory=list)

    @property
    def channel(self) -> str:
        return f"table:{self.seat.table_id}"

    @property
    def newest(self) -> int:
        return int(self.messages[-1]["seq"])

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Follow the table, from where it was left."""
        since = self.newest if self.messages else None
        with Socket(self.stage.server.ws_url, token_of(self.seat.player)) as self.socket:
            self.socket.sub(self.channel, since)
            while not self.messages or self.messages[-1]["op"] != "synced":
                self._hear()
            yield

    def _hear(self) -> None:
        message = self.socket.hear()
        if message.get("ch") == self.channel:
            self.messages.append(message)

    def keep(self) -> None:
        """Hear everything up to now, and keep the table as it stands then."""
        path = f"/v1/tables/{self.seat.table_id}/events?limit=1"
        last = int(self.seat.player.get(path)["last_seq"])
        while self.newest < last:
            self._hear()
        self.moments.append({"seq": last, "snapshot": self.seat.refresh()})

    def play(self, *moves: str) -> None:
        """Act, each move a word and perhaps an amount; keep the table after them."""
        for move in moves:
            kind, _, to = move.partition(" ")
            self.seat.act(kind, int(to) if to else None)
        self.keep()

    def river(self, *lines: str) -> None:
        """Have River do this, and then check or call."""
        self.stage.script.lines = list(lines)

    def next_hand(self) -> None:
        self.seat.next_hand()
        self.keep()

    def leave(self) -> None:
        """Sit down at another table, which ends this match."""
        body = {"ruleset": "hu_river", "buy_in": 10_000, "supersede": True}
        self.seat.player.post("/v1/matches", body, 201)
        self.keep()


def fold(table: Recorder) -> None:
    """River raises, and is not called."""
    table.river("raise 900")
    with table.listening():
        table.play("raise 300")
        table.play("fold")


def split(table: Recorder) -> None:
    """Both play the same ace and king to a showdown."""
    with table.listening():
        table.play("raise 300")
        table.play("bet 400", "check", "check")


def run_out(table: Recorder) -> None:
    """All in on the flop for less than River has; River then buys in again for the next hand."""
    with table.listening():
        table.play("raise 300")
        table.river("raise 1500", "call")
        table.play("bet 420")
        table.play("raise 9700")
        table.next_hand()


def reconnect(table: Recorder) -> None:
    """The line breaks on the flop; what came meanwhile is told when it is back."""
    with table.listening():
        table.play("raise 300")
    table.seat.act("check")
    table.seat.act("bet", 600)
    with table.listening():
        table.play("check")
        table.next_hand()


def top_up(table: Recorder) -> None:
    """A small stack loses some, is filled up, and plays on."""
    table.river("raise 900")
    with table.listening():
        table.play("raise 300", "fold")
        table.seat.top_up()
        table.keep()
        table.next_hand()
        table.play("check")


def decided(table: Recorder) -> None:
    """The player sits down elsewhere after four moves: the hand is finished for them."""
    table.river("call", "check", "raise 1500")
    with table.listening():
        table.play("raise 300")
        table.play("bet 420", "call", "check")
        table.leave()


def superseded(table: Recorder) -> None:
    """The player sits down elsewhere early in a second hand, which is then called off."""
    table.river("raise 900")
    with table.listening():
        table.play("raise 300", "fold")
        table.next_hand()
        table.play("raise 400")
        table.leave()


SCENES: dict[str, tuple[Callable[[Recorder], None], int, tuple[Cards, ...]]] = {
    "fold": (fold, 10_000, (LOST,)),
    "split": (split, 10_000, (SPLIT,)),
    "run_out": (run_out, 10_000, (WON, LOST)),
    "reconnect": (reconnect, 10_000, (WON, LOST)),
    "top_up": (top_up, 3_000, (LOST, WON)),
    "decided": (decided, 10_000, (WON,)),
    "superseded": (superseded, 10_000, (LOST, WON)),
}
"""By name: what is played, the buy-in, the cards."""


def recorded(name: str, home: Path) -> Json:
    """Play a scene on a gateway of its own; return what was told, with names in place of ids."""
    play, buy_in, cards = SCENES[name]
    script = Script()
    river, dealer = ScriptedRiver(script.choose), StackedDealer(seed=3)
    url, lifecycle = f"sqlite:///{home / name}.sqlite3", Lifecycle(river_seconds=60.0)
    with (
        served(url, river=river, dealer=dealer, lifecycle=lifecycle) as server,
        Player(server.base_url) as player,
    ):
        stage = Stage(server, script)
        stage.deal(*cards)
        player.join("Otter")
        table = Recorder(stage, player.sit_down(buy_in))
        play(table)
    names: dict[str, str] = {}
    kept = {"messages": table.messages, "moments": table.moments}
    return {part: named(told, names) for part, told in kept.items()}


_MADE_UP = re.compile(r"\b(?P<kind>[a-z]+)_[0-9a-z]{16,}\b|\b(?:\d+-)?[0-9a-f]{32,}\b")


def named(value: object, names: dict[str, str]) -> object:
    """Return a value with what is made up anew in every run replaced, in order of appearance."""

    def name(found: re.Match[str]) -> str:
        kind = found["kind"] or "random"
        return names.setdefault(found[0], f"{kind}_{len(names) + 1}")

    if isinstance(value, dict):
        return {key: named(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [named(inner, names) for inner in value]
    return _MADE_UP.sub(name, value) if isinstance(value, str) else value
