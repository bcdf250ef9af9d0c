"""Ranges by Bayes: River's own from what it would do, the other's from ways to play."""

import numpy as np
import pytest
from numpy.typing import NDArray

from poker.actions import ActionKind
from poker.cards import parse_cards
from services.bot.beliefs import (
    DOUBT,
    FAINTEST,
    OTHERS_DOUBT,
    believe,
    doubted,
    live,
    plainly,
    settle,
)
from services.bot.blueprint.styles import TYPICAL
from services.bot.combos import COMBOS, combo_index
from services.bot.line import Line, Move, read_line
from services.bot.stages import BlueprintStage
from services.bot.translation import begin
from tests.support.blueprints import made_up_library
from tests.support.river import heads_up

CALL, RAISE = ActionKind.CALL, ActionKind.RAISE
LIBRARY = made_up_library()
FLOP = ("1 raise 250", "2 call")


def line_of(stack_chips: int, *moves: str) -> Line:
    line = read_line(heads_up(stack_chips, *moves))
    assert line is not None
    return line


def test_before_any_action_everything_is_equally_likely() -> None:
    beliefs = believe(line_of(10_000), 1, LIBRARY)
    for weights in beliefs.ranges:
        assert weights == pytest.approx(1.0)
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
    ranges = believe(line_of(10_000, move), 1, LIBRARY).ranges
    assert ranges[1] == pytest.approx(expected / expected.max(), rel=1e-5)
    assert ranges[0] == pytest.approx(1.0)


def test_moves_between_known_sizes_mix_their_meanings() -> None:
    known = believe(line_of(10_000, "1 raise 250"), 1, LIBRARY).ranges[1]
    shove = believe(line_of(10_000, "1 raise 10000"), 1, LIBRARY).ranges[1]
    between = believe(line_of(10_000, "1 raise 2000"), 1, LIBRARY).ranges[1]
    spread = np.corrcoef(between, known)[0, 1], np.corrcoef(between, shove)[0, 1]
    assert min(spread) > np.corrcoef(known, shove)[0, 1]


def test_board_cards_are_in_no_range_and_every_other_hand_stays_possible() -> None:
    line = line_of(10_000, *FLOP, "2 check", "1 bet 300")
    beliefs = believe(line, line.player, LIBRARY)
    alive = live(line.board)
    for weights in beliefs.ranges:
        assert np.all((weights > 0.0) == alive)
    assert alive.sum() == 49 * 48 // 2
    assert len(beliefs.places) >= 1


def test_wars_of_small_raises_are_read_as_shorter_ones() -> None:
    raises = [f"{1 + at % 2} raise {200 + 100 * at}" for at in range(15)]
    beliefs = believe(line_of(10_000, *raises), 0, LIBRARY)
    assert beliefs.places
    place = beliefs.places[0]
    assert place.blueprint.player(place.node) == 0
    flop = believe(line_of(10_000, *raises, "2 call"), 0, LIBRARY)
    assert flop.places
    assert flop.places[0].blueprint.street(flop.places[0].node) == 1


def test_betting_that_left_the_blueprints_keeps_the_ranges_and_has_no_place() -> None:
    # A call that in the nearest trained game puts everything in.
    line = Line(100_000, 100, 50, (), ((Move(1, RAISE, 80_000),),), 0)
    before = believe(line, 0, LIBRARY)
    called = Line(100_000, 100, 50, (0, 5, 10), ((*line.moves[0], Move(0, CALL, 80_000)), ()), 0)
    beliefs = believe(called, 0, LIBRARY)
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


def test_a_sound_other_player_is_taken_to_play_as_river_would_with_more_doubt() -> None:
    played = BlueprintStage(LIBRARY).range_policy(heads_up(10_000))
    assert played is not None
    (row,) = (at for at, action in enumerate(played.actions) if action.to_chips == 250)
    expected = doubted(played.probabilities[row].astype(np.float64))
    soundly = believe(line_of(10_000, "1 raise 250"), 0, LIBRARY).others[0]
    assert soundly / soundly.max() == pytest.approx(expected / expected.max(), rel=1e-5)
    assert expected.min() >= OTHERS_DOUBT > DOUBT


def test_who_looks_is_taken_to_play_soundly_and_only_the_other_in_many_ways() -> None:
    line = line_of(10_000, *FLOP, "2 check", "1 bet 300", "2 call")
    as_button, as_blind = believe(line, 1, LIBRARY), believe(line, 0, LIBRARY)
    assert as_button.others.shape == (1 + len(TYPICAL), len(COMBOS))
    for player, looking, other in ((0, as_blind, as_button), (1, as_button, as_blind)):
        own = looking.ranges[player] / looking.ranges[player].max()
        seen = other.ranges[player] / other.ranges[player].max()
        sound = other.others[0] / other.others[0].max()
        # The same strategy is read with more doubt by the other; plain styles change more.
        assert np.corrcoef(own, sound)[0, 1] > 0.97
        assert not np.allclose(own, seen, atol=0.2)


def test_a_raise_and_a_reraise_speak_for_an_aggressive_player_with_good_hands() -> None:
    def ways(*moves: str) -> NDArray[np.float64]:
        weights = believe(line_of(10_000, *moves), 1, LIBRARY).others.sum(axis=1)
        return np.asarray(weights / weights.sum())

    passive = [way for way, style in enumerate(TYPICAL, 1) if style.aggressive < 0.5]
    called, raised = ways("1 raise 250", "2 call"), ways("1 raise 250", "2 raise 750")
    assert raised[passive].sum() < called[passive].sum()

    tight = 1 + TYPICAL.index(min(TYPICAL, key=lambda style: (style.loose, -style.aggressive)))
    weights = believe(line_of(10_000, "1 raise 250", "2 raise 750"), 1, LIBRARY).others[tight]
    aces, rags = combo_index(*parse_cards("AsAd")), combo_index(*parse_cards("7h2c"))
    assert weights[aces] > 3 * weights[rags]


def test_plain_styles_are_followed_through_a_street_of_their_own_moves_alone() -> None:
    line = line_of(10_000, *FLOP, "2 check", "1 bet 300", "2 call")
    before = believe(line.at(1), 1, LIBRARY)
    after = np.where(live(line.board), plainly(before, line, 1, 0, LIBRARY), 0.0)
    whole = believe(line, 1, LIBRARY).others[1:]
    assert after / after.max() == pytest.approx(whole / whole.max())
    assert np.array_equal(plainly(before, line.at(1), 1, 0, LIBRARY), before.others[1:])
