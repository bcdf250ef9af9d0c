"""A gateway whose cards and opponent follow a script, and a board with people on it.

Pictures of the web client, and checks of every screen, need the same hands every time.
"""

import asyncio
import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from google.protobuf.timestamp_pb2 import Timestamp

from poker.actions import Action, ActionKind
from poker.cards import DECK
from poker.view import HandView
from proto.ledger.v1 import ledger_pb2 as pb
from services.gateway.lifecycle import Lifecycle
from services.gateway.model import PLAYER_SEAT, RIVER_SEAT
from tests.support.gateways import ScriptedRiver, StackedDealer, passive
from tests.support.live_servers import Served, served
from tests.support.scripted_hands import arranged_deck
from tests.support.web_client import BUILT

PATIENCE_SECONDS = 60.0
NAMES = (
    "Marlowe", "Inés", "Otter-41", "Beatrix", "T. Okafor", "Juniper", "Lev", "Heron-7",
    "Saoirse", "Ming", "Paolo", "Wren-112",
)  # fmt: skip
_LATELY = Timestamp(seconds=1_777_636_800)


Cards = tuple[str, str, str]
"""The player's cards, River's, the board."""


@dataclass
class Script:
    """What River does, in order, and then check or call; `hold` keeps it thinking."""

    lines: list[str] = field(default_factory=list)
    moving: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.moving.set()

    def choose(self, view: HandView) -> Action:
        """Do the next line: a word, and for "raise" and "bet" an amount or "all"."""
        assert view.legal is not None
        if not self.lines:
            return passive(view)
        kind, _, amount = self.lines.pop(0).partition(" ")
        raises = view.legal.raises
        if not amount:
            return Action(view.legal.seat, ActionKind(kind))
        assert raises is not None
        to_chips = raises.max_to_chips if amount == "all" else int(amount)
        return Action(view.legal.seat, raises.kind, to_chips)

    async def think(self) -> None:
        """Wait until River may move."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + PATIENCE_SECONDS
        while not self.moving.is_set() and loop.time() < give_up:
            await asyncio.sleep(0.02)


@dataclass
class Stage:
    """The served gateway and the script of its opponent."""

    server: Served
    script: Script

    @property
    def base_url(self) -> str:
        return self.server.base_url

    def deal(self, first: Cards, *others: Cards) -> None:
        """Have hands dealt: the player has the button in the first, River in the others."""
        self.server.dealer.decks.clear()
        for yours, rivers, board in (first, *others):
            holes = {PLAYER_SEAT: yours, RIVER_SEAT: rivers}
            button = RIVER_SEAT if self.server.dealer.decks else PLAYER_SEAT
            deck = arranged_deck((PLAYER_SEAT, RIVER_SEAT), button, holes, board)
            # Hands played by the rules alone leave out cards that nobody sees.
            rest = (card for card in DECK if card not in deck)
            self.server.dealer.decks.append((*deck, *rest))


class People:
    """The wire to a ledger that knows a few players, none of them the one who asks."""

    async def GetLeaderboard(  # noqa: N802
        self, request: pb.GetLeaderboardRequest, **_: object
    ) -> pb.GetLeaderboardResponse:
        ranked = request.section == pb.SECTION_RANKED
        return pb.GetLeaderboardResponse(
            rows=board_rows(ranked=ranked),
            as_of_time=_LATELY,
            ranked_hands=500,
            window=request.window or "all",
            seasons=["2026-Q2"],
            versions=["river-1"],
        )

    async def GetStanding(  # noqa: N802
        self, request: pb.GetStandingRequest, **_: object
    ) -> pb.GetStandingResponse:
        row = _row("You", 0, hands=349, bb_per_100=4.2)
        row.player_id = request.player_id
        return pb.GetStandingResponse(row=row, hands_to_rank=151, window=request.window or "all")


def board_rows(*, ranked: bool) -> Sequence[pb.LeaderboardRow]:
    """Seven ranked players, or five on their way."""
    rng = random.Random(7)
    if ranked:
        return [
            _row(NAMES[place], place + 1, rng.randint(520, 9_000), result)
            for place, result in enumerate((14.31, 9.8, 6.02, 1.4, -0.35, -3.1, -12.77))
        ]
    return [
        _row(NAMES[7 + place], 0, rng.randint(12, 480), result)
        for place, result in enumerate((22.5, 4.2, -6.6, -18.0, 3.3))
    ]


def _row(name: str, rank: int, hands: int, bb_per_100: float) -> pb.LeaderboardRow:
    return pb.LeaderboardRow(
        rank=rank,
        player_id=f"u_{name}",
        display_name=name,
        kind="guest" if "-" in name else "account",
        hands=hands,
        net_chips=round(bb_per_100 * hands),
        big_blind_chips=100,
        bb_per_100=f"{bb_per_100:+.2f}",
        ai_decided_hands=hands // 100,
        void_hands=hands // 300,
        last_played_time=_LATELY,
        margin_95=f"{900 / hands**0.5:.2f}",
        ai_decided_percent="1.0",
    )


# Without the player's part in the shuffle, decks are dealt as they were stacked.
WITHOUT_SEED = """
const real = window.fetch;
window.fetch = (input, init) => {
  if (typeof init?.body !== 'string') return real(input, init);
  const {client_seed, ...body} = JSON.parse(init.body);
  return real(input, {...init, body: JSON.stringify(body)});
};
"""


@contextmanager
def web_stage(home: Path, web_root: Path = BUILT) -> Iterator[Stage]:
    """Serve the built client on a gateway that follows a script."""
    script = Script()
    river = ScriptedRiver(script.choose)
    river.before = script.think
    url = f"sqlite:///{home / 'tables.sqlite3'}"
    # However slow the machine, River moves when the script lets it.
    lifecycle = Lifecycle(river_seconds=2 * PATIENCE_SECONDS)
    dealer = StackedDealer(seed=3)
    with served(url, river=river, dealer=dealer, lifecycle=lifecycle, web_root=web_root) as server:
        # Asked through the gateway's own client, on the stub of its own kind.
        vars(server.gateway.ledger)["_stub"] = People()
        yield Stage(server, script)
