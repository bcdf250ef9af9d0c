"""Ranges by Bayes from what River itself would do."""

import numpy as np
import pytest

from poker.actions import ActionKind
from services.bot.beliefs import DOUBT, FAINTEST, believe, live, settle
from services.bot.combos import COMBOS
from services.bot.line import Line, Move, read_line
from services.bot.stages import BlueprintStage
from services.bot.translation import begin
from tests.support.blueprints import made_up_library
from tests.support.river import heads_up, view_of
from tests.support.scripted_hands import play, table

CALL, RAISE = ActionKind.CALL, ActionKind.RAISE
LIBRARY = made_up_library()
FLOP = ("1 raise 250", "2 call")


def line_of(stack_chips: int, *moves: str) -> Line:
    line = read_line(heads_up(stack_chips, *moves))
    assert line is not None
    return line


def test_before_any_action_everything_is_equally_likely() -> None:
    beliefs = believe(line_of(10_000), LIBRARY)
    assert np.all(beliefs.ranges == 1.0)
    assert beliefs.places == begin(LIBRARY, line_of(10_000))


@pytest.mark.parametrize("kind", [CALL, RAISE])
def test_a_move_of_the_blueprint_weighs_each_hand_by_how_often_it_is_made(kind: ActionKind) -> None:
    played = BlueprintStage(LIBRARY).range_policy(heads_up(10_000))
    assert played is not None
    to_chips, move = (100, "1 call") if kind is CALL else (250, "1 raise 250")
    (row,) = (
        at
        for at, action in enumerate(played.actions)
        if action.kind is kind and action.to_chips in {None, to_chips}
    )
    expected = DOUBT + (1 - DOUBT) * played.probabilities[row].astype(np.float64)
    ranges = believe(line_of(10_000, move), LIBRARY).ranges
    assert ranges[1] == pytest.approx(expected / expected.max(), rel=1e-5)
    assert np.all(ranges[0] == 1.0)


def test_moves_between_known_sizes_mix_their_meanings() -> None:
    known = believe(line_of(10_000, "1 raise 250"), LIBRARY).ranges[1]
    shove = believe(line_of(10_000, "1 raise 10000"), LIBRARY).ranges[1]
    between = believe(line_of(10_000, "1 raise 2000"), LIBRARY).ranges[1]
    spread = np.corrcoef(between, known)[0, 1], np.corrcoef(between, shove)[0, 1]
    assert min(spread) > np.corrcoef(known, shove)[0, 1]


def test_board_cards_are_in_no_range_and_every_other_hand_stays_possible() -> None:
    line = line_of(10_000, *FLOP, "2 check", "1 bet 300")
    beliefs = believe(line, LIBRARY)
    alive = live(line.board)
    assert np.all((beliefs.ranges > 0.0) == alive)
    assert alive.sum() == 49 * 48 // 2
    assert len(beliefs.places) >= 1


def test_wars_of_small_raises_are_read_as_shorter_ones() -> None:
    raises = [f"{1 + at % 2} raise {200 + 100 * at}" for at in range(15)]
    beliefs = believe(line_of(10_000, *raises), LIBRARY)
    assert beliefs.places
    place = beliefs.places[0]
    assert place.blueprint.player(place.node) == 0
    flop = believe(line_of(10_000, *raises, "2 call"), LIBRARY)
    assert flop.places
    assert flop.places[0].blueprint.street(flop.places[0].node) == 1


def test_betting_that_left_the_blueprints_keeps_the_ranges_and_has_no_place() -> None:
    # A call that in the nearest trained game puts everything in.
    line = Line(100_000, 100, 50, (), ((Move(1, RAISE, 80_000),),), 0)
    before = believe(line, LIBRARY)
    called = Line(100_000, 100, 50, (0, 5, 10), ((*line.moves[0], Move(0, CALL, 80_000)), ()), 0)
    beliefs = believe(called, LIBRARY)
    assert beliefs.places == ()
    alive = live(called.board)
    assert beliefs.ranges[1][alive] == pytest.approx(before.ranges[1][alive])


def test_a_settled_range_is_never_empty_and_never_blocked() -> None:
    board = (0, 5, 10, 20)
    alive = live(board)
    for weights in (np.zeros(len(COMBOS)), np.full(len(COMBOS), np.nan)):
        assert np.all((settle(weights, board) == 1.0) == alive)
    one = np.zeros(len(COMBOS))
    one[700] = 3.0
    settled = settle(one, board)
    assert settled.max() == 1.0
    assert settled[alive].min() == np.float32(FAINTEST)
    assert np.all(settled[~alive] == 0.0)


def test_both_seats_believe_the_same_of_the_same_line() -> None:
    hand = play(table({1: 10_000, 2: 10_000}, button=1), *FLOP, "2 check")
    one = read_line(view_of(hand))
    assert one is not None
    other = Line(
        one.stack_chips, one.big_blind_chips, one.small_blind_chips, one.board, one.moves, 0
    )
    assert np.array_equal(believe(one, LIBRARY).ranges, believe(other, LIBRARY).ranges)
