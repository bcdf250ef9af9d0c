"""Riverboat's own rules library and ranking."""

import random
from collections.abc import Callable, Sequence

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, amount, choose, deal
from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK, Card
from poker.hand import Hand
from poker.ranking import rank
from poker.setup import HandRules, HandSetup, SeatStack


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    rules = HandRules(SMALL_BLIND, BIG_BLIND)
    seats = tuple(SeatStack(seat, STACK) for seat in range(1, players + 1))
    deck = list(DECK)
    cards = 2 * players + 5
    decisions = 0
    for number in range(hands):
        dealt = deal(deck, cards, rng)
        hand = Hand(HandSetup("bench", rules, seats, 1 + number % players, dealt))
        while (legal := hand.legal) is not None:
            hand.apply(random_action(legal, rng))
            decisions += 1
    return decisions


def random_action(legal: Legal, rng: random.Random) -> Action:
    """Return a legal action, drawn as every subject draws it."""
    raises = legal.raises
    move = choose(rng, can_raise=raises is not None, must_pay=not legal.can_check)
    if move is Move.RAISE and raises is not None:
        to_chips = amount(rng, raises.min_to_chips, raises.max_to_chips)
        return Action(legal.seat, raises.kind, to_chips)
    if move is Move.FOLD:
        return _FOLDS[legal.seat]
    return _CHECKS[legal.seat] if legal.can_check else _CALLS[legal.seat]


# Values can be used again: an action without an amount is made once a seat.
_FOLDS, _CHECKS, _CALLS = (
    {seat: Action(seat, kind) for seat in range(1, 11)}
    for kind in (ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL)
)


def cards_of(hands: Sequence[Sequence[int]]) -> list[tuple[Card, ...]]:
    """Turn card numbers (4 * rank + suit) into cards."""
    return [tuple(DECK[index] for index in hand) for hand in hands]


def evaluator() -> Callable[[Sequence[Card]], int]:
    """Return the function that ranks seven cards."""
    return rank
