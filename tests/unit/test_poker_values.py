"""Values of the game behave as frozen dataclasses do, though they are built faster."""

import copy
import pickle
from dataclasses import replace

import pytest

from poker.actions import Action, ActionKind
from poker.cards import DECK
from poker.events import ActionTaken, BetReturned, TurnStarted
from poker.setup import HandRules, HandSetup, SeatStack

SETUP = HandSetup("h", HandRules(5, 10), (SeatStack(1, 100), SeatStack(2, 100)), 1, DECK)
VALUES = [
    Action(3, ActionKind.RAISE, 40),
    SETUP,
    ActionTaken(seat=3, kind=ActionKind.CALL, to_chips=20, added_chips=10, all_in=False),
    TurnStarted(3),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_equals_its_copies_and_hashes_like_them(value: object) -> None:
    for twin in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):  # noqa: S301 - ours
        assert twin == value
        assert hash(twin) == hash(value)


def test_values_that_differ_in_one_field_or_in_kind_are_not_equal() -> None:
    action = Action(seat=3, kind=ActionKind.RAISE, to_chips=40)
    assert replace(action, to_chips=41) != action
    assert len({SeatStack(3, 40), BetReturned(3, 40)}) == 2
    assert len({action, replace(action), replace(action, seat=4)}) == 2


def test_a_value_shows_its_fields_but_never_a_deck() -> None:
    assert repr(VALUES[0]) == "Action(seat=3, kind=ActionKind.RAISE, to_chips=40)"
    assert "Card" not in repr(SETUP)


def test_a_value_takes_no_attribute_that_it_does_not_declare() -> None:
    with pytest.raises(AttributeError):
        VALUES[0].chips = 1  # type: ignore[attr-defined]


def _assigned(action: Action) -> None:
    # Never called: without an error here the type checker would call the comment unused.
    action.seat = 4  # type: ignore[misc]
