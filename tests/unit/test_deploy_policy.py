"""A policy linter's opinion of the image recipe and of everything that a cluster would get."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.manifests import K8S, OVERLAYS, needed, render_text

ROOT = K8S.parent
PROGRAM = ROOT / ".cache/policy-venv/bin/checkov"
DOCKERFILE = (ROOT / "Dockerfile").read_text()
# A rule that must object to the rendered base when a text in it is replaced.
BROKEN = {
    "CKV_K8S_8": ("livenessProbe:", "unknown:"),
    "CKV_K8S_9": ("readinessProbe:", "unknown:"),
    "CKV_K8S_14": ("image: riverboat:0.1.0", "image: riverboat:latest"),
    "CKV_K8S_16": ("allowPrivilegeEscalation: false", "privileged: true"),
    "CKV_K8S_20": ("allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true"),
    "CKV_K8S_22": ("readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"),
    "CKV_K8S_23": (
        "runAsNonRoot: true\n        runAsUser: 10001",
        "runAsNonRoot: false\n        runAsUser: 0",
    ),
    "CKV_K8S_40": ("runAsUser: 10001", "runAsUser: 1000"),
    "CKV_K8S_31": ("type: RuntimeDefault", "type: Unconfined"),
    "CKV_K8S_37": ("- ALL", "- NET_RAW"),
    "CKV_K8S_38": ("automountServiceAccountToken: false", "automountServiceAccountToken: true"),
    "CKV_K8S_13": ("            memory: 256Mi\n", ""),
    "CKV_K8S_17": ("      enableServiceLinks: false", "      hostPID: true"),
    "CKV_K8S_19": ("      enableServiceLinks: false", "      hostNetwork: true"),
}
BROKEN_RECIPES = {
    "CKV_DOCKER_3": ("USER 10001:10001\n", ""),
    "CKV_DOCKER_7": ("FROM python:3.11.14-slim-bookworm\n", "FROM python:latest\n"),
    "CKV_DOCKER_8": ("USER 10001:10001", "USER root"),
    "CKV2_DOCKER_1": ("RUN python -m pip uninstall", "RUN sudo python -m pip uninstall"),
}

Findings = dict[str, set[str]]


def lint(folder: Path) -> Findings:
    """Rules that a folder breaks, each with the files that break it; no network is used."""
    program = needed("checkov", str(PROGRAM) if PROGRAM.exists() else None)
    command = [program, "--directory", str(folder), "--config-file", str(K8S / "policy.yaml")]
    options = ["--quiet", "--compact", "--skip-download", "--output", "json"]
    done = subprocess.run(
        command + options,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    return dict(_findings(json.loads(done.stdout)))


def _findings(report: list[dict[str, Any]] | dict[str, Any]) -> Iterator[tuple[str, set[str]]]:
    found: Findings = {}
    for part in report if isinstance(report, list) else [report]:
        assert part["summary"]["parsing_errors"] == 0
        assert part["summary"]["passed"] > 0, "it looked at nothing"
        for check in part["results"]["failed_checks"]:
            found.setdefault(check["check_id"], set()).add(Path(check["file_path"]).name)
    yield from found.items()


def replaced(text: str, change: tuple[str, str]) -> str:
    assert change[0] in text, change[0]
    return text.replace(*change)


def broken_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write each text under its name."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_the_recipe_and_every_overlay_follow_the_policies(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Dockerfile", tmp_path)
    texts = {
        f"{overlay.replace('/', '-')}.yaml": render_text(K8S / overlay) for overlay in OVERLAYS
    }
    broken_files(tmp_path, texts)
    assert lint(tmp_path) == {}


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """One run over one broken copy for each rule."""
    folder = tmp_path_factory.mktemp("broken")
    base = render_text(K8S / "base")
    broken_files(
        folder,
        {f"{rule}.yaml": replaced(base, change) for rule, change in BROKEN.items()}
        | {
            f"{rule}/{rule}.Dockerfile": replaced(DOCKERFILE, change)
            for rule, change in BROKEN_RECIPES.items()
        },
    )
    return lint(folder)


@pytest.mark.parametrize("rule", BROKEN)
def test_a_manifest_against_a_policy_is_found(rule: str, findings: Findings) -> None:
    assert f"{rule}.yaml" in findings.get(rule, set())


@pytest.mark.parametrize("rule", BROKEN_RECIPES)
def test_a_recipe_against_a_policy_is_found(rule: str, findings: Findings) -> None:
    assert f"{rule}.Dockerfile" in findings.get(rule, set())
