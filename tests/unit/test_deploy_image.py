"""The image recipe: linted, small, unprivileged, and built from pinned dependencies only."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
RUNTIME_LOCK = (ROOT / "requirements-runtime.lock").read_text()
DEVELOPMENT_LOCK = (ROOT / "requirements.lock").read_text()
COMPILING = {
    *("mypy", "ast-serialize", "librt", "mypy-extensions", "pathspec", "typing-extensions"),
    *("setuptools", "types-protobuf"),
}


def hadolint_problems(dockerfile: str) -> list[str]:
    hadolint = shutil.which("hadolint", path=Path(sys.executable).parent) or "hadolint"
    command = [hadolint, "--failure-threshold", "style", "-"]
    run = subprocess.run(command, input=dockerfile, capture_output=True, text=True, check=False)
    return run.stdout.splitlines() if run.returncode else []


def final_stage(dockerfile: str) -> str:
    return dockerfile[dockerfile.rindex("\nFROM ") :]


def privilege_problems(dockerfile: str) -> list[str]:
    users = re.findall(r"^USER (\S+)$", final_stage(dockerfile), re.MULTILINE)
    if not users or not re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1]):
        return ["the final stage must end as a numeric user that is not root"]
    return []


def tool_problems(dockerfile: str) -> list[str]:
    tools = re.findall(r"apt-get|apk add|npm|gcc|pip[^\n]* install", final_stage(dockerfile))
    return [f"the final stage installs with {tool}" for tool in tools]


def label_problems(dockerfile: str) -> list[str]:
    given = set(re.findall(r"org\.opencontainers\.image\.([\w.]+)=", final_stage(dockerfile)))
    wanted = {"title", "description", "base.name", "version", "revision"}
    return [f"the final stage has no label {name}" for name in wanted - given]


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)", lock, re.MULTILINE))


def lock_problems(lock: str, reference: str) -> list[str]:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    wanted = {re.split(r"[\[<>=!~;, ]", requirement)[0] for requirement in declared}
    missing = [f"{name} is not locked" for name in wanted - pins(lock).keys()]
    differing = [
        f"{name} differs from the development lock"
        for name, version in pins(lock).items()
        if pins(reference).get(name) != version
    ]
    return missing + differing + unhashed_problems(lock)


def unhashed_problems(lock: str) -> list[str]:
    entries = re.split(r"\n(?=\S)", lock.strip())
    return [entry for entry in entries if "--hash=sha256:" not in entry]


def test_the_dockerfile_passes_hadolint() -> None:
    assert hadolint_problems(DOCKERFILE) == []


@pytest.mark.parametrize(
    ("instruction", "rule"),
    [
        ("FROM python:latest", "DL3007"),
        ("FROM python", "DL3006"),
        ("RUN apt-get update && apt-get install -y curl", "DL3008"),
        ("RUN python -m pip install requests", "DL3013"),
        ("RUN sudo true", "DL3004"),
        ("USER root", "DL3002"),
        ("WORKDIR app", "DL3000"),
        ("ADD poker/ /app/", "DL3020"),
    ],
)
def test_hadolint_refuses_bad_instructions(instruction: str, rule: str) -> None:
    problems = hadolint_problems(f"{DOCKERFILE}{instruction}\n")
    assert any(rule in problem for problem in problems), problems


def test_the_final_image_runs_without_privileges() -> None:
    assert privilege_problems(DOCKERFILE) == []


@pytest.mark.parametrize("user", ["root", "0:0", "riverboat"])
def test_a_privileged_or_nameless_final_user_is_refused(user: str) -> None:
    assert privilege_problems(re.sub(r"USER \S+", f"USER {user}", DOCKERFILE))


def test_nothing_is_installed_in_the_final_stage() -> None:
    assert tool_problems(DOCKERFILE) == []


def test_a_compiler_in_the_final_stage_is_refused() -> None:
    assert tool_problems(f"{DOCKERFILE}\nRUN apt-get install -y gcc\n")


def test_the_image_says_what_it_is() -> None:
    assert label_problems(DOCKERFILE) == []


@pytest.mark.parametrize("label", ["title", "revision", "base.name"])
def test_a_missing_label_is_found(label: str) -> None:
    assert label_problems(DOCKERFILE.replace(f"image.{label}=", "image.other="))


def test_the_base_of_the_label_is_the_base_of_the_image() -> None:
    stages = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert f'base.name="{stages[-1]}"' in DOCKERFILE


def test_bytecode_does_not_depend_on_the_time_of_the_build() -> None:
    compiling = re.findall(r"compileall (.*?) /app", DOCKERFILE)
    assert compiling == ["-q --invalidation-mode unchecked-hash"]


def test_dependencies_come_from_the_runtime_lock_with_hashes() -> None:
    install = re.search(r"pip .* install.*?(?=\n\n|\n#)", DOCKERFILE, re.DOTALL)
    assert install is not None
    assert "--require-hashes" in install[0]
    assert "--only-binary :all:" in install[0]
    assert "requirements-runtime.lock" in install[0]


def test_what_compiles_the_rules_is_taken_from_the_development_lock() -> None:
    script = re.search(r"awk '(.*?)' \\\n\s+requirements\.lock > compile\.lock", DOCKERFILE)
    assert script is not None
    command = ["awk", script[1]]
    compile_lock = subprocess.run(
        command, input=DEVELOPMENT_LOCK, capture_output=True, text=True, check=True
    ).stdout
    assert unhashed_problems(compile_lock) == []
    assert pins(compile_lock).keys() == COMPILING
    assert "--require-hashes --only-binary :all: --requirement compile.lock" in DOCKERFILE


def test_what_compiles_the_rules_lacks_nothing() -> None:
    (mypy,) = [metadata.requires("mypy")]
    needed = [re.split(r"[<>=!~; ]", text) for text in mypy or () if "extra ==" not in text]
    names = {name.replace("_", "-") for name, *_ in needed}
    assert names <= COMPILING | {"tomli"}  # which is part of Python since 3.11


def test_the_runtime_lock_is_complete_hashed_and_agrees_with_the_development_lock() -> None:
    assert lock_problems(RUNTIME_LOCK, DEVELOPMENT_LOCK) == []


def test_the_runtime_lock_has_no_development_tools() -> None:
    assert {"pytest", "mypy", "ruff", "grpcio-tools", "hypothesis"}.isdisjoint(pins(RUNTIME_LOCK))


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"grpcio==\S+", "grpcio==1.0.0"),
        (r"(?s)alembic==.*?\n(?=\S)", ""),
        (r" \\\n    --hash=\S+", ""),
    ],
    ids=["another version", "a missing dependency", "no hashes"],
)
def test_a_bad_runtime_lock_is_refused(pattern: str, replacement: str) -> None:
    assert lock_problems(re.sub(pattern, replacement, RUNTIME_LOCK), DEVELOPMENT_LOCK)


def test_the_build_context_holds_only_what_the_recipe_copies() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    joined = re.sub(r"\\\n\s*", "", DOCKERFILE)
    copied = {
        source.split("/")[0]
        for source in re.findall(r"^COPY (?!--from)(.*) \S+$", joined, re.MULTILINE)
        for source in source.split()
    }
    assert "*" in lines
    assert {line[1:].rstrip("/") for line in lines if line.startswith("!")} == copied
