"""Compile the rules, and what the engine reads and writes, with mypyc into .cache/fast.

    python tools/fast.py build [DIRECTORY]  # what `make fast` does; elsewhere, for an image
    python tools/fast.py test [...]         # run tests of the rules on the compiled build
    PYTHONPATH=.cache/fast:. python -P ...  # use it; without, the same sources run as they are

Nothing is ever compiled among the sources. Compiled are the modules that do the work. The others
only declare values, which gain nothing, and `Card` is an int, which mypyc cannot extend. Needs a
C compiler and Python's headers.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[1]
FAST = ROOT / ".cache" / "fast"
PACKAGES = ("poker", "services/engine")
COMPILED = (
    "poker/betting",
    "poker/dealing",
    "poker/hand",
    "poker/legal",
    "poker/legality",
    "poker/naming",
    "poker/positions",
    "poker/pots",
    "poker/ranking",
    "poker/showdown",
    "poker/telling",
    "poker/validation",
    "services/engine/reading",
    "services/engine/writing",
)
# A compiled class cannot have its methods replaced by a test, and has no docstrings to run.
TESTS = (
    *("tests/unit", "tests/properties", "tests/golden", "-k"),
    "(test_poker or test_engine_wire)"
    " and not test_hand_stops_when and not test_documented_examples",
)
# One package of `services` is here; the others are found further down the path.
_SERVICES = """from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
"""


def missing() -> str | None:
    """Say what this machine lacks for compiling, or None."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"no C compiler ({compiler})"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "no Python headers (Python.h)"
    return None


def build(target: Path | None = None) -> Path:
    """Compile, unless the last build was of the same sources; return where it is.

    Raises CalledProcessError, with the compiler's output, when mypyc refuses the sources.
    """
    target = target or FAST
    stamp, wanted = target / "sources.sha256", _digest()
    if stamp.exists() and stamp.read_text() == wanted:
        return target
    shutil.rmtree(target, ignore_errors=True)
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, target / package, ignore=ignored)
    (target / "services" / "__init__.py").write_text(_SERVICES)
    sources = [f"{module}.py" for module in COMPILED]
    # What the sources import is found beside them, but never compiled.
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    command = [sys.executable, "-m", "mypyc", *sources]
    subprocess.run(command, cwd=target, env=environment, check=True, capture_output=True, text=True)
    shutil.rmtree(target / "build")
    stamp.write_text(wanted)
    return target


def run(script: str, *arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run Python statements in the project, with the compiled modules in place of the sources."""
    # Whatever is imported later, and wherever from, the packages are then in memory already.
    imports = "import poker.hand, services.engine.app"
    start = f"import sys; sys.path.insert(0, {str(FAST)!r}); {imports}; sys.path.pop(0)"
    proof = "assert services.engine.app.rules_are_compiled(), 'the rules are not compiled'"
    command = [sys.executable, "-c", f"{start}; {proof}; {script}", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False, text=True, capture_output=capture)


def _digest() -> str:
    """Identify the sources, and who would compile them how."""
    state = hashlib.sha256(f"{sys.version} {sys.executable}".encode())
    # The codec is not compiled, but its constants become part of what is.
    folders = (*PACKAGES, "services/common/codec")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    for path in sorted([Path(__file__), *sources]):
        state.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return state.hexdigest()


def main(arguments: list[str]) -> int:
    """Build; then, if asked to, test."""
    lack = missing()
    if lack is not None:
        sys.stderr.write(f"cannot compile the rules: {lack}\n")
        return 2
    command, *rest = arguments or ["build"]
    try:
        build(Path(rest[0]).resolve() if command == "build" and rest else None)
    except subprocess.CalledProcessError as failed:
        sys.stderr.write(failed.stdout + failed.stderr)
        return 1
    if command != "test":
        return 0
    entry = "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    return run(entry, *TESTS, *rest).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
