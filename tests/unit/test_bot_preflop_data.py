"""The exact facts River knows before the flop."""

import gzip
import json
from pathlib import Path

import pytest

from services.bot.combos import TYPE_NAMES, TYPE_SIZES
from services.bot.derive import equity_table, push_fold_table, render
from services.bot.preflop_data import equities, equity_against, percentiles, push_fold

ROOT = Path(__file__).parents[2]
SOURCE = ROOT.parent / "shared" / "hands"


def kind(name: str) -> int:
    return TYPE_NAMES.index(name)


def share(frequencies: tuple[float, ...]) -> float:
    return sum(f * size for f, size in zip(frequencies, TYPE_SIZES, strict=True)) / 1326


def test_the_equilibrium_at_ten_blinds_is_the_known_one() -> None:
    solution = push_fold(10)
    assert share(solution.push) == pytest.approx(0.58284, abs=1e-4)
    assert share(solution.call) == pytest.approx(0.37376, abs=1e-4)
    assert solution.push[kind("AA")] == solution.call[kind("AA")] == 1.0
    assert solution.push[kind("72o")] == solution.call[kind("72o")] == 0.0


def test_between_solved_depths_frequencies_lie_between() -> None:
    low, middle, high = push_fold(10), push_fold(10.25), push_fold(11)
    for a, b, c in zip(low.push, middle.push, high.push, strict=True):
        assert b == pytest.approx(0.75 * a + 0.25 * c)


@pytest.mark.parametrize(("depth", "nearest"), [(0.3, 1.5), (1.5, 1.5), (25, 25), (90, 25)])
def test_outside_the_solved_depths_the_nearest_answers(depth: float, nearest: float) -> None:
    assert push_fold(depth) == push_fold(nearest)
    assert push_fold(depth).stack_bb == nearest


def test_equities_are_those_of_the_two_sides_of_one_pot() -> None:
    table = equities()
    assert all(
        table[mine][theirs] + table[theirs][mine] == pytest.approx(1.0)
        for mine in range(169)
        for theirs in range(169)
    )
    assert table[kind("AA")][kind("KK")] == pytest.approx(0.8195, abs=5e-4)
    assert table[kind("22")][kind("AKo")] == pytest.approx(0.5234, abs=5e-3)


def test_aces_have_the_published_equity_against_any_two_cards() -> None:
    # Types against types, without card removal, is close to hand against hand.
    sizes = [float(size) for size in TYPE_SIZES]
    assert equity_against(kind("AA"), sizes) == pytest.approx(0.852, abs=5e-3)
    assert equity_against(kind("72o"), [0.0] * 169) == 0.5


def test_better_hands_come_first() -> None:
    places = percentiles()
    order = sorted(range(169), key=places.__getitem__)
    assert [TYPE_NAMES[at] for at in order[:3]] == ["AA", "KK", "QQ"]
    assert TYPE_NAMES[order[-1]] == "72o"
    assert places[kind("T9s")] < places[kind("T9o")]
    assert all(0.0 < place < 1.0 for place in places)


@pytest.mark.corpus
def test_the_data_files_are_what_their_derivation_gives() -> None:
    if not SOURCE.is_dir():
        pytest.skip("the shared hand corpora are absent")
    data = ROOT / "services" / "bot" / "data"
    push_fold_source = json.loads((SOURCE / "pushfold.json").read_text())
    equity_source = json.loads(gzip.decompress((SOURCE / "equity169.json.gz").read_bytes()))
    assert (data / "push_fold.json").read_text() == render(push_fold_table(push_fold_source))
    assert (data / "equity169.json").read_text() == render(equity_table(equity_source))
