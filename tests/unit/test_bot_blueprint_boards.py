"""Boards that differ only in their suits are one class."""

from itertools import combinations

import numpy as np
import pytest

from services.bot.blueprint.boards import (
    CLASS_COUNTS,
    RENAMED_COMBOS,
    SUIT_ORDERS,
    BoardClasses,
    board_classes,
    set_rank,
)
from services.bot.combos import COMBOS


@pytest.fixture(scope="module")
def flops() -> BoardClasses:
    return board_classes(3)


def test_every_set_has_its_own_rank() -> None:
    ranks = [set_rank(np.array(cards)) for cards in combinations(range(8), 3)]
    assert sorted(ranks) == list(range(56))
    assert set_rank(np.array([7, 0, 3])) == set_rank(np.array([0, 3, 7]))


def test_the_classes_of_flops_cover_every_flop_once(flops: BoardClasses) -> None:
    assert len(flops.boards) == CLASS_COUNTS[3] == 1755
    assert flops.sizes.sum() == 22_100
    assert set(flops.class_of) == set(range(1755))


def test_the_kept_suit_order_turns_a_flop_into_its_classs_board(flops: BoardClasses) -> None:
    for cards in list(combinations(range(52), 3))[::211]:
        board = np.array(cards)
        rank = set_rank(board)
        order = SUIT_ORDERS[flops.order_of[rank]]
        renamed = (board & ~3) | order[board & 3]
        assert sorted(renamed) == sorted(flops.boards[flops.class_of[rank]])


def test_combos_are_renamed_card_by_card() -> None:
    for order, row in zip(SUIT_ORDERS[::5], RENAMED_COMBOS[::5], strict=True):
        for combo in range(0, len(COMBOS), 31):
            renamed = {(card & ~3) | int(order[card & 3]) for card in COMBOS[combo]}
            assert set(COMBOS[row[combo]]) == renamed
    assert (RENAMED_COMBOS[0] == np.arange(len(COMBOS))).all()
