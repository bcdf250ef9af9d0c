"""The guide's examples are true, and values read well."""

import doctest
from pathlib import Path

from poker.actions import Action, ActionKind, Street
from poker.cards import Card
from poker.errors import IllegalActionError, Reason
from poker.ranking import Category
from poker.setup import ReopenRule
from tests.support.scripted_hands import check_down, table

GUIDE = Path(__file__).parents[2] / "docs" / "poker.md"


def test_examples_of_the_guide_are_true() -> None:
    outcome = doctest.testfile(str(GUIDE), module_relative=False)
    assert outcome.failed == 0
    assert outcome.attempted > 15


def test_values_read_as_they_are_written() -> None:
    assert repr(Card(51)) == "Card('As')"
    assert repr(Action(3, ActionKind.CALL)) == (
        "Action(seat=3, kind=ActionKind.CALL, to_chips=None)"
    )
    names = [Street.FLOP, Category.TWO_PAIR, ReopenRule.SINGLE, Reason.HAND_OVER]
    assert repr(names) == "[Street.FLOP, Category.TWO_PAIR, ReopenRule.SINGLE, Reason.HAND_OVER]"
    error = IllegalActionError(Reason.NOT_YOUR_TURN, turn_seat=4)
    assert repr(error) == "IllegalActionError(Reason.NOT_YOUR_TURN, turn_seat=4)"
    assert str(error) == "not_your_turn (turn_seat=4)"


def test_a_hand_says_where_it_stands_but_no_card() -> None:
    hand = table({1: 500, 2: 500}, button=1)
    assert repr(hand) == "<Hand 'scripted': preflop, seat 1 to act>"
    assert repr(check_down(hand)) == "<Hand 'scripted': river, over>"
