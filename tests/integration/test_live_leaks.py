"""ENG-013 on live updates: no socket and no stream tells River's cards before they are shown."""

import json
import random
import re
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from services.gateway.store.schema import EVENTS
from tests.support.gateways import ScriptedRiver, StackedDealer, whimsical
from tests.support.live_servers import served
from tests.support.player import MatchSeat, Player
from tests.support.secrets import Secret, river_secrets
from tests.support.watchers import Socket, event_stream, token_of

Json = dict[str, Any]

HANDS = 60
CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


def act_at_random(seat: MatchSeat, rng: random.Random) -> None:
    legal = seat.legal
    assert legal is not None
    raises = legal["raise"]
    if raises is not None and rng.random() < 0.3:
        top = raises["max_to"]
        if rng.random() < 0.9:
            top = min(top, raises["min_to"] + 300)
        seat.act(raises["kind"], rng.randint(raises["min_to"], top))
    elif legal["can_check"]:
        seat.act("check")
    else:
        seat.act("fold" if rng.random() < 0.25 else "call")


def resubscribe(socket: Socket, seat: MatchSeat, rng: random.Random) -> None:
    """Come in at some moment: with a snapshot, or behind some number."""
    channel = f"table:{seat.table_id}"
    since = rng.choice([None, 0, rng.randrange(200), 10_000])
    socket.sub(channel, since)
    if rng.random() < 0.2:
        socket.sub(f"table:{seat.table_id[:-1]}0", since)


def play(player: Player, socket: Socket, rng: random.Random) -> None:
    seat = player.sit_down()
    socket.sub(f"table:{seat.table_id}", since=0)
    for _ in range(HANDS):
        while seat.legal is not None:
            if rng.random() < 0.3:
                resubscribe(socket, seat, rng)
            act_at_random(seat, rng)
        if seat.state["match"]["can_next_hand"]:
            seat.next_hand()
        else:
            seat.settle()
            seat = player.sit_down()
            socket.sub(f"table:{seat.table_id}", since=0)


@dataclass
class Book:
    """The full record: which hand an event belongs to, and from when on River's cards are known."""

    secrets: dict[str, Secret]
    hands: dict[tuple[str, int], str | None] = field(default_factory=dict)
    shown_from: dict[str, int] = field(default_factory=dict)

    def leaks(self, text: str) -> bool:
        """Whether a message tells cards that its moment does not allow."""
        cards = set(CARD.findall(text))
        message: Json = json.loads(text)
        if not cards:
            return False
        table_id, seq = message["ch"].removeprefix("table:"), message["seq"]
        hand_id = (
            message["data"]["hand"]["id"] if message["op"] == "snap" else self.hands[table_id, seq]
        )
        if hand_id is None:
            return True
        known = seq >= self.shown_from.get(hand_id, seq + 1)
        return bool(cards & self.secrets[hand_id].cards) and not known


def read_book(path: Path) -> Book:
    book = Book(river_secrets(path))
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        columns = (EVENTS.c.table_id, EVENTS.c.seq, EVENTS.c.hand_id, EVENTS.c.name)
        for row in connection.execute(sa.select(*columns).order_by(EVENTS.c.seq)):
            book.hands[row.table_id, row.seq] = row.hand_id
            if row.name in {"all_in.reveal", "showdown"}:
                book.shown_from.setdefault(row.hand_id, row.seq)
    engine.dispose()
    return book


def test_no_live_message_tells_rivers_cards_before_they_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    rng = random.Random(41)
    river, dealer = ScriptedRiver(whimsical(42)), StackedDealer(seed=43)
    with (
        served(f"sqlite:///{path}", river=river, dealer=dealer) as gateway,
        Player(gateway.base_url) as player,
    ):
        player.join("Ana")
        with Socket(gateway.ws_url, token_of(player)) as socket:
            listening = threading.Thread(target=listen, args=(socket,))
            listening.start()
            play(player, socket, rng)
            gateway.run(gateway.gateway.live.drain())
            listening.join()
    book = read_book(path)
    told = [text for text in socket.heard if json.loads(text)["op"] in {"ev", "snap"}]
    assert len(told) > 20 * HANDS
    assert list(filter(book.leaks, told)) == []
    shown = len(book.shown_from)
    assert HANDS // 5 < shown < len(book.secrets) - HANDS // 5
    everything = "\n".join(socket.heard)
    assert "hand.started" in everything


def listen(socket: Socket) -> None:
    try:
        while True:
            socket.hear(60.0)
    except ConnectionClosed:
        return


@pytest.mark.parametrize("since", [None, "0"])
def test_a_stream_tells_no_more_than_the_socket(tmp_path: Path, since: str | None) -> None:
    path = tmp_path / "tables.sqlite3"
    rng = random.Random(44)
    with (
        served(f"sqlite:///{path}", river=ScriptedRiver(whimsical(45))) as gateway,
        Player(gateway.base_url) as player,
    ):
        player.join("Ana")
        seat = player.sit_down()
        headers = {} if since is None else {"Last-Event-ID": since}
        with event_stream(player, seat.table_id, **headers) as stream:
            for _ in range(15):
                while seat.legal is not None:
                    act_at_random(seat, rng)
                if not seat.state["match"]["can_next_hand"]:
                    break
                seat.next_hand()
            end = player.get(f"/v1/tables/{seat.table_id}/events?limit=1")["last_seq"]
            while json.loads(stream.heard[-1] if stream.heard else "{}").get("seq", 0) < end:
                stream.hear()
    told = [text for text in stream.heard if json.loads(text)["op"] in {"ev", "snap"}]
    assert list(filter(read_book(path).leaks, told)) == []


def test_a_leak_would_be_found() -> None:
    secrets = {"h_1": Secret("h_1", frozenset({"As", "Kh"}), shown=True)}
    book = Book(secrets, {("t_1", 3): "h_1", ("t_1", 9): "h_1", ("t_1", 4): None}, {"h_1": 9})

    def event(seq: int, *cards: str) -> str:
        return json.dumps({"op": "ev", "ch": "table:t_1", "seq": seq, "data": {"cards": cards}})

    assert book.leaks(event(3, "As", "Kh"))
    assert book.leaks(event(4, "2c"))
    assert not book.leaks(event(3, "2c"))
    assert not book.leaks(event(9, "As", "Kh"))
    snap = {"op": "snap", "ch": "table:t_1", "data": {"hand": {"id": "h_1"}, "cards": ["As"]}}
    assert book.leaks(json.dumps({**snap, "seq": 8}))
    assert not book.leaks(json.dumps({**snap, "seq": 9}))
