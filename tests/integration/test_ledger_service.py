"""The ledger as a process: its reads over gRPC, its commands, its end."""

import json
import signal
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import grpc
import pytest
import sqlalchemy as sa
from grpc_health.v1 import health_pb2, health_pb2_grpc

from proto.ledger.v1 import ledger_pb2 as pb
from proto.ledger.v1 import ledger_pb2_grpc
from services.common.database import open_engine
from services.common.eventlog import outbox
from services.common.eventlog.port import Event
from services.ledger.schema import DEAD_LETTERS, EVENTS, MATCHES, POSITIONS, STANDINGS
from services.ledger.store import apply_events, upgrade
from tests.support.guarded import free_port
from tests.support.ledger_process import DEADLINE_SECONDS, eventually, run, serving, standing
from tests.support.ledgers import Script, whole_match


class Gateway:
    """The producer's side: a database with an outbox."""

    def __init__(self, path: Path) -> None:
        self.url = f"sqlite:///{path}"
        self.engine = open_engine(self.url)
        with self.engine.begin() as connection:
            outbox.create_tables(connection)

    def append(self, events: list[Event]) -> None:
        with self.engine.begin() as connection:
            outbox.append(connection, events)


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path / "gateway.sqlite3")
    yield made
    made.engine.dispose()


@pytest.fixture
def ledger_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/ledger.sqlite3"


def test_events_of_the_outbox_reach_the_board_also_after_kill_9(
    gateway: Gateway, ledger_url: str
) -> None:
    env = {"DATABASE_URL": ledger_url, "OUTBOX_DATABASE_URL": gateway.url}
    with serving(**env) as (process, channel):
        stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        assert standing(stub, "otter") is None
        gateway.append(whole_match("otter", [100, -50]))
        eventually(lambda: standing(stub, "otter"), (2, 50))
        process.kill()
        process.wait()
    gateway.append(whole_match("otter", [7], match_id="second"))
    with serving(**env) as (process, channel):
        stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        eventually(lambda: standing(stub, "otter"), (3, 57))
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == 0
    assert run("audit", DATABASE_URL=ledger_url).returncode == 0


def test_the_ledger_waits_for_a_gateway_that_is_not_there_yet(
    tmp_path: Path, ledger_url: str
) -> None:
    path = tmp_path / "later" / "gateway.sqlite3"
    env = {"DATABASE_URL": ledger_url, "OUTBOX_DATABASE_URL": f"sqlite:///{path}"}
    with serving(**env) as (_process, channel):
        stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        assert standing(stub, "otter") is None
        gateway = Gateway(path)
        gateway.append(whole_match("otter", [100]))
        eventually(lambda: standing(stub, "otter"), (1, 100))
        gateway.engine.dispose()


SERVICE = "riverboat.ledger.v1.LedgerService"
CONSUMER = "riverboat.ledger.v1.Consumer"


def _serves(channel: grpc.Channel, name: str) -> bool:
    health = health_pb2_grpc.HealthStub(channel)
    request = health_pb2.HealthCheckRequest(service=name)
    answer = health.Check(request, timeout=10)  # type: ignore[attr-defined]
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _halted_metric(address: str) -> float:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    (line,) = [line for line in lines if line.startswith("riverboat_ledger_halted ")]
    return float(line.split()[1])


def _dead_letters(ledger_url: str) -> int:
    engine = open_engine(ledger_url, read_only=True)
    with engine.connect() as connection:
        query = sa.select(sa.func.count()).select_from(DEAD_LETTERS)
        found = int(connection.execute(query).scalar_one())
    engine.dispose()
    return found


def test_a_halted_ledger_goes_on_serving_what_it_knows(gateway: Gateway, ledger_url: str) -> None:
    strangers = [Script(f"m{n}").sit_down().hand(5) for n in range(6)]
    gateway.append([*whole_match("otter", [100]), *strangers, *whole_match("seal", [1])])
    metrics = f"127.0.0.1:{free_port()}"
    env = {"DATABASE_URL": ledger_url, "OUTBOX_DATABASE_URL": gateway.url}
    for _ in range(2):  # the second time it halts at once: nothing more is drained
        limits = {"LEDGER_POISON_LIMIT": "3", "LEDGER_METRICS_LISTEN": metrics}
        with serving(**env, **limits) as (process, channel):
            eventually(partial(_serves, channel, CONSUMER), wanted=False)
            assert _serves(channel, "")
            assert _serves(channel, SERVICE)
            assert _halted_metric(metrics) == 1
            stub = ledger_pb2_grpc.LedgerServiceStub(channel)
            assert (standing(stub, "otter"), standing(stub, "seal")) == ((1, 100), None)
            request = pb.GetStandingRequest(board="hu_river", player_id="otter")
            assert stub.GetStanding(request, timeout=10).HasField("as_of_time")
            process.send_signal(signal.SIGTERM)
            _, log = process.communicate(timeout=DEADLINE_SECONDS)
            assert process.returncode == 0
        halts = [json.loads(line) for line in log.splitlines() if '"halted"' in line]
        assert [line["level"] for line in halts] == ["error"]
        assert _dead_letters(ledger_url) == 3
    assert run("resume", DATABASE_URL=ledger_url).returncode == 0
    with serving(**env, LEDGER_POISON_LIMIT="3") as (_process, channel):
        stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        eventually(lambda: standing(stub, "seal"), (1, 1))
        assert _serves(channel, CONSUMER)
    assert _dead_letters(ledger_url) == 6


def test_what_no_record_is_to_blame_for_ends_the_process(gateway: Gateway, ledger_url: str) -> None:
    script = Script().sit_down()
    engine = open_engine(ledger_url)
    upgrade(engine)
    with engine.begin() as connection:
        apply_events(connection, script.events)
        connection.execute(sa.update(MATCHES).values(status="zzz"))
    engine.dispose()
    gateway.append([script.hand(5)])
    env = {"DATABASE_URL": ledger_url, "OUTBOX_DATABASE_URL": gateway.url}
    done = run("serve", **env, LEDGER_LISTEN="127.0.0.1:0")
    assert done.returncode == 1
    assert "consumer failed" in done.stderr


def test_health_is_reported_for_the_service(gateway: Gateway, ledger_url: str) -> None:
    env = {"DATABASE_URL": ledger_url, "OUTBOX_DATABASE_URL": gateway.url}
    with serving(**env) as (_process, channel):
        assert all(_serves(channel, name) for name in ("", SERVICE, CONSUMER))


# --- commands ----------------------------------------------------------------------------


def test_the_audit_says_whether_every_chip_is_there(database_url: str) -> None:
    assert run("migrate", DATABASE_URL=database_url).returncode == 0
    assert run("migrate", DATABASE_URL=database_url).returncode == 0
    engine = open_engine(database_url)
    with engine.begin() as connection:
        apply_events(connection, whole_match("otter", [100, -50]))
    sound = run("audit", DATABASE_URL=database_url)
    assert sound.returncode == 0, sound.stderr
    report = json.loads(sound.stdout)
    assert (report["ok"], report["events"], report["findings"]) == (True, 7, [])
    with engine.begin() as connection:
        connection.execute(sa.update(STANDINGS).values(net_chips=STANDINGS.c.net_chips - 1))
    engine.dispose()
    broken = run("audit", DATABASE_URL=database_url)
    assert broken.returncode == 1
    assert json.loads(broken.stdout)["ok"] is False


def test_boards_are_rebuilt_by_command_ldr_011(database_url: str) -> None:
    assert run("rebuild", DATABASE_URL=database_url).returncode == 1  # nothing there yet
    assert run("migrate", DATABASE_URL=database_url).returncode == 0
    engine = open_engine(database_url)
    with engine.begin() as connection:
        apply_events(connection, whole_match("otter", [100, -50]))
        connection.execute(sa.update(STANDINGS).values(net_chips=7))
    assert run("audit", DATABASE_URL=database_url).returncode == 1
    done = run("rebuild", DATABASE_URL=database_url)
    assert (done.returncode, json.loads(done.stdout)["hands"]) == (0, 2)
    assert run("audit", DATABASE_URL=database_url).returncode == 0
    with engine.begin() as connection:
        connection.execute(sa.update(EVENTS).values(value=b"\xff"))
    engine.dispose()
    refused = run("rebuild", DATABASE_URL=database_url)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "not rebuilt" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_audit_compares_with_the_outbox_when_told_where_it_is(
    gateway: Gateway, ledger_url: str
) -> None:
    gateway.append(whole_match("otter", [100]))
    engine = open_engine(ledger_url)
    upgrade(engine)
    with engine.begin() as connection:
        row = {"log": "outbox", "partition": "0", "offset": 2, "updated_us": 0}
        connection.execute(sa.insert(POSITIONS).values(row))  # nothing was applied
    engine.dispose()
    unsure = run("audit", DATABASE_URL=ledger_url)
    assert unsure.returncode == 0
    assert "OUTBOX_DATABASE_URL" in json.loads(unsure.stdout)["unknown"][0]
    sure = run("audit", DATABASE_URL=ledger_url, OUTBOX_DATABASE_URL=gateway.url)
    assert sure.returncode == 1
    assert json.loads(sure.stdout)["finding_count"] == 2


@pytest.mark.parametrize(
    ("command", "env", "code"),
    [
        ("audit", {"DATABASE_URL": "sqlite:////nowhere/ledger.sqlite3"}, 2),
        ("audit", {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, 2),
        ("audit", {"DATABASE_URL": "mysql://somewhere/else"}, 2),
        ("serve", {"DATABASE_URL": "sqlite:///x.db"}, 2),
        ("serve", {"OUTBOX_DATABASE_URL": "sqlite:///x", "KAFKA_BOOTSTRAP_SERVERS": "h:1"}, 2),
        ("resume", {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, 1),
        ("topics", {}, 2),
        ("topics", {"KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1"}, 1),
        ("dance", {}, 2),
    ],
)
def test_what_cannot_work_says_so(command: str, env: dict[str, str], code: int) -> None:
    done = run(command, **env)
    assert done.returncode == code
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_was_not_migrated_is_not_served(postgres_url: str) -> None:
    env = {"DATABASE_URL": postgres_url, "OUTBOX_DATABASE_URL": postgres_url}
    done = run("serve", **env, LEDGER_LISTEN="127.0.0.1:0")
    assert done.returncode == 1
    assert "migrate" in done.stderr
