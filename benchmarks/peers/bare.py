"""The limit of the language: deals and draws chances as often as a game, without rules."""

import random
from typing import Final

from benchmarks.peers.policy import STACK, Move, amount, choose, deal

_DECISIONS: Final = {2: 6, 6: 14, 9: 19}
"""About what a hand of this many players takes."""


def play(players: int, hands: int, rng: random.Random) -> int:
    """Go through the motions; return how many decisions were made."""
    decisions = _DECISIONS[players]
    deck = list(range(52))
    for _ in range(hands):
        deal(deck, 2 * players + 5, rng)
        for _ in range(decisions):
            if choose(rng, can_raise=True, must_pay=True) is Move.RAISE:
                amount(rng, 200, STACK)
    return hands * decisions
