"""The seven-card evaluator in River's inner loops: plain ints in, a plain int out.

`poker.ranking` is the public door to hand values; here a million evaluations a second
count, so the C function is called without unpacking sequences of cards first.
Smaller is stronger: 1 is a royal flush, 7,462 the worst high card.
"""

from collections.abc import Callable
from typing import Final

from phevaluator import _pheval

evaluate_five: Final[Callable[[int, int, int, int, int], int]] = _pheval.evaluate_5cards
evaluate_seven: Final[Callable[[int, int, int, int, int, int, int], int]] = _pheval.evaluate_7cards
evaluate_six: Final[Callable[[int, int, int, int, int, int], int]] = _pheval.evaluate_6cards

WEAKEST: Final = 7_462
"""The largest value the evaluator returns."""
