"""The import contracts of pyproject.toml hold, and would notice a violation."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def broken_contracts(folder: Path) -> set[str]:
    run = subprocess.run(
        [LINT_IMPORTS, "--config", "pyproject.toml", "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ("Contracts:" in run.stdout) or run.returncode == 0, run.stdout + run.stderr
    return {
        line.rsplit(" ", 1)[0].strip()
        for line in run.stdout.splitlines()
        if line.endswith(" BROKEN")
    }


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A copy of our Python code in which a test may plant a violation."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    python_only = shutil.ignore_patterns("web", "data", "__pycache__")
    for package in ("poker", "proto", "services"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=python_only)
    return tmp_path


def test_the_contracts_hold() -> None:
    assert broken_contracts(ROOT) == set()


@pytest.mark.parametrize(
    ("module", "violation", "contract"),
    [
        ("poker/cards.py", "services.common", "poker is pure: it imports nothing of ours"),
        ("services/bot/__init__.py", "services.gateway", "services never import one another"),
        ("services/common/__init__.py", "services.ledger", "common imports no service"),
        ("services/engine/__init__.py", "services.local", "nobody imports the local composition"),
    ],
)
def test_a_violation_is_found(planted: Path, module: str, violation: str, contract: str) -> None:
    with (planted / module).open("a") as file:
        file.write(f"\nimport {violation}\n")
    assert contract in broken_contracts(planted)
