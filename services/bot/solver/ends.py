"""What the ends of a street are worth to every combo of one player, compiled.

Sixteen reach vectors of the opponent are handled at a time. Shared cards count exactly: what is
held against a combo is the sum over all opposing combos, less those with its first card, less
those with its second, plus the same combo again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.bot.jit import Ints, Matrix, fused_part
from services.bot.solver.orders import CARD_ONE, CARD_TWO, GROUPS, SAME
from services.bot.solver.simd import (
    LANES,
    gather,
    load,
    minus,
    nothing,
    plus,
    scatter,
    store,
)


class Street(NamedTuple):
    """The forest of a street with everything learned about it and room to work in.

    `places[opponent, k, lane]` are offsets into `reach` (k = 0) and `values` (the showdown
    and the fold that this reach leads to), `scale[opponent, k - 1, lane]` what those pay in
    shares of the pot, 0 for none. `learned` holds regrets and strategy sums of both players,
    `rows` vectors a river. `order`, `counts` and `starts` are described in `orders`. `lanes`
    holds sixteen reach vectors, their values and the sums by card; `factors` is regret
    matching's. `habits[river, slot]` is what one player's habits bring to its reach and `met` room
    for both together; without habits there is none.
    """

    nodes: Ints
    places: NDArray[np.int64]
    scale: Matrix
    learned: Matrix
    reach: Matrix
    values: Matrix
    order: Ints
    counts: Ints
    starts: Ints
    lanes: Matrix
    factors: Matrix
    habits: NDArray[np.float32]
    met: Matrix
    rows: int


@fused_part
def meet(street: Street, river: int) -> None:
    """Add what habits bring to the reach of their player."""
    for slot in range(len(street.met)):
        whole, well, habitual = street.met[slot], street.reach[slot], street.habits[river, slot]
        for at in range(len(whole)):
            whole[at] = well[at] + habitual[at]


@fused_part
def settle(street: Street, reach: Matrix, player: int, river: int) -> None:
    """Value all ends of a street on one river for one player, given the other's reach."""
    stride = street.reach.shape[1]
    reaches, found = street.lanes[0], street.lanes[1]
    places, scale = street.places[1 - player], street.scale[1 - player]
    for first in range(0, places.shape[1], LANES):
        last = first + LANES
        shown, folded = _pays(scale[0, first:last]), _pays(scale[1, first:last])
        if not (shown or folded):
            continue
        for at in range(0, stride, LANES):
            gather(reach, places[0, first:last], at, reaches)
        _total(street.order[1 - player], street.counts[1 - player, river], river, street.lanes)
        if folded:
            _fold(street.order[player], street.counts[player, river], river, street.lanes)
            pay = load(scale, places.shape[1] + first)
            for at in range(0, stride, LANES):
                scatter(street.values, places[2, first:last], at, found, pay)
        if shown:
            _walk(street, player, river)
            pay = load(scale, first)
            for at in range(0, stride, LANES):
                scatter(street.values, places[1, first:last], at, found, pay)


@fused_part
def _pays(scale: Matrix) -> bool:
    found = False
    for at in range(len(scale)):
        found |= scale[at] != 0.0
    return found


@fused_part
def _total(order: Ints, count: int, river: int, lanes: Matrix) -> None:
    """Sum the reach of every card, and that of all combos behind them."""
    reaches, cards = lanes[0], lanes[2]
    one, two = order[CARD_ONE, river], order[CARD_TWO, river]
    total = nothing()
    for at in range(0, LANES * 52, LANES):
        store(cards, at, total)
    for at in range(count):
        more = load(reaches, LANES * at)
        store(cards, one[at], plus(load(cards, one[at]), more))
        store(cards, two[at], plus(load(cards, two[at]), more))
        total = plus(total, more)
    store(cards, LANES * 52, total)


@fused_part
def _fold(order: Ints, count: int, river: int, lanes: Matrix) -> None:
    """Sum what every combo can meet."""
    reaches, found, cards = lanes[0], lanes[1], lanes[2]
    one, two, same = order[CARD_ONE, river], order[CARD_TWO, river], order[SAME, river]
    total = load(cards, LANES * 52)
    for at in range(count):
        blocked = plus(load(cards, one[at]), load(cards, two[at]))
        whole = plus(total, load(reaches, LANES * same[at]))
        store(found, LANES * at, minus(whole, blocked))


@fused_part
def _walk(street: Street, player: int, river: int) -> None:
    """Value a showdown: the weaker opponents less the stronger.

    The sums begin at minus half of all, so that what was passed before and after a group of
    equal strength adds up to wins less losses.
    """
    reaches, found, cards = street.lanes[0], street.lanes[1], street.lanes[2]
    order, other, starts = street.order[player], street.order[1 - player], street.starts[river]
    one, two = order[CARD_ONE, river], order[CARD_TWO, river]
    their_one, their_two = other[CARD_ONE, river], other[CARD_TWO, river]
    for at in range(LANES * 53):
        cards[at] *= np.float32(-0.5)
    passed = load(cards, LANES * 52)
    for group in range(street.counts[GROUPS, river]):
        begin, end = starts[group, player], starts[group + 1, player]
        for at in range(begin, end):
            blocked = plus(load(cards, one[at]), load(cards, two[at]))
            store(found, LANES * at, minus(passed, blocked))
        for at in range(starts[group, 1 - player], starts[group + 1, 1 - player]):
            more = load(reaches, LANES * at)
            store(cards, their_one[at], plus(load(cards, their_one[at]), more))
            store(cards, their_two[at], plus(load(cards, their_two[at]), more))
            passed = plus(passed, more)
        for at in range(begin, end):
            blocked = plus(load(cards, one[at]), load(cards, two[at]))
            before = load(found, LANES * at)
            store(found, LANES * at, plus(before, minus(passed, blocked)))
