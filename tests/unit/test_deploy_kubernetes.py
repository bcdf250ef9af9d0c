"""The Kubernetes manifests: every overlay renders, is valid, confined and hangs together."""

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

ROOT = Path(__file__).parents[2]
K8S = ROOT / "k8s"
OVERLAYS = ("base", "overlays/local", "overlays/cloud")
KUBERNETES = kubernetes_validate.latest_version()
# Their images write beside the program; each says so in the file.
WRITABLE_ROOT = {"kafka"}
# Made by the operator, never stored here (docs/operations.md).
SECRETS = {"gateway-database", "ledger-database", "postgres-passwords"}

Manifest = dict[str, Any]


def render(folder: Path) -> list[Manifest]:
    """The manifests of a kustomization; raises CalledProcessError when it does not build."""
    kubectl = shutil.which("kubectl", path=Path(sys.executable).parent) or shutil.which("kubectl")
    if kubectl is None:
        if os.environ.get("CI") == "true":
            pytest.fail("kubectl is missing")
        pytest.skip("kubectl is missing")
    command = [kubectl, "kustomize", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(yaml.safe_load_all(run.stdout))


render_once = functools.cache(render)


def pods(manifests: list[Manifest]) -> Iterator[tuple[str, Manifest]]:
    for manifest in manifests:
        if "template" in manifest.get("spec", {}):
            yield manifest["metadata"]["name"], manifest["spec"]["template"]


def containers(manifests: list[Manifest]) -> Iterator[tuple[str, Manifest]]:
    for name, pod in pods(manifests):
        for container in pod["spec"]["containers"]:
            yield name, container


def names(manifests: list[Manifest], kind: str) -> set[str]:
    return {manifest["metadata"]["name"] for manifest in manifests if manifest["kind"] == kind}


def schema_problems(manifests: list[Manifest]) -> list[str]:
    problems = []
    for manifest in manifests:
        try:
            kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
        except kubernetes_validate.ValidationError as error:
            problems.append(f"{manifest['kind']}/{manifest['metadata']['name']}: {error.message}")
    return problems


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
            "requests CPU and memory": resources.get("requests", {}).keys() == {"cpu", "memory"},
            "limits CPU and memory": resources.get("limits", {}).keys() == {"cpu", "memory"},
        }
        problems += [f"{name} must: {rule}" for rule, holds in rules.items() if not holds]
    return problems


def availability_problems(manifests: list[Manifest]) -> list[str]:
    problems = []
    for manifest in manifests:
        if manifest["kind"] != "Deployment":
            continue
        name, pod = manifest["metadata"]["name"], manifest["spec"]["template"]["spec"]
        problems += [
            f"{name} has no {probe}"
            for probe in ("startupProbe", "readinessProbe", "livenessProbe")
            if probe not in pod["containers"][0]
        ]
        if pod.get("terminationGracePeriodSeconds", 0) < 30:
            problems.append(f"{name} has no time to drain")
        spread = {rule["topologyKey"] for rule in pod.get("topologySpreadConstraints", [])}
        if spread != {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}:
            problems.append(f"{name} may share one node")
    return problems


def reference_problems(manifests: list[Manifest]) -> list[str]:
    maps, services = names(manifests, "ConfigMap"), names(manifests, "Service")
    problems = [f"{name} is a committed secret" for name in names(manifests, "Secret")]
    for name, container in containers(manifests):
        used = {source["configMapRef"]["name"] for source in container.get("envFrom", [])}
        problems += [f"{name} uses no ConfigMap {missing}" for missing in used - maps]
        for variable in container.get("env", []):
            key = variable.get("valueFrom", {}).get("secretKeyRef", {})
            if key and key["name"] not in SECRETS:
                problems.append(f"{name} uses the unknown secret {key['name']}")
            if variable["name"].endswith("_TARGET"):
                problems += target_problems(variable["value"], manifests)
    for name, pod in pods(manifests):
        account = pod["spec"].get("serviceAccountName")
        if account is not None and account not in names(manifests, "ServiceAccount"):
            problems.append(f"{name} has no ServiceAccount {account}")
    for manifest in manifests:
        if manifest["kind"] == "Ingress":
            problems += [
                f"the ingress leads to no Service {path['backend']['service']['name']}"
                for rule in manifest["spec"]["rules"]
                for path in rule["http"]["paths"]
                if path["backend"]["service"]["name"] not in services
            ]
    return problems


def target_problems(target: str, manifests: list[Manifest]) -> list[str]:
    known = {
        f"dns:///{manifest['metadata']['name']}:{port['port']}"
        for manifest in manifests
        if manifest["kind"] == "Service"
        for port in manifest["spec"]["ports"]
    }
    return [] if target in known else [f"{target} is no service"]


def selector_problems(manifests: list[Manifest]) -> list[str]:
    """Every selector must match a pod, and every port a Service sends to must be open."""
    labels = [pod["metadata"]["labels"] for _, pod in pods(manifests)]
    problems = []
    for manifest in manifests:
        kind, spec = manifest["kind"], manifest.get("spec", {})
        selector = {
            "Service": spec.get("selector"),
            "NetworkPolicy": spec.get("podSelector", {}).get("matchLabels"),
            "PodDisruptionBudget": spec.get("selector", {}).get("matchLabels"),
        }.get(kind)
        if selector and not any(selector.items() <= pod.items() for pod in labels):
            problems.append(f"{kind}/{manifest['metadata']['name']} selects nothing")
        if kind == "Service":
            ports = {
                port["name"]
                for name, container in containers(manifests)
                if name == manifest["metadata"]["name"]
                for port in container["ports"]
            }
            problems += [
                f"{manifest['metadata']['name']} has no port {port['targetPort']}"
                for port in spec["ports"]
                if port["targetPort"] not in ports
            ]
    return problems


def network_problems(manifests: list[Manifest]) -> list[str]:
    """Nothing is open by default; each service port is opened by exactly one policy."""
    policies = [manifest["spec"] for manifest in manifests if manifest["kind"] == "NetworkPolicy"]
    closed = {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    problems = [] if closed in policies else ["pods are open by default"]
    for name, container in containers(manifests):
        for port in container.get("ports", []):
            openings = [
                rule
                for policy in policies
                if policy["podSelector"].get("matchLabels") == {"app.kubernetes.io/name": name}
                for rule in policy.get("ingress", [])
                if any(opened["port"] == port["containerPort"] for opened in rule["ports"])
            ]
            if len(openings) != 1:
                problems.append(f"{name}:{port['containerPort']} has {len(openings)} openings")
            elif name != "gateway" and "from" not in openings[0]:
                problems.append(f"{name}:{port['containerPort']} is open to everyone")
    return problems


def unlisted_files(folder: Path) -> set[str]:
    """Files in a kustomization's folder that it does not use."""
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    listed = set(kustomization["resources"])
    for generator in kustomization.get("configMapGenerator", []):
        listed |= set(generator.get("files", []))
    return (
        {path.name for path in folder.iterdir() if path.is_file()} - listed - {"kustomization.yaml"}
    )


CHECKS = (
    schema_problems,
    confinement_problems,
    availability_problems,
    reference_problems,
    selector_problems,
    network_problems,
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_overlay_passes(overlay: str, check: Callable[[list[Manifest]], list[str]]) -> None:
    assert check(render_once(K8S / overlay)) == []


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_file_is_part_of_its_kustomization(overlay: str) -> None:
    assert unlisted_files(K8S / overlay) == set()


def test_the_cloud_overlay_leaves_replicas_to_the_autoscalers() -> None:
    manifests = render(K8S / "overlays/cloud")
    scaled = {
        manifest["spec"]["scaleTargetRef"]["name"]
        for manifest in manifests
        if manifest["kind"] == "HorizontalPodAutoscaler"
    }
    fixed = {
        manifest["metadata"]["name"]
        for manifest in manifests
        if manifest["kind"] == "Deployment" and "replicas" in manifest["spec"]
    }
    assert (scaled, fixed) == ({"engine", "bot", "gateway"}, {"ledger"})


def test_the_local_overlay_runs_one_pod_of_each() -> None:
    manifests = render(K8S / "overlays/local")
    replicas = [
        manifest["spec"]["replicas"]
        for manifest in manifests
        if manifest["kind"] in {"Deployment", "StatefulSet"}
    ]
    assert replicas == [1] * 6
    assert names(manifests, "PodDisruptionBudget") == set()


@pytest.mark.parametrize(
    ("check", "file", "pattern", "replacement"),
    [
        (schema_problems, "bot.yaml", "replicas: 2", "replicas: two"),
        (schema_problems, "engine.yaml", "readinessProbe:", "readynessProbe:"),
        (confinement_problems, "gateway.yaml", "runAsNonRoot: true", "runAsNonRoot: false"),
        (confinement_problems, "ledger.yaml", r"drop: \[ALL\]", "add: [NET_ADMIN]"),
        (confinement_problems, "jobs.yaml", "readOnlyRootFilesystem: true", ""),
        (confinement_problems, "bot.yaml", r"limits: \{cpu: \"1\", memory: 1Gi\}", ""),
        (availability_problems, "engine.yaml", "startupProbe:", "x:"),
        (availability_problems, "engine.yaml", "terminationGracePeriodSeconds: 45", ""),
        (reference_problems, "gateway.yaml", "dns:///bot:50052", "dns:///bot:50051"),
        (reference_problems, "gateway.yaml", "name: gateway-database", "name: gateway-db"),
        (reference_problems, "kustomization.yaml", "name: common", "name: shared"),
        (reference_problems, "jobs.yaml", "serviceAccountName: ledger", "serviceAccountName: x"),
        (selector_problems, "engine.yaml", r"selector: \{app.*", "selector: {app: engine}"),
        (selector_problems, "bot.yaml", "targetPort: grpc", "targetPort: http"),
        (network_problems, "network-policies.yaml", "podSelector: {}", "podSelector: {a: b}"),
        (network_problems, "network-policies.yaml", "port: 50053", "port: 50054"),
        (network_problems, "network-policies.yaml", r"from:\n.*\n.*monitoring\}\n", "p:\n"),
        (network_problems, "bot.yaml", "containerPort: 50052", "containerPort: 50062"),
    ],
)
def test_a_broken_manifest_is_found(
    check: Callable[[list[Manifest]], list[str]],
    file: str,
    pattern: str,
    replacement: str,
    tmp_path: Path,
) -> None:
    folder = tmp_path / "base"
    shutil.copytree(K8S / "base", folder)
    text = (folder / file).read_text()
    broken = re.sub(pattern, replacement, text)
    assert broken != text
    (folder / file).write_text(broken)
    assert check(render(folder))


def test_a_committed_secret_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "base"
    shutil.copytree(K8S / "base", folder)
    with (folder / "kustomization.yaml").open("a") as file:
        file.write("secretGenerator: [{name: ledger-database, literals: [url=x]}]\n")
    assert reference_problems(render(folder))


def test_a_forgotten_file_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "base"
    shutil.copytree(K8S / "base", folder)
    (folder / "forgotten.yaml").write_text("{}")
    assert unlisted_files(folder) == {"forgotten.yaml"}
