"""What the code adds to a problem is what the documents say of its type."""

import ast
from collections.abc import Iterator
from pathlib import Path

from services.gateway.api.problem_docs import FACTS
from services.gateway.problems import ProblemType

ROOT = Path(__file__).parents[2]
OWN = {"detail", "headers"}


def raised(source: str) -> Iterator[tuple[str, str]]:
    """Each member that some `ProblemError(ProblemType.X, member=…)` adds, with its type."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id != "ProblemError" or not isinstance(node.args[0], ast.Attribute):
            continue
        for keyword in node.keywords:
            if keyword.arg is not None and keyword.arg not in OWN:
                yield node.args[0].attr, keyword.arg


def test_every_member_is_documented() -> None:
    found = {
        (ProblemType[name], member)
        for path in sorted((ROOT / "services/gateway").rglob("*.py"))
        for name, member in raised(path.read_text())
    }
    assert len(found) >= 15
    undocumented = [item for item in found if item[1] not in FACTS.get(item[0], {})]
    assert undocumented == []


def test_a_member_is_found_wherever_it_is_added() -> None:
    source = "raise ProblemError(ProblemType.STALE_TURN, 'late', version=3, headers={})"
    assert list(raised(source)) == [("STALE_TURN", "version")]
