"""Storms of connections whose sign-in ends at any moment: nothing breaks, nothing is left."""

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.live_servers import Served, served
from tests.support.player import MatchSeat, Player
from tests.support.system import until
from tests.support.watchers import Socket, event_stream, token_of

PEOPLE = 4
ROUNDS = 3
TABS = 5
STARTS = (1, 2, 4)
"""The first events of subscriptions with a number."""


@pytest.fixture
def gateway(database_url: str) -> Iterator[Served]:
    with served(database_url) as gateway:
        yield gateway


def leave(seat: MatchSeat, rng: random.Random) -> None:
    """End the session, or erase the account, whatever its tabs are doing."""
    http = seat.player.http
    if rng.random() < 0.5:
        assert http.delete("/v1/sessions/current").status_code == 204
        return
    while seat.legal is not None:
        seat.act("check" if seat.legal["can_check"] else "fold")
    seat.settle()
    assert http.delete("/v1/me").status_code == 204


def tab(gateway: Served, token: str, table_id: str, rng: random.Random) -> list[str]:
    """Subscribe to this and that, again and again, until the connection ends."""
    channels = [f"table:{table_id}", "user:me", "lobby", "table:t_0123456789abcdef0123"]
    with Socket(gateway.ws_url, token) as socket:
        try:
            for _ in range(rng.randrange(1, 12)):
                order: dict[str, str | int] = {
                    "op": rng.choice(["sub", "sub", "unsub"]),
                    "ch": rng.choice(channels),
                }
                if order["op"] == "sub" and rng.random() < 0.5:
                    order["since"] = rng.choice([0, 1, 3, 10**15])
                socket.say(**order)
            while rng.random() < 0.9:
                socket.hear()
        except ConnectionClosed:
            assert socket.wire.close_code in {1000, 4401}
        assert_each_channel_is_whole(socket.heard)
        return socket.heard


def watch(player: Player, table_id: str) -> list[str]:
    """Follow the table as a stream until it ends."""
    with event_stream(player, table_id) as stream:
        try:
            while True:
                stream.hear()
        except EOFError:
            return stream.heard


def visit(gateway: Served, seed: int) -> list[str]:
    """One person with many tabs plays a little and leaves; returns what all tabs heard."""
    rng = random.Random(seed)
    with Player(gateway.base_url) as player, ThreadPoolExecutor(TABS) as tabs:
        player.join("Ana")
        seat, token = player.sit_down(), token_of(player)
        streaming = tabs.submit(watch, player, seat.table_id)
        opened = [
            tabs.submit(tab, gateway, token, seat.table_id, random.Random(rng.random()))
            for _ in range(TABS - 1)
        ]
        try:
            seat.act("call")
            until(lambda: seat.table_id in followed(gateway), "a tab follows the table")
            leave(seat, rng)
        finally:
            # Whatever failed above, the tabs must not wait for ever.
            player.http.delete("/v1/sessions/current")
        return [text for done in (*opened, streaming) for text in done.result()]


def followed(gateway: Served) -> set[str]:
    """Return the topics that somebody waits for."""
    topics: set[str] = gateway.gateway.live.wakeups._fanout.topics  # type: ignore[attr-defined]
    return topics


def assert_each_channel_is_whole(heard: list[str]) -> None:
    """Within what one tab heard, a channel goes on from its last snapshot or start, gapless."""
    last: dict[str, int] = {}
    for message in map(json.loads, heard):
        if message["op"] == "ev" and message["ch"] in last:
            known = last[message["ch"]]
            assert message["seq"] == known + 1 or message["seq"] in STARTS, (known, message)
        if message["op"] in {"ev", "snap"}:
            last[message["ch"]] = message["seq"]


def failures(gateway: Served) -> list[str]:
    lines = gateway.gateway.metrics.exposition().decode().splitlines()
    return [line for line in lines if line.startswith("riverboat_live_closes") and "1011" in line]


def test_tabs_whose_person_leaves_in_the_middle_leave_nothing_behind(gateway: Served) -> None:
    for turn in range(ROUNDS):
        with ThreadPoolExecutor(PEOPLE) as people:
            visits = [
                people.submit(visit, gateway, turn * PEOPLE + number) for number in range(PEOPLE)
            ]
            heard = [text for done in visits for text in done.result()]
        assert any(json.loads(text)["op"] == "bye" for text in heard)
    until(lambda: len(gateway.gateway.live.registry) == 0, "all have gone")
    until(lambda: followed(gateway) == set(), "nobody follows anything")
    assert failures(gateway) == []
