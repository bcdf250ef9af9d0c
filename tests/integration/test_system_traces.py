"""One hand, one trace: from the click through engine, bot and outbox to the ledger's entry."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock

import grpc
import pytest
from sqlalchemy.engine import Engine
from starlette.types import Receive, Scope, Send

from proto.bot.v1 import bot_pb2_grpc
from services.bot.baselines import Caller
from services.bot.pool import DecisionPool
from services.bot.service import SERVICE_NAME as BOT
from services.bot.service import BotServicer
from services.bot.strategy import Decision
from services.common import tracing
from services.common.channels import open_channel
from services.common.codec import BotView
from services.common.database import open_engine, reading
from services.common.eventlog.embedded import EmbeddedSource
from services.common.eventlog.kafka import KafkaSink, KafkaSource
from services.common.eventlog.port import EventSource
from services.common.eventlog.relay import Relay
from services.common.grpc_server import GrpcServer, ServerOptions
from services.common.logs import configure_logging, get_logger
from services.common.tracing import Kind, new_traceparent, traced_as
from services.engine.app import register as register_engine
from services.engine.service import SERVICE_NAME as ENGINE
from services.gateway.edge import Edge
from services.gateway.engine_client import EngineClient
from services.gateway.metrics import Metrics
from services.gateway.river_client import RiverClient
from services.gateway.store import queries
from services.ledger.consumer import Consumer
from services.ledger.store import upgrade
from tests.support.gateways import Guest, House, open_house
from tests.support.list_logs import ListSink, ListSource, drain
from tests.support.live_servers import served
from tests.support.player import Player
from tests.support.system import until
from tests.support.traces import Spans, name_of, recording, trace_of
from tests.support.watchers import Socket, token_of

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
CLICK = f"00-{TRACE_ID}-b7ad6b7169203331-00"
"""A client's trace; its wish not to be recorded is not ours."""

ACTION = "POST /tables/{table_id}/actions (server)"
OPTIONS = ServerOptions("127.0.0.1:0", lame_duck_seconds=0, grace_seconds=5)
ARRIVE_SECONDS = 60.0


class CallerPool(DecisionPool):
    """The bot's pool, but without its processes: what decides is simple."""

    async def decide(self, view: BotView, seed: int) -> Decision:
        return Decision(Caller().act(view, seed), "caller", "caller")


@dataclass
class Site:
    """A gateway whose engine and bot are asked over sockets, and a ledger."""

    house: House
    ledger: Engine
    guest: Guest

    def play_a_hand(self) -> None:
        """Play a hand to its end, every click of it in the client's trace."""
        seat = self.guest.sit_down()
        self.guest.http.headers["traceparent"] = CLICK
        seat.play_out()
        del self.guest.http.headers["traceparent"]
        assert seat.legal is None


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    ledger = open_engine(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    upgrade(ledger)
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house, wired(house):
        yield Site(house, ledger, house.guest("Quillfeather"))
    ledger.dispose()


@contextmanager
def wired(house: House) -> Iterator[None]:
    """Put real servers behind the gateway's two clients."""
    pool = CallerPool(1)

    def register_bot(server: grpc.aio.Server) -> None:
        bot_pb2_grpc.add_BotServiceServicer_to_server(BotServicer(pool), server)

    async def start() -> tuple[list[GrpcServer], list[grpc.aio.Channel]]:
        servers = [
            GrpcServer(register_engine, (ENGINE,), OPTIONS),
            GrpcServer(register_bot, (BOT,), OPTIONS),
        ]
        ports = [await server.start() for server in servers]
        return servers, [
            open_channel(f"127.0.0.1:{port}", deadline_seconds=ARRIVE_SECONDS) for port in ports
        ]

    async def stop(servers: list[GrpcServer], channels: list[grpc.aio.Channel]) -> None:
        for channel in channels:
            await channel.close()
        for server in servers:
            await server.drain()

    servers, channels = house.run(start())
    local = house.gateway
    object.__setattr__(local.rules, "_engine", EngineClient(channels[0]))
    object.__setattr__(local.driver, "_river", RiverClient(channels[1]))
    try:
        yield
    finally:
        house.run(stop(servers, channels))
        pool.close()


@pytest.fixture
def spans() -> Iterator[Spans]:
    with recording() as spans:
        yield spans


def apply_until(ledger: Engine, source: EventSource, true: Callable[[], bool]) -> None:
    consumer = Consumer(ledger, source)
    give_up = time.monotonic() + ARRIVE_SECONDS
    while not true():
        assert time.monotonic() < give_up
        consumer.run_once(0.5)


def test_a_hand_is_one_tree_from_the_click_to_the_ledger(site: Site, spans: Spans) -> None:
    site.play_a_hand()
    drain(Consumer(site.ledger, EmbeddedSource(site.house.sql_engine, 0)))
    paths = spans.paths(TRACE_ID)
    engine = ("EngineService/Act (client)", "EngineService/Act (server)")
    bot = ("BotService/Decide (client)", "BotService/Decide (server)", "decide")
    assert (ACTION, *engine) in paths
    assert (ACTION, *bot) in paths
    told = (ACTION, "database write", "outbox append", "apply riverboat.hand.settled.v1")
    assert told in paths
    # One tree: every other path goes on from one that is there, and all begin with the click.
    assert {path[0] for path in paths} == {ACTION}
    assert all(path[:-1] in paths for path in paths if len(path) > 1)


def test_what_goes_through_a_broker_stays_in_the_tree(site: Site, spans: Spans) -> None:
    site.play_a_hand()
    sink = ListSink()
    Relay(site.house.sql_engine, sink).run_once()
    drain(Consumer(site.ledger, ListSource(sink.records)))
    settled = "riverboat.hand.settled.v1"
    told = (ACTION, "database write", "outbox append", f"publish {settled}", f"apply {settled}")
    assert told in spans.paths(TRACE_ID)


def test_the_tree_leads_through_kafka(
    site: Site, spans: Spans, kafka_bootstrap: str, kafka_topic: str
) -> None:
    site.play_a_hand()
    sink = KafkaSink(kafka_bootstrap, kafka_topic)
    source = KafkaSource(kafka_bootstrap, "traces", kafka_topic)
    settled = "riverboat.hand.settled.v1"
    told = (ACTION, "database write", "outbox append", f"publish {settled}", f"apply {settled}")
    try:
        Relay(site.house.sql_engine, sink).run_once()
        apply_until(site.ledger, source, lambda: told in spans.paths(TRACE_ID))
        assert set(source.lag().values()) == {0}
    finally:
        source.close()
        sink.close()


def test_spans_say_nothing_about_cards_people_and_secrets(site: Site, spans: Spans) -> None:
    site.play_a_hand()
    drain(Consumer(site.ledger, EmbeddedSource(site.house.sql_engine, 0)))
    allowed = {
        "http.request.method",
        "http.route",
        "http.response.status_code",
        "rpc.system",
        "rpc.method",
        "riverboat.stage",
        "error.type",
    }
    secrets = [str(site.guest.user["id"]), "Quillfeather", *site.guest.http.cookies.values()]
    assert len(secrets) > 2
    for span in spans.all:
        assert set(span.attributes or {}) <= allowed
        assert not span.events
        text = f"{span.name} {dict(span.attributes or {})}"
        assert not any(secret in text for secret in secrets)
        assert not re.search(r"\b(t|m|h|u)_[0-9A-Za-z]{6,}", text), text


def test_a_request_without_a_trace_begins_one_of_its_own(site: Site, spans: Spans) -> None:
    site.guest.sit_down()
    sat = [span for span in spans.all if span.name == "POST /matches"]
    assert [span.parent for span in sat] == [None]
    assert trace_of(sat[0]) != TRACE_ID


def test_a_subscription_is_a_request_too(tmp_path: Path, spans: Spans) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with served(url) as gateway, Player(gateway.base_url) as player:
        player.join("Ana")
        with Socket(gateway.ws_url, token_of(player)) as socket:
            socket.hear_op("hello")
            socket.sub("user:me")
            socket.hear_op("snap")

        def found() -> list[str]:
            return [name_of(span) for span in spans.all if span.name == "WS sub"]

        until(lambda: found() == ["WS sub (server)"], "the subscription has a span")


def test_probes_and_idle_sweeps_leave_no_span(site: Site, spans: Spans) -> None:
    spans.exporter.clear()
    site.guest.send("GET", "/healthz")
    site.guest.send("GET", "/metrics")
    site.guest.send("GET", "/readyz")
    site.house.run(site.house.gateway.sweeper.sweep())
    assert spans.all == []


def test_what_nobody_asked_for_is_traced_by_itself(site: Site, spans: Spans) -> None:
    seat = site.guest.sit_down()
    site.house.clock.advance(days=400)
    spans.exporter.clear()
    site.house.run(site.house.gateway.sweeper.sweep())
    with reading(site.house.sql_engine) as connection:
        assert queries.find_open_table(connection, site.guest.user["id"]) is None, seat.match_id
    ended = [span for span in spans.all if span.name == "sweep end"]
    assert [span.parent for span in ended] == [None]
    assert ("sweep end", "database write", "outbox append") in spans.paths(trace_of(ended[0]))


def test_how_much_is_traced_is_not_for_strangers_to_say(site: Site) -> None:
    with recording(share=0.0) as spans:
        site.guest.http.headers["traceparent"] = CLICK[:-1] + "1"
        site.guest.sit_down()
        assert spans.all == []


def test_nor_is_it_for_those_who_open_a_socket() -> None:
    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        with tracing.span("database write"):
            pass
        with tracing.span("WS sub", Kind.SERVER, parent=tracing.current()):
            pass

    headers = [(b"traceparent", (CLICK[:-1] + "1").encode())]
    scope = {"type": "websocket", "path": "/v1/ws", "headers": headers}
    with recording(share=0.0) as spans:
        asyncio.run(Edge(app, Metrics())(scope, Mock(), Mock()))
        assert spans.all == []
    with recording(share=1.0) as spans:
        asyncio.run(Edge(app, Metrics())(scope, Mock(), Mock()))
        assert [trace_of(one) for one in spans.all if one.name == "WS sub"] == [TRACE_ID]


@pytest.mark.usefixtures("restored_logging")
def test_log_lines_name_their_trace(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("gateway")
    trace = new_traceparent()
    with traced_as(trace):
        get_logger("a.module").info("traced")
    get_logger("a.module").info("untraced")
    traced, untraced = capsys.readouterr().err.splitlines()
    assert f'"trace_id": "{trace[3:35]}"' in traced
    assert "trace_id" not in untraced
