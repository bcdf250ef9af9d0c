"""phevaluator (Apache-2.0): its public function, which takes card numbers like ours."""

from collections.abc import Callable, Sequence

from phevaluator import evaluate_cards


def cards_of(hands: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the cards as it takes them."""
    return [tuple(hand) for hand in hands]


def evaluator() -> Callable[[Sequence[int]], int]:
    """Return the function that ranks seven cards."""

    def evaluate(hand: Sequence[int]) -> int:
        rank: int = evaluate_cards(*hand)
        return rank

    return evaluate
