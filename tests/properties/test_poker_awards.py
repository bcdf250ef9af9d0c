"""Who gets what: claimants, odd chips, boards, in every hand (SPEC ENG-005, ENG-070..074)."""

from hypothesis import given, settings

from poker.actions import ActionKind
from poker.cards import Card
from poker.events import (
    ActionTaken,
    BetReturned,
    BlindsPosted,
    PotAwarded,
    PotsUpdated,
    Showdown,
    StreetDealt,
)
from poker.hand import Hand
from poker.ranking import rank
from tests.support.strategies import finished_hands


def from_left_of_button(hand: Hand) -> list[int]:
    seats = [seat.seat for seat in hand.setup.seats]
    button = hand.setup.button
    return [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]


@given(finished_hands())
def test_every_pot_has_a_claimant_and_all_hold_what_was_put_in_eng_070(hand: Hand) -> None:
    assert hand.result is not None
    last = [event for event in hand.events if isinstance(event, PotsUpdated)][-1]
    folded = {seat.seat for seat in hand.snapshot().seats if seat.folded}
    for pot in last.pots:
        assert pot.eligible
        assert not folded & set(pot.eligible)
    assert sum(pot.chips for pot in last.pots) == sum(s.put_in_chips for s in hand.result.seats)
    awarded = [event for event in hand.events if isinstance(event, PotAwarded)]
    assert [(event.pot_no, event.chips) for event in awarded] == [
        (number, pot.chips) for number, pot in enumerate(last.pots)
    ]
    for event, pot in zip(awarded, last.pots, strict=True):
        assert {seat for seat, _ in event.winners} <= set(pot.eligible)


@settings(max_examples=300)
@given(finished_hands())
def test_odd_chips_go_left_of_the_button_pot_by_pot_eng_073(hand: Hand) -> None:
    assert hand.result is not None
    order = from_left_of_button(hand)
    for pot in hand.result.pots:
        share, odd = divmod(pot.chips, len(pot.winners))
        winners = sorted((seat for seat, _ in pot.winners), key=order.index)
        expected = [(seat, share + (at < odd)) for at, seat in enumerate(winners)]
        assert list(pot.winners) == expected


@given(finished_hands())
def test_pots_go_to_the_best_hand_among_their_claimants_eng_072_eng_085(hand: Hand) -> None:
    shown = [event for event in hand.events if isinstance(event, Showdown)]
    if not shown:
        return
    strength = {one.seat: rank(one.best_five) for one in shown[0].hands}
    last = [event for event in hand.events if isinstance(event, PotsUpdated)][-1]
    assert hand.result is not None
    for pot, result in zip(last.pots, hand.result.pots, strict=True):
        best = max(strength[seat] for seat in pot.eligible)
        winners = {seat for seat in pot.eligible if strength[seat] == best}
        assert {seat for seat, _ in result.winners} == winners


@given(finished_hands())
def test_boards_grow_from_the_deck_by_three_one_and_one_eng_011_eng_012(hand: Hand) -> None:
    setup, at = hand.setup, 2 * len(hand.setup.seats)
    expected: list[tuple[Card, ...]] = []
    for size in (3, 1, 1):
        at += setup.rules.burn_cards
        expected.append(setup.deck[at : at + size])
        at += size
    dealt = [event.cards for event in hand.events if isinstance(event, StreetDealt)]
    assert dealt == expected[: len(dealt)]
    assert hand.snapshot().board == tuple(card for cards in dealt for card in cards)


@given(finished_hands())
def test_events_account_for_every_chip_that_moved_eng_092(hand: Hand) -> None:
    stacks = {seat.seat: seat.stack_chips for seat in hand.setup.seats}
    bets: dict[int, int] = {}
    for event in hand.events:
        if isinstance(event, BlindsPosted):
            for post in event.posts:
                bets[post.seat] = post.chips
                stacks[post.seat] -= post.chips
        elif isinstance(event, ActionTaken):
            bets[event.seat] = bets.get(event.seat, 0) + event.added_chips
            stacks[event.seat] -= event.added_chips
            assert event.to_chips == bets[event.seat]
            assert event.all_in == (stacks[event.seat] == 0)
            free = event.kind in {ActionKind.FOLD, ActionKind.CHECK}
            assert free == (event.added_chips == 0)
        elif isinstance(event, BetReturned):
            stacks[event.seat] += event.chips
        elif isinstance(event, StreetDealt):
            bets = {}
        elif isinstance(event, PotAwarded):
            for seat, chips in event.winners:
                stacks[seat] += chips
    assert hand.result is not None
    assert stacks == {seat.seat: seat.stack_chips for seat in hand.result.seats}
