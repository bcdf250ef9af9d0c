"""Cards leave the gateway by one door, and tables change by one door."""

import ast
from pathlib import Path

GATEWAY = Path(__file__).parents[2] / "services/gateway"
MODULES = {
    path.relative_to(GATEWAY).as_posix(): ast.parse(path.read_text())
    for path in GATEWAY.rglob("*.py")
    if "web" not in path.relative_to(GATEWAY).parts
}


def reading(attribute: str) -> set[str]:
    """Modules that read an attribute of this name."""
    return {
        name
        for name, tree in MODULES.items()
        if any(
            isinstance(node, ast.Attribute) and node.attr == attribute for node in ast.walk(tree)
        )
    }


def importing(name: str) -> set[str]:
    """Modules that import this name from somewhere."""
    return {
        module
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}
    }


def test_only_the_projection_reads_hole_cards() -> None:
    assert reading("hole_cards") == {"projection.py"}


def test_a_deck_is_read_to_commit_to_it_and_to_prove_it_only() -> None:
    assert reading("deck") == {"fairness.py", "store/prepared.py"}


def test_openings_of_a_deck_are_made_by_the_projection_only() -> None:
    assert importing("proof_of") == {"projection.py"}


def test_only_the_projection_redacts_events() -> None:
    assert importing("redact") == {"projection.py"}


def test_views_are_made_for_players_and_for_the_bot_only() -> None:
    assert importing("view_for") == {"projection.py", "driver.py"}


def test_only_one_module_changes_tables() -> None:
    writers = {
        name
        for name, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"insert", "update", "delete"}
        and any(
            isinstance(arg, ast.Name) and arg.id in {"TABLES", "MATCHES", "HANDS"}
            for arg in node.args
        )
    }
    assert writers == {"store/commits.py"}
