"""Starting the Compose project without containers: what it takes over, and what it refuses."""

import sys
from pathlib import Path

import pytest

from tests.support.composed import COMPOSE_FILE, SECRETS, Composed, DriftError, Stores, project

STORES = Stores("127.0.0.1:6001", "127.0.0.1:6002", {"PGUSER": "admin", "PGPASSWORD": ""})


@pytest.fixture(scope="module")
def system() -> Composed:
    return Composed(project(), STORES)


def changed(folder: Path, before: str, after: str) -> Path:
    text = COMPOSE_FILE.read_text()
    assert before in text
    file = folder / "docker-compose.yml"
    file.write_text(text.replace(before, after))
    return file


def translate(system: Composed) -> None:
    for name in system.own:
        system.command(name)
        system.environment(name)
        if not system.is_job(name):
            system.probe(name)


def test_everything_but_the_stores_is_started_jobs_first(system: Composed) -> None:
    assert {name for name in system.own if system.is_job(name)} == {
        "databases",
        "gateway-migrate",
        "ledger-migrate",
        "ledger-topics",
    }
    assert system.services.keys() - set(system.own) == {"postgres", "kafka"}
    assert system.own.index("databases") < system.own.index("ledger-migrate")
    assert system.own.index("ledger-topics") < system.own.index("ledger")
    assert system.own[-1] == "gateway"


def test_commands_are_the_project_s_own(system: Composed) -> None:
    for name in system.own:
        program, *words = system.services[name]["command"]
        here, *same = system.command(name)
        assert here == {"python": sys.executable, "bash": "bash"}[program]
        if name == "databases":
            assert Path(same[0]).read_text().startswith("# One server, two databases")
        else:
            assert same == words


def test_only_addresses_differ_in_the_environment(system: Composed) -> None:
    here = system.environment("gateway")
    given = system.services["gateway"]["environment"]
    assert here["ENGINE_TARGET"] == f"dns:///{system.address('engine', 50051)}"
    assert here["KAFKA_BOOTSTRAP_SERVERS"] == STORES.kafka
    assert here["DATABASE_URL"] == given["DATABASE_URL"].replace("postgres:5432", STORES.postgres)
    assert f"{here['HOST']}:{here['PORT']}" == system.address("gateway", 8000)
    same = {"LOG_LEVEL", "GRPC_TOKEN", "FORWARDED_ALLOW_IPS", "OTEL_EXPORTER_OTLP_ENDPOINT"}
    assert {key: here[key] for key in same} == {key: given[key] for key in same}
    assert here["GRPC_TOKEN"] == SECRETS["GRPC_TOKEN"]
    assert here.keys() == given.keys() | {"PATH", "PYTHONPATH"}


def test_services_are_probed_where_they_listen_here(system: Composed) -> None:
    assert system.probe("bot")[-1] == system.address("bot", 50052)
    assert system.address("gateway", 8000) in system.probe("gateway")[-1]


def test_the_stores_are_administrated_as_they_are_here(system: Composed) -> None:
    here = system.environment("databases")
    assert (here["PGHOST"], here["PGPORT"], here["PGUSER"]) == ("127.0.0.1", "6001", "admin")
    assert here["LEDGER_DB_PASSWORD"] == SECRETS["LEDGER_DB_PASSWORD"]


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("dns:///engine:50051", "dns:///engine:50061", "engine:50061"),
        ("dns:///bot:50052", "dns:///river:50052", "river:50052"),
        ("BOOTSTRAP_SERVERS: kafka:9092", "BOOTSTRAP_SERVERS: kafka:9093", "kafka:9093"),
        ("@postgres:5432/ledger", "@postgres:5433/ledger", "postgres:5433"),
        ('"127.0.0.1:50053"', '"127.0.0.1:50054"', "ledger:50054"),
        ("127.0.0.1:8000/readyz", "127.0.0.1:80/readyz", "gateway:80"),
        ('PORT: "8000"', 'PORT: "8001"', "gateway:8000"),
        ("[python, -m, services.bot]", "[river, --serve]", "bot runs"),
        ('[CMD, python, -m, services.common.healthcheck, "127', '[CMD-SHELL, "127', "probed by"),
        ("      ledger-topics: {", "      ledger-topic: {", "undefined service"),
    ],
)
def test_a_project_that_drifted_cannot_be_started(
    before: str, after: str, complaint: str, tmp_path: Path
) -> None:
    file = changed(tmp_path, before, after)
    with pytest.raises(DriftError, match=complaint):
        translate(Composed(project(file), STORES))
