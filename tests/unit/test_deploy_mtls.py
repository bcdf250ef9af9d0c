"""Mutual TLS as a part of any overlay: certificates, names, and probes that show one."""

from pathlib import Path

import pytest

from services.common.credentials import GrpcSettings
from tests.support.manifests import (
    K8S,
    Manifest,
    broken_copy,
    of_kind,
    render,
    schema_problems,
)

PORTS = {"engine": 50051, "bot": 50052, "ledger": 50053}
FILES = {
    "GRPC_TLS_CA": "/run/tls/ca.crt",
    "GRPC_TLS_CERT": "/run/tls/tls.crt",
    "GRPC_TLS_KEY": "/run/tls/tls.key",
}


def overlay(k8s: Path, secured: str = "../../base") -> list[Manifest]:
    """The base, or an overlay of it, with mutual TLS, from a copy of k8s/."""
    folder = k8s / "overlays/secured"
    folder.mkdir()
    text = f"resources: [{secured}]\ncomponents: [../../mtls]\n"
    (folder / "kustomization.yaml").write_text(text)
    return render(folder)


def security_problems(manifests: list[Manifest]) -> list[str]:
    problems = schema_problems(manifests)
    for name, deployment in of_kind(manifests, "Deployment").items():
        pod = deployment["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        given = {item["name"]: item.get("value") for item in container["env"]}
        wanted = dict(FILES)
        if name in PORTS:
            wanted |= {"GRPC_TLS_NAME": name, "GRPC_TLS_PEERS": f"gateway,{name}"}
            problems += probe_problems(name, container)
        found = {key: value for key, value in given.items() if key.startswith("GRPC_TLS_")}
        if found != wanted:
            problems.append(f"{name} has {found}")
        problems += [
            f"{name}: nothing reads {key}"
            for key in found
            if key.lower() not in GrpcSettings.model_fields
        ]
        mounts = {item["name"]: item["mountPath"] for item in container["volumeMounts"]}
        secrets = {item["name"]: item.get("secret", {}) for item in pod["volumes"]}
        if (mounts.get("tls"), secrets["tls"].get("secretName")) != ("/run/tls", f"{name}-tls"):
            problems.append(f"{name} has no certificate of its own")
    return problems


def probe_problems(name: str, container: Manifest) -> list[str]:
    address = f"127.0.0.1:{PORTS[name]}"
    command = ["python", "-m", "services.common.healthcheck", address]
    return [
        f"{name}: {probe} is {container.get(probe)}"
        for probe in ("startupProbe", "readinessProbe", "livenessProbe")
        if container.get(probe, {}).get("exec") != {"command": command}
        or "grpc" in container.get(probe, {})
    ]


def test_every_service_shows_a_certificate_and_asks_for_one(tmp_path: Path) -> None:
    file = "mtls/kustomization.yaml"
    folder = broken_copy(tmp_path / "k8s", file, ("kind: Component", "kind: Component"))
    assert security_problems(overlay(folder)) == []


def test_the_certificate_for_strangers_is_no_service_s_own(tmp_path: Path) -> None:
    file = "mtls/kustomization.yaml"
    folder = broken_copy(tmp_path / "k8s", file, ("kind: Component", "kind: Component"))
    manifests = overlay(folder, "../cloud")
    assert security_problems(manifests) == []
    public = {
        item["secretName"]
        for ingress in of_kind(manifests, "Ingress").values()
        for item in ingress["spec"]["tls"]
    }
    assert public
    assert public.isdisjoint(f"{name}-tls" for name in of_kind(manifests, "Deployment"))


@pytest.mark.parametrize(
    "change",
    [
        ("value: /run/tls/ca.crt", "value: /run/tls/ca.pem"),
        ("GRPC_TLS_KEY", "GRPC_TLS_SECRET"),
        ("gateway,bot", "gateway"),
        ("secretName: engine-tls", "secretName: tls"),
        ('"127.0.0.1:50053"', '"127.0.0.1:50052"'),
        ("grpc: null", "failureThreshold: 3"),
        ("mountPath: /run/tls", "mountPath: /etc/tls"),
    ],
)
def test_a_gap_is_found(change: tuple[str, str], tmp_path: Path) -> None:
    folder = broken_copy(tmp_path / "k8s", "mtls/kustomization.yaml", change)
    assert security_problems(overlay(folder))


def test_the_variables_are_those_that_the_services_read() -> None:
    assert {key.lower() for key in FILES} <= GrpcSettings.model_fields.keys()
    assert (K8S / "mtls/kustomization.yaml").is_file()
