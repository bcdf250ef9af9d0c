"""A hand is played through REST while a socket and a stream follow it."""

from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from tests.support.live_servers import CALM, Served, served
from tests.support.player import MatchSeat, Player
from tests.support.watchers import HEAR_SECONDS, Socket, event_stream, token_of


@pytest.fixture
def gateway(database_url: str) -> Iterator[Served]:
    with served(database_url, live=replace(CALM, session_seconds=0.2)) as gateway:
        yield gateway


@pytest.fixture
def seat(gateway: Served) -> Iterator[MatchSeat]:
    with Player(gateway.base_url) as player:
        player.join("Ana")
        yield player.sit_down()


@pytest.fixture
def socket(gateway: Served, seat: MatchSeat) -> Iterator[Socket]:
    with Socket(gateway.ws_url, token_of(seat.player)) as socket:
        hello = socket.hear()
        assert hello["op"] == "hello"
        assert hello["ping_s"] == 15
        yield socket


def play_out(seat: MatchSeat) -> None:
    while seat.legal is not None:
        seat.act("check" if seat.legal["can_check"] else "call")


def last_seq(seat: MatchSeat) -> int:
    return int(seat.player.get(f"/v1/tables/{seat.table_id}/events?limit=1")["last_seq"])


def logged(seat: MatchSeat, since: int = 0) -> list[dict[str, object]]:
    path = f"/v1/tables/{seat.table_id}/events?limit=100&since={since}"
    return list(seat.player.get(path)["items"])


def test_a_socket_and_a_stream_tell_a_hand_as_rest_does(seat: MatchSeat, socket: Socket) -> None:
    channel = f"table:{seat.table_id}"
    socket.sub(channel)
    snap = socket.hear()
    assert (snap["op"], snap["ch"]) == ("snap", channel)
    assert snap["data"] == {**seat.refresh(), "server_time": snap["data"]["server_time"]}
    assert socket.hear() == {"op": "synced", "ch": channel, "seq": snap["seq"]}
    with event_stream(seat.player, seat.table_id) as stream:
        assert stream.hear_op("snap")["seq"] == snap["seq"]
        assert stream.hear_op("synced")["seq"] == snap["seq"]
        play_out(seat)
        end = last_seq(seat)
        told, streamed = socket.events_until(end), stream.events_until(end)
    expected = [{"op": "ev", "ch": channel, **event} for event in logged(seat, snap["seq"])]
    assert told == streamed == expected
    assert [event["seq"] for event in told] == list(range(snap["seq"] + 1, end + 1))
    assert told[-1]["type"] == "hand.ended"


def test_a_watcher_that_comes_back_gets_exactly_what_it_missed(
    gateway: Served, seat: MatchSeat, socket: Socket
) -> None:
    channel = f"table:{seat.table_id}"
    socket.sub(channel)
    seq = socket.hear_op("synced")["seq"]
    socket.wire.close()
    play_out(seat)
    seat.next_hand()
    missed = [{"op": "ev", "ch": channel, **event} for event in logged(seat, seq)]
    with Socket(gateway.ws_url, token_of(seat.player)) as again:
        again.hear_op("hello")
        again.sub(channel, since=seq)
        end = last_seq(seat)
        assert again.events_until(end) == missed
        assert again.hear() == {"op": "synced", "ch": channel, "seq": end}
    with event_stream(seat.player, seat.table_id, **{"Last-Event-ID": str(seq)}) as stream:
        assert stream.hear_op("hello")
        assert stream.events_until(end) == missed
        assert stream.hear()[1]["op"] == "synced"


def test_a_number_from_the_future_is_answered_with_a_snapshot(
    seat: MatchSeat, socket: Socket
) -> None:
    socket.sub(f"table:{seat.table_id}", since=9_999)
    assert socket.hear()["op"] == "snap"
    response = seat.player.http.get(
        f"/v1/tables/{seat.table_id}/events?since=9999", headers={"Accept": "text/event-stream"}
    )
    assert response.status_code == 410
    assert response.json()["type"].endswith("/events-trimmed")


def test_the_lobby_and_ones_own_channel_tell_when_a_match_ends(
    gateway: Served, seat: MatchSeat, socket: Socket
) -> None:
    socket.sub("lobby")
    lobby = socket.hear()
    assert lobby["seq"] == 1
    assert lobby["data"]["resume"]["match_id"] == seat.match_id
    assert socket.hear()["op"] == "synced"
    socket.sub("user:me")
    assert socket.hear() == {"op": "snap", "ch": "user:me", "seq": 0, "data": {"notices": []}}
    assert socket.hear()["op"] == "synced"
    play_out(seat)
    seat.settle()
    ended = socket.hear()
    assert (ended["ch"], ended["seq"], ended["type"]) == ("lobby", 2, "match.settled")
    assert ended["data"]["match_id"] == seat.match_id
    gateway.clock.advance(minutes=1)
    second = seat.player.sit_down()
    begun = socket.hear()
    assert (begun["seq"], begun["type"]) == (3, "match.started")
    assert begun["data"] == {"match_id": second.match_id, "table_id": second.table_id}


def test_what_happened_without_its_player_is_told_on_their_own_channel(
    gateway: Served, seat: MatchSeat, socket: Socket
) -> None:
    socket.sub("user:me")
    assert socket.hear_op("synced")["seq"] == 0
    play_out(seat)
    seat.next_hand()
    for _ in range(2):
        assert seat.legal is not None
        seat.act("check" if seat.legal["can_check"] else "call")
    gateway.clock.advance(hours=25)
    assert seat.player.get("/v1/lobby")["resume"] is None
    told = socket.events_until(2)
    assert [event["seq"] for event in told] == [1, 2]
    assert {event["type"] for event in told} == {"hand.ai_decided", "match.settled"}
    assert all(event["ch"] == "user:me" for event in told)
    assert {event["data"]["match_id"] for event in told} == {seat.match_id}
    with Socket(gateway.ws_url, token_of(seat.player)) as later:
        later.hear_op("hello")
        later.sub("user:me", since=1)
        assert later.hear() == told[1]
        later.sub("user:me")
        snap = later.hear_op("snap")
        assert snap["seq"] == 2
        assert [notice["seq"] for notice in snap["data"]["notices"]] == [1, 2]


def test_a_ticket_opens_one_socket(gateway: Served, seat: MatchSeat) -> None:
    ticket = seat.player.post("/v1/ws-tickets", {}, 201)
    assert ticket["expires_in"] == 30
    url = f"{gateway.ws_url}?ticket={ticket['ticket']}"
    with Socket(url) as socket:
        socket.hear_op("hello")
        socket.sub(f"table:{seat.table_id}")
        assert socket.hear()["op"] == "snap"
    with Socket(url) as again:
        assert again.until_closed()[0] == 4401
    late = seat.player.post("/v1/ws-tickets", {}, 201)["ticket"]
    gateway.clock.advance(seconds=31)
    with Socket(f"{gateway.ws_url}?ticket={late}") as socket:
        assert socket.until_closed() == (
            4401,
            {"op": "bye", "reason": "no-session", "retry_ms": None},
        )


def test_a_bearer_token_opens_a_socket(gateway: Served, seat: MatchSeat) -> None:
    with Socket(gateway.ws_url, token_of(seat.player), bearer=True) as socket:
        assert socket.hear()["op"] == "hello"


def test_other_peoples_tables_and_unknown_channels_are_refused(
    gateway: Served, seat: MatchSeat
) -> None:
    with Player(gateway.base_url) as stranger:
        stranger.join("Ben")
        with Socket(gateway.ws_url, token_of(stranger)) as socket:
            socket.hear_op("hello")
            for channel, problem in (
                (f"table:{seat.table_id}", "not-seated"),
                ("table:t_00000000000000000000", "not-found"),
                ("party:p_1", "not-found"),
                ("user:u_00000000000000000000", "not-found"),
            ):
                socket.sub(channel)
                refused = socket.hear()
                assert (refused["op"], refused["ch"]) == ("err", channel)
                assert refused["problem"]["type"].endswith(f"/v1/problems/{problem}")
        response = stranger.http.get(
            f"/v1/tables/{seat.table_id}/events", headers={"Accept": "text/event-stream"}
        )
        assert response.status_code == 403


def test_a_drain_says_goodbye_and_ends_streams(gateway: Served, seat: MatchSeat) -> None:
    with (
        Socket(gateway.ws_url, token_of(seat.player)) as socket,
        event_stream(seat.player, seat.table_id) as stream,
    ):
        socket.hear_op("hello")
        stream.hear_op("synced")
        gateway.run(gateway.gateway.live.drain())
        code, bye = socket.until_closed()
        assert code == 1012
        assert bye is not None
        assert bye["reason"] == "restart"
        assert 1_000 <= bye["retry_ms"] < 2_000
        assert stream.hear_op("bye")["reason"] == "restart"
        with pytest.raises(EOFError):
            stream.hear()
        with Socket(gateway.ws_url, token_of(seat.player)) as late:
            assert late.until_closed()[0] == 1012
        response = seat.player.http.get(
            f"/v1/tables/{seat.table_id}/events",
            headers={"Accept": "text/event-stream"},
            timeout=HEAR_SECONDS,
        )
        assert response.status_code == 503
        assert response.json()["type"].endswith("/draining")


def test_signing_out_ends_the_socket_and_the_stream(gateway: Served, seat: MatchSeat) -> None:
    token = token_of(seat.player)
    with (
        Socket(gateway.ws_url, token) as socket,
        event_stream(seat.player, seat.table_id) as stream,
    ):
        socket.hear_op("hello")
        stream.hear_op("synced")
        response = httpx.delete(
            f"{gateway.base_url}/v1/sessions/current",
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
        )
        assert response.status_code == 204
        assert socket.until_closed()[0] == 4401
        assert stream.hear_op("bye")["reason"] == "no-session"
