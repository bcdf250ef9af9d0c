"""What makes chaos does what it says, and what watches it finds what is wrong."""

import asyncio
import random
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from services.common.database import open_engine
from tests.simulation.chaos import HEAD, Felt
from tests.simulation.chaos_crowd import Crowd, UnexpectedError, Watch
from tests.simulation.chaos_faults import LINKS, PARTS, WEATHERS, Fault, How, draw
from tests.simulation.chaos_proxy import DELAY_SECONDS, Network, Weather, network
from tests.simulation.door import LostError

ANSWER_SECONDS = 30.0


@pytest.fixture
def net() -> Iterator[Network]:
    with network(seed=1) as found:
        yield found


@pytest.fixture
def wire(net: Network) -> Iterator[tuple[socket.socket, socket.socket]]:
    """Both ends of a connection through the link ``here``."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = net.route("here", f"127.0.0.1:{server.getsockname()[1]}").rpartition(":")[2]
        client = socket.create_connection(("127.0.0.1", int(port)), ANSWER_SECONDS)
        far, _ = server.accept()
        far.settimeout(ANSWER_SECONDS)
        with client, far:
            yield client, far


def is_over(end: socket.socket) -> bool:
    try:
        return end.recv(100) == b""
    except ConnectionResetError:
        return True


def test_a_proxy_passes_everything_on_in_order(wire: tuple[socket.socket, socket.socket]) -> None:
    client, far = wire
    sent = random.Random(1).randbytes(300_000)
    client.sendall(sent)
    client.shutdown(socket.SHUT_WR)
    assert b"".join(iter(lambda: far.recv(65_536), b"")) == sent
    far.sendall(b"thanks")
    assert client.recv(100) == b"thanks"


def test_a_late_link_is_late_and_keeps_the_order(
    net: Network, wire: tuple[socket.socket, socket.socket]
) -> None:
    client, far = wire
    net.become("here", Weather.DELAY)
    began = time.monotonic()
    for word in (b"one ", b"two ", b"three"):
        client.sendall(word)
    client.shutdown(socket.SHUT_WR)
    assert b"".join(iter(lambda: far.recv(100), b"")) == b"one two three"
    assert time.monotonic() - began >= DELAY_SECONDS


def test_a_stalled_link_passes_nothing_until_it_is_fair_again(
    net: Network, wire: tuple[socket.socket, socket.socket]
) -> None:
    client, far = wire
    net.become("here", Weather.STALL)
    client.sendall(b"hello")
    far.settimeout(0.2)
    with pytest.raises(TimeoutError):
        far.recv(100)
    far.settimeout(ANSWER_SECONDS)
    net.become("here", Weather.FAIR)
    assert far.recv(100) == b"hello"


def test_a_cut_ends_connections_and_lets_none_through(
    net: Network, wire: tuple[socket.socket, socket.socket]
) -> None:
    client, far = wire
    net.become("here", Weather.CUT)
    assert is_over(client)
    assert is_over(far)
    port = net.links["here"].port
    with socket.create_connection(("127.0.0.1", port), ANSWER_SECONDS) as again:
        assert is_over(again)


def test_every_part_and_link_is_hit_in_every_way() -> None:
    count = 2 * len(PARTS) + len(WEATHERS) * len(LINKS)
    faults = draw(random.Random(3), count, 5, 30, namespace=False)
    assert len({(fault.how, fault.target) for fault in faults}) == count
    assert all(5 <= fault.seconds <= 30 for fault in faults)
    assert faults == draw(random.Random(3), count, 5, 30, namespace=False)
    with_lossy = draw(random.Random(3), count + 2, 5, 30, namespace=True)
    assert Counter(fault.how for fault in with_lossy)[How.SHAPE] == 2


@pytest.mark.parametrize(
    ("how", "target", "gateway"),
    [
        (How.KILL, "gateway-2", "gateway-2"),
        (How.CUT, "client-gateway-1", "gateway-1"),
        (How.DELAY, "client-gateway-1", None),
        (How.KILL, "database", None),
        (How.CUT, "gateway-database", None),
    ],
)
def test_only_who_cannot_reach_a_gateway_may_be_without_an_answer(
    how: How, target: str, gateway: str | None
) -> None:
    assert Fault(how, target, 1.0).hits_gateway == gateway


def test_silence_and_recovery_are_measured_from_what_was_done() -> None:
    watch = Watch(done=[(0.5, 1.0, 1), (1.0, 2.0, 1), (4.5, 5.0, 2), (6.0, 6.5, 1)])
    assert watch.longest_silence(1.5, 7.0) == 3.0
    assert watch.first_done(3.0, 1) == 6.5
    assert watch.first_done(3.0, 2) == 5.0
    assert watch.first_done(5.0, 2) is None


def test_a_fault_is_told_in_a_row_of_the_table() -> None:
    told = Counter({"503 unavailable": 3, "no answer": 1})
    felt = Felt(Fault(How.PAUSE, "ledger", 5.0), 5.25, 0.5, 1.0, 2.0, 12.0, told)
    row = (
        "| SIGSTOP | ledger | 5.2 | 0.5 | 1.0 | 2.0 | 12.0 | 3 of 503 unavailable, 1 of no answer |"
    )
    assert felt.row() == row
    assert row.count("|") == HEAD.splitlines()[0].count("|")


class TestWhatClientsMayBeTold:
    """`Crowd` listens to every answer."""

    @pytest.fixture
    def crowd(self, tmp_path: Path) -> Iterator[Crowd]:
        engine = open_engine(f"sqlite:///{tmp_path}/tables.sqlite3")
        yield Crowd(1, 1, 0.1, [1], engine)
        engine.dispose()

    def ask(self, crowd: Crowd, status: int, headers: dict[str, str]) -> int:
        body = {"type": "/v1/problems/some", "title": "Some"}

        def answer(_: httpx.Request) -> httpx.Response:
            return httpx.Response(status, headers=headers, json=body)

        return self.carried(crowd, answer)

    def carried(self, crowd: Crowd, answer: httpx.MockTransport | object) -> int:
        async def go() -> int:
            transport = httpx.MockTransport(answer)  # type: ignore[arg-type]  # a handler
            async with httpx.AsyncClient(transport=transport) as http:
                status, _, _ = await crowd.carry(http, 0)("POST", "/v1/matches", {}, {})
                return status

        return asyncio.run(go())

    def test_unavailable_with_retry_after_is_fine(self, crowd: Crowd) -> None:
        assert self.ask(crowd, 503, {"Retry-After": "1"}) == 503
        assert [what for _, what in crowd.watch.refused] == ["503 some"]

    @pytest.mark.parametrize(
        ("status", "headers"), [(500, {"Retry-After": "1"}), (503, {}), (502, {"Retry-After": "1"})]
    )
    def test_anything_else_is_found_out(
        self, crowd: Crowd, status: int, headers: dict[str, str]
    ) -> None:
        with pytest.raises(UnexpectedError):
            self.ask(crowd, status, headers)

    def test_no_answer_is_found_out_unless_the_gateway_was_away(self, crowd: Crowd) -> None:
        def no_answer(request: httpx.Request) -> httpx.Response:
            raise httpx.ReadError("gone", request=request)

        with pytest.raises(UnexpectedError):
            self.carried(crowd, no_answer)
        fault = Fault(How.KILL, "gateway-1", 1.0)
        crowd.watch.fault_begins(fault)
        with pytest.raises(LostError):
            self.carried(crowd, no_answer)
        crowd.watch.fault_ends(fault)
        with pytest.raises(LostError):
            self.carried(crowd, no_answer)
