"""The limit of the language: shuffles and draws chances as often as a game, without rules."""

import random
from typing import Final

from benchmarks.peers.policy import STACK, Move, choose

_DECISIONS: Final = {2: 6, 6: 14, 9: 19}
"""About what a hand of this many players takes."""


def play(players: int, hands: int, rng: random.Random) -> int:
    """Go through the motions; return how many decisions were made."""
    decisions = _DECISIONS[players]
    deck = list(range(52))
    for _ in range(hands):
        rng.shuffle(deck)
        for _ in range(decisions):
            if choose(rng, can_raise=True, must_pay=True) is Move.RAISE:
                rng.randint(200, STACK)
    return hands * decisions
