"""How lucky a player was in a hand: what a result owes to cards and dice, not to play.

A pot is worth to a player its share at a showdown at once, of all the hands that it may hold
against all that the other may hold. Each card dealt and each action drawn changes that share,
and on average by nothing: over the cards that could have come, and over what the player would
have done with the hands it could have. So any multiple of these changes may be taken from a
result; its mean stays the same, and most of the luck goes. That is the idea of AIVAT (Burch,
Schmid, Moravčík, Morrill, Bowling: AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games, AAAI 2018) with a plain value instead of a trained one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from poker.cards import Card
from services.bot.arena.chance import range_share
from services.bot.arena.ranges import Weights
from services.bot.combos import COMBOS

FUTURE: Final = 1.2
"""Bets that follow make a share worth more than it is of the pot of the moment. Any number
keeps the mean; the best was between 1.1 and 1.5 against players of three kinds."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision: the board, the pot in chips before it and when the board's last card came.

    ``weights`` are what the player of the seat may hold after it, as all its actions tell.
    """

    seat: int
    board: tuple[Card, ...]
    dealt_pot_chips: int
    pot_chips: int
    weights: Weights


class Reading:
    """What both players of a hand may hold, as its moments tell it one by one.

    ``luck_chips`` is what luck brought the first of the two seats so far.
    """

    def __init__(self, seats: tuple[int, int]) -> None:
        self.luck_chips = 0.0
        self._seats = seats
        self._ranges = {seat: np.ones(len(COMBOS)) for seat in seats}
        self._board: tuple[Card, ...] = ()
        self._share = 0.5

    def follow(self, moments: Sequence[Moment]) -> None:
        """Follow the hand on, from its first moment."""
        for moment in moments:
            if moment.board != self._board:
                self._board = moment.board
                self._move(moment.dealt_pot_chips)
            self._ranges[moment.seat] = moment.weights
            self._move(moment.pot_chips)

    def showdown_share(self, board: tuple[Card, ...]) -> float:
        """Return the first seat's exact share (0..1) at a showdown, the other cards to come."""
        own, other = (self._ranges[seat] for seat in self._seats)
        return range_share(own, other, board)

    def _move(self, pot_chips: int) -> None:
        own, other = (self._ranges[seat] for seat in self._seats)
        share = range_share(own, other, self._board, exact=False)
        self.luck_chips += FUTURE * pot_chips * (share - self._share)
        self._share = share
