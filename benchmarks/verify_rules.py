"""Plays random hands through the library, the brute-force reference and pokerkit.

The tests do the same on fewer hands. Usage: `python benchmarks/verify_rules.py [HANDS [SEED]]`
(default 100,000 hands). Stacks run from one chip to 10^9. Prints one JSON line; exits with 1
at the first hand on which the library and the reference differ, or on which pokerkit differs
and no known disagreement of docs/poker.md explains it.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from poker.cards import DECK
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, ReopenRule, SeatStack
from tests.support.comparing import compare_with_reference
from tests.support.pokerkit_peer import differences, known, playable_there
from tests.support.strategies import play_out


def random_setup(rng: Random) -> HandSetup:
    """Return a hand of any number of players, blinds, stacks and options."""
    big = rng.choice([1, 2, 5, 20, 100, 10**6])
    seats = sorted(rng.sample(range(1, 11), rng.randint(2, 9)))
    deepest = rng.choice([2, 12, 200, 10**9])
    rules = HandRules(
        small_blind_chips=rng.randint(1, big),
        big_blind_chips=big,
        reopen_rule=rng.choice(list(ReopenRule)),
        allow_fold_when_check_available=rng.random() < 0.5,
        allow_raise_when_none_can_call=rng.random() < 0.5,
        burn_cards=rng.random() < 0.5,
    )
    return HandSetup(
        hand_id="h-random",
        rules=rules,
        seats=tuple(SeatStack(seat, rng.randint(1, min(10**9, deepest * big))) for seat in seats),
        button=rng.choice([*seats, rng.randint(1, 10)]),
        deck=tuple(rng.sample(DECK, 52)),
    )


def main(hands: int, seed: int) -> int:
    """Compare hand after hand; print what was found."""
    started = time.perf_counter()
    turns = 0
    explained: Counter[str] = Counter()
    for number in range(seed, seed + hands):
        rng = Random(number)
        setup = random_setup(rng)
        turns += compare_with_reference(setup, rng)
        hand = play_out(Hand(setup), rng)
        for moment, what in differences(setup, hand.actions) if playable_there(setup) else ():
            names = known(moment, what)
            if not names:
                print(json.dumps({"seed": number, "unexplained": what}))
                return 1
            explained["+".join(sorted(name.name.lower() for name in names))] += 1
    result = {
        "benchmark": "verify_rules",
        "hands": hands,
        "turns": turns,
        "reference_mismatches": 0,
        "pokerkit_explained": dict(explained.most_common()),
        "pokerkit_unexplained": 0,
        "seconds": round(time.perf_counter() - started, 1),
    }
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    arguments = [int(text) for text in sys.argv[1:]]
    sys.exit(main(*(arguments + [100_000, 1][len(arguments) :])))
