"""The rules are pure and count in whole chips; the environment is read in one place."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "poker").glob("*.py"))
SERVICES = sorted((ROOT / "services").rglob("*.py"))
# All that the rules may know of the world: values and how to combine them.
PURE_IMPORTS = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib",
    "itertools", "math", "mypy_extensions", "operator", "poker", "re", "types", "typing",
}  # fmt: skip
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "float", "round", "id", "hash"}
READS_THE_ENVIRONMENT = {
    # They start other programs, which need what this one was given.
    "services/local.py",
    "services/common/backup.py",
    # Counting over several processes is switched on by a variable of prometheus_client's.
    "services/common/telemetry.py",
}


def imported(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or ".")
    return {name.split(".")[0] for name in names}


def impurities(source: str) -> list[str]:
    """What in a module of the rules could depend on, or change, the world."""
    tree = ast.parse(source)
    found = [f"imports {name}" for name in sorted(imported(tree) - PURE_IMPORTS)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found += [f"calls {node.func.id}()"] if node.func.id in IMPURE_CALLS else []
        elif isinstance(node, ast.Global | ast.Nonlocal):
            found.append(f"shares {', '.join(node.names)}")
    return found


def fractions(source: str) -> list[int]:
    """Lines that could make a fraction of a chip."""
    return sorted(
        node.lineno
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Constant) and isinstance(node.value, float))
    )


def environment_reads(source: str) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}
    ]


@pytest.mark.parametrize("module", RULES, ids=lambda path: path.stem)
def test_the_rules_touch_nothing_but_values(module: Path) -> None:
    assert impurities(module.read_text()) == []


@pytest.mark.parametrize("module", RULES, ids=lambda path: path.stem)
def test_the_rules_know_no_fractions(module: Path) -> None:
    assert fractions(module.read_text()) == []


def test_only_entry_points_read_the_environment() -> None:
    readers = {
        str(path.relative_to(ROOT)) for path in SERVICES if environment_reads(path.read_text())
    }
    entry_points = {str(path.relative_to(ROOT)) for path in SERVICES if path.stem == "__main__"}
    assert readers - entry_points == READS_THE_ENVIRONMENT


@pytest.mark.parametrize(
    "source",
    ["import random", "from datetime import datetime", "import services", "print(1)", "open('x')"],
)
def test_an_impure_rule_is_found(source: str) -> None:
    assert impurities(source)


def test_a_fraction_is_found() -> None:
    assert fractions("share = pot / 3\nrake = 0.05\npot /= 2\nfine = pot // 3") == [1, 2, 3]


def test_a_read_of_the_environment_is_found() -> None:
    assert environment_reads("import os\nPORT = os.environ['PORT']\nHOST = os.getenv('HOST')")
