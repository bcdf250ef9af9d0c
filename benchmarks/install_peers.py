"""Install the peers of the benchmarks: ``python install_peers.py VENV_PYTHON LOCK``.

All at once when that works; else one by one, so that a peer that cannot be installed (its
benchmark line then says so) keeps none of the others out.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path


def requirements(lock: str) -> list[str]:
    """Split a lock file into requirements, each with its hashes."""
    found: list[str] = []
    for line in lock.splitlines(keepends=True):
        if line.startswith((" ", "\t")):
            found[-1] += line
        elif line.strip():
            found.append(line)
    return found


def install(python: str, text: str) -> bool:
    """Install pinned requirements; say whether it worked."""
    with tempfile.NamedTemporaryFile("w", suffix=".lock") as file:
        file.write(text)
        file.flush()
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        command += ["--no-deps", "--require-hashes", "--requirement", file.name]
        return subprocess.run(command, check=False).returncode == 0


def main(arguments: Sequence[str]) -> None:
    """Install what a lock file pins; see the module."""
    python, lock = arguments
    pinned = requirements(Path(lock).read_text("utf-8"))
    if install(python, "".join(pinned)):
        return
    for requirement in pinned:
        if not install(python, requirement):
            print(f"not installed: {requirement.split()[0]}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
