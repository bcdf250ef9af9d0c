"""Two gateway processes on one PostgreSQL: who acts on one is watched on the other."""

from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed

from services.common.database import migrate, open_engine
from services.gateway.app import MIGRATIONS
from services.local import free_ports
from tests.support.live_servers import ServedProcess, served_process
from tests.support.player import MatchSeat, Player
from tests.support.watchers import COOKIE, Socket, event_stream, token_of

HANDS = 4

Replicas = tuple[ServedProcess, ServedProcess]


@pytest.fixture
def replicas(postgres_url: str) -> Iterator[Replicas]:
    engine = open_engine(postgres_url)
    migrate(engine, MIGRATIONS)
    engine.dispose()
    first, second = free_ports(2)
    with served_process(postgres_url, first) as one, served_process(postgres_url, second) as two:
        yield one, two


def play_out(seat: MatchSeat) -> None:
    while seat.legal is not None:
        seat.act("check" if seat.legal["can_check"] else "call")


def last_seq(seat: MatchSeat) -> int:
    return int(seat.player.get(f"/v1/tables/{seat.table_id}/events?limit=1")["last_seq"])


def test_hands_played_on_one_gateway_are_told_by_the_other(replicas: Replicas) -> None:
    here, there = replicas
    with Player(here.base_url) as player, Player(there.base_url) as elsewhere:
        player.join("Ana")
        elsewhere.http.cookies.set(COOKIE, token_of(player))
        seat = player.sit_down()
        channel = f"table:{seat.table_id}"
        with (
            Socket(there.ws_url, token_of(player)) as socket,
            event_stream(elsewhere, seat.table_id) as stream,
        ):
            socket.hear_op("hello")
            socket.sub(channel)
            seq = socket.hear_op("synced")["seq"]
            assert stream.hear_op("synced")["seq"] == seq
            for _ in range(HANDS):
                play_out(seat)
                end = last_seq(seat)
                told = socket.events_until(end)
                assert told == stream.events_until(end)
                assert [event["seq"] for event in told] == list(range(seq + 1, end + 1))
                assert told[-1]["type"] == "hand.ended"
                seq = end
                if not seat.state["match"]["can_next_hand"]:
                    break
                seat.next_hand()


def test_a_match_played_on_both_in_turn_is_one_story(replicas: Replicas) -> None:
    with Player(replicas[0].base_url) as one, Player(replicas[1].base_url) as two:
        one.join("Ana")
        two.http.cookies.set(COOKIE, token_of(one))
        seat = one.sit_down()
        with (
            Socket(replicas[0].ws_url, token_of(one)) as left,
            Socket(replicas[1].ws_url, token_of(one)) as right,
        ):
            for socket in (left, right):
                socket.hear_op("hello")
                socket.sub(f"table:{seat.table_id}", since=0)
            turn = 0
            while seat.legal is not None:
                seat.player = (two, one)[turn % 2]
                seat.act("check" if seat.legal["can_check"] else "call")
                turn += 1
            end = last_seq(seat)
            stories = [
                [message for message in collect(socket, end) if message["op"] == "ev"]
                for socket in (left, right)
            ]
        assert stories[0] == stories[1]
        assert [event["seq"] for event in stories[0]] == list(range(1, end + 1))


def test_a_gateway_that_dies_takes_no_event_along(replicas: Replicas) -> None:
    dying, living = replicas
    with Player(dying.base_url) as one, Player(living.base_url) as two:
        one.join("Ana")
        two.http.cookies.set(COOKIE, token_of(one))
        seat = one.sit_down()
        channel = f"table:{seat.table_id}"
        with Socket(living.ws_url, token_of(one)) as faithful:
            faithful.sub(channel, since=0)
            with Socket(dying.ws_url, token_of(one)) as orphan:
                orphan.sub(channel, since=0)
                seq = orphan.hear_op("synced")["seq"]
                dying.kill()
                with pytest.raises(ConnectionClosed):
                    orphan.hear()
            seat.player = two
            play_out(seat)
            end = last_seq(seat)
            with Socket(living.ws_url, token_of(one)) as returning:
                returning.sub(channel, since=seq)
                seqs = [message["seq"] for message in collect(returning, end) if "type" in message]
                assert seqs == list(range(seq + 1, end + 1))
            seqs = [message["seq"] for message in collect(faithful, end) if "type" in message]
            assert seqs == list(range(1, end + 1))


def collect(socket: Socket, seq: int) -> list[dict[str, object]]:
    """Everything up to an event."""
    heard: list[dict[str, object]] = []
    while not heard or (heard[-1]["op"], heard[-1].get("seq")) != ("ev", seq):
        heard.append(socket.hear())
    return heard
