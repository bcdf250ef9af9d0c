"""Ranks all 133,784,560 seven-card hands: counts by class, order against phevaluator.

Suits are interchangeable, so hands that differ only by which suit is which rank alike (the
unit tests prove that of `rank`). A hand is four sets of ranks, one a suit; taking the sets in
descending order leaves 6,009,159 hands, each standing for as many as its sets have distinct
orders. Prints one JSON line; exits with 1 when a count or the order is wrong. A minute or so.
"""

import json
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from phevaluator import evaluate_cards

from poker.cards import Card
from poker.ranking import category_of, rank

HANDS = 133_784_560
# The published frequencies; a royal flush counts as a straight flush.
FREQUENCIES = {
    "straight_flush": 41_584,
    "quads": 224_848,
    "full_house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "trips": 6_461_620,
    "two_pair": 31_433_400,
    "pair": 58_627_800,
    "high_card": 23_294_460,
}
DISTINCT = 4_824  # strengths that the best five of seven cards can have

RANK_SETS: dict[int, list[int]] = defaultdict(list)
for ranks in range(1 << 13):
    if ranks.bit_count() <= 7:
        RANK_SETS[ranks.bit_count()].append(ranks)
SIZES = [
    (a, b, c, 7 - a - b - c)
    for a in range(8)
    for b in range(8 - a)
    for c in range(8 - a - b)
    if a >= b >= c >= 7 - a - b - c
]


def cards_of(ranks: int, suit: int) -> tuple[Card, ...]:
    """Return the cards of one suit with the ranks of a 13-bit set."""
    return tuple(Card(4 * at + suit) for at in range(13) if ranks >> at & 1)


def canonical_hands() -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield one hand of each class of hands alike up to suits, and how many it stands for."""
    cards = [
        {s: cards_of(s, suit) for sets in RANK_SETS.values() for s in sets} for suit in range(4)
    ]
    for sizes in SIZES:
        for sets in _descending(sizes):
            orders = 24
            for repeats in Counter(sets).values():
                orders //= math.factorial(repeats)
            a, b, c, d = sets
            yield cards[0][a] + cards[1][b] + cards[2][c] + cards[3][d], orders


def _descending(sizes: tuple[int, ...], at: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield sets of ranks of these sizes; sets of one size are in descending order."""
    if at == len(sizes):
        yield ()
        return
    for rest in _descending(sizes, at + 1):
        for ranks in RANK_SETS[sizes[at]]:
            if at + 1 == len(sizes) or sizes[at] > sizes[at + 1] or ranks >= rest[0]:
                yield (ranks, *rest)


def main() -> int:
    """Rank everything, compare, print."""
    started = time.perf_counter()
    hands: Counter[int] = Counter()
    peers: dict[int, set[int]] = defaultdict(set)
    seen = 0
    for cards, count in canonical_hands():
        strength = rank(cards)
        hands[strength] += count
        peers[strength].add(evaluate_cards(*cards))
        seen += 1
    by_class: Counter[str] = Counter()
    for strength, count in hands.items():
        by_class[category_of(strength).value] += count
    # Higher is better here, lower is better there: the order must be exactly reversed.
    order = [peers[strength] for strength in sorted(hands, reverse=True)]
    ranks = [next(iter(peer)) for peer in order]
    same_order = all(len(peer) == 1 for peer in order) and ranks == sorted(set(ranks))
    good = by_class == FREQUENCIES and sum(hands.values()) == HANDS and len(hands) == DISTINCT
    result = {
        "benchmark": "verify_seven_cards",
        "hands": sum(hands.values()),
        "ranked": seen,
        "distinct_strengths": len(hands),
        "by_class": dict(by_class),
        "counts_as_published": good,
        "order_as_phevaluator": same_order,
        "seconds": round(time.perf_counter() - started, 1),
    }
    print(json.dumps(result))
    return 0 if good and same_order else 1


if __name__ == "__main__":
    sys.exit(main())
