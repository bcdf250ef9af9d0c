import pytest

from poker.cards import parse_cards
from poker.errors import MalformedError, Reason
from poker.events import CardsDealt
from poker.hand import Hand
from poker.view import HandView, redact, view_for
from tests.support.scripted_hands import play, table

HOLES = {1: "AsAh", 2: "KsKh", 3: "QsQh"}


def start() -> Hand:
    return table({1: 500, 2: 500, 3: 500}, button=1, holes=HOLES)


def cards_seen(view: HandView) -> dict[int, object]:
    return {seat.seat: seat.hole_cards for seat in view.seats}


def test_a_seat_sees_its_own_cards_only_eng_013() -> None:
    view = view_for(start().snapshot(), viewer=2)
    assert cards_seen(view) == {1: None, 2: parse_cards("KsKh"), 3: None}


def test_a_spectator_sees_no_cards_eng_013() -> None:
    view = view_for(start().snapshot(), viewer=None)
    assert cards_seen(view) == {1: None, 2: None, 3: None}
    assert (view.turn_seat, view.legal) == (1, None)


def test_legal_actions_are_for_the_seat_whose_turn_it_is() -> None:
    snapshot = start().snapshot()
    assert view_for(snapshot, 1).legal == snapshot.legal
    assert view_for(snapshot, 2).legal is None
    assert view_for(snapshot, 2).turn_seat == 1


def test_shown_hands_are_seen_by_all_and_folded_ones_by_nobody_else() -> None:
    hand = play(start(), "1 raise 500", "2 fold", "3 call")
    assert cards_seen(view_for(hand.snapshot(), None)) == {
        1: parse_cards("AsAh"),
        2: None,
        3: parse_cards("QsQh"),
    }
    assert cards_seen(view_for(hand.snapshot(), 2))[2] == parse_cards("KsKh")


def test_winner_without_showdown_shows_nothing_eng_034() -> None:
    hand = play(start(), "1 raise 500", "2 fold", "3 fold")
    assert cards_seen(view_for(hand.snapshot(), 1)) == {1: parse_cards("AsAh"), 2: None, 3: None}
    assert cards_seen(view_for(hand.snapshot(), 3))[1] is None


def test_dealt_cards_are_redacted_but_counted_eng_013() -> None:
    dealt = next(event for event in start().events if isinstance(event, CardsDealt))
    seen = redact(dealt, 2)
    assert isinstance(seen, CardsDealt)
    assert dict(seen.hands) == {1: None, 2: parse_cards("KsKh"), 3: None}
    assert redact(dealt, None) == CardsDealt(((1, None), (2, None), (3, None)))


def test_other_events_pass_unchanged() -> None:
    hand = play(start(), "1 raise 500", "2 fold", "3 call")
    for event in hand.events:
        assert isinstance(event, CardsDealt) or redact(event, None) is event


@pytest.mark.parametrize("viewer", [0, 4, 11])
def test_only_dealt_in_seats_and_spectators_view(viewer: int) -> None:
    with pytest.raises(MalformedError) as refused:
        view_for(start().snapshot(), viewer)
    assert refused.value.reason is Reason.UNKNOWN_SEAT
