"""Every rule of the engine has a test that names it, as in ``test_..._eng_060``."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]

# The lines of the acceptance spec, section 1.1 "Engine rules", in its order.
RULES = [
    *range(1, 14),  # deck and dealing
    *range(20, 28),  # button, blinds, positions
    *range(30, 39),  # flow
    *range(40, 49),  # actions
    *range(50, 56),  # sizes
    *range(60, 69),  # special situations
    *range(70, 75),  # pots
    *range(80, 86),  # ranking
    *range(90, 96),  # scoring and invariants
]  # fmt: skip


def named_rules(source: str) -> set[int]:
    """Return the rules that test functions carry in their names."""
    tests = [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    ]
    return {int(number) for name in tests for number in re.findall(r"_eng_(\d{3})", name)}


def test_every_rule_has_a_test() -> None:
    named: set[int] = set()
    for path in TESTS.rglob("test_*.py"):
        named |= named_rules(path.read_text())
    assert [f"ENG-{rule:03}" for rule in RULES if rule not in named] == []
    assert [f"ENG-{rule:03}" for rule in sorted(named) if rule not in RULES] == []


def test_only_the_names_of_tests_count() -> None:
    source = "def test_x_eng_060_eng_061(): ...\ndef helper_eng_062(): ...\n# test_eng_063\n"
    assert named_rules(source) == {60, 61}
