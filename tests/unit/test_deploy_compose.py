"""The Compose project: valid, confined, private, and in the right order."""

import copy
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.drains import DRAIN_SECONDS, MARGIN_SECONDS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text()
SECRETS = ("POSTGRES_PASSWORD", "GATEWAY_DB_PASSWORD", "LEDGER_DB_PASSWORD", "GRPC_TOKEN")
PROJECT: dict[str, Any] = yaml.safe_load(TEXT)
# These start as root or write beside their program; each says so in the file.
WRITABLE_ROOT = {"kafka"}
# What a person on this machine may open.
PUBLISHED = {"gateway", "grafana"}
# Has no shell to ask with; says so in the file.
UNPROBED = {"otel-collector"}
# Our own jobs, by the same image as the services.
JOBS = {"gateway-migrate", "ledger-migrate", "ledger-topics"}
PROFILE = ("--profile", "observability")

Project = dict[str, Any]


def tool(name: str) -> str:
    return shutil.which(name, path=Path(sys.executable).parent) or name


def schema_problems(text: str, folder: Path) -> str:
    path = folder / "docker-compose.yml"
    path.write_text(text)
    command = [tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode else ""


def compose_problems(text: str, folder: Path, without: str | None = None) -> str:
    """What Compose itself finds wrong; `without` leaves one secret unset."""
    path = folder / "docker-compose.yml"
    path.write_text(text)
    environment = {
        name: value for name, value in os.environ.items() if name not in {*SECRETS, "PORT"}
    }
    environment |= {name: "secret" for name in SECRETS if name != without}
    command = [tool("docker-compose"), "--file", str(path), *PROFILE, "config", "--quiet"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return run.stderr if run.returncode else ""


def confinement_problems(project: Project) -> list[str]:
    problems = []
    for name, service in project["services"].items():
        rules = {
            "drops all capabilities": service.get("cap_drop") == ["ALL"],
            "gains no privileges": "no-new-privileges:true" in service.get("security_opt", []),
            "has a read-only root": service.get("read_only") or name in WRITABLE_ROOT,
            "has a memory limit": "mem_limit" in service,
            "has a CPU limit": "cpus" in service,
            "has a process limit": "pids_limit" in service,
            "bounds its log": "max-size" in service.get("logging", {}).get("options", {}),
            "says when to restart": "restart" in service,
            "is not privileged": not service.get("privileged"),
        }
        problems += [f"{name} must: {rule}" for rule, holds in rules.items() if not holds]
    return problems


def exposure_problems(project: Project) -> list[str]:
    problems = []
    for name, service in project["services"].items():
        ports = service.get("ports", [])
        if ports and name not in PUBLISHED:
            problems.append(f"{name} publishes a port")
        problems += [f"{port} is not on loopback" for port in ports if port[:10] != "127.0.0.1:"]
        if name not in PUBLISHED and list(service["networks"]) != ["inside"]:
            problems.append(f"{name} leaves the inside network")
    if not project["networks"]["inside"].get("internal"):
        problems.append("the inside network has a way out")
    return problems


def order_problems(project: Project) -> list[str]:
    """A job must be waited for to its end by someone, anything else until it is healthy."""
    services: Project = project["services"]
    waits = [
        (name, target, wait["condition"])
        for name, service in services.items()
        for target, wait in service.get("depends_on", {}).items()
    ]
    jobs = {target for _, target, condition in waits if condition.endswith("successfully")}
    problems = [
        f"nobody waits for {name}"
        for name, service in services.items()
        if name not in jobs | UNPROBED and "healthcheck" not in service
    ]
    problems += [
        f"{name} does not wait until {target} is healthy"
        for name, target, condition in waits
        if target not in jobs and condition != "service_healthy"
    ]
    return problems + [
        f"{name} restarts for ever"
        for name in jobs
        if services[name]["restart"][:10] != "on-failure"
    ]


def drain_problems(project: Project) -> list[str]:
    """A service must not be killed before it has stopped by itself."""
    return [
        f"{name} has no time to drain"
        for name, seconds in DRAIN_SECONDS.items()
        if int(project["services"][name]["stop_grace_period"].removesuffix("s"))
        < seconds + MARGIN_SECONDS
    ]


def balance_problems(project: Project) -> list[str]:
    """Calls are balanced over all replicas only when the client resolves names itself."""
    targets = {
        key: value
        for service in project["services"].values()
        for key, value in service.get("environment", {}).items()
        if key.endswith("_TARGET")
    }
    return [f"{key}: {value}" for key, value in targets.items() if value[:7] != "dns:///"]


def build_problems(project: Project) -> list[str]:
    """One build for each image of ours: several at once of one name fail by chance.

    Nobody else may ask a registry for it: whoever has that name there would be let in.
    """
    services = project["services"]
    builders = {name: item["image"] for name, item in services.items() if "build" in item}
    built = Counter(builders.values())
    return [f"{image} is built by {times}" for image, times in built.items() if times > 1] + [
        f"{name} pulls {item['image']}"
        for name, item in services.items()
        if item["image"] in built
        and item.get("pull_policy") != ("build" if name in builders else "never")
    ]


def secret_problems(text: str) -> list[str]:
    return [
        line.strip()
        for line in text.splitlines()
        if re.search("PASSWORD|TOKEN", line) and ":?" not in line and not line.startswith("#")
    ]


def test_the_project_follows_the_compose_specification(tmp_path: Path) -> None:
    assert schema_problems(TEXT, tmp_path) == ""


def test_the_schema_refuses_an_unknown_key(tmp_path: Path) -> None:
    assert "restarts" in schema_problems(TEXT.replace("restart:", "restarts:"), tmp_path)


def test_compose_accepts_the_project(tmp_path: Path) -> None:
    assert compose_problems(TEXT, tmp_path) == ""


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("      postgres: {", "      postgre: {", "undefined service"),
        ("networks: [inside]", "networks: [outside]", "undefined network"),
        ("postgres-data:/var", "pg-data:/var", "undefined volume"),
        ("stop_grace_period: 45s", "stop_grace_period: soon", "duration"),
        ("condition: service_healthy", "condition: service_well", "depends_on"),
    ],
)
def test_compose_refuses_what_does_not_hang_together(
    right: str, wrong: str, complaint: str, tmp_path: Path
) -> None:
    assert right in TEXT
    assert complaint in compose_problems(TEXT.replace(right, wrong), tmp_path)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_missing_secret_is_named_with_where_to_read_on(secret: str, tmp_path: Path) -> None:
    problems = compose_problems(TEXT, tmp_path, without=secret)
    assert f"set {secret}, see docs/operations.md" in problems


def test_no_secret_has_a_default() -> None:
    assert secret_problems(TEXT) == []


def test_a_committed_secret_is_found() -> None:
    assert secret_problems("      GRPC_TOKEN: river\n")
    assert secret_problems("      POSTGRES_PASSWORD: riverboat\n")
    assert secret_problems("      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:-riverboat}\n")


def test_every_container_is_confined() -> None:
    assert confinement_problems(PROJECT) == []


def test_only_the_gateway_is_reachable_and_only_from_this_machine() -> None:
    assert exposure_problems(PROJECT) == []


def test_everyone_waits_for_what_it_needs() -> None:
    assert order_problems(PROJECT) == []


def test_every_service_has_time_to_drain() -> None:
    assert drain_problems(PROJECT) == []


def test_calls_between_services_are_balanced() -> None:
    assert balance_problems(PROJECT) == []


def test_our_image_is_built_once_and_never_pulled() -> None:
    assert build_problems(PROJECT) == []
    ours = PROJECT["services"]["engine"]["image"]
    users = {name for name, item in PROJECT["services"].items() if item["image"] == ours}
    assert users == {"engine", "bot", "ledger", "gateway", *JOBS}


@pytest.mark.parametrize(
    ("check", "path", "value"),
    [
        (build_problems, "services.bot.build", {"context": "."}),
        (build_problems, "services.ledger-migrate.pull_policy", "missing"),
        (build_problems, "services.gateway.pull_policy", None),
        (confinement_problems, "services.bot.cap_drop", []),
        (confinement_problems, "services.gateway.read_only", False),
        (confinement_problems, "services.ledger.mem_limit", None),
        (confinement_problems, "services.engine.privileged", True),
        (confinement_problems, "services.kafka.security_opt", []),
        (exposure_problems, "services.gateway.ports", ["8000:8000"]),
        (exposure_problems, "services.postgres.ports", ["127.0.0.1:5432:5432"]),
        (exposure_problems, "services.bot.networks", ["inside", "edge"]),
        (exposure_problems, "networks.inside", {}),
        (order_problems, "services.ledger.depends_on.ledger-topics", None),
        (order_problems, "services.engine.healthcheck", None),
        (order_problems, "services.ledger-migrate.restart", "always"),
        (order_problems, "services.gateway.depends_on.bot", {"condition": "service_started"}),
        (drain_problems, "services.gateway.stop_grace_period", "30s"),
        (balance_problems, "services.gateway.environment.BOT_TARGET", "bot:50052"),
    ],
)
def test_a_broken_project_is_found(
    check: Callable[[Project], list[str]], path: str, value: object
) -> None:
    broken = copy.deepcopy(PROJECT)
    *parents, last = path.split(".")
    place = broken
    for key in parents:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    assert check(broken)
