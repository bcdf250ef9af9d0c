"""The order in which a street walks over both players' combos, weakest first, compiled.

`order[player, field, river]` are vectors over the player's combos on that river: the place of
the combo on the first street, its cards times `LANES`, and the place of the same combo among
the opponent's (the last item, always of reach zero, when there is none). `counts[player, river]`
says how many, `counts[GROUPS, river]` into how many groups of equal strength they fall, and
`starts[river, group, player]` where a group begins; one more entry closes the last.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.jit import Ints, fused_kernel
from services.bot.solver.simd import LANES

PLACE: Final = 0
CARD_ONE: Final = 1
CARD_TWO: Final = 2
SAME: Final = 3
FIELDS: Final = 4
GROUPS: Final = 2

PLACE_BITS: Final = 11
DEAD: Final = 1 << 40
"""Keys are strength and place in one int; those of combos that the river kills are `DEAD`."""

Keys = NDArray[np.int64]


@fused_kernel
def fill_order(order: Ints, counts: Ints, player: int, keys: Keys, cards: Keys) -> None:
    """Write one player's vectors but `SAME`; `keys[river]` is sorted, `cards` by place."""
    none = len(cards)
    for river in range(len(keys)):
        count = 0
        while count < none and keys[river, count] < DEAD:
            place = keys[river, count] & (1 << PLACE_BITS) - 1
            order[player, PLACE, river, count] = place
            order[player, CARD_ONE, river, count] = LANES * cards[place, 0]
            order[player, CARD_TWO, river, count] = LANES * cards[place, 1]
            count += 1
        counts[player, river] = count
        for at in range(count, order.shape[3]):
            order[player, PLACE, river, at] = none


@fused_kernel
def fill_groups(counts: Ints, starts: Ints, mine: Keys, theirs: Keys) -> None:
    """Merge the strengths of both players into groups."""
    for river in range(len(mine)):
        one, two, group = 0, 0, 0
        while one < counts[0, river] or two < counts[1, river]:
            starts[river, group, 0], starts[river, group, 1] = one, two
            group += 1
            level = DEAD
            if one < counts[0, river]:
                level = mine[river, one] >> PLACE_BITS
            if two < counts[1, river]:
                level = min(level, theirs[river, two] >> PLACE_BITS)
            while one < counts[0, river] and mine[river, one] >> PLACE_BITS == level:
                one += 1
            while two < counts[1, river] and theirs[river, two] >> PLACE_BITS == level:
                two += 1
        starts[river, group, 0], starts[river, group, 1] = one, two
        counts[GROUPS, river] = group


@fused_kernel
def fill_same(order: Ints, counts: Ints, at: Ints) -> None:
    """Find every combo among the opponent's, by its two cards; `at` is room for 52 x 52."""
    for player in range(2):
        for river in range(counts.shape[1]):
            mine, theirs = order[player], order[1 - player]
            for one in range(52):
                for two in range(52):
                    at[one, two] = order.shape[3] - 1
            for index in range(counts[1 - player, river]):
                one, two = theirs[CARD_ONE, river, index], theirs[CARD_TWO, river, index]
                at[one // LANES, two // LANES] = index
            for index in range(order.shape[3]):
                mine[SAME, river, index] = order.shape[3] - 1
            for index in range(counts[player, river]):
                one, two = mine[CARD_ONE, river, index], mine[CARD_TWO, river, index]
                mine[SAME, river, index] = at[one // LANES, two // LANES]
