"""How fast the rules library plays: complete hands of random legal play.

Beside it, in the same run, the limit of the language: a loop that draws as many random
numbers and shuffles as many decks, but knows no rules. Prints one JSON line a table size;
``ratio`` is the library's speed over the limit's, the median of alternating rounds.
"""

import json
import random
import statistics
import time
from collections.abc import Callable

from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack

ROUNDS = 5
HANDS = 2_000
RULES = HandRules(50, 100)
STACK_CHIPS = 10_000


def choose(legal: Legal, rng: random.Random) -> Action:
    """Pick a random legal action, now and then a raise of a random size."""
    raises = legal.raises
    if raises is not None and rng.random() < 0.25:
        to_chips = rng.randint(raises.min_to_chips, raises.max_to_chips)
        return Action(legal.seat, raises.kind, to_chips)
    if legal.can_check:
        return Action(legal.seat, ActionKind.CHECK)
    kind = ActionKind.FOLD if legal.can_fold and rng.random() < 0.3 else ActionKind.CALL
    return Action(legal.seat, kind)


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands through the library; return how many decisions were made."""
    deck = list(DECK)
    seats = tuple(SeatStack(seat, STACK_CHIPS) for seat in range(1, players + 1))
    decisions = 0
    for number in range(hands):
        rng.shuffle(deck)
        hand = Hand(HandSetup("bench", RULES, seats, 1 + number % players, tuple(deck)))
        while (legal := hand.legal) is not None:
            hand.act(choose(legal, rng))
            decisions += 1
    return decisions


def bare(hands: int, decisions: int, rng: random.Random) -> None:
    """Shuffle and choose as often as `play`, without any rules."""
    deck = list(DECK)
    for _ in range(hands):
        rng.shuffle(deck)
        for _ in range(decisions // hands):
            if rng.random() < 0.25:
                rng.randint(200, STACK_CHIPS)


def seconds(run: Callable[[], object]) -> float:
    """Time one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measure(players: int) -> dict[str, object]:
    """Compare library and limit in alternating rounds."""
    rng = random.Random(players)
    decisions = play(players, HANDS, rng)
    ours, limits = [], []
    for _ in range(ROUNDS):
        ours.append(HANDS / seconds(lambda: play(players, HANDS, rng)))
        limits.append(HANDS / seconds(lambda: bare(HANDS, decisions, rng)))
    return {
        "benchmark": "library_hands_per_second",
        "players": players,
        "decisions_per_hand": round(decisions / HANDS, 1),
        "riverboat": round(statistics.median(ours)),
        "bare_loop": round(statistics.median(limits)),
        "ratio": round(statistics.median(a / b for a, b in zip(ours, limits, strict=True)), 3),
    }


if __name__ == "__main__":
    for table_size in (2, 6, 9):
        print(json.dumps(measure(table_size)))
