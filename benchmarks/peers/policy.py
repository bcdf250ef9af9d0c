"""How every subject plays: the same chances, whatever the engine calls its actions."""

import random
from enum import Enum, auto
from typing import Any, Final

SMALL_BLIND: Final = 50
BIG_BLIND: Final = 100
STACK: Final = 10_000
"""A hundred big blinds each, anew in every hand."""


class Move(Enum):
    """What a player does; a raise is also a bet."""

    FOLD = auto()
    PASS = auto()
    RAISE = auto()


def choose(rng: random.Random, *, can_raise: bool, must_pay: bool) -> Move:
    """Pick a move: a raise one time in four, else a fold three times in ten when it costs."""
    if can_raise and rng.random() < 0.25:
        return Move.RAISE
    if must_pay and rng.random() < 0.3:
        return Move.FOLD
    return Move.PASS


def amount(rng: random.Random, least: int, most: int) -> int:
    """Pick a whole number between two bounds, both possible."""
    return least + int(rng.random() * (most - least + 1))


def deal(deck: list[Any], cards: int, rng: random.Random) -> tuple[Any, ...]:
    """Shuffle as much of a deck as a hand can use: the first steps of Fisher and Yates."""
    draw = rng.random
    size = len(deck)
    for at in range(cards):
        other = at + int(draw() * (size - at))
        deck[at], deck[other] = deck[other], deck[at]
    return tuple(deck[:cards])
