"""Plain styles: chances that sum to 1, better hands that do more, families that differ."""

import numpy as np
import pytest
from numpy.typing import NDArray

from services.bot.blueprint.library import abstraction
from services.bot.blueprint.styles import (
    EXTREME,
    MIDDLE,
    TYPICAL,
    Style,
    bucket_ranks,
    of_ranks,
)
from services.bot.combos import TYPE_NAMES

RANKS = np.linspace(0.0, 1.0, 201, dtype=np.float32)
SPOTS = [
    (street, raises, price)
    for street in range(4)
    for raises in range(4)
    for price in (0.0, 0.2, 1 / 3, 0.5, 0.97)
]
NIT, TIGHT, STATION, MANIAC = EXTREME


def often(style: Style, street: int, raises: int, price: float) -> NDArray[np.float64]:
    return np.asarray(of_ranks(style, street, raises, price, RANKS).mean(axis=1))


@pytest.mark.parametrize("style", [*TYPICAL, Style(0, 0, 0, 0, 0, 1), Style(1, 1, 1, 1, 0.5, 0)])
def test_chances_sum_to_one_and_a_better_hand_folds_less_and_raises_more(style: Style) -> None:
    for spot in SPOTS:
        fold, call, rise = of_ranks(style, *spot, RANKS)
        assert fold + call + rise == pytest.approx(1.0)
        assert min(fold.min(), call.min(), rise.min()) >= -1e-12
        assert np.all(np.diff(fold) >= -1e-12)
        if spot[2] == 0.0:
            assert np.all(fold == 0.0)
            assert np.all(np.diff(rise) <= 1e-12)


@pytest.mark.parametrize("street", range(4))
def test_the_families_are_what_they_are_called(street: int) -> None:
    asked = (street, 1, 0.4)
    assert often(NIT, *asked)[0] > often(STATION, *asked)[0] + 0.2
    assert often(TIGHT, *asked)[0] > often(MANIAC, *asked)[0] + 0.2
    assert often(TIGHT, *asked)[2] > often(NIT, *asked)[2]
    assert often(MANIAC, *asked)[2] > often(STATION, *asked)[2] + 0.1
    free = (street, 0, 0.0)
    assert often(MANIAC, *free)[2] > often(STATION, *free)[2] + 0.1


@pytest.mark.parametrize("style", MIDDLE)
@pytest.mark.parametrize("street", range(4))
def test_who_plays_near_the_middle_folds_and_raises_between_the_families(
    style: Style, street: int
) -> None:
    fold, _, rise = often(style, street, 1, 0.4)
    assert often(STATION, street, 1, 0.4)[0] + 0.1 < fold < often(NIT, street, 1, 0.4)[0] - 0.1
    assert often(NIT, street, 1, 0.4)[2] < rise < often(MANIAC, street, 1, 0.4)[2]


def test_more_is_folded_to_a_higher_price_and_to_one_more_raise() -> None:
    for style in TYPICAL:
        for street in (0, 2):
            prices = [often(style, street, 1, price)[0] for price in (0.35, 0.5, 0.8)]
            raises = [often(style, street, count, 0.4)[0] for count in (1, 2, 3)]
            assert prices == sorted(prices)
            assert raises == sorted(raises)


def test_who_does_not_heed_the_price_decides_by_the_hand_alone() -> None:
    blind = TIGHT._replace(heeds=0.0)
    heeding = TIGHT._replace(heeds=1.0)
    for street in (0, 2):
        at_a_third, at_all = (often(blind, street, 1, price)[0] for price in (1 / 3, 0.8))
        assert at_a_third == at_all == often(heeding, street, 1, 1 / 3)[0]
        assert often(heeding, street, 1, 0.8)[0] > at_all + 0.05


def test_who_is_as_loose_as_can_be_calls_everything_after_the_flop() -> None:
    loosest = Style(1.0, 0.0, 1.0, 0.0, 0.0, 1.0)
    assert often(loosest, 3, 1, 0.5)[0] < 0.05
    assert often(loosest, 0, 0, 1 / 3)[0] < 0.05


def test_aces_and_the_top_bucket_are_the_best_hands() -> None:
    ranks = bucket_ranks(abstraction())
    counts = abstraction().counts
    assert TYPE_NAMES[int(ranks[0, : counts[0]].argmin())] == "AA"
    for street in (1, 2, 3):
        row = ranks[street, : counts[street]]
        assert np.all(np.diff(row) <= 0.0)
        assert row[0] > 0.9
        assert row[-1] < 0.01
