"""No seat ever sees a card that is not its own, on the board or shown (SPEC ENG-011, ENG-013)."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from random import Random

import pytest
from hypothesis import given, settings

from poker.actions import Action, ActionKind
from poker.cards import Card, parse_cards
from poker.errors import PokerError
from poker.events import AllInReveal, Event, Showdown, StreetDealt
from poker.hand import Hand
from poker.setup import HandSetup
from poker.view import redact, view_for
from tests.support.strategies import finished_hands, hand_setups, players_rng, random_action

CARD_TEXT = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def cards_in(value: object) -> Iterator[Card]:
    """Find every card anywhere inside a value."""
    if isinstance(value, Card):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from cards_in(getattr(value, field.name))
    elif isinstance(value, dict):
        yield from cards_in(tuple(value.items()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from cards_in(item)


def turned_up(event: Event) -> set[Card]:
    """Return the cards that an event turns face up."""
    is_turning = isinstance(event, StreetDealt | AllInReveal | Showdown)
    return set(cards_in(event)) if is_turning else set()


def public_cards(hand: Hand) -> set[Card]:
    return {card for event in hand.events for card in turned_up(event)}


def own_cards(hand: Hand, seat: int | None) -> set[Card]:
    return {card for at in hand.snapshot().seats if at.seat == seat for card in at.hole_cards}


def viewers(hand: Hand) -> list[int | None]:
    return [None, *(seat.seat for seat in hand.setup.seats)]


@given(hand_setups(), players_rng())
def test_no_view_leaks_a_card_eng_013(setup: HandSetup, rng: Random) -> None:
    hand = Hand(setup)
    while True:
        snapshot, public = hand.snapshot(), public_cards(hand)
        for viewer in viewers(hand):
            seen = set(cards_in(view_for(snapshot, viewer)))
            assert seen <= public | own_cards(hand, viewer)
        if hand.legal is None:
            break
        hand.act(random_action(hand.legal, rng))


@given(finished_hands())
def test_no_event_tells_a_card_before_it_is_turned_up_eng_013(hand: Hand) -> None:
    for viewer in viewers(hand):
        allowed = own_cards(hand, viewer)
        for event in hand.events:
            allowed |= turned_up(event)
            assert set(cards_in(redact(event, viewer))) <= allowed


@given(hand_setups(), players_rng())
@settings(max_examples=30)
def test_no_repr_leaks_a_card(setup: HandSetup, rng: Random) -> None:
    hand = Hand(setup)
    while hand.legal is not None:
        hand.act(random_action(hand.legal, rng))
        public = public_cards(hand)
        for value in (hand, hand.setup, hand.snapshot(), hand.events, hand.actions, hand.legal):
            named = set(parse_cards("".join(CARD_TEXT.findall(repr(value)))))
            assert named <= public


@given(hand_setups(), players_rng())
def test_own_and_public_cards_are_all_seen(setup: HandSetup, rng: Random) -> None:
    hand = Hand(setup)
    while hand.legal is not None:
        hand.act(random_action(hand.legal, rng))
    snapshot = hand.snapshot()
    for seat in snapshot.seats:
        seen = set(cards_in(view_for(snapshot, seat.seat)))
        assert seen == public_cards(hand) | set(seat.hole_cards)


@given(hand_setups(), players_rng())
def test_hidden_hands_never_change_a_view_eng_013(setup: HandSetup, rng: Random) -> None:
    """Swapping what a viewer cannot see, and nothing else, leaves their view as it is."""
    hand = Hand(setup)
    if hand.legal is None:
        return
    viewer = hand.legal.seat
    kept = own_cards(hand, viewer)
    others = [card for card in setup.deck if card not in kept]
    rng.shuffle(others)
    swapped = iter(others)
    deck = tuple(card if card in kept else next(swapped) for card in setup.deck)
    twin = Hand(HandSetup(setup.hand_id, setup.rules, setup.seats, setup.button, deck))
    assert view_for(twin.snapshot(), viewer) == view_for(hand.snapshot(), viewer)
    mine = [redact(event, viewer) for event in hand.events]
    assert [redact(event, viewer) for event in twin.events] == mine


@given(hand_setups(), players_rng())
def test_refusals_name_no_card_eng_013(setup: HandSetup, rng: Random) -> None:
    hand = Hand(setup)
    while hand.legal is not None:
        for action in (
            Action(hand.legal.seat, ActionKind.BET, 10**12),
            Action(hand.legal.seat, ActionKind.RAISE, 10**12),
            Action(rng.randint(1, 10), ActionKind.RAISE, 10**12),
        ):
            with pytest.raises(PokerError) as refused:
                hand.act(action)
            assert not CARD_TEXT.search(f"{refused.value} {dict(refused.value.facts)}")
        hand.act(random_action(hand.legal, rng))
