"""Where the sums of the information sets lie while training.

Streets follow one another; within a street first comes all of one bucket, node after node.
A walk meets one bucket a street, so what it touches lies close together, which is most of
what makes training fast.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.bot.blueprint.tree import Tree


@dataclass(frozen=True, slots=True)
class Layout:
    """The action `a` of a bucket `b` at a node is at ``base + b * stride + slot + a``.

    ``base``, ``stride`` and ``buckets`` have a value a street, ``slot`` one a node.
    """

    tree: Tree
    base: NDArray[np.int64]
    stride: NDArray[np.int64]
    buckets: NDArray[np.int64]
    slot: NDArray[np.int64]

    @property
    def size(self) -> int:
        """How many values there are in all."""
        return int(self.base[3] + self.stride[3] * self.buckets[3])

    def block(self, values: NDArray[np.float32], node: int) -> NDArray[np.float32]:
        """Return a node's values as a view (buckets, actions)."""
        street = self.tree.street[node]
        base, stride = int(self.base[street]), int(self.stride[street])
        whole = values[base : base + stride * int(self.buckets[street])].reshape(-1, stride)
        slot = int(self.slot[node])
        return whole[:, slot : slot + int(self.tree.action_count[node])]


def layout_of(tree: Tree, bucket_counts: tuple[int, int, int, int]) -> Layout:
    """Lay out the information sets of a game with so many buckets a street."""
    slot = np.zeros(len(tree.player), dtype=np.int64)
    stride = np.zeros(4, dtype=np.int64)
    for street in range(4):
        nodes = np.flatnonzero((tree.street == street) & (tree.player >= 0))
        ends = np.cumsum(tree.action_count[nodes], dtype=np.int64)
        slot[nodes[1:]] = ends[:-1]
        stride[street] = ends[-1] if len(ends) else 0
    buckets = np.array(bucket_counts, dtype=np.int64)
    base = np.concatenate([[0], np.cumsum(stride * buckets)[:-1]])
    return Layout(tree, base, stride, buckets, slot)
