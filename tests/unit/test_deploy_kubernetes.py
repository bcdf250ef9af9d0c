"""The Kubernetes manifests: every overlay renders, is valid, confined and hangs together."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.support.drains import DRAIN_SECONDS, MARGIN_SECONDS
from tests.support.manifests import (
    K8S,
    OVERLAYS,
    Manifest,
    broken_copy,
    containers,
    of_kind,
    pods,
    render,
    rendered,
    schema_problems,
)

# Their images write beside the program; each says so in the file.
WRITABLE_ROOT = {"kafka"}
# Made by the operator, never stored here (docs/operations.md).
SECRETS = {"gateway-database", "ledger-database", "postgres-passwords", "service-token"}
RESOURCES = {"cpu", "memory", "ephemeral-storage"}
SPREAD = {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}


def confinement_problems(manifests: list[Manifest]) -> list[str]:
    problems = []
    for name, pod in pods(manifests):
        spec, context = pod["spec"], pod["spec"].get("securityContext", {})
        rules = {
            "is not root": context.get("runAsNonRoot") and context.get("runAsUser", 0) > 0,
            "filters system calls": context.get("seccompProfile") == {"type": "RuntimeDefault"},
            "has no API token": spec.get("automountServiceAccountToken") is False,
            "gets no service links": spec.get("enableServiceLinks") is False,
        }
        problems += [f"{name} must: {rule}" for rule, holds in rules.items() if not holds]
    for name, container in containers(manifests):
        context, resources = container.get("securityContext", {}), container.get("resources", {})
        rules = {
            "gains no privileges": context.get("allowPrivilegeEscalation") is False,
            "drops all capabilities": context.get("capabilities") == {"drop": ["ALL"]},
            "has a read-only root": context.get("readOnlyRootFilesystem") or name in WRITABLE_ROOT,
            "requests all resources": resources.get("requests", {}).keys() == RESOURCES,
            "limits all resources": resources.get("limits", {}).keys() == RESOURCES,
        }
        problems += [f"{name} must: {rule}" for rule, holds in rules.items() if not holds]
    return problems


def namespace_problems(manifests: list[Manifest]) -> list[str]:
    """The namespace refuses pods that ask for too much, and everything is in it."""
    (space,) = of_kind(manifests, "Namespace").values()
    labels = space["metadata"]["labels"]
    problems = [
        f"{way} is not restricted"
        for way in ("enforce", "audit", "warn")
        if labels.get(f"pod-security.kubernetes.io/{way}") != "restricted"
    ]
    return problems + [
        f"{item['kind']}/{item['metadata']['name']} is in another namespace"
        for item in manifests
        if item["kind"] != "Namespace" and item["metadata"].get("namespace") != "riverboat"
    ]


def availability_problems(manifests: list[Manifest]) -> list[str]:
    return [
        f"{name} must: {rule}"
        for name, deployment in of_kind(manifests, "Deployment").items()
        if name in DRAIN_SECONDS
        for rule, holds in availability(name, deployment["spec"]).items()
        if not holds
    ]


def availability(name: str, spec: Manifest) -> dict[str, bool]:
    pod = spec["template"]["spec"]
    container = pod["containers"][0]
    pause = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    spread = {rule["topologyKey"] for rule in pod.get("topologySpreadConstraints", [])}
    probes = ("startupProbe", "readinessProbe", "livenessProbe")
    ways = {"httpGet" if name == "gateway" else "grpc"}
    return {
        "be probed natively": all(ways <= container.get(probe, {}).keys() for probe in probes),
        "be replaced before it goes": spec["strategy"]
        .get("rollingUpdate", {})
        .get("maxUnavailable")
        == 0,
        "be spread over nodes and zones": spread == SPREAD,
        "leave the list of addresses before it drains": pause >= 5,
        "have time to drain": pod.get("terminationGracePeriodSeconds", 30)
        >= pause + DRAIN_SECONDS[name] + MARGIN_SECONDS,
    }


def reference_problems(manifests: list[Manifest]) -> list[str]:
    maps, accounts = of_kind(manifests, "ConfigMap"), of_kind(manifests, "ServiceAccount")
    problems = [f"{name} is a committed secret" for name in of_kind(manifests, "Secret")]
    for name, container in containers(manifests):
        used = {source["configMapRef"]["name"] for source in container.get("envFrom", [])}
        problems += [f"{name} uses no ConfigMap {missing}" for missing in used - maps.keys()]
        for variable in container.get("env", []):
            key = variable.get("valueFrom", {}).get("secretKeyRef", {})
            if key and key["name"] not in SECRETS | operated_secrets(manifests):
                problems.append(f"{name} uses the unknown secret {key['name']}")
            if variable["name"].endswith("_TARGET"):
                problems += target_problems(variable["value"], manifests)
    for name, pod in pods(manifests):
        account = pod["spec"].get("serviceAccountName")
        if account is not None and account not in accounts:
            problems.append(f"{name} has no ServiceAccount {account}")
        for volume in pod["spec"].get("volumes", []):
            wanted = volume.get("configMap", {}).get("name")
            if wanted is not None and wanted not in maps:
                problems.append(f"{name} mounts no ConfigMap {wanted}")
    problems += [
        f"{name} mounts the API token"
        for name, account in accounts.items()
        if account.get("automountServiceAccountToken") is not False
    ]
    return problems + ingress_problems(manifests)


def operated_secrets(manifests: list[Manifest]) -> set[str]:
    """CloudNativePG writes one for the owner of each cluster's database."""
    return {f"{name}-app" for name in of_kind(manifests, "Cluster")}


def ingress_problems(manifests: list[Manifest]) -> list[str]:
    ingresses = of_kind(manifests, "Ingress")
    # Without one it waits for a cluster's default; another controller knows none of the notes.
    problems = [
        f"{name} names no controller"
        for name, item in ingresses.items()
        if item["spec"].get("ingressClassName") != "nginx"
    ]
    return problems + [
        f"{name} leads to no Service {path['backend']['service']['name']}"
        for name, ingress in ingresses.items()
        for rule in ingress["spec"]["rules"]
        for path in rule["http"]["paths"]
        if path["backend"]["service"]["name"] not in of_kind(manifests, "Service")
    ]


def target_problems(target: str, manifests: list[Manifest]) -> list[str]:
    """A gRPC target names a port of a headless Service: only so are calls balanced."""
    known = {
        f"dns:///{name}:{port['port']}"
        for name, service in of_kind(manifests, "Service").items()
        if service["spec"].get("clusterIP") == "None"
        for port in service["spec"]["ports"]
    }
    return [] if target in known else [f"{target} is no headless service"]


def selector_problems(manifests: list[Manifest]) -> list[str]:
    """Every selector must match a pod, and every port a Service sends to must be open."""
    labels = [pod["metadata"]["labels"] for _, pod in pods(manifests)]
    problems = []
    for manifest in manifests:
        kind, spec = manifest["kind"], manifest.get("spec", {})
        selector = {
            "Service": spec.get("selector"),
            "PodDisruptionBudget": spec.get("selector", {}).get("matchLabels"),
        }.get(kind)
        if selector and not any(selector.items() <= pod.items() for pod in labels):
            problems.append(f"{kind}/{manifest['metadata']['name']} selects nothing")
    for name, service in of_kind(manifests, "Service").items():
        ports = {
            port["name"]: port["containerPort"]
            for pod, container in containers(manifests)
            if pod == service["spec"]["selector"].get("app.kubernetes.io/name")
            for port in container.get("ports", [])
        }
        problems += [
            f"{name} sends {port['port']} to no port {port['targetPort']}"
            for port in service["spec"]["ports"]
            if port["targetPort"] not in ports
            or (
                service["spec"].get("clusterIP") == "None"
                and port["port"] != ports[port["targetPort"]]
            )
        ]
    return problems


def budget_problems(manifests: list[Manifest]) -> list[str]:
    """Of every service that has several pods, all but one stay when nodes are emptied."""
    covered = {
        budget["spec"]["selector"]["matchLabels"]["app.kubernetes.io/name"]
        for budget in of_kind(manifests, "PodDisruptionBudget").values()
        if budget["spec"].get("maxUnavailable") == 1
    }
    several = {
        name
        for name, deployment in of_kind(manifests, "Deployment").items()
        if deployment["spec"].get("replicas") != 1
    }
    return [f"{name} has no disruption budget" for name in several - covered]


def unlisted_files(folder: Path) -> set[str]:
    """Files in a kustomization's folder that it does not use."""
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    listed = set(kustomization["resources"])
    for generator in kustomization.get("configMapGenerator", []):
        listed |= set(generator.get("files", []))
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    return there - listed - {"kustomization.yaml"}


CHECKS = (
    schema_problems,
    confinement_problems,
    namespace_problems,
    availability_problems,
    reference_problems,
    selector_problems,
    budget_problems,
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_overlay_passes(overlay: str, check: Callable[[list[Manifest]], list[str]]) -> None:
    assert check(rendered(overlay)) == []


@pytest.mark.parametrize("overlay", [*OVERLAYS, "observability"])
def test_every_file_is_part_of_its_kustomization(overlay: str) -> None:
    assert unlisted_files(K8S / overlay) == set()


def test_the_local_overlay_runs_one_pod_of_each() -> None:
    manifests = rendered("overlays/local")
    workloads = of_kind(manifests, "Deployment") | of_kind(manifests, "StatefulSet")
    assert {name: item["spec"]["replicas"] for name, item in workloads.items()} == dict.fromkeys(
        (*DRAIN_SECONDS, "kafka", "postgres", "prometheus", "grafana", "otel-collector", "jaeger"),
        1,
    )
    assert of_kind(manifests, "PodDisruptionBudget") == {}


BASE_CHANGES = [
    (schema_problems, "bot.yaml", ("replicas: 2", "replicas: two")),
    (schema_problems, "engine.yaml", ("readinessProbe:", "readynessProbe:")),
    (schema_problems, "gateway.yaml", ("apiVersion: policy/v1", "apiVersion: policy/v1beta1")),
    (confinement_problems, "gateway.yaml", ("runAsNonRoot: true", "runAsNonRoot: false")),
    (confinement_problems, "engine.yaml", ("runAsUser: 10001", "runAsUser: 0")),
    (confinement_problems, "ledger.yaml", ("drop: [ALL]", "add: [NET_ADMIN]")),
    (confinement_problems, "jobs.yaml", ("readOnlyRootFilesystem: true", "")),
    (confinement_problems, "bot.yaml", ("memory: 1Gi, ", "")),
    (namespace_problems, "namespace.yaml", ("enforce: restricted", "enforce: baseline")),
    (availability_problems, "engine.yaml", ("startupProbe:", "x:")),
    (availability_problems, "bot.yaml", ("grpc: {port: 50052}", "tcpSocket: {port: 50052}")),
    (availability_problems, "gateway.yaml", ("PeriodSeconds: 45", "PeriodSeconds: 20")),
    (availability_problems, "ledger.yaml", ("sleep: {seconds: 5}", "sleep: {seconds: 0}")),
    (availability_problems, "gateway.yaml", ("maxUnavailable: 0", "maxUnavailable: 1")),
    (availability_problems, "bot.yaml", ("topology.kubernetes.io/zone", "kubernetes.io/hostname")),
    (reference_problems, "gateway.yaml", ("dns:///bot:50052", "dns:///bot:50051")),
    (reference_problems, "engine.yaml", ("clusterIP: None", "type: ClusterIP")),
    (reference_problems, "gateway.yaml", ("name: gateway-database", "name: gateway-db")),
    (reference_problems, "kustomization.yaml", ("name: common", "name: shared")),
    (reference_problems, "jobs.yaml", ("serviceAccountName: ledger", "serviceAccountName: x")),
    (reference_problems, "bot.yaml", ("\nautomountServiceAccountToken: false", "")),
    (
        reference_problems,
        "kustomization.yaml",
        ("images:", "secretGenerator: [{name: ledger-database, literals: [url=x]}]\nimages:"),
    ),
    (selector_problems, "engine.yaml", ("selector: {app.kubernetes.io", "selector: {app")),
    (selector_problems, "bot.yaml", ("targetPort: grpc", "targetPort: http")),
    (selector_problems, "ledger.yaml", ("port: 50053, target", "port: 50054, target")),
    (budget_problems, "gateway.yaml", ("maxUnavailable: 1\n", "maxUnavailable: 50%\n")),
]


@pytest.mark.parametrize(("check", "file", "change"), BASE_CHANGES)
def test_a_broken_manifest_is_found(
    check: Callable[[list[Manifest]], list[str]],
    file: str,
    change: tuple[str, str],
    tmp_path: Path,
) -> None:
    folder = broken_copy(tmp_path / "k8s", f"base/{file}", change)
    assert check(render(folder / "base"))


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("kafka.yaml", ("type: internal", "type: intern")),
        ("kafka.yaml", ("roles: [broker]", "rolls: [broker]")),
        ("postgres.yaml", ("instances: 3", "replicas: 3")),
        ("postgres.yaml", ('schedule: "0 0 3 * * *"', "schedule: 3")),
        ("../cloud/scalers.yaml", ("maxReplicaCount: 12", "maxReplicas: 12")),
        ("../cloud/scalers.yaml", ('threshold: "100"', "threshold: 100")),
        ("../cloud/monitors.yaml", ("podMetricsEndpoints:", "endpoints:")),
        ("../cloud/alerts.yaml", ("groups:", "group:")),
    ],
)
def test_a_broken_resource_of_an_operator_is_found(
    file: str, change: tuple[str, str], tmp_path: Path
) -> None:
    folder = broken_copy(tmp_path / "k8s", f"overlays/operators/{file}", change)
    assert schema_problems(render(folder / "overlays/operators"))


@pytest.mark.parametrize(
    "change", [("ingressClassName: nginx", ""), ("name: gateway\n", "name: g\n")]
)
def test_an_ingress_that_leads_nowhere_is_found(change: tuple[str, str], tmp_path: Path) -> None:
    folder = broken_copy(tmp_path / "k8s", "overlays/cloud/ingress.yaml", change)
    assert ingress_problems(render(folder / "overlays/cloud"))


def test_a_forgotten_file_is_found(tmp_path: Path) -> None:
    folder = broken_copy(tmp_path / "k8s", "base/bot.yaml", ("River.", "River."))
    (folder / "base/forgotten.yaml").write_text("{}")
    assert unlisted_files(folder / "base") == {"forgotten.yaml"}
