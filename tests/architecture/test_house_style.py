"""House style that linters do not check: sizes, docstrings of the rules, a clean tree."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70
GENERATED = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")
# Put together here so that this file does not contain what it forbids.
FORBIDDEN = re.compile(
    "|".join(
        [
            r"(?<![\w.])/wo" + "rk/",
            "/bash_" + "jobs",
            r"registry\." + r"npmjs\.org",
            r"pypi\." + "org/simple",
            r"files\." + r"pythonhosted\.org",
            r"repo\." + r"maven\.apache\.org",
            r"repo1\." + r"maven\.org",
            r"proxy\." + r"golang\.org",
            r"deb\." + r"debian\.org",
        ]
    )
)

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def project_files() -> list[Path]:
    """Every file that is, or is about to be, under version control."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = (ROOT / name for name in run.stdout.split("\0") if name)
    return [path for path in paths if path.is_file()]


def our_python() -> list[Path]:
    return [
        path
        for path in project_files()
        if path.suffix == ".py" and not path.name.endswith(GENERATED)
    ]


def size_problems(source: str, *, is_migration: bool = False) -> list[str]:
    """Files and functions that are too long; a migration may be one long list of steps."""
    problems = []
    if (lines := len(source.splitlines())) > FILE_LINES_MAX:
        problems.append(f"file of {lines} lines")
    if is_migration:
        return problems
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                problems.append(f"{node.name}() of {lines} lines")
    return problems


def public_definitions(tree: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[Definition]:
    """Public classes, functions and methods, but not what lives inside a function."""
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node)


def undocumented(source: str) -> list[str]:
    tree = ast.parse(source)
    missing = [] if ast.get_docstring(tree) else ["the module"]
    return missing + [
        node.name for node in public_definitions(tree) if ast.get_docstring(node) is None
    ]


def forbidden_lines(text: str) -> list[str]:
    return [line.strip()[:120] for line in text.splitlines() if FORBIDDEN.search(line)]


def test_files_and_functions_stay_small() -> None:
    problems = {
        str(path.relative_to(ROOT)): found
        for path in our_python()
        if (found := size_problems(path.read_text(), is_migration=path.parent.name == "versions"))
    }
    assert problems == {}


def test_a_long_file_and_a_long_function_are_found() -> None:
    body = "    pass\n"
    assert size_problems("def long():\n" + body * FUNCTION_LINES_MAX) == ["long() of 71 lines"]
    assert size_problems("x = 1\n" * (FILE_LINES_MAX + 1)) == ["file of 401 lines"]
    assert size_problems("def short():\n" + body) == []
    assert size_problems("x = 1\n" * (FILE_LINES_MAX + 1), is_migration=True)


def test_every_public_name_of_the_rules_is_documented() -> None:
    problems = {
        path.name: found
        for path in sorted((ROOT / "poker").glob("*.py"))
        if (found := undocumented(path.read_text()))
    }
    assert problems == {}


def test_a_public_name_without_docstring_is_found() -> None:
    source = '"""Module."""\nclass Hand:\n    """A hand."""\n    def act(self): ...\n'
    assert undocumented(source) == ["act"]
    assert undocumented("def _private(): ...") == ["the module"]


def test_the_tree_names_no_machine_and_no_registry() -> None:
    problems = {}
    for path in project_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue  # a picture or packed data
        if found := forbidden_lines(text):
            problems[str(path.relative_to(ROOT))] = found[:3]
    assert problems == {}


@pytest.mark.parametrize(
    "line",
    [
        '"resolved": "https://' + "registry." + 'npmjs.org/svelte/-/svelte-5.0.0.tgz"',
        "--index-url https://" + "pypi.org" + "/simple",
        "cd /wo" + "rk/main",
    ],
)
def test_a_forbidden_word_is_found(line: str) -> None:
    assert forbidden_lines(line)


def test_ordinary_paths_are_allowed() -> None:
    assert forbidden_lines("docs/net" + "wo" + "rk/page.md, ./wo" + "rk/x") == []


def test_the_development_lock_has_a_hash_for_every_package() -> None:
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text().strip())
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
