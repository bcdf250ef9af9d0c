"""Events and the next turn are enough to follow a hand: nothing else need be sent."""

import pytest
from hypothesis import given

from poker.errors import MalformedError, Reason
from poker.hand import Hand
from services.common.advance import advance, result_of
from tests.support.strategies import finished_hands, hands_in_play


@given(finished_hands())
def test_following_the_events_reaches_the_position_at_every_step(hand: Hand) -> None:
    played = Hand(hand.setup)
    position = played.snapshot()
    for action in hand.actions:
        events = played.act(action)
        position = advance(position, events, played.legal)
        assert position == played.snapshot()


@given(finished_hands())
def test_all_events_of_a_hand_hold_its_result(hand: Hand) -> None:
    assert result_of(hand.events) == hand.result


@given(hands_in_play())
def test_a_position_is_somebodys_turn_or_the_end(hand: Hand) -> None:
    assert result_of(hand.events) is None
    with pytest.raises(MalformedError) as refused:
        advance(hand.snapshot(), (), None)
    assert refused.value.reason is Reason.INVALID_REQUEST
