"""The library against pokerkit: total agreement but for rules that are known to differ."""

from random import Random

import pytest
from hypothesis import given, settings

from poker.hand import Hand
from poker.setup import HandRules, HandSetup, ReopenRule
from tests.support.pokerkit_peer import Disagreement, differences, known, playable_there
from tests.support.scripted_hands import play, table
from tests.support.strategies import hand_setups, play_out, players_rng


def unexplained(hand: Hand) -> list[str]:
    """Differences that no known rule explains."""
    found = differences(hand.setup, hand.actions)
    return [what for moment, what in found if not known(moment, what)]


@settings(max_examples=400)
@given(hand_setups().filter(playable_there), players_rng())
def test_nothing_differs_but_what_is_known_to(setup: HandSetup, rng: Random) -> None:
    assert unexplained(play_out(Hand(setup), rng)) == []


DEEP = 10_000
ANY_RAISE = HandRules(50, 100, allow_raise_when_none_can_call=True)
ANY_FOLD = HandRules(50, 100, allow_fold_when_check_available=True)
SINGLE = HandRules(50, 100, reopen_rule=ReopenRule.SINGLE)
TIE = {1: "AsKd", 2: "AdKs", 3: "AhKc", 4: "2c3d"}
BOARD = "AcKh7d8s9c"

# Each known disagreement by the smallest hand that shows it.
SHOWN = {
    Disagreement.SHORT_BIG_BLIND: table({1: DEEP, 2: DEEP, 3: 40}, button=1),
    Disagreement.EQUAL_BLINDS_HEADS_UP: table(
        {1: DEEP, 2: DEEP}, button=1, rules=HandRules(100, 100)
    ),
    Disagreement.SHORT_OPENING: play(
        table({1: DEEP, 2: DEEP, 3: 160}, button=1),
        *("1 call", "2 call", "3 check", "2 check", "3 bet 60", "1 call"),
    ),
    Disagreement.SINGLE_RULE: play(
        table({1: DEEP, 2: DEEP, 3: 250, 4: 310}, button=1, rules=SINGLE),
        *("4 call", "1 call", "2 call", "3 check"),
        *("2 bet 100", "3 raise 150", "4 raise 210", "1 call"),
    ),
    Disagreement.POOL_RESTARTED: play(
        table({1: DEEP, 2: DEEP, 3: 250, 4: 310, 5: 360}, button=1),
        *("4 call", "5 call", "1 call", "2 call", "3 check"),
        *("2 bet 100", "3 raise 150", "4 raise 210", "5 raise 260", "1 call"),
    ),
    Disagreement.FREE_FOLD: play(table({1: DEEP, 2: DEEP}, button=1, rules=ANY_FOLD), "1 call"),
    Disagreement.UNCALLABLE_RAISE: play(
        table({1: DEEP, 2: 500}, button=1, rules=ANY_RAISE), "1 call", "2 raise 500"
    ),
    Disagreement.NEEDLESS_CHECK: play(
        table({1: 60, 2: DEEP, 3: DEEP}, button=1), "1 call", "2 fold"
    ),
    Disagreement.ODD_CHIPS: play(
        table(
            {1: 99, 2: 50, 3: 99, 4: 35}, button=4, rules=HandRules(1, 2), holes=TIE, board=BOARD
        ),
        *("3 raise 99", "4 call", "1 call", "2 call"),
    ),
}


@pytest.mark.parametrize("name", Disagreement, ids=lambda name: name.name.lower())
def test_each_known_disagreement_is_one(name: Disagreement) -> None:
    hand = SHOWN[name]
    found = [known(moment, what) for moment, what in differences(hand.setup, hand.actions)]
    assert found
    assert found[0] == {name}
