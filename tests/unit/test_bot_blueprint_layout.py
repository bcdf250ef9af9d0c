"""Every action of every information set has a place of its own."""

import numpy as np

from services.bot.blueprint.layout import layout_of
from services.bot.blueprint.sizes import sizes_for
from services.bot.blueprint.tree import build_tree

COUNTS = (169, 6, 5, 4)


def test_blocks_cover_all_values_once() -> None:
    tree = build_tree(sizes_for(12))
    layout = layout_of(tree, COUNTS)
    values = np.zeros(layout.size, dtype=np.float32)
    for node in np.flatnonzero(tree.player >= 0):
        block = layout.block(values, int(node))
        assert block.shape == (COUNTS[tree.street[node]], tree.action_count[node])
        block += 1.0
    assert (values == 1.0).all()


def test_a_buckets_values_lie_together() -> None:
    tree = build_tree(sizes_for(12))
    layout = layout_of(tree, COUNTS)
    values = np.arange(layout.size, dtype=np.float32)
    seen = [
        layout.block(values, int(node))[2]
        for node in np.flatnonzero((tree.player >= 0) & (tree.street == 3))
    ]
    together = np.sort(np.concatenate(seen))
    assert together[0] == layout.base[3] + 2 * layout.stride[3]
    assert (np.diff(together) == 1.0).all()
