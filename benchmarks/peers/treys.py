"""treys (MIT): pure Python, takes lists of its own cards."""

from collections.abc import Callable, Sequence

from treys import Card, Evaluator


def cards_of(hands: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the cards as it takes them."""
    deck = [Card.new(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    return [[deck[index] for index in hand] for hand in hands]


def evaluator() -> Callable[[Sequence[int]], int]:
    """Return the function that ranks seven cards."""
    evaluate = Evaluator().evaluate

    def seven(hand: Sequence[int]) -> int:
        rank: int = evaluate(hand[:2], hand[2:])
        return rank

    return seven
