"""The compiled strengths are those of the rules."""

import numpy as np

from poker.cards import Card
from poker.ranking import rank
from services.bot.combos import COMBOS
from services.bot.solver.strength import strengths


def test_strength_of_every_combo_is_that_of_the_rules() -> None:
    chosen = np.random.default_rng(5)
    boards = [chosen.choice(52, 5, replace=False).tolist() for _ in range(6)]
    # A straight flush, quads, a full house and a wheel on the board.
    boards += [[8, 12, 16, 20, 24], [0, 1, 2, 3, 51], [0, 1, 2, 4, 5], [48, 0, 5, 10, 15]]
    found = strengths(np.array(boards, dtype=np.int64))
    for board, row in zip(boards, found, strict=True):
        cards = [Card(int(card)) for card in board]
        for combo, strength in zip(COMBOS, row, strict=True):
            alive = not set(combo) & set(cards)
            assert strength == (rank((*cards, *map(Card, combo))) if alive else -1)
