"""The ledger as a process: its reads over gRPC, its commands, its end."""

import json
import signal
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
import sqlalchemy as sa
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from proto.ledger.v1 import ledger_pb2 as pb
from proto.ledger.v1 import ledger_pb2_grpc
from services.common.database import open_engine
from services.common.eventlog import outbox
from services.common.eventlog.port import Event
from services.common.rpc_errors import DETAILS_KEY
from services.ledger.schema import DEAD_LETTERS, MATCHES, POSITIONS, STANDINGS
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


@pytest.fixture
def stub(gateway: Gateway, ledger_url: str) -> Iterator[ledger_pb2_grpc.LedgerServiceStub]:
    engine = open_engine(ledger_url)
    upgrade(engine)
    with engine.begin() as connection:
        for n in range(5):
            apply_events(connection, whole_match(f"p{n}", [n * 10, 0]))
        apply_events(connection, whole_match("veteran", [1] * 500))
    engine.dispose()
    env = {"DATABASE_URL": ledger_url, "OUTBOX_DATABASE_URL": gateway.url}
    with serving(**env) as (_process, channel):
        yield ledger_pb2_grpc.LedgerServiceStub(channel)


def test_reads_over_grpc(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    _reads_a_ranked_row(stub)
    _pages_the_qualifying_section(stub)
    _reads_a_standing(stub)
    _pages_a_statement(stub)
    _refuses_what_is_wrong(stub)


def _reads_a_ranked_row(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    request = pb.GetLeaderboardRequest(board="hu_river", section=pb.SECTION_RANKED)
    answer = stub.GetLeaderboard(request, timeout=10)
    (row,) = answer.rows
    assert (row.rank, row.display_name, row.kind) == (1, "Veteran", "guest")
    assert (row.hands, row.net_chips, row.bb_per_100) == (500, 500, "+1.00")
    assert answer.ranked_hands == 500
    assert answer.HasField("as_of_time")
    assert row.HasField("last_played_time")


def _pages_the_qualifying_section(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    seen, token = [], ""
    while True:
        request = pb.GetLeaderboardRequest(
            board="hu_river", section=pb.SECTION_QUALIFYING, page_size=2, page_token=token
        )
        answer = stub.GetLeaderboard(request, timeout=10)
        seen += [(row.rank, row.player_id, row.bb_per_100) for row in answer.rows]
        token = answer.next_page_token
        if not token:
            break
    expected = ["+20.00", "+15.00", "+10.00", "+5.00", "0.00"]
    assert seen == [(0, f"p{4 - n}", text) for n, text in enumerate(expected)]


def _reads_a_standing(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    request = pb.GetStandingRequest(board="hu_river", player_id="p3")
    answer = stub.GetStanding(request, timeout=10)
    assert (answer.row.rank, answer.row.hands, answer.hands_to_rank) == (0, 2, 498)
    request = pb.GetStandingRequest(board="hu_river", player_id="veteran")
    answer = stub.GetStanding(request, timeout=10)
    assert (answer.row.rank, answer.hands_to_rank) == (1, 0)


def _pages_a_statement(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    kinds, token = [], ""
    while True:
        request = pb.GetStatementRequest(player_id="p1", page_size=3, page_token=token)
        answer = stub.GetStatement(request, timeout=10)
        kinds += [transfer.kind for transfer in answer.transfers]
        token = answer.next_page_token
        if not token:
            break
    # Per hand chips into the pot and out of it, newest first.
    assert kinds == ["cash_out", "hand", "hand", "hand", "hand", "buy_in"]


def _refuses_what_is_wrong(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    ranked, qualifying = pb.SECTION_RANKED, pb.SECTION_QUALIFYING
    first = stub.GetLeaderboard(
        pb.GetLeaderboardRequest(board="hu_river", section=qualifying, page_size=1), timeout=10
    )
    wrong: list[tuple[Any, str]] = [
        (pb.GetLeaderboardRequest(board="hu_river"), "INVALID_SECTION"),
        (pb.GetLeaderboardRequest(board="chess", section=ranked), "UNKNOWN_BOARD"),
    ]
    for fields, reason in (
        ({"page_size": -1}, "INVALID_PAGE_SIZE"),
        ({"page_size": 101}, "INVALID_PAGE_SIZE"),
        ({"page_token": "!"}, "INVALID_PAGE_TOKEN"),
        ({"page_token": "AAAA"}, "INVALID_PAGE_TOKEN"),
        ({"page_token": "x" * 5000}, "INVALID_PAGE_TOKEN"),
        ({"page_token": first.next_page_token}, "INVALID_PAGE_TOKEN"),  # of another section
    ):
        request = pb.GetLeaderboardRequest(board="hu_river", section=ranked, **fields)
        wrong.append((request, reason))
    for request, reason in wrong:
        assert _refusal(stub.GetLeaderboard, request) == (_CODES[reason], reason)
    for player_id, reason in (
        ("", "INVALID_PLAYER_ID"),
        ("a\0b", "INVALID_PLAYER_ID"),
        ("x" * 200, "INVALID_PLAYER_ID"),
        ("nobody", "NO_STANDING"),
        ("river", "NO_STANDING"),
    ):
        about = pb.GetStandingRequest(board="hu_river", player_id=player_id)
        assert _refusal(stub.GetStanding, about) == (_CODES[reason], reason)
    statement = pb.GetStatementRequest(player_id="p1", page_token=first.next_page_token)
    expected = (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")
    assert _refusal(stub.GetStatement, statement) == expected


_CODES = {
    "INVALID_SECTION": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_PAGE_SIZE": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_PAGE_TOKEN": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_PLAYER_ID": grpc.StatusCode.INVALID_ARGUMENT,
    "UNKNOWN_BOARD": grpc.StatusCode.NOT_FOUND,
    "NO_STANDING": grpc.StatusCode.NOT_FOUND,
}


def _refusal(call: Any, request: Any) -> tuple[grpc.StatusCode, str]:  # noqa: ANN401
    """Return the code of a refused call and the reason in its ErrorInfo."""
    with pytest.raises(grpc.RpcError) as caught:
        call(request, timeout=10)
    error = caught.value
    assert isinstance(error, grpc.Call)
    status = status_pb2.Status.FromString(dict(error.trailing_metadata())[DETAILS_KEY])
    (detail,) = status.details
    info = error_details_pb2.ErrorInfo()
    assert detail.Unpack(info)
    assert (info.domain, status.code) == ("riverboat", error.code().value[0])
    assert status.message == error.details()
    return error.code(), info.reason


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
