"""Equities against a random hand, counted exactly."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from services.bot.blueprint.equity import DEAD, HALF_WINS, RUNOUTS, moments
from services.bot.combos import COMBOS, combo_index
from services.bot.strength import strengths

RANDOM_RIVERS = [Random(seed).sample(range(52), 5) for seed in range(4)]
SUITED_RIVERS = [[0, 4, 8, 24, 48], [0, 4, 8, 24, 49], [0, 4, 8, 25, 50], [0, 1, 2, 4, 5]]


@pytest.mark.parametrize("board", RANDOM_RIVERS + SUITED_RIVERS)
def test_a_river_equity_counts_wins_and_ties_against_every_other_hand(board: list[int]) -> None:
    total, squares = moments(np.array(board))
    values = strengths(np.array([board]))[0]
    live = [index for index in range(len(COMBOS)) if values[index] >= 0]
    for index in live[::97]:
        others = [at for at in live if not set(COMBOS[at]) & set(COMBOS[index])]
        half_wins = sum(
            2 * int(values[index] > values[at]) + int(values[index] == values[at]) for at in others
        )
        assert total[index] == half_wins
        assert squares[index] == half_wins**2
        assert 2 * len(others) == HALF_WINS


def test_a_turn_adds_up_its_rivers_and_a_flop_its_turns() -> None:
    flop, hand = [3, 17, 30], (40, 51)
    index = combo_index(*hand)
    left = [card for card in range(52) if card not in {*flop, *hand}]
    turn = [*flop, left[0]]
    rivers = [moments(np.array([*turn, card]))[0][index] for card in left[1:]]
    total, squares = moments(np.array(turn))
    assert len(rivers) == RUNOUTS[4]
    assert total[index] == sum(rivers)
    assert squares[index] == sum(int(value) ** 2 for value in rivers)
    turns = [moments(np.array([*flop, card]))[0][index] for card in left]
    assert len(list(combinations(left, 2))) == RUNOUTS[3]
    assert 2 * moments(np.array(flop))[0][index] == sum(turns)


def test_combos_that_the_board_holds_are_dead() -> None:
    total, squares = moments(np.array([0, 4, 8, 12]))
    dead = [bool({first, second} & {0, 4, 8, 12}) for first, second in COMBOS]
    assert ((total == DEAD) == dead).all()
    assert (squares[dead] == 0).all()
    assert (total[np.logical_not(dead)] > 0).all()
