"""What shows metrics and traces: one set of files, right for Compose and for a cluster."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from tests.support.manifests import K8S, Manifest, containers, of_kind, rendered

HERE = K8S / "observability"
PROJECT: dict[str, Any] = yaml.safe_load((K8S.parent / "docker-compose.yml").read_text())
PROMETHEUS: dict[str, Any] = yaml.safe_load((HERE / "prometheus.yml").read_text())
COLLECTOR: dict[str, Any] = yaml.safe_load((HERE / "otel-collector.yml").read_text())
SOURCES: dict[str, Any] = yaml.safe_load((HERE / "grafana/datasources.yml").read_text())
DASHBOARDS = sorted((HERE / "grafana").glob("*.json"))
SERVICES = {"gateway", "engine", "bot", "ledger"}
OBSERVERS = {"prometheus", "grafana", "otel-collector", "jaeger"}


def addresses_in_compose() -> set[str]:
    """Every name and port of the project that a container can reach."""
    known = set()
    for name, service in PROJECT["services"].items():
        networks = service.get("networks", ["inside"])
        aliases = networks["inside"].get("aliases", []) if isinstance(networks, dict) else []
        values = " ".join(str(value) for value in service.get("environment", {}).values())
        ports = set(re.findall(r"0\.0\.0\.0:(\d+)", values)) | {
            str(service.get("environment", {}).get("PORT", "")).rpartition(":")[2]
        }
        known |= {f"{host}:{port}" for host in (name, *aliases) for port in ports}
    return known


def addresses_in_the_cluster(manifests: list[Manifest]) -> set[str]:
    """Every Service's own port, and of headless ones all ports of the pods behind them."""
    known = set()
    for name, service in of_kind(manifests, "Service").items():
        spec = service["spec"]
        known |= {f"{name}:{port['port']}" for port in spec["ports"]}
        if spec.get("clusterIP") == "None":
            known |= {
                f"{name}:{port['containerPort']}"
                for pod, container in containers(manifests)
                if pod == spec["selector"]["app.kubernetes.io/name"]
                for port in container["ports"]
            }
    return known


def scrape_addresses(config: Manifest) -> set[str]:
    return {
        f"{name}:{lookup['port']}"
        for job in config["scrape_configs"]
        for lookup in job.get("dns_sd_configs", [])
        for name in lookup["names"]
    }


def outgoing_addresses() -> set[str]:
    """Where Grafana, the collector and the services send to."""
    urls = [source["url"] for source in SOURCES["datasources"]]
    urls += [exporter["endpoint"] for exporter in COLLECTOR["exporters"].values()]
    maps = of_kind(rendered("overlays/local"), "ConfigMap").values()
    urls += [
        item["data"]["OTEL_EXPORTER_OTLP_ENDPOINT"]
        for item in maps
        if "OTEL_EXPORTER_OTLP_ENDPOINT" in item.get("data", {})
    ]
    return {url.removeprefix("http://") for url in urls}


def collector_problems(config: Manifest) -> list[str]:
    """A pipeline uses what is defined, and nothing is defined in vain."""
    pipelines = config["service"]["pipelines"].values()
    return [
        f"{kind}: {name}"
        for kind in ("receivers", "processors", "exporters")
        for name in {part for pipeline in pipelines for part in pipeline[kind]}
        ^ config[kind].keys()
    ] + [
        f"extensions: {name}"
        for name in set(config["service"]["extensions"]) ^ config["extensions"].keys()
    ]


def dashboard_problems(dashboard: Manifest) -> list[str]:
    panels = dashboard["panels"]
    sources = {source["uid"] for source in SOURCES["datasources"]}
    ids = [panel["id"] for panel in panels]
    problems = [f"panel {number} twice" for number in {x for x in ids if ids.count(x) > 1}]
    for panel in panels:
        if panel["type"] == "row":
            continue
        if panel["datasource"]["uid"] not in sources:
            problems.append(f"{panel['title']}: {panel['datasource']['uid']} is no data source")
        if not panel.get("description"):
            problems.append(f"{panel['title']} says not what it shows")
        if panel["gridPos"]["x"] + panel["gridPos"]["w"] > 24:
            problems.append(f"{panel['title']} is too wide")
        problems += [
            f"{panel['title']}: {error}"
            for target in panel["targets"]
            if (error := query_error(target["expr"])) is not None
        ]
    return problems


def query_error(query: str) -> str | None:
    try:
        promql_parser.parse(query.replace("$__rate_interval", "1m"))
    except ValueError as error:
        return str(error)
    return None


def test_every_service_is_scraped_where_it_serves_its_metrics() -> None:
    jobs = {job["job_name"] for job in PROMETHEUS["scrape_configs"]}
    assert jobs == SERVICES | {"otel-collector", "prometheus"}
    wanted = scrape_addresses(PROMETHEUS) - {"otel-collector:8888"}
    assert len(wanted) == 4
    assert wanted <= addresses_in_compose()
    assert scrape_addresses(PROMETHEUS) <= addresses_in_the_cluster(rendered("overlays/local"))


def test_a_service_that_moved_is_found() -> None:
    moved = copy.deepcopy(PROMETHEUS)
    moved["scrape_configs"][1]["dns_sd_configs"][0]["port"] = 9101
    assert not scrape_addresses(moved) <= addresses_in_the_cluster(rendered("overlays/local"))
    assert not scrape_addresses(moved) - {"otel-collector:8888"} <= addresses_in_compose()


def test_everything_is_sent_where_somebody_listens() -> None:
    assert outgoing_addresses() == {
        "prometheus:9090",
        "jaeger:16686",
        "jaeger:4317",
        "otel-collector:4317",
    }
    assert outgoing_addresses() <= addresses_in_the_cluster(rendered("overlays/local"))
    assert {address.split(":")[0] for address in outgoing_addresses()} <= PROJECT["services"].keys()


def test_the_collector_listens_where_it_is_looked_for() -> None:
    assert COLLECTOR["receivers"]["otlp"]["protocols"]["grpc"]["endpoint"] == "0.0.0.0:4317"
    assert COLLECTOR["extensions"]["health_check"]["endpoint"] == "0.0.0.0:13133"
    (reader,) = COLLECTOR["service"]["telemetry"]["metrics"]["readers"]
    assert reader["pull"]["exporter"]["prometheus"] == {
        "host": "0.0.0.0",  # noqa: S104
        "port": 8888,
    }


def test_the_collector_uses_all_that_is_defined() -> None:
    assert collector_problems(COLLECTOR) == []


@pytest.mark.parametrize("kind", ["receivers", "processors", "exporters"])
def test_a_part_that_is_not_defined_is_found(kind: str) -> None:
    broken = copy.deepcopy(COLLECTOR)
    broken["service"]["pipelines"]["traces"][kind] = ["nowhere"]
    assert f"{kind}: nowhere" in collector_problems(broken)


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.name)
def test_every_dashboard_asks_what_prometheus_can_answer(path: Path) -> None:
    assert dashboard_problems(json.loads(path.read_text())) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("datasource", {"type": "prometheus", "uid": "elsewhere"}),
        ("targets", [{"expr": "sum(rate(riverboat_hands_total[5m])"}]),
        ("id", 1),
        ("description", ""),
    ],
)
def test_a_broken_panel_is_found(key: str, value: object) -> None:
    dashboard = json.loads((HERE / "grafana/riverboat.json").read_text())
    panel = next(panel for panel in dashboard["panels"] if panel["type"] == "timeseries")
    panel[key] = value
    assert dashboard_problems(dashboard)


def test_compose_mounts_the_same_files_as_the_cluster() -> None:
    kustomization = yaml.safe_load((HERE / "kustomization.yaml").read_text())
    in_cluster = {
        f"./k8s/observability/{file}"
        for generator in kustomization["configMapGenerator"]
        for file in generator.get("files", [])
    }
    in_compose = {
        volume.split(":")[0]
        for name in OBSERVERS
        for volume in PROJECT["services"][name].get("volumes", [])
        if volume.startswith("./")
    }
    assert in_compose == in_cluster
    assert all((K8S.parent / path).is_file() for path in in_compose)


def test_both_run_the_same_programs_with_the_same_settings() -> None:
    manifests = rendered("overlays/local")
    pods = dict(containers(manifests))
    maps = of_kind(manifests, "ConfigMap")
    for name in OBSERVERS:
        service, container = PROJECT["services"][name], pods[name]
        given = {
            key: value
            for source in container.get("envFrom", [])
            for key, value in maps[source["configMapRef"]["name"]]["data"].items()
        }
        assert container["image"] == service["image"]
        assert container.get("args", []) == service.get("command", [])
        assert given == service.get("environment", {})


def test_observers_run_only_when_asked_for() -> None:
    profiles = {name for name, item in PROJECT["services"].items() if "profiles" in item}
    assert profiles == OBSERVERS
