"""Who reaches whom in a cluster: exactly these connections and no others."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from services.gateway.live.settings import LiveSettings
from tests.support.manifests import K8S, Manifest, broken_copy, of_kind, pods, render, rendered
from tests.support.network_flows import Pod, flows, pods_of, policies_of

# Pods of other namespaces. `stores` stands for everything outside, wherever it is.
OUTSIDERS = (
    Pod("stores", "elsewhere", ports=frozenset({22, 80, 443, 5432, 9092})),
    Pod("ingress", "ingress-nginx"),
    Pod("monitoring", "monitoring", ports=frozenset({4317})),
    Pod("keda", "keda"),
    Pod("cnpg", "cnpg-system"),
    Pod("dns", "kube-system", {"k8s-app": "kube-dns"}, frozenset({53})),
)
LOOPBACK = "127.0.0.1/32"
ANYONE = {pod.name for pod in OUTSIDERS}
# Pods that operators make of what the overlay asks for.
OPERATED = (
    Pod("gateway-db", labels={"cnpg.io/cluster": "gateway-db"}, ports=frozenset({5432, 8000})),
    Pod("ledger-db", labels={"cnpg.io/cluster": "ledger-db"}, ports=frozenset({5432, 8000})),
    Pod("broker", labels={"strimzi.io/name": "events-kafka"}, ports=frozenset({9090, 9091, 9092})),
)
SERVICES = {"gateway", "engine", "bot", "ledger"}
DATABASE_CLIENTS = {"gateway", "ledger", "gateway-migrate", "ledger-migrate"}
LOG_CLIENTS = {"gateway", "ledger", "ledger-topics"}
STORE_CLIENTS = DATABASE_CLIENTS | LOG_CLIENTS

Flows = dict[tuple[str, int], set[str]]

CALLS: Flows = {
    ("engine", 50051): {"gateway"},
    ("bot", 50052): {"gateway"},
    ("ledger", 50053): {"gateway"},
}
METRICS: Flows = {(name, 9100): {"monitoring"} for name in ("engine", "bot", "ledger")}
STORES: Flows = {("stores", 5432): DATABASE_CLIENTS, ("stores", 9092): LOG_CLIENTS}
ALLOWED: dict[str, Flows] = {
    "base": CALLS | METRICS | STORES | {("gateway", 8000): ANYONE, ("dns", 53): STORE_CLIENTS},
    "overlays/local": CALLS
    | {port: {"monitoring", "prometheus"} for port in METRICS}
    | {
        ("gateway", 8000): ANYONE | {"prometheus"},
        ("postgres", 5432): DATABASE_CLIENTS | {"databases"},
        ("kafka", 9092): LOG_CLIENTS,
        ("otel-collector", 4317): SERVICES,
        ("otel-collector", 8888): {"prometheus"},
        ("jaeger", 4317): {"otel-collector"},
        ("jaeger", 16686): {"grafana"},
        ("prometheus", 9090): {"grafana"},
        ("dns", 53): STORE_CLIENTS
        | SERVICES
        | {"databases", "prometheus", "grafana", "otel-collector"},
    },
    "overlays/cloud": CALLS
    | METRICS
    | STORES
    | {
        ("gateway", 8000): {"ingress", "monitoring"},
        ("monitoring", 4317): SERVICES,
        ("dns", 53): STORE_CLIENTS | SERVICES,
    },
    "overlays/operators": CALLS
    | METRICS
    | {
        ("gateway", 8000): {"ingress", "monitoring"},
        ("monitoring", 4317): SERVICES,
        ("gateway-db", 5432): {"gateway", "gateway-migrate", "gateway-db", "cnpg"},
        ("gateway-db", 8000): {"gateway-db", "cnpg"},
        ("ledger-db", 5432): {"ledger", "ledger-migrate", "ledger-db", "cnpg"},
        ("ledger-db", 8000): {"ledger-db", "cnpg"},
        ("broker", 9090): {"broker"},
        ("broker", 9091): {"broker"},
        ("broker", 9092): LOG_CLIENTS | {"keda"},
        # Backups, and the API server.
        ("stores", 443): {"gateway-db", "ledger-db"},
        ("dns", 53): STORE_CLIENTS | SERVICES | {"gateway-db", "ledger-db", "broker"},
    },
}


def strimzi_policies(manifests: list[Manifest]) -> list[Manifest]:
    """What Strimzi makes of a Kafka: its own ports for its own pods, the listeners for peers."""
    return [
        {
            "podSelector": {"matchLabels": {"strimzi.io/name": f"{name}-kafka"}},
            "policyTypes": ["Ingress"],
            "ingress": [
                {
                    "from": [
                        {"podSelector": {"matchLabels": {"strimzi.io/name": f"{name}-kafka"}}}
                    ],
                    "ports": [{"port": 9090}, {"port": 9091}],
                },
                *(
                    {"from": item["networkPolicyPeers"], "ports": [{"port": item["port"]}]}
                    for item in kafka["spec"]["kafka"]["listeners"]
                ),
            ],
        }
        for name, kafka in of_kind(manifests, "Kafka").items()
    ]


def allowed(manifests: list[Manifest]) -> Flows:
    operated = OPERATED if of_kind(manifests, "Kafka") else ()
    found: Flows = defaultdict(set)
    for source, target, port in flows(
        (*pods_of(manifests), *operated, *OUTSIDERS),
        policies_of(manifests) + strimzi_policies(manifests),
    ):
        found[target, port].add(source)
    return dict(found)


@pytest.mark.parametrize("overlay", ALLOWED)
def test_exactly_these_connections_are_possible(overlay: str) -> None:
    assert allowed(rendered(overlay)) == ALLOWED[overlay]


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("network-policies.yaml", ("podSelector: {}", "podSelector: {matchLabels: {a: b}}")),
        ("network-policies.yaml", ("port: 50053", "port: 50054")),
        ("network-policies.yaml", ("values: [engine, bot, ledger]", "values: [engine, bot]")),
        ("network-policies.yaml", ("{k8s-app: kube-dns}", "{k8s-app: dns}")),
        ("bot.yaml", ("containerPort: 50052", "containerPort: 50062")),
        ("engine.yaml", ("app.kubernetes.io/name: engine}", "app.kubernetes.io/name: rules}")),
        (
            "jobs.yaml",
            ("name: ledger-topics, riverboat/event-log", "name: ledger-topics, riverboat/log"),
        ),
    ],
)
def test_a_connection_too_many_or_too_few_is_found(
    file: str, change: tuple[str, str], tmp_path: Path
) -> None:
    folder = broken_copy(tmp_path / "k8s", f"base/{file}", change)
    assert allowed(render(folder / "base")) != ALLOWED["base"]


def names_that_a_broker_cannot_find(manifests: list[Manifest]) -> set[str]:
    """Names under which a broker is told of, to its own probe too, and which it cannot look up."""
    found = set()
    for name, pod in pods(manifests):
        told = {
            re.sub(r".*//|:.*", "", variable["value"])
            for container in pod["spec"]["containers"]
            for variable in container.get("env", [])
            if variable["name"] == "KAFKA_ADVERTISED_LISTENERS"
        }
        aliases = pod["spec"].get("hostAliases", [])
        known = {host for alias in aliases for host in alias["hostnames"]}
        if name not in allowed(manifests)["dns", 53]:
            found |= told - known
    return found


def test_a_broker_finds_itself() -> None:
    assert "kafka" in dict(pods(rendered("overlays/local")))
    assert names_that_a_broker_cannot_find(rendered("overlays/local")) == set()


def test_a_broker_that_does_not_find_itself_is_found(tmp_path: Path) -> None:
    change = ("hostnames: [kafka]", "hostnames: [broker]")
    folder = broken_copy(tmp_path / "k8s", "overlays/local/kafka.yaml", change)
    assert names_that_a_broker_cannot_find(render(folder / "overlays/local")) == {"kafka"}


def hosts_that_tell_metrics(manifests: list[Manifest]) -> set[str]:
    """Hosts of which anybody may ask for /metrics."""
    closed, asked = set(), set()
    for ingress in of_kind(manifests, "Ingress").values():
        notes = ingress["metadata"].get("annotations", {})
        only_here = notes.get("nginx.ingress.kubernetes.io/whitelist-source-range") == LOOPBACK
        for rule in ingress["spec"]["rules"]:
            asked.add(rule["host"])
            for path in rule["http"]["paths"]:
                if only_here and (path["path"], path["pathType"]) == ("/metrics", "Exact"):
                    closed.add(rule["host"])
    return asked - closed


@pytest.mark.parametrize("overlay", ["overlays/cloud", "overlays/operators"])
def test_the_ingress_keeps_who_may_be_silent(overlay: str) -> None:
    notes = of_kind(rendered(overlay), "Ingress")["gateway"]["metadata"]["annotations"]
    for way in ("read", "send"):
        seconds = int(notes[f"nginx.ingress.kubernetes.io/proxy-{way}-timeout"])
        assert seconds > LiveSettings().away_seconds


@pytest.mark.parametrize("overlay", ["overlays/cloud", "overlays/operators"])
def test_strangers_do_not_read_the_metrics(overlay: str) -> None:
    assert of_kind(rendered(overlay), "Ingress")
    assert hosts_that_tell_metrics(rendered(overlay)) == set()


@pytest.mark.parametrize(
    "change",
    [
        (LOOPBACK, "0.0.0.0/0"),
        ("whitelist-source-range", "whitelist"),
        ("path: /metrics", "path: /figures"),
        ("pathType: Exact", "pathType: Prefix"),
    ],
)
def test_metrics_for_strangers_are_found(change: tuple[str, str], tmp_path: Path) -> None:
    folder = broken_copy(tmp_path / "k8s", "overlays/cloud/ingress.yaml", change)
    assert hosts_that_tell_metrics(render(folder / "overlays/cloud")) != set()


def test_every_overlay_is_listed() -> None:
    folders = {f"overlays/{path.name}" for path in (K8S / "overlays").iterdir()}
    assert ALLOWED.keys() == folders | {"base"}
