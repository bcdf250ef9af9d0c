"""What scales by itself, by what, and how far; and what a Prometheus operator collects."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from services.common.eventlog.kafka import MATCHES_TOPIC
from services.ledger.settings import KafkaSettings, ServeSettings
from tests.support import alert_rules
from tests.support.manifests import Manifest, broken_copy, containers, of_kind, render, rendered

MEASURES = {
    "engine": {"cpu"},
    "bot": {"cpu"},
    "gateway": {"prometheus", "cpu"},
    "ledger": {"kafka"},
}


def scalers(manifests: list[Manifest]) -> dict[str, tuple[str, Manifest]]:
    """By scaled Deployment: the kind of the scaler and what it asks for."""
    return {
        item["spec"]["scaleTargetRef"]["name"]: (kind, item["spec"])
        for kind in ("HorizontalPodAutoscaler", "ScaledObject")
        for item in of_kind(manifests, kind).values()
    }


def measures(kind: str, spec: Manifest) -> set[str]:
    if kind == "ScaledObject":
        return {trigger["type"] for trigger in spec["triggers"]}
    return {metric["resource"]["name"] for metric in spec["metrics"]}


def scaling_problems(manifests: list[Manifest]) -> list[str]:
    found = scalers(manifests)
    by = {name: measures(kind, spec) for name, (kind, spec) in found.items()}
    problems = [] if by == MEASURES else [f"scaled by {by}"]
    problems += [
        f"{name} may shrink to one pod"
        for name, (_, spec) in found.items()
        if min(spec.get("minReplicas", 9), spec.get("minReplicaCount", 9)) < 2
    ]
    problems += [
        f"{name} has a fixed number of pods too"
        for name, deployment in of_kind(manifests, "Deployment").items()
        if name in found and "replicas" in deployment["spec"]
    ]
    return problems + lag_problems(found["ledger"][1], manifests)


def lag_problems(spec: Manifest, manifests: list[Manifest]) -> list[str]:
    """The lag must be that of the ledgers themselves, and more of them than it helps is waste."""
    (trigger,) = [item["metadata"] for item in spec["triggers"] if item["type"] == "kafka"]
    wanted = {
        "topic": MATCHES_TOPIC,
        "consumerGroup": ServeSettings.model_fields["ledger_group"].default,
        "offsetResetPolicy": "earliest",
    }
    problems = [f"{key} is not {value}" for key, value in wanted.items() if trigger[key] != value]
    partitions = int(shared_values(manifests)["LEDGER_TOPIC_PARTITIONS"])
    if spec["maxReplicaCount"] != partitions:
        problems.append(f"{spec['maxReplicaCount']} ledgers for {partitions} partitions")
    if trigger["bootstrapServersFromEnv"] not in shared_values(manifests):
        problems.append("the ledger does not know its brokers by that name")
        return problems
    brokers = shared_values(manifests)[trigger["bootstrapServersFromEnv"]].split(",")
    # KEDA looks names up in its own namespace.
    return problems + [f"KEDA finds no {broker}" for broker in brokers if "." not in broker]


def shared_values(manifests: list[Manifest]) -> dict[str, Any]:
    maps = of_kind(manifests, "ConfigMap").values()
    return {key: value for item in maps for key, value in item.get("data", {}).items()}


def monitor_problems(manifests: list[Manifest]) -> list[str]:
    """Every service has a port for metrics, and a PodMonitor asks at it."""
    watched = set()
    for monitor in of_kind(manifests, "PodMonitor").values():
        selector = monitor["spec"]["selector"]
        names = selector.get("matchLabels", {}).values()
        names = [
            *names,
            *(v for item in selector.get("matchExpressions", []) for v in item["values"]),
        ]
        ports = {endpoint["port"] for endpoint in monitor["spec"]["podMetricsEndpoints"]}
        watched |= {(name, port) for name in names for port in ports}
    there = {
        (name, port["name"])
        for name, container in containers(manifests)
        for port in container.get("ports", [])
        if name in MEASURES and port["name"] in {"metrics", "http"}
    }
    return [f"{name}: {port}" for name, port in watched ^ there]


@pytest.mark.parametrize("overlay", ["overlays/cloud", "overlays/operators"])
def test_each_service_is_scaled_by_what_it_is_short_of(overlay: str) -> None:
    assert scaling_problems(rendered(overlay)) == []


@pytest.mark.parametrize("overlay", ["overlays/cloud", "overlays/operators"])
def test_the_metrics_of_every_service_are_collected(overlay: str) -> None:
    assert monitor_problems(rendered(overlay)) == []


def test_a_ledger_starts_with_the_partitions_that_the_base_says() -> None:
    default = KafkaSettings.model_fields["ledger_topic_partitions"].default
    assert shared_values(rendered("base"))["LEDGER_TOPIC_PARTITIONS"] == str(default)


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("scalers.yaml", ("maxReplicaCount: 12", "maxReplicaCount: 13")),
        ("scalers.yaml", ("topic: riverboat.matches.v1", "topic: riverboat.matches")),
        ("scalers.yaml", ("consumerGroup: riverboat-ledger", "consumerGroup: ledger")),
        ("scalers.yaml", ("FromEnv: KAFKA_BOOTSTRAP_SERVERS", "FromEnv: KAFKA_BROKERS")),
        ("scalers.yaml", ("minReplicaCount: 2", "minReplicaCount: 1")),
        ("autoscalers.yaml", ("name: cpu", "name: memory")),
        ("kustomization.yaml", ("{kind: Deployment}", "{kind: Deployment, name: bot}")),
    ],
)
def test_a_broken_scaler_is_found(file: str, change: tuple[str, str], tmp_path: Path) -> None:
    folder = broken_copy(tmp_path / "k8s", f"overlays/cloud/{file}", change)
    assert scaling_problems(render(folder / "overlays/cloud"))


def test_brokers_that_only_our_namespace_knows_are_found(tmp_path: Path) -> None:
    change = ("events-kafka-bootstrap.riverboat:9092", "events-kafka-bootstrap:9092")
    folder = broken_copy(tmp_path / "k8s", "overlays/operators/kustomization.yaml", change)
    found = scaling_problems(render(folder / "overlays/operators"))
    assert found == ["KEDA finds no events-kafka-bootstrap:9092"]


def test_a_service_that_nobody_watches_is_found(tmp_path: Path) -> None:
    change = ("values: [engine, bot, ledger]", "values: [engine, ledger]")
    folder = broken_copy(tmp_path / "k8s", "overlays/cloud/monitors.yaml", change)
    assert monitor_problems(render(folder / "overlays/cloud")) == ["bot: metrics"]


def test_the_operator_gets_the_same_alerts_as_prometheus() -> None:
    rules = alert_rules.RULES.read_text()
    assert alert_rules.RESOURCE.read_text() == alert_rules.resource(rules), "run it again"
    assert yaml.safe_load(alert_rules.resource(rules))["spec"] == yaml.safe_load(rules)
