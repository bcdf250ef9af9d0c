"""phevaluator's C function itself, which is not part of its public interface."""

from collections.abc import Callable, Sequence

from phevaluator import _pheval


def cards_of(hands: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the cards as it takes them."""
    return [tuple(hand) for hand in hands]


def evaluator() -> Callable[[Sequence[int]], int]:
    """Return the function that ranks seven cards."""
    native = _pheval.evaluate_7cards

    def evaluate(hand: Sequence[int]) -> int:
        rank: int = native(*hand)
        return rank

    return evaluate
