"""The committed blueprints: whole, well-formed, and sane before the flop."""

import numpy as np
import pytest

from poker.actions import ActionKind
from services.bot.blueprint.library import (
    DATA,
    ROOT,
    Blueprint,
    abstraction,
    blueprint,
    buckets,
    library,
)
from services.bot.blueprint.sizes import DEPTHS_BB
from services.bot.combos import COMBOS, TYPE_NAMES, TYPE_SIZES

SIZE_MAX_BYTES = 25_000_000
WEIGHTS = np.array(TYPE_SIZES) / len(COMBOS)
WORST = [TYPE_NAMES.index(name) for name in ("32o", "42o", "52o", "62o", "72o", "82o")]


def raises(loaded: Blueprint, node: int) -> list[bool]:
    return [kind is ActionKind.RAISE for kind, _ in loaded.actions(node)]


def test_the_library_has_every_depth() -> None:
    assert library() == DEPTHS_BB


def test_the_artefacts_stay_small() -> None:
    assert sum(path.stat().st_size for path in DATA.iterdir()) < SIZE_MAX_BYTES


@pytest.mark.parametrize("depth_bb", DEPTHS_BB)
def test_every_decision_is_a_distribution_over_legal_moves(depth_bb: int) -> None:
    loaded = blueprint(depth_bb)
    counts = abstraction().counts
    assert loaded.depth_bb == depth_bb
    for node in range(loaded.nodes):
        if loaded.is_terminal(node):
            continue
        strategy = loaded.strategy(node)
        assert strategy.shape == (len(loaded.actions(node)), counts[loaded.street(node)])
        assert strategy.min() >= 0.0
        np.testing.assert_allclose(strategy.sum(axis=0), 1.0, atol=1e-6)


@pytest.mark.parametrize("depth_bb", DEPTHS_BB)
def test_aces_never_fold_and_the_worst_hands_do_to_a_raise(depth_bb: int) -> None:
    loaded = blueprint(depth_bb)
    opening = loaded.strategy(ROOT)
    assert loaded.actions(ROOT)[0] == (ActionKind.FOLD, 0)
    assert opening[0, TYPE_NAMES.index("AA")] == 0.0
    for raised in np.flatnonzero(raises(loaded, ROOT)):
        assert loaded.strategy(loaded.child(ROOT, int(raised)))[0, WORST].mean() > 0.9
    shoved = loaded.child(ROOT, len(loaded.actions(ROOT)) - 1)
    answer = loaded.strategy(shoved)
    assert loaded.actions(shoved) == ((ActionKind.FOLD, 0), (ActionKind.CALL, 0))
    assert answer[1, TYPE_NAMES.index("AA")] == 1.0
    assert answer[1, TYPE_NAMES.index("72o")] < 0.5


def test_the_button_plays_most_hands_at_a_hundred_blinds_and_raises_many() -> None:
    opening = blueprint(100).strategy(ROOT)
    played = 1.0 - opening[0] @ WEIGHTS
    assert played > 0.8
    assert opening[raises(blueprint(100), ROOT)].sum(axis=0) @ WEIGHTS > 0.4


def test_deeper_shoves_are_called_by_fewer_hands() -> None:
    called = []
    for depth_bb in (8, 17, 50):
        loaded = blueprint(depth_bb)
        shoved = loaded.child(ROOT, len(loaded.actions(ROOT)) - 1)
        called.append(loaded.strategy(shoved)[1] @ WEIGHTS)
    assert called[0] > called[1] > called[2]


def test_an_unknown_depth_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        blueprint(99)


@pytest.mark.parametrize("board", [(), (3, 17, 30), (3, 17, 30, 31), (3, 17, 30, 31, 8)])
def test_buckets_cover_live_combos_of_any_board(board: tuple[int, ...]) -> None:
    found = buckets(board)
    count = abstraction().counts[max(0, len(board) - 2)]
    dead = [bool({first, second} & set(board)) for first, second in COMBOS]
    assert found.dtype == np.int16
    assert ((found == -1) == dead).all()
    assert found.max() < count
    np.testing.assert_array_equal(found, buckets(board[::-1]))
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 0


def test_a_better_hand_is_in_a_higher_bucket_on_the_river() -> None:
    board = (0, 5, 22, 35, 49)  # 2c 3d 7h Td Ad
    found = buckets(board)
    pair_of_aces = COMBOS.index((44, 48))  # Kc Ac
    nothing = COMBOS.index((9, 17))  # 4d 6d
    assert found[pair_of_aces] > found[nothing]


def test_what_the_callers_share_cannot_be_changed() -> None:
    before_the_flop = buckets(())
    with pytest.raises(ValueError, match="read-only"):
        before_the_flop[0] = 5
    assert len(set(before_the_flop.tolist())) == len(TYPE_NAMES)
