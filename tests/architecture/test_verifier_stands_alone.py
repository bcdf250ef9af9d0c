"""The verifier is one file that anyone can download, read and run."""

import ast
import subprocess
import sys
from pathlib import Path

from services.gateway import verifier
from tests.support.fairness_vectors import VECTORS

SOURCE = Path(verifier.__file__)


def foreign_imports(source: str) -> set[str]:
    """Modules that do not come with Python."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." if node.level else str(node.module).partition(".")[0])
    return found - sys.stdlib_module_names


def test_the_verifier_imports_nothing_that_does_not_come_with_python() -> None:
    assert foreign_imports(SOURCE.read_text()) == set()


def test_a_foreign_import_is_found() -> None:
    source = "import json, numpy.linalg\nfrom poker.cards import DECK\nfrom . import x\n"
    assert foreign_imports(source) == {"numpy", "poker", "."}


def test_a_copy_of_the_file_runs_anywhere(tmp_path: Path) -> None:
    copy = tmp_path / "verifier.py"
    copy.write_bytes(SOURCE.read_bytes())
    command = [sys.executable, "-I", str(copy), "verify", str(VECTORS)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("NOT PROVEN: the proof must have exactly the members")
