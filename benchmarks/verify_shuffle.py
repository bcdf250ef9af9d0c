"""Shuffles a million decks as the gateway does and tests card by position for fairness.

Usage: `python benchmarks/verify_shuffle.py [DECKS]`. Prints one JSON line; exits with 1 when
the chi-square statistic is where a fair shuffle lands once in a thousand runs.
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from services.gateway.dealer import RandomDealer
from tests.support.shuffles import DEGREES, FAIR, chi_square


def main(decks: int) -> int:
    """Shuffle with the system's source of chance and print the statistic."""
    started = time.perf_counter()
    dealer = RandomDealer()
    statistic = chi_square(dealer.shuffled_deck() for _ in range(decks))
    fair = FAIR[0] < statistic < FAIR[1]
    result = {
        "benchmark": "verify_shuffle",
        "decks": decks,
        "chi_square": round(statistic, 1),
        "degrees_of_freedom": DEGREES,
        "bounds": [round(bound, 1) for bound in FAIR],
        "fair": fair,
        "seconds": round(time.perf_counter() - started, 1),
    }
    print(json.dumps(result))
    return 0 if fair else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
