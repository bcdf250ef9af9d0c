"""Rendered Kubernetes manifests, and whether the API would take them.

Kubernetes' own kinds are checked against its published schemas. Kinds that operators bring
along are checked against `custom_resources.json`: of each definition, the fields that we use.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]  # it brings no types
import kubernetes_validate
import pytest
import yaml

K8S: Final = Path(__file__).parents[2] / "k8s"
OVERLAYS: Final = ("base", "overlays/local", "overlays/cloud", "overlays/operators")
KUBERNETES: Final = kubernetes_validate.latest_version()
CUSTOM: Final[dict[str, Any]] = json.loads(
    Path(__file__).with_name("custom_resources.json").read_text()
)

Manifest = dict[str, Any]


def needed(program: str, found: str | None) -> str:
    """The program's path; without it the test fails in CI and is skipped elsewhere."""
    if found is None:
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing(f"{program} is missing")
    return found


def tool(program: str) -> str:
    """A program of this environment, or of the machine."""
    beside = shutil.which(program, path=Path(sys.executable).parent)
    return needed(program, beside or shutil.which(program))


def render_text(folder: Path) -> str:
    """What would be applied; raises CalledProcessError when it does not build."""
    command = [tool("kubectl"), "kustomize", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def render(folder: Path) -> list[Manifest]:
    return list(yaml.load_all(render_text(folder), Loader=yaml.CSafeLoader))


@cache
def rendered(overlay: str) -> list[Manifest]:
    """An overlay of ours, rendered once; not to be changed."""
    return render(K8S / overlay)


def broken_copy(folder: Path, file: str, change: tuple[str, str]) -> Path:
    """All of k8s/ in ``folder``, where a text in one file has become another."""
    shutil.copytree(K8S, folder, dirs_exist_ok=True)
    text = (folder / file).read_text()
    before, after = change
    assert before in text, f"{file} has no {before!r}"
    (folder / file).write_text(text.replace(before, after))
    return folder


def pods(manifests: list[Manifest]) -> Iterator[tuple[str, Manifest]]:
    """The pod templates of Deployments, StatefulSets and Jobs, by name."""
    for manifest in manifests:
        if manifest["kind"] in {"Deployment", "StatefulSet", "Job"}:
            yield manifest["metadata"]["name"], manifest["spec"]["template"]


def containers(manifests: list[Manifest]) -> Iterator[tuple[str, Manifest]]:
    for name, pod in pods(manifests):
        for container in pod["spec"]["containers"]:
            yield name, container


def of_kind(manifests: list[Manifest], kind: str) -> dict[str, Manifest]:
    """All manifests of a kind, by name."""
    return {item["metadata"]["name"]: item for item in manifests if item["kind"] == kind}


def schema_problems(manifests: list[Manifest]) -> list[str]:
    """Unknown fields, missing fields, and values of the wrong kind."""
    return [problem for manifest in manifests for problem in _problems_of(manifest)]


def _problems_of(manifest: Manifest) -> list[str]:
    where = f"{manifest['kind']}/{manifest['metadata']['name']}"
    schema = CUSTOM.get(f"{manifest['apiVersion']}/{manifest['kind']}")
    if schema is not None:
        found = jsonschema.Draft202012Validator(schema).iter_errors(manifest)
        return [f"{where}: {error.json_path}: {error.message}" for error in found]
    try:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
    except kubernetes_validate.ValidationError as error:
        return [f"{where}: {error.message}"]
    except kubernetes_validate.SchemaNotFoundError:
        return [f"{where}: Kubernetes {KUBERNETES} has no such kind of {manifest['apiVersion']}"]
    return []
