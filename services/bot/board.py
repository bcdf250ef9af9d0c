"""How every combo stands on a board: now, and over the cards still to come.

One table serves every seat: it depends on the board alone, so it can be shared by the
deciding hand, the readings of its opponents and later decisions of the same hand.
"""

import random
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

from poker.cards import DECK_SIZE
from services.bot.combos import COMBOS, Weights
from services.bot.evaluator import evaluate_five, evaluate_seven, evaluate_six

FLOP_CYCLES: Final = 2
"""Each cycle deals every unseen card once as the turn and once as the river."""

_BLOCKED: Final = 0


@dataclass(frozen=True, slots=True)
class Runout:
    """A full board: the cards still to come and each combo's value on it.

    ``values`` follows `COMBOS`; smaller is stronger, 0 marks a combo the board blocks. They
    are kept as 16-bit numbers: as ints the tables in the cache would take nearly 20 times the room.
    """

    cards: tuple[int, ...]
    values: Sequence[int]


@dataclass(frozen=True, slots=True)
class BoardTable:
    """Everything River computes about a board of 3, 4 or 5 cards.

    ``strength`` is a combo's average share (0..1) of the other combos it beats over the
    runouts, ``made`` the share it beats as the cards lie now; both 0 when blocked.
    ``order`` lists all combos from the weakest to the strongest.
    """

    board: tuple[int, ...]
    runouts: tuple[Runout, ...]
    strength: tuple[float, ...]
    made: tuple[float, ...]
    order: tuple[int, ...]


@lru_cache(maxsize=64)
def board_table(board: tuple[int, ...]) -> BoardTable:
    """Return the table of a board.

    The river and the turn are exact. On the flop 98 runouts stand for all 1,176, chosen
    by the board alone so that the answer never depends on what was asked before.
    """
    runouts = tuple(
        Runout(cards, array("H", _values(board + cards))) for cards in _runout_cards(board)
    )
    strength = _average([_shares_beaten(runout.values) for runout in runouts], runouts)
    made = strength if len(board) == 5 else tuple(_shares_beaten(_values(board)))
    order = tuple(sorted(range(len(COMBOS)), key=strength.__getitem__))
    return BoardTable(board, runouts, strength, made, order)


def _runout_cards(board: tuple[int, ...]) -> list[tuple[int, ...]]:
    unseen = [card for card in range(DECK_SIZE) if card not in board]
    if len(board) == 5:
        return [()]
    if len(board) == 4:
        return [(card,) for card in unseen]
    chance = random.Random(",".join(map(str, sorted(board))))  # noqa: S311 - sampling, not dealing
    cycles = [chance.sample(unseen, len(unseen)) for _ in range(FLOP_CYCLES)]
    return [pair for cycle in cycles for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True)]


def _values(board: tuple[int, ...]) -> tuple[int, ...]:
    blocked = frozenset(board)
    if len(board) == 5:
        a, b, c, d, e = board
        return tuple(
            _BLOCKED if x in blocked or y in blocked else evaluate_seven(a, b, c, d, e, x, y)
            for x, y in COMBOS
        )
    evaluate: Callable[..., int] = evaluate_five if len(board) == 3 else evaluate_six
    return tuple(
        _BLOCKED if x in blocked or y in blocked else evaluate(*board, x, y) for x, y in COMBOS
    )


def _shares_beaten(values: Sequence[int]) -> Weights:
    """Return for each combo the share of unblocked combos it beats, ties counting half."""
    counts = Counter(values)
    blocked = counts.pop(_BLOCKED, 0)
    live = len(values) - blocked
    order = sorted(counts)
    through = accumulate(counts[value] for value in order)
    share = {
        value: 1.0 - (passed - counts[value] / 2) / live
        for value, passed in zip(order, through, strict=True)
    }
    share[_BLOCKED] = 0.0
    return [share[value] for value in values]


def _average(shares: Sequence[Weights], runouts: Sequence[Runout]) -> tuple[float, ...]:
    """Average over the runouts that leave a combo possible."""
    seen = Counter(card for runout in runouts for card in runout.cards)
    both = Counter(frozenset(runout.cards) for runout in runouts if len(runout.cards) == 2)
    totals = [sum(column) for column in zip(*shares, strict=True)]
    return tuple(
        total / max(1, len(runouts) - seen[x] - seen[y] + both[frozenset((x, y))])
        for total, (x, y) in zip(totals, COMBOS, strict=True)
    )


def quantiles(table: BoardTable, weights: Sequence[float]) -> Weights:
    """Return each combo's place within a weighted range: near 0 its worst, near 1 its best."""
    places = [0.0] * len(COMBOS)
    total = sum(weights) or 1.0
    passed = 0.0
    for combo in table.order:
        weight = weights[combo]
        places[combo] = (passed + weight / 2) / total
        passed += weight
    return places


def equity(table: BoardTable, combo: int, ranges: Sequence[Sequence[float]]) -> float:
    """Return the combo's share (0..1) of a pot against one range or several at once.

    Ranges hold weights with the combo's own cards already at 0. Several ranges are taken
    as independent; a tie with any of them counts half. A runout counts as much as it
    leaves of the ranges: cards that opponents probably hold are less likely to come.
    """
    mine = frozenset(COMBOS[combo])
    won = total = 0.0
    for runout in table.runouts:
        if mine.isdisjoint(runout.cards):
            share, mass = _share_on(runout.values, combo, ranges)
            won += share * mass
            total += mass
    return won / total if total else 0.5


def _share_on(
    values: Sequence[int], combo: int, ranges: Sequence[Sequence[float]]
) -> tuple[float, float]:
    """Return the share of the pot on one runout, and the mass the ranges have there."""
    own = values[combo]
    share = mass = 1.0
    for weights in ranges:
        won = tied = total = 0.0
        for value, weight in zip(values, weights, strict=True):
            if weight and value:
                total += weight
                if value > own:
                    won += weight
                elif value == own:
                    tied += weight
        mass *= total
        share *= (won + tied / 2) / total if total else 0.0
    return share, mass
