"""Hostile and unlucky peers of a served socket: each is told why, and none costs much."""

import io
import json
import logging
import socket as sockets
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from services.gateway.live.settings import LiveSettings
from services.gateway.store.schema import EVENTS, TABLES
from tests.support.gateways import NOON
from tests.support.live_servers import Served, served
from tests.support.player import Player
from tests.support.secrets import cards_in_log
from tests.support.system import until
from tests.support.watchers import COOKIE, HEAR_SECONDS, Socket, event_stream, token_of

LIMITS = LiveSettings(session_seconds=1_000, send_seconds=0.5, burst=20, rate=0.01)


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path / 'tables.sqlite3'}", live=LIMITS) as gateway:
        yield gateway


@pytest.fixture
def player(gateway: Served) -> Iterator[Player]:
    with Player(gateway.base_url) as player:
        player.join("Ana")
        yield player


def refused(gateway: Served, code: int, reason: str, **how: object) -> None:
    with Socket(gateway.ws_url, **how) as socket:  # type: ignore[arg-type]  # passed on
        assert socket.until_closed() == (
            code,
            {"op": "bye", "reason": reason, "retry_ms": None},
        )


def test_another_sites_page_gets_nothing(gateway: Served, player: Player) -> None:
    token = token_of(player)
    for origin in ("https://evil.example", "null", f"{gateway.base_url}.evil.example", "x"):
        refused(gateway, 4403, "forbidden", token=token, origin=origin)
    with Socket(gateway.ws_url, token, origin=gateway.base_url) as socket:
        assert socket.hear()["op"] == "hello"


def test_a_page_without_a_site_gets_nothing_from_a_nameless_host(
    gateway: Served, player: Player
) -> None:
    handshake = (
        "GET /v1/ws HTTP/1.1\r\nHost: \r\nOrigin: null\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: holdem.v1\r\n"
        f"Cookie: {COOKIE}={token_of(player)}\r\n\r\n"
    )
    with sockets.create_connection(("127.0.0.1", gateway.port), HEAR_SECONDS) as wire:
        wire.sendall(handshake.encode())
        told = b""
        while b'"op"' not in told:
            told += wire.recv(4096)
    assert b'{"op":"bye","reason":"forbidden"' in told


def test_another_sites_page_cannot_use_a_ticket_up(gateway: Served, player: Player) -> None:
    ticket = player.post("/v1/ws-tickets", {}, 201)["ticket"]
    url = f"{gateway.ws_url}?ticket={ticket}"
    with Socket(url, origin="https://evil.example") as socket:
        assert socket.until_closed()[0] == 4403
    with Socket(url) as socket:
        assert socket.hear()["op"] == "hello"


def test_nobody_gets_in_without_a_session(gateway: Served) -> None:
    refused(gateway, 4401, "no-session")
    for token in ("nonsense", "x" * 5_000):
        refused(gateway, 4401, "no-session", token=token)
    for ticket in ("", "nonsense", "x" * 5_000, "%F0%9F%83%8F"):
        with Socket(f"{gateway.ws_url}?ticket={ticket}") as socket:
            assert socket.until_closed()[0] == 4401


@pytest.mark.parametrize("offered", [(), ("chat",), ("holdem.v2",)])
def test_who_does_not_speak_our_language_is_told(
    gateway: Served, player: Player, offered: tuple[str, ...]
) -> None:
    with Socket(gateway.ws_url, token_of(player), subprotocols=offered) as socket:
        assert socket.wire.subprotocol is None
        assert socket.until_closed()[0] == 1002


def test_of_several_languages_ours_is_chosen(gateway: Served, player: Player) -> None:
    with Socket(gateway.ws_url, token_of(player), subprotocols=("chat", "holdem.v1")) as socket:
        assert socket.wire.subprotocol == "holdem.v1"
        assert socket.hear()["op"] == "hello"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("x" * 4097, 1009),
        ("é" * 2049, 1009),
        ("x" * 1_000_000, 1009),
        (b"\x00", 1003),
        (b"{}", 1003),
    ],
)
def test_what_is_no_small_text_ends_the_connection(
    gateway: Served, player: Player, message: str | bytes, code: int
) -> None:
    with Socket(gateway.ws_url, token_of(player)) as socket:
        socket.hear_op("hello")
        socket.send(message)
        assert socket.until_closed()[0] == code


def test_a_message_in_many_parts_is_bounded_as_a_whole(gateway: Served, player: Player) -> None:
    with Socket(gateway.ws_url, token_of(player)) as socket:
        socket.hear_op("hello")
        with pytest.raises(ConnectionClosed):
            socket.wire.send("x" * 100 for _ in range(100_000))
        # Who still sends when the other side has closed may never hear why (1006).
        assert socket.until_closed()[0] in {1009, 1006}


def test_the_largest_message_is_read(gateway: Served, player: Player) -> None:
    with Socket(gateway.ws_url, token_of(player)) as socket:
        socket.hear_op("hello")
        order = '{"op":"ping","t":1}'
        socket.send(order + " " * (4096 - len(order)))
        assert socket.hear() == {"op": "pong", "t": 1}


@pytest.mark.parametrize(
    "message",
    ["", "nonsense", "[" * 4000, '{"op":"act","type":"fold"}', '{"op":"sub"}', "null", "\x00"],
)
def test_nonsense_is_refused_and_the_talk_goes_on(
    gateway: Served, player: Player, message: str
) -> None:
    with Socket(gateway.ws_url, token_of(player)) as socket:
        session = socket.hear()["session"]
        socket.send(message)
        refusal = socket.hear()
        assert refusal["op"] == "err"
        assert refusal["problem"]["status"] in {400, 422}
        assert refusal["problem"]["instance"] == f"urn:riverboat:request:{session}"
        socket.say(op="ping", t="still here")
        assert socket.hear() == {"op": "pong", "t": "still here"}


def test_a_flood_of_messages_ends_the_connection(gateway: Served, player: Player) -> None:
    with Socket(gateway.ws_url, token_of(player)) as socket:
        for _ in range(25):
            socket.say(op="ping")
        code, bye = socket.until_closed()
        assert code == 4429
        assert bye is not None
        assert bye["retry_ms"] >= 10_000


def test_many_channels_are_bounded(gateway: Served, player: Player) -> None:
    tables = []
    for _ in range(LIMITS.subscriptions + 1):
        seat = player.sit_down()
        seat.act("fold")
        seat.settle()
        tables.append(f"table:{seat.table_id}")
    with Socket(gateway.ws_url, token_of(player)) as socket:
        socket.hear_op("hello")
        for channel in tables:
            socket.sub(channel)
        refusal = socket.hear_op("err")
        assert refusal["ch"] == tables[-1]
        assert refusal["problem"]["ratelimit"]["key"] == "subscriptions"
        topics = gateway.gateway.live.wakeups._fanout.topics  # type: ignore[attr-defined]
        followed = [topic for topic in topics if topic.startswith("t_")]
        assert len(followed) == LIMITS.subscriptions


def test_a_sixth_connection_ends_the_oldest(gateway: Served, player: Player) -> None:
    seat = player.sit_down()
    token = token_of(player)
    with ExitStack() as stack:
        oldest = stack.enter_context(Socket(gateway.ws_url, token))
        oldest.hear_op("hello")
        others = [stack.enter_context(Socket(gateway.ws_url, token)) for _ in range(4)]
        for socket in others:
            socket.hear_op("hello")
        stream = stack.enter_context(event_stream(player, seat.table_id))
        assert stream.hear()[1]["op"] == "hello"
        assert oldest.until_closed() == (
            4409,
            {"op": "bye", "reason": "replaced", "retry_ms": None},
        )
        others[0].say(op="ping")
        assert others[0].hear()["op"] == "pong"


def test_an_address_has_twenty_places(gateway: Served) -> None:
    with ExitStack() as stack:
        for number in range(20):
            guest = stack.enter_context(Player(gateway.base_url))
            guest.join(f"Guest {number}")
            socket = stack.enter_context(Socket(gateway.ws_url, token_of(guest)))
            assert socket.hear()["op"] == "hello"
        late = stack.enter_context(Socket(gateway.ws_url, token_of(guest)))
        code, bye = late.until_closed()
        assert code == 4429
        assert bye is not None
        assert bye["retry_ms"] is not None


def grow_log(gateway: Served, table_id: str, events: int, event_bytes: int) -> None:
    """Make a table's log long, as if a lot had happened."""
    extras = json.dumps({"note": "x" * event_bytes})
    with gateway.sql_engine.begin() as connection:
        mine = TABLES.c.table_id == table_id
        last = connection.execute(sa.select(TABLES.c.last_seq).where(mine)).scalar_one()
        row = {"table_id": table_id, "name": "note", "at": NOON, "extras": extras}
        rows = [{**row, "seq": seq} for seq in range(last + 1, last + events + 1)]
        connection.execute(sa.insert(EVENTS), rows)
        connection.execute(sa.update(TABLES).where(mine).values(last_seq=last + events))


def test_a_stream_that_nobody_reads_is_dropped(gateway: Served, player: Player) -> None:
    seat = player.sit_down()
    grow_log(gateway, seat.table_id, 3_000, 10_000)
    request = (
        f"GET /v1/tables/{seat.table_id}/events?since=0 HTTP/1.1\r\nHost: here\r\n"
        f"Accept: text/event-stream\r\nAuthorization: Bearer {token_of(player)}\r\n\r\n"
    )
    with sockets.socket() as deaf:
        deaf.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", gateway.port))
        deaf.sendall(request.encode())
        registry = gateway.gateway.live.registry
        until(lambda: len(registry) == 1, "the stream is open")
        until(lambda: len(registry) == 0, "the deaf stream is dropped")
    seat.refresh()


def test_a_socket_that_nobody_reads_is_dropped(gateway: Served, player: Player) -> None:
    seat = player.sit_down()
    grow_log(gateway, seat.table_id, 3_000, 10_000)
    with Socket(gateway.ws_url, token_of(player), max_queue=1) as socket:
        socket.hear_op("hello")
        socket.sub(f"table:{seat.table_id}", since=0)
        registry = gateway.gateway.live.registry
        until(lambda: len(registry) == 0, "the deaf socket is dropped")
        seat.refresh()
        socket.deafen()


def test_no_ticket_token_or_card_is_logged(
    gateway: Served, player: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        seat = player.sit_down()
        ticket = player.post("/v1/ws-tickets", {}, 201)["ticket"]
        with Socket(f"{gateway.ws_url}?ticket={ticket}") as socket:
            socket.hear_op("hello")
            socket.sub(f"table:{seat.table_id}")
            socket.hear_op("snap")
            socket.send(json.dumps({"op": "sub", "ch": ticket}))
            socket.hear_op("err")
        until(lambda: "live closed" in output.getvalue(), "the end is logged")
    assert "/v1/ws" in caplog.text
    log = output.getvalue() + caplog.text
    for secret in (ticket, token_of(player)):
        assert secret not in log
    assert cards_in_log(log) == []
