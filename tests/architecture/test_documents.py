"""The documents lead somewhere: links, the index of decisions, make targets."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ADR = ROOT / "docs/adr"
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def dead_links(document: Path) -> list[str]:
    """Relative links of a page that lead to no file; pictures are not looked for."""
    links = r"\[[^\]]*\]\((?!https?:|mailto:|#)([^)#\s]+)"
    targets = re.findall(links, document.read_text())
    return [target for target in targets if not (document.parent / target).exists()]


def index_problems(folder: Path) -> list[str]:
    """Decisions missing from the index, and numbers used twice."""
    index = (folder / "README.md").read_text()
    records = sorted(path.name for path in folder.glob("[0-9]*.md"))
    numbers = [name[:4] for name in records]
    missing = [name for name in records if f"]({name})" not in index]
    return missing + [f"{number} is used twice" for number in numbers if numbers.count(number) > 1]


def unknown_targets(document: str) -> set[str]:
    """Targets of `make` that a page names and the Makefile does not have."""
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    return set(re.findall(r"(?:^    |`)make ([a-z-]+)", document, re.MULTILINE)) - targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file(document: Path) -> None:
    assert dead_links(document) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_make_target_that_is_named_exists(document: Path) -> None:
    assert unknown_targets(document.read_text()) == set()


def test_the_index_lists_every_decision() -> None:
    assert index_problems(ADR) == []


def test_a_dead_link_and_a_missing_decision_are_found(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("[one](0001-here.md), [gone](gone.md), [out](https://example.com)")
    (tmp_path / "0001-here.md").write_text("")
    (tmp_path / "0001-there.md").write_text("")
    assert dead_links(page) == ["gone.md"]
    assert index_problems(tmp_path)[0] == "0001-there.md"
    assert "0001 is used twice" in index_problems(tmp_path)
    assert unknown_targets("run `make gold`, then `make test`") == {"gold"}
