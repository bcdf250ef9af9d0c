"""What services tell Prometheus, and that it is so."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import httpx
import pytest
import sqlalchemy as sa
import structlog
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError

from proto.engine.v1 import engine_pb2, engine_pb2_grpc
from services.bot.metrics import Metrics as BotMetrics
from services.bot.pool import DecisionPool
from services.common.channels import open_channel
from services.common.database import open_engine
from services.common.eventlog.embedded import PARTITION, EmbeddedSource
from services.common.eventlog.relay import Relay
from services.ledger.checks import Check, auditing, check_everything, check_sum, checking
from services.ledger.consumer import Consumer
from services.ledger.matches import BANK
from services.ledger.metrics import Metrics
from services.ledger.schema import BALANCES
from services.ledger.store import upgrade
from services.local import free_ports
from tests.support.gateways import House, open_house
from tests.support.guarded import guarded
from tests.support.ledgers import whole_match
from tests.support.list_logs import ListSink, ListSource, drain
from tests.support.system import until

REPO = Path(__file__).parents[2]
SECONDS = 60.0
CHANNELS, CALLS = 8, 5


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    upgrade(engine)
    yield engine
    engine.dispose()


@contextmanager
def engine_process(listen: str, metrics: str, home: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = {
        **os.environ,
        "ENGINE_LISTEN": listen,
        "ENGINE_METRICS_LISTEN": metrics,
        "ENGINE_WORKERS": "2",
        "TMPDIR": str(home),
    }
    command = [*guarded(signal.SIGTERM), sys.executable, "-m", "services.engine"]
    with subprocess.Popen(command, cwd=REPO, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


async def call_often(target: str) -> None:
    """Calls over connections of their own, so that the kernel spreads them over the workers."""
    for _ in range(CHANNELS):
        async with open_channel(target, deadline_seconds=SECONDS) as channel:
            stub = engine_pb2_grpc.EngineServiceStub(channel)
            for _ in range(CALLS):
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await stub.Replay(engine_pb2.ReplayRequest(), wait_for_ready=True)
                assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_workers_are_counted_together(tmp_path: Path) -> None:
    one, other = free_ports(2)
    listen, metrics = f"127.0.0.1:{one}", f"127.0.0.1:{other}"
    with engine_process(listen, metrics, tmp_path) as process:
        asyncio.run(call_often(listen))
        text = httpx.get(f"http://{metrics}/metrics", trust_env=False, timeout=SECONDS).text
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0
    labels = 'code="INVALID_ARGUMENT",method="EngineService/Replay"'
    assert f"riverboat_grpc_server_calls_total{{{labels}}} {CHANNELS * CALLS}.0" in text
    # What they counted with is gone.
    assert list(tmp_path.iterdir()) == []


def test_a_gateway_tells_of_matches_and_of_its_outbox(house: House) -> None:
    guests = [house.guest(name) for name in ("Ana", "Ben")]
    seats = [guest.sit_down() for guest in guests]
    seats[0].act("fold")
    seats[0].do("settle")
    text = metrics_of(house)
    assert "riverboat_open_matches 1.0" in text
    assert "riverboat_action_seconds_count 1.0" in text
    # Nobody relays here, so nothing waits for a relay.
    assert "riverboat_outbox_age_seconds" not in text
    relay = Relay(house.sql_engine, ListSink())
    relay.run_once()
    assert "riverboat_outbox_pending 0.0" in metrics_of(house)
    seats[1].act("fold")
    text = metrics_of(house)
    assert re.search(r"^riverboat_outbox_pending [1-9]", text, re.MULTILINE)
    # The house's clock stands in the past.
    assert re.search(r"^riverboat_outbox_age_seconds [1-9]", text, re.MULTILINE)


def metrics_of(house: House) -> str:
    return house.run(house.guests[0].sending("GET", "/metrics")).text


def test_a_gateway_that_is_to_stop_is_not_ready_and_still_answers(house: House) -> None:
    guest = house.guest("Ana")
    assert guest.get("/readyz?need=database")["status"] == "ready"
    house.gateway.health.draining = True
    body = guest.get("/readyz?need=database", status=503)
    assert body == {"status": "unready", "checks": {"database": True}}
    guest.sit_down()


def test_metrics_go_on_while_the_database_is_away(house: House) -> None:
    house.guest("Ana").sit_down()
    with house.sql_engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE matches RENAME TO elsewhere")
    text = metrics_of(house)
    assert "riverboat_open_matches" not in text
    assert "riverboat_http_requests_total" in text


def test_river_is_timed_by_stage_and_its_queue_is_told() -> None:
    async def main() -> str:
        pool = DecisionPool(1)
        registry = CollectorRegistry()
        metrics = BotMetrics(registry, pool)
        metrics.count_decision("blueprint", 0.01)
        metrics.count_turned_away()
        text = generate_latest(registry).decode()
        pool.close()
        return text

    text = asyncio.run(main())
    assert 'riverboat_bot_decision_seconds_count{stage="blueprint"} 1.0' in text
    assert "riverboat_bot_turned_away_total 1.0" in text
    assert "riverboat_bot_waiting_decisions 0.0" in text


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(f"riverboat_ledger_{name}", labels)


def test_a_ledger_tells_how_far_behind_it_is(house: House, ledger: Engine) -> None:
    house.guest("Ana").sit_down().act("fold")
    source = EmbeddedSource(house.sql_engine, 0)
    assert len(source.poll(1, 0)) == 1
    assert source.lag()[PARTITION] > 0
    source.rewind()
    metrics = Metrics()
    drain(Consumer(ledger, source, metrics=metrics))
    assert value(metrics, "consumer_lag", partition=PARTITION) == 0
    assert (value(metrics, "polled_time_seconds") or 0) > 0
    assert (value(metrics, "event_age_seconds") or 0) > 0


def test_books_that_balance_are_no_alarm(ledger: Engine) -> None:
    metrics = Metrics()
    drain(Consumer(ledger, ListSource(whole_match("ana", [7, -20])), metrics=metrics))
    check_sum(ledger, metrics)
    check_everything(ledger, None, metrics)
    for name in ("zero_sum_chips", "letters_waiting", "audit_findings"):
        assert value(metrics, name) == 0
    for name in ("checked_time_seconds", "audit_time_seconds"):
        assert (value(metrics, name) or 0) > 0


def test_the_first_audit_is_owed_from_the_start(ledger: Engine) -> None:
    metrics = Metrics()
    assert value(metrics, "audit_time_seconds") == 0
    check = auditing(ledger, None, metrics, 60)
    assert (value(metrics, "audit_time_seconds") or 0) > 0
    assert check.every_seconds == 3600
    check.look()
    assert value(metrics, "audit_findings") == 0


def test_a_chip_too_many_is_one(ledger: Engine) -> None:
    metrics = Metrics()
    drain(Consumer(ledger, ListSource(whole_match("ana", [7])), metrics=metrics))
    with ledger.begin() as connection:
        more = sa.update(BALANCES).where(BALANCES.c.account == BANK)
        connection.execute(more.values(chips=BALANCES.c.chips + 1))
    check_sum(ledger, metrics)
    check_everything(ledger, None, metrics)
    assert value(metrics, "zero_sum_chips") == 1
    assert (value(metrics, "audit_findings") or 0) > 0


def test_a_check_that_fails_is_made_again_and_stops_nothing() -> None:
    failures: list[Exception] = [OperationalError("SELECT", {}, Exception("away")), KeyError("x")]
    enough = threading.Event()

    def look() -> None:
        if failures:
            raise failures.pop(0)
        enough.set()

    with structlog.testing.capture_logs() as logs, checking(Check(look, every_seconds=0.01)):
        assert enough.wait(SECONDS)
    assert [line["log_level"] for line in logs] == ["warning", "error"]


def test_a_ledger_process_serves_its_metrics(tmp_path: Path) -> None:
    grpc_port, metrics_port = free_ports(2)
    with ExitStack() as stack, open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        house.guest("Ana").sit_down()
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{tmp_path / 'ledger.sqlite3'}",
            "OUTBOX_DATABASE_URL": f"sqlite:///{tmp_path / 'tables.sqlite3'}",
            "LEDGER_LISTEN": f"127.0.0.1:{grpc_port}",
            "LEDGER_METRICS_LISTEN": f"127.0.0.1:{metrics_port}",
            "LEDGER_AUDIT_MINUTES": "60",
        }
        command = [*guarded(signal.SIGTERM), sys.executable, "-m", "services.ledger"]
        process = stack.enter_context(subprocess.Popen(command, cwd=REPO, env=environment))
        stack.callback(process.kill)
        wanted = ("riverboat_ledger_zero_sum_chips 0.0", "riverboat_ledger_audit_findings 0.0")

        def told() -> bool:
            assert process.poll() is None
            try:
                answer = httpx.get(f"http://127.0.0.1:{metrics_port}/metrics", trust_env=False)
            except httpx.TransportError:
                return False
            times = re.findall(
                r"^riverboat_ledger_\w+_time_seconds (\S+)", answer.text, re.MULTILINE
            )
            return len(times) == 3 and "0.0" not in times and all(w in answer.text for w in wanted)

        until(told, "the ledger has looked at its books")
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0
