"""pkrbot (MIT): C behind Python, takes lists of its own cards."""

from collections.abc import Callable, Sequence

from pkrbot import Card, evaluate


def cards_of(hands: Sequence[Sequence[int]]) -> list[list[Card]]:
    """Return the cards as it takes them."""
    deck = [Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    return [[deck[index] for index in hand] for hand in hands]


def evaluator() -> Callable[[Sequence[Card]], int]:
    """Return the function that ranks seven cards."""
    function: Callable[[Sequence[Card]], int] = evaluate
    return function
