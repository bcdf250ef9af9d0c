"""What an operator gets wrong: each service says what it is, in a line, and ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PASSWORD = "hunter2"  # noqa: S105
UNREACHABLE = f"postgresql://gateway:{PASSWORD}@127.0.0.1:1/gateway"
NO_HOST = "nobody.invalid:9100"
TLS = {"GRPC_TLS_CA": "/none/ca", "GRPC_TLS_CERT": "/none/crt", "GRPC_TLS_KEY": "/none/key"}
START_SECONDS = 120.0


def started(command: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    service, *verb = command.split()
    defaults = {
        "ENGINE_LISTEN": "127.0.0.1:0",
        "BOT_LISTEN": "127.0.0.1:0",
        "LEDGER_LISTEN": "127.0.0.1:0",
        "PATH": os.environ["PATH"],
    }
    return subprocess.run(
        [sys.executable, "-m", f"services.{service}", *verb],
        cwd=ROOT,
        env=defaults | variables,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "variables", "status", "told"),
    [
        ("engine", {"ENGINE_LISTEN": "here"}, 2, "ENGINE_LISTEN"),
        ("engine", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://"}, 2, "OTEL_EXPORTER_OTLP_ENDPOINT"),
        ("engine", {"ENGINE_METRICS_LISTEN": NO_HOST}, 1, f"metrics on {NO_HOST}"),
        ("engine", {"ENGINE_LISTEN": "127.0.0.1:1", "ENGINE_WORKERS": "2", **TLS}, 1, "/none/key"),
        ("bot", {"BOT_METRICS_LISTEN": NO_HOST}, 1, f"metrics on {NO_HOST}"),
        ("ledger", {"KAFKA_BOOTSTRAP_SERVERS": "kafka"}, 2, "KAFKA_BOOTSTRAP_SERVERS"),
        ("ledger", {"KAFKA_BOOTSTRAP_SERVERS": "a:1,b:port"}, 2, "KAFKA_BOOTSTRAP_SERVERS"),
        ("ledger topics", {"KAFKA_BOOTSTRAP_SERVERS": ","}, 2, "KAFKA_BOOTSTRAP_SERVERS"),
        ("ledger migrate", {"DATABASE_URL": UNREACHABLE}, 1, "not migrated"),
        ("ledger migrate", {"DATABASE_URL": "sqlite:////proc/no/x"}, 1, "not migrated"),
        ("gateway", {"KAFKA_BOOTSTRAP_SERVERS": ":::"}, 2, "KAFKA_BOOTSTRAP_SERVERS"),
        ("gateway", {"FORWARDED_ALLOW_IPS": "proxy"}, 2, "FORWARDED_ALLOW_IPS"),
        ("gateway", {"FORWARDED_ALLOW_IPS": "10.0.0.0/99"}, 2, "FORWARDED_ALLOW_IPS"),
        ("gateway", {"DATABASE_URL": UNREACHABLE}, 1, "database not ready"),
        ("gateway", {"DATABASE_URL": "sqlite:////proc/no/x"}, 1, "database not ready"),
        ("gateway", {"HOST": "nobody.invalid"}, 1, "cannot listen"),
        ("gateway", {"HOST": "::1:1"}, 1, "cannot listen"),
        ("gateway migrate", {"DATABASE_URL": UNREACHABLE}, 1, "not migrated"),
        ("gateway migrate", {"DATABASE_URL": "sqlite:////proc/no/x"}, 1, "not migrated"),
    ],
)
def test_a_service_says_what_is_wrong_and_ends(
    command: str, variables: dict[str, str], status: int, told: str, tmp_path: Path
) -> None:
    done = started(command, {"DATABASE_URL": f"sqlite:///{tmp_path / 'new'}"} | variables)
    assert done.returncode == status, done.stderr
    assert told in done.stderr.splitlines()[-1], done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert PASSWORD not in done.stderr + done.stdout


@pytest.mark.parametrize("networks", ["127.0.0.1", "10.0.0.0/8, ::1", "*"])
def test_proxies_may_be_addresses_networks_or_all(networks: str) -> None:
    variables = {"FORWARDED_ALLOW_IPS": networks, "DATABASE_URL": UNREACHABLE}
    assert "database not ready" in started("gateway", variables).stderr


@pytest.mark.parametrize("service", ["gateway", "ledger"])
def test_nobody_serves_before_the_job_that_migrates(service: str, postgres_url: str) -> None:
    brokers = {"KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1"} if service == "ledger" else {}
    done = started(service, {"DATABASE_URL": postgres_url, **brokers})
    assert done.returncode == 1, done.stderr
    assert "the schema is not there" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
