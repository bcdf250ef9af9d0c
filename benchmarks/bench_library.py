"""How fast the rules library plays: complete hands of random legal play.

Beside it, in the same run, the limit of the language: a loop that draws the same cards and as
many random numbers, but knows no rules. Prints one JSON line a table size; ``ratio`` is the
library's speed over the limit's, the median of alternating rounds. Seconds are seconds of this
process on a processor, so that a busy machine disturbs less.

    python benchmarks/bench_library.py                              # the sources as they are
    PYTHONPATH=.cache/fast python -P benchmarks/bench_library.py    # compiled by `make fast`
"""

import json
import random
import statistics
import time
from collections.abc import Callable

import poker.hand
from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK, Card
from poker.dealing import cards_needed
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack

ROUNDS = 7
HANDS = 3_000
# The table of ranks fills itself: most of it, before anything is measured.
WARM_UP_HANDS = 20_000
RULES = HandRules(50, 100)
STACK_CHIPS = 10_000

# Values can be used over and over: an action without an amount is built once a seat.
SEATS = range(10)
FOLD = [Action(seat, ActionKind.FOLD) for seat in SEATS]
CHECK = [Action(seat, ActionKind.CHECK) for seat in SEATS]
CALL = [Action(seat, ActionKind.CALL) for seat in SEATS]

Draw = Callable[[], float]


def choose(legal: Legal, draw: Draw) -> Action:
    """Pick a random legal action, now and then a raise of a random size."""
    raises = legal.raises
    if raises is not None and draw() < 0.25:
        least = raises.min_to_chips
        to_chips = least + int(draw() * (raises.max_to_chips - least + 1))
        return Action(legal.seat, raises.kind, to_chips)
    if legal.can_check:
        return CHECK[legal.seat]
    return (FOLD if legal.can_fold and draw() < 0.3 else CALL)[legal.seat]


def deal(deck: list[Card], cards: int, draw: Draw) -> tuple[Card, ...]:
    """Shuffle as much of a deck as a hand can use: the first steps of Fisher and Yates."""
    for at in range(cards):
        other = at + int(draw() * (52 - at))
        deck[at], deck[other] = deck[other], deck[at]
    return tuple(deck[:cards])


def play(players: int, hands: int, draw: Draw) -> int:
    """Play hands through the library; return how many decisions were made."""
    deck = list(DECK)
    cards = cards_needed(players, burn=False)
    seats = tuple(SeatStack(seat, STACK_CHIPS) for seat in range(1, players + 1))
    decisions = 0
    for number in range(hands):
        setup = HandSetup("bench", RULES, seats, 1 + number % players, deal(deck, cards, draw))
        hand = Hand(setup)
        while (legal := hand.legal) is not None:
            hand.apply(choose(legal, draw))
            decisions += 1
        assert sum(hand.stacks_chips) == players * STACK_CHIPS
    return decisions


def bare(players: int, hands: int, decisions: int, draw: Draw) -> None:
    """Draw cards and choose as often as `play`, without any rules."""
    deck = list(DECK)
    cards = cards_needed(players, burn=False)
    for _ in range(hands):
        deal(deck, cards, draw)
        for _ in range(decisions // hands):
            if draw() < 0.25:
                int(draw() * STACK_CHIPS)


def seconds(run: Callable[[], object]) -> float:
    """Time one call, in seconds of processor time."""
    start = time.process_time()
    run()
    return time.process_time() - start


def measure(players: int) -> dict[str, object]:
    """Compare library and limit in alternating rounds."""
    draw = random.Random(players).random
    play(players, WARM_UP_HANDS, draw)
    decisions = play(players, HANDS, draw)
    ours, limits = [], []
    for _ in range(ROUNDS):
        ours.append(HANDS / seconds(lambda: play(players, HANDS, draw)))
        limits.append(HANDS / seconds(lambda: bare(players, HANDS, decisions, draw)))
    return {
        "benchmark": "library_hands_per_second",
        "compiled": not str(poker.hand.__file__).endswith(".py"),
        "players": players,
        "decisions_per_hand": round(decisions / HANDS, 1),
        "riverboat": round(statistics.median(ours)),
        "bare_loop": round(statistics.median(limits)),
        "ratio": round(statistics.median(a / b for a, b in zip(ours, limits, strict=True)), 3),
    }


if __name__ == "__main__":
    for table_size in (2, 6, 9):
        print(json.dumps(measure(table_size)))
