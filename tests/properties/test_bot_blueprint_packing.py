"""Any strategy survives being stored in fifteenths; any board has the same buckets in any suits."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from services.bot.blueprint.abstraction import DEAD_BUCKET, Abstraction, find_limits, spread_of
from services.bot.blueprint.boards import RENAMED_COMBOS, SUIT_ORDERS
from services.bot.blueprint.equity import moments
from services.bot.blueprint.packing import PARTS, pack, quantised, strategy_of, unpack

BOARDS = st.lists(st.integers(0, 51), min_size=4, max_size=5, unique=True)


@given(st.integers(1, 8), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_fifteenths_sum_to_one_and_stay_near(actions: int, buckets: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    strategy = rng.dirichlet(np.full(actions, 0.4), buckets)
    parts = quantised(strategy)
    assert (parts.sum(axis=1) == PARTS).all()
    assert np.abs(parts / PARTS - strategy).max() < 1.0 / PARTS
    read = strategy_of(parts[:, :-1].T.ravel(), actions, buckets)
    np.testing.assert_array_equal(read.T, (parts / np.float32(PARTS)).astype(np.float32))


@given(st.lists(st.integers(0, 15)))
def test_packing_keeps_every_value(values: list[int]) -> None:
    given_values = np.array(values, dtype=np.uint8)
    packed = pack(given_values)
    assert len(packed) == (len(values) + 1) // 2
    np.testing.assert_array_equal(unpack(packed, len(values)), given_values)


@given(BOARDS, st.integers(0, 23))
def test_changing_suits_changes_no_bucket(board: list[int], order: int) -> None:
    cards = np.array(board)
    renamed = (cards & ~3) | SUIT_ORDERS[order][cards & 3]
    total, squares = moments(cards)
    renamed_total, renamed_squares = moments(renamed)
    np.testing.assert_array_equal(total, renamed_total[RENAMED_COMBOS[order]])
    np.testing.assert_array_equal(squares, renamed_squares[RENAMED_COMBOS[order]])


@given(BOARDS, st.integers(2, 12), st.integers(1, 4))
def test_quantiles_of_a_board_use_every_bucket_in_order_of_equity(
    board: list[int], bands: int, spreads: int
) -> None:
    cards = len(board)
    total, squares = moments(np.array(board))
    live = total >= 0
    weights = np.ones(int(live.sum()), dtype=np.int64)
    limits = find_limits(cards, total[live], squares[live], weights, bands, spreads)
    found = limits.buckets(total, squares)
    assert (found[~live] == DEAD_BUCKET).all()
    assert found.max() < limits.count <= bands * spreads
    band = found[live] // limits.spreads
    by_equity = np.argsort(total[live], kind="stable")
    assert (np.diff(band[by_equity]) >= 0).all()
    spread = spread_of(cards, total, squares)[live]
    for row in set(band):
        here = band == row
        assert (np.diff(found[live][here][np.argsort(spread[here], kind="stable")]) >= 0).all()


@given(BOARDS)
def test_the_order_of_the_board_does_not_matter(board: list[int]) -> None:
    weights = np.ones(1326, dtype=np.int64)
    total, squares = moments(np.array(board))
    live = total >= 0
    limits = find_limits(len(board), total[live], squares[live], weights[live], 5, 2)
    abstraction = Abstraction((limits, limits, limits))
    np.testing.assert_array_equal(
        abstraction.buckets(np.array(board)), abstraction.buckets(np.array(board[::-1]))
    )
