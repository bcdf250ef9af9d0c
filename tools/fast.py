"""Compile the rules with mypyc into .cache/fast, beside the sources and never among them.

    python tools/fast.py build           # what `make fast` does
    python tools/fast.py test [...]      # run tests of the rules on the compiled build
    PYTHONPATH=.cache/fast python ...    # use it; without, the same sources run as they are

Compiled are the modules that do the work. The others only declare values, which gain nothing,
and `Card` is an int, which mypyc cannot extend. Needs a C compiler and Python's headers.
"""

import hashlib
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[1]
FAST = ROOT / ".cache" / "fast"
COMPILED = (
    "betting",
    "dealing",
    "hand",
    "legal",
    "legality",
    "naming",
    "positions",
    "pots",
    "ranking",
    "showdown",
    "telling",
    "validation",
)
# A compiled class cannot have its methods replaced by a test, and has no docstrings to run.
TESTS = (
    *("tests/unit", "tests/properties", "tests/golden"),
    *("-k", "test_poker and not test_hand_stops_when and not test_documented_examples"),
)


def missing() -> str | None:
    """Say what this machine lacks for compiling, or None."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"no C compiler ({compiler})"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "no Python headers (Python.h)"
    return None


def build() -> Path:
    """Compile, unless the last build was of the same sources; return where it is.

    Raises CalledProcessError, with the compiler's output, when mypyc refuses the sources.
    """
    stamp, wanted = FAST / "sources.sha256", _digest()
    if stamp.exists() and stamp.read_text() == wanted:
        return FAST
    shutil.rmtree(FAST, ignore_errors=True)
    shutil.copytree(ROOT / "poker", FAST / "poker", ignore=shutil.ignore_patterns("__pycache__"))
    sources = [f"poker/{module}.py" for module in COMPILED]
    command = [sys.executable, "-m", "mypyc", *sources]
    subprocess.run(command, cwd=FAST, check=True, capture_output=True, text=True)
    shutil.rmtree(FAST / "build")
    stamp.write_text(wanted)
    return FAST


def run(script: str, *arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run Python statements in the project, with the compiled rules in place of the sources."""
    # Whatever is imported later, and wherever from, the package is then in memory already.
    start = f"import sys; sys.path.insert(0, {str(FAST)!r}); import poker.hand; sys.path.pop(0)"
    proof = "assert not poker.hand.__file__.endswith('.py'), 'the rules are not compiled'"
    command = [sys.executable, "-c", f"{start}; {proof}; {script}", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False, text=True, capture_output=capture)


def _digest() -> str:
    """Identify the sources, and who would compile them how."""
    state = hashlib.sha256(f"{sys.version} {sys.executable}".encode())
    for path in sorted([Path(__file__), *(ROOT / "poker").glob("*.py")]):
        state.update(path.name.encode() + path.read_bytes())
    return state.hexdigest()


def main(arguments: list[str]) -> int:
    """Build; then, if asked to, test."""
    lack = missing()
    if lack is not None:
        sys.stderr.write(f"cannot compile the rules: {lack}\n")
        return 2
    try:
        build()
    except subprocess.CalledProcessError as failed:
        sys.stderr.write(failed.stdout + failed.stderr)
        return 1
    if arguments[:1] != ["test"]:
        return 0
    entry = "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    return run(entry, *TESTS, *arguments[1:]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
