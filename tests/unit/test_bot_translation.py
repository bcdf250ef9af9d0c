"""Real bets as those of the blueprint, and back."""

import numpy as np
import pytest

from poker.actions import ActionKind
from services.bot.blueprint.library import ROOT
from services.bot.line import Betting, Line, Move, read_line
from services.bot.translation import Place, begin, counterparts, follow, shares_at, wishes
from tests.support.blueprints import made_up_buckets, made_up_library
from tests.support.river import heads_up

FOLD, CALL, RAISE = ActionKind.FOLD, ActionKind.CALL, ActionKind.RAISE
LIBRARY = made_up_library()


def line_of(stack_chips: int, *moves: str) -> Line:
    line = read_line(heads_up(stack_chips, *moves))
    assert line is not None
    return line


def opened(stack_chips: int, to_chips: int) -> tuple[list[tuple[int, float]], Place]:
    """What an opening raise of the button stands for at the heaviest place."""
    line = line_of(stack_chips)
    place = begin(LIBRARY, line)[0]
    return counterparts(place, Move(1, RAISE, to_chips), line.betting()), place


@pytest.mark.parametrize(
    ("stack_bb", "expected"),
    [
        (4, {10: 1.0}),
        (10, {10: 1.0}),
        (50, {25: 0.5, 100: 0.5}),
        (99.9, {100: 1.0}),
        (100, {100: 1.0}),
        (5_000, {100: 1.0}),
    ],
)
def test_a_stack_is_played_as_the_trained_ones_around_it(
    stack_bb: float, expected: dict[int, float]
) -> None:
    places = begin(LIBRARY, line_of(round(100 * stack_bb)))
    weights = {place.blueprint.depth_bb: place.weight for place in places}
    assert weights == pytest.approx(expected)
    assert {place.node for place in places} == {ROOT}


def test_a_known_size_is_itself() -> None:
    found, place = opened(10_000, 250)
    assert [place.blueprint.actions(ROOT)[index] for index, _ in found] == [(RAISE, 250)]
    assert found[0][1] == 1.0


def test_a_size_between_two_counts_as_either_by_the_pseudo_harmonic_mapping() -> None:
    # Shares of the 200 pot after a call: 2.5 bb is 0.75, all-in 49.5, a raise to 20 bb is 9.5.
    found, _ = opened(10_000, 2_000)
    low, high, size = 0.75, 49.5, 9.5
    share = (high - size) * (1 + low) / ((high - low) * (1 + size))
    assert [weight for _, weight in found] == pytest.approx([share, 1.0 - share])


def test_sizes_beyond_the_known_count_as_the_nearest() -> None:
    smallest, place = opened(10_000, 200)
    assert place.blueprint.actions(ROOT)[smallest[0][0]] == (RAISE, 250)
    all_in, place = opened(10_000, 10_000)
    assert place.blueprint.actions(ROOT)[all_in[0][0]] == (RAISE, 10_000)


def test_an_all_in_of_stacks_far_deeper_than_trained_is_never_offered() -> None:
    line = line_of(100_000)
    places = begin(LIBRARY, line)
    for wish in wishes(places, line.betting(), made_up_buckets(())):
        assert wish.kind is not RAISE or wish.to_chips <= 10_000


def test_places_follow_a_hand_and_end_with_it() -> None:
    line = line_of(10_000, "1 raise 250", "2 call")
    places = begin(LIBRARY, line)
    for count, move in enumerate(line.moves[0]):
        places = follow(places, move, line.betting_after(0, line.moves[0][:count]))
    (place,) = places
    assert place.blueprint.street(place.node) == 1
    assert place.betting == Betting(250, 9_750, (0, 0), 100)
    shove = line_of(10_000, "1 raise 10000")
    called = follow(begin(LIBRARY, shove), shove.moves[0][0], shove.at(0).betting())
    assert follow(called, Move(0, CALL, 10_000), shove.betting()) == ()


def test_weights_sum_to_one_however_the_betting_goes() -> None:
    line = line_of(5_300, "1 raise 320", "2 raise 1111")
    places = begin(LIBRARY, line)
    for count, move in enumerate(line.moves[0]):
        places = follow(places, move, line.betting_after(0, line.moves[0][:count]))
        assert sum(place.weight for place in places) == pytest.approx(1.0)
        assert len(places) <= 4


def test_what_is_wished_is_a_full_mix_in_real_chips() -> None:
    line = line_of(5_000, "1 raise 300")
    places = follow(begin(LIBRARY, line), line.moves[0][0], line.at(0).betting())
    found = wishes(places, line.betting(), made_up_buckets(()))
    assert sum(wish.shares for wish in found) == pytest.approx(1.0, abs=1e-5)
    sizes = {wish.to_chips for wish in found if wish.kind is RAISE}
    # Three times the raise, and all-in: at 25 bb a bet of 4.5 pots, half of these stacks.
    assert sizes == {900, 3_000, 5_000}


def test_a_smaller_bet_than_the_known_one_is_folded_to_less() -> None:
    line = line_of(10_000, "1 raise 250")
    (place,) = follow(begin(LIBRARY, line), line.moves[0][0], line.at(0).betting())
    known = shares_at(place, line.betting(), made_up_buckets(()))
    less = shares_at(place, line_of(10_000, "1 raise 200").betting(), made_up_buckets(()))
    assert place.blueprint.actions(place.node)[0][0] is FOLD
    assert np.all(less[0] < known[0])
    assert less.sum(axis=0) == pytest.approx(1.0, abs=1e-5)
    # The price falls from 150 in 350 to 100 in 300.
    assert less[0] == pytest.approx(known[0] * (100 / 300) / (150 / 350), rel=1e-4)
