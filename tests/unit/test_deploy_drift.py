"""The descriptions and the code agree: images, commands, variables and ports."""

import functools
import importlib
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError
from pydantic_settings import BaseSettings

from services.common import healthcheck
from services.common.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text()
MANIFESTS = sorted(
    path for path in (ROOT / "k8s").rglob("*.yaml") if path.name != "kustomization.yaml"
)
SERVICES = ("engine", "bot", "ledger", "gateway")
# Says whom to believe, not where anything is.
ABOUT_OTHERS = {"forwarded_allow_ips"}
# Stand for what is kept in secrets.
STORED = {
    "DATABASE_URL": "postgresql+psycopg://someone:else@postgres:5432/chips",
    "GRPC_TOKEN": "0123456789abcdef" * 3,
}


@dataclass(frozen=True)
class Process:
    """One of our processes as a description starts it: command, variables, open ports."""

    where: str
    command: tuple[str, ...]
    variables: dict[str, str] = field(default_factory=dict)
    ports: tuple[int, ...] = ()

    @property
    def service(self) -> str:
        return self.command[2].split(".")[1]

    @property
    def verb(self) -> str | None:
        return self.command[3] if len(self.command) > 3 else None


def compose_processes(text: str = COMPOSE_TEXT) -> Iterator[Process]:
    for name, service in yaml.safe_load(text)["services"].items():
        command = service.get("command", [])
        if command[:2] == ["python", "-m"]:
            variables = service.get("environment", {})
            given = {name: interpolated(value) for name, value in variables.items()}
            yield Process(f"compose/{name}", tuple(command), given)


def interpolated(value: str) -> str:
    """A value as Compose fills it in: defaults as they are, secrets made up."""
    value = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)
    return re.sub(r"\$\{\w+:\?[^}]*\}", STORED["GRPC_TOKEN"], value)


def cluster_processes(texts: list[str]) -> Iterator[Process]:
    maps = config_maps()
    for manifest in (part for text in texts for part in yaml.safe_load_all(text)):
        if "template" not in manifest.get("spec", {}):
            continue
        container = manifest["spec"]["template"]["spec"]["containers"][0]
        if container.get("command", [])[:2] != ["python", "-m"]:
            continue
        variables = {
            key: value
            for source in container.get("envFrom", [])
            for key, value in maps[source["configMapRef"]["name"]].items()
        } | {
            variable["name"]: variable.get("value", STORED.get(variable["name"], ""))
            for variable in container.get("env", [])
        }
        ports = tuple(port["containerPort"] for port in container.get("ports", []))
        where = f"k8s/{manifest['metadata']['name']}"
        yield Process(where, tuple(container["command"]), variables, ports)


def config_maps() -> dict[str, dict[str, str]]:
    base = yaml.safe_load((ROOT / "k8s/base/kustomization.yaml").read_text())
    return {
        generator["name"]: dict(literal.split("=", 1) for literal in generator["literals"])
        for generator in base["configMapGenerator"]
    }


def settings_classes(service: str) -> list[type[BaseSettings]]:
    """The settings classes of a service, one for each way to run it."""
    modules = [f"services.{service}.{name}" for name in ("config", "settings")]
    return [
        value
        for module in modules
        if importlib.util.find_spec(module) is not None
        for value in vars(importlib.import_module(module)).values()
        if isinstance(value, type) and issubclass(value, Settings) and value.__module__ == module
    ]


def variables_read(settings: type[BaseSettings]) -> set[str]:
    return {name.upper() for name in settings.model_fields}


def load(process: Process) -> BaseSettings | list[str]:
    """The settings that a process would have, or why no settings class fits its variables."""
    problems = []
    given = process.variables.keys()
    for settings in settings_classes(process.service):
        if unread := given - variables_read(settings):
            problems.append(f"{settings.__name__} does not read {', '.join(sorted(unread))}")
            continue
        try:
            with only_these(process.variables):
                return settings()
        except ValidationError as error:
            problems += [f"{item['loc']}: {item['msg']}" for item in error.errors()]
    return problems or [f"services.{process.service} has no settings"]


@contextmanager
def only_these(variables: Mapping[str, str]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            patch.delenv(name)
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


def variable_problems(process: Process) -> list[str]:
    """Variables that the code refuses, and defaults that fit only a single machine."""
    settings = load(process)
    if isinstance(settings, list):
        return [f"{process.where}: {problem}" for problem in settings]
    values = settings.model_dump()
    if process.verb is not None:
        values = {name: value for name, value in values.items() if name == "database_url"}
    return [
        f"{process.where}: {name.upper()} is missing"
        for name, value in values.items()
        if name not in ABOUT_OTHERS and re.search(r"127\.0\.0\.1|localhost|sqlite", str(value))
    ]


def command_problems(process: Process) -> list[str]:
    module = process.command[2]
    spec = importlib.util.find_spec(module)
    if spec is None:
        return [f"{process.where}: {module} does not exist"]
    folders = [Path(folder) for folder in spec.submodule_search_locations or []]
    if not any((folder / "__main__.py").exists() for folder in folders):
        return [f"{process.where}: {module} cannot be run"]
    return verb_problems(process.command) if process.verb is not None else []


@functools.cache
def verb_problems(command: tuple[str, ...]) -> list[str]:
    """What the module says about a verb that it does not know."""
    asked = [sys.executable, *command[1:], "--help"]
    run = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stderr.splitlines() if run.returncode else []


def listen_problems(process: Process) -> list[str]:
    """A service in a container must listen on every address, on the ports that it opens."""
    addresses = listen_addresses(process)
    problems = [
        f"{process.where} listens on {address}"
        for address in addresses
        if not address.startswith("0.0.0.0:")
    ]
    ports = {int(address.rpartition(":")[2]) for address in addresses}
    if process.ports and set(process.ports) != ports:
        problems.append(f"{process.where} opens {process.ports} and listens on {ports}")
    return problems


def listen_addresses(process: Process) -> list[str]:
    """Where a service listens; first where it serves."""
    given = [value for name, value in process.variables.items() if name.endswith("_LISTEN")]
    if "HOST" in process.variables:
        given.insert(0, f"{process.variables['HOST']}:{process.variables.get('PORT')}")
    return given


def image_problems(text: str) -> list[str]:
    """Images whose tag is missing or moves."""
    # A stage named in this file needs no tag; neither does ours in the base, which the
    # kustomization gives one.
    own = {"riverboat", *re.findall(r"^FROM \S+ AS (\S+)", text, re.MULTILINE)}
    images = re.findall(r"(?:^ *image: *|^FROM )(\S+)", text, re.MULTILINE)
    images += [f"riverboat:{tag}" for tag in re.findall(r"newTag: *(\S+)", text)]
    return [
        image
        for image in images
        if image not in own and not re.search(r":(?!latest\b|-)[\w.-]+\}?$", image)
    ]


COMPOSE = list(compose_processes())
CLUSTER = list(cluster_processes([path.read_text() for path in MANIFESTS]))
PROCESSES = COMPOSE + CLUSTER
each_process = pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.where)


def test_both_descriptions_run_the_same_commands() -> None:
    assert {process.command for process in COMPOSE} == {process.command for process in CLUSTER}
    assert {process.service for process in PROCESSES} == set(SERVICES)


@each_process
def test_every_command_is_a_module_of_ours(process: Process) -> None:
    assert command_problems(process) == []


@each_process
def test_every_variable_is_read_and_every_needed_one_is_given(process: Process) -> None:
    assert variable_problems(process) == []


@pytest.mark.parametrize(
    "process",
    [process for process in PROCESSES if process.verb is None],
    ids=lambda process: process.where,
)
def test_every_service_listens_where_it_is_looked_for(process: Process) -> None:
    assert listen_problems(process) == []


@pytest.mark.parametrize("name", SERVICES)
def test_compose_probes_each_service_where_it_listens(name: str) -> None:
    *probe, target = yaml.safe_load(COMPOSE_TEXT)["services"][name]["healthcheck"]["test"]
    assert probe == ["CMD", "python", "-m", healthcheck.__name__]
    port = re.search(r"127\.0\.0\.1:(\d+)(?:/|$)", target)
    assert port is not None
    process = next(process for process in COMPOSE if process.where == f"compose/{name}")
    assert listen_addresses(process)[0] == f"0.0.0.0:{port[1]}"


@pytest.mark.parametrize("name", SERVICES)
def test_compose_waits_for_a_start_as_long_as_a_cluster_does(name: str) -> None:
    deployment = next(yaml.safe_load_all((ROOT / f"k8s/base/{name}.yaml").read_text()))
    probe = deployment["spec"]["template"]["spec"]["containers"][0]["startupProbe"]
    period = yaml.safe_load(COMPOSE_TEXT)["services"][name]["healthcheck"]["start_period"]
    assert period == f"{probe['periodSeconds'] * probe['failureThreshold']}s"


def test_a_description_that_drifted_is_found() -> None:
    command = ("python", "-m", "services.engine")
    unread = variable_problems(Process("x", command, {"ENGINE_ADDRESS": "0.0.0.0:50051"}))
    assert unread == ["x: EngineSettings does not read ENGINE_ADDRESS"]
    refused = variable_problems(Process("x", command, {"ENGINE_LISTEN": "here"}))
    assert any("HOST:PORT" in problem for problem in refused)
    missing = variable_problems(Process("x", ("python", "-m", "services.gateway"), {}))
    assert "x: ENGINE_TARGET is missing" in missing
    assert "x: DATABASE_URL is missing" in missing
    assert command_problems(Process("x", ("python", "-m", "services.enigne")))
    assert command_problems(Process("x", ("python", "-m", "services.common.settings")))
    assert command_problems(Process("x", ("python", "-m", "services.ledger", "migrat")))
    assert listen_problems(Process("x", command, {"ENGINE_LISTEN": "127.0.0.1:50051"}))
    assert listen_problems(Process("x", command, {"ENGINE_LISTEN": "0.0.0.0:50051"}, (50052,)))


@pytest.mark.parametrize(
    "path",
    [ROOT / "Dockerfile", ROOT / "docker-compose.yml", *(ROOT / "k8s").rglob("*.yaml")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_every_image_has_a_fixed_tag(path: Path) -> None:
    assert image_problems(path.read_text()) == []


@pytest.mark.parametrize(
    "line",
    ["  image: postgres\n", "  image: apache/kafka:latest\n", "FROM node\n", "newTag: latest\n"],
)
def test_a_moving_tag_is_found(line: str) -> None:
    assert image_problems(line)


def test_compose_and_the_local_cluster_run_the_same_stores() -> None:
    used = {
        name: set(re.findall(r"image: *((?:postgres|apache/kafka)\S+)", text))
        for name, text in {
            "compose": COMPOSE_TEXT,
            "cluster": "\n".join(path.read_text() for path in MANIFESTS),
        }.items()
    }
    assert used["compose"] == used["cluster"]
    assert len(used["compose"]) == 2


def test_every_variable_is_documented() -> None:
    page = (ROOT / "docs/operations.md").read_text()
    read = {
        variable
        for service in SERVICES
        for settings in settings_classes(service)
        for variable in variables_read(settings)
    }
    assert {variable for variable in read if f"`{variable}`" not in page} == set()
