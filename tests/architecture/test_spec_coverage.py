"""Every line of the acceptance spec that is built has a test that names it.

Rules are named in the names of tests, as in ``test_..._eng_060`` and ``test_..._hu_069``; the
rows of the leave table too (``test_row_e_...``); those of the shortcut tables head the rows
that a test is parametrised with.
"""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

# The lines of the acceptance spec, in its order.
RULES = {
    "ENG": [
        *range(1, 14),  # deck and dealing
        *range(20, 28),  # button, blinds, positions
        *range(30, 39),  # flow
        *range(40, 49),  # actions
        *range(50, 56),  # sizes
        *range(60, 69),  # special situations
        *range(70, 75),  # pots
        *range(80, 86),  # ranking
        *range(90, 96),  # scoring and invariants
    ],
    "HU": [
        *range(1, 8),  # setup
        *range(10, 22),  # between hands
        *range(30, 34),  # River's conduct
        *range(60, 76),  # leaving and returning
    ],
    "LDR": [
        *range(1, 13),  # the leaderboard
        14,  # its windows
    ],
}

LEAVE_ROWS = set("abcdefgh")
"""The cases of the table in section 1.2."""

SHORTCUT_ROWS = {f"P{row}" for row in range(1, 13)} | {f"F{row}" for row in range(1, 13)} | {"F2'"}
"""The spots of the tables in section 1.7."""


def names_of_tests(source: str) -> list[str]:
    """Return the names of the test functions in a source text."""
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    ]


def named_rules(source: str, family: str) -> set[int]:
    """Return the rules of a family that test functions carry in their names."""
    names = names_of_tests(source)
    return {
        int(number)
        for name in names
        for number in re.findall(rf"_{family.lower()}_(\d{{3}})", name)
    }


def named_leave_rows(source: str) -> set[str]:
    """Return the rows of the leave table that test functions carry in their names."""
    found: set[str] = set()
    for name in names_of_tests(source):
        match = re.match(r"test_rows?_([a-h](?:_and_[a-h])*)_", name)
        if match is not None:
            found.update(match[1].split("_and_"))
    return found


def named_shortcut_rows(source: str) -> set[str]:
    """Return the rows of the shortcut tables that are written out in a source text."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        values = node.args if isinstance(node, ast.Call) else getattr(node, "elts", [])
        name = ast.literal_eval(values[0]) if values and isinstance(values[0], ast.Constant) else ""
        if isinstance(name, str) and re.fullmatch(r"[PF]\d+'?", name):
            found.add(name)
    return found


def all_tests() -> list[str]:
    return [path.read_text() for path in TESTS.rglob("test_*.py")]


@pytest.mark.parametrize("family", RULES)
def test_every_rule_has_a_test(family: str) -> None:
    named = set[int]().union(*(named_rules(source, family) for source in all_tests()))
    rules = RULES[family]
    assert [f"{family}-{rule:03}" for rule in rules if rule not in named] == []
    assert [f"{family}-{rule:03}" for rule in sorted(named) if rule not in rules] == []


def test_every_row_of_the_leave_table_has_a_test() -> None:
    assert set[str]().union(*map(named_leave_rows, all_tests())) == LEAVE_ROWS


def test_every_row_of_the_shortcut_tables_is_played() -> None:
    source = (TESTS / "unit/test_gateway_presets.py").read_text()
    assert sorted(SHORTCUT_ROWS - named_shortcut_rows(source)) == []


def test_only_the_names_of_tests_count() -> None:
    source = "def test_x_eng_060_eng_061(): ...\ndef helper_eng_062(): ...\n# test_eng_063\n"
    assert named_rules(source, "ENG") == {60, 61}
    assert named_rules(source, "HU") == set()
    rows = "def test_rows_b_and_c_x(): ...\ndef row_d_x(): ...\ndef test_row_h_y(): ...\n"
    assert named_leave_rows(rows) == {"b", "c", "h"}
    assert named_shortcut_rows("Row('P1', 2), [('F2', 3)]\nRow(f'{x}')\n# Row('P2')\n") == {
        "P1",
        "F2",
    }
