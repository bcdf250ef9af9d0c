"""What each player may hold, judged from the public actions alone.

Every range starts as all 1,326 combos and is multiplied by the likelihood of each action
of its seat (Bayes' rule). Cards on the board leave it when they are dealt.
"""

from typing import Final

from poker.actions import Street
from services.bot.board import BoardTable, board_table, quantiles
from services.bot.combos import COMBOS, TYPE_OF_COMBO, Weights, without_cards
from services.bot.history import Step, steps
from services.bot.tendencies import postflop_likelihood, preflop_likelihood
from services.bot.view import BOARD_SIZES
from services.common.codec import BotView

_ACTIONS_READ_MAX: Final = 24
"""Actions of one round that are read: a longer war of raises tells nothing more."""


def read_ranges(view: BotView) -> dict[int, Weights]:
    """Return the range of every live seat, the deciding one as others see it.

    No hole cards are used, so the deciding seat's cards are still in every range; take
    them out with `services.bot.combos.without_cards`. No range is empty.
    """
    ranges = {seat.seat: [1.0] * len(COMBOS) for seat in view.seats if not seat.folded}
    street = Street.PREFLOP
    read = 0
    for step in steps(view):
        if step.street is not street:
            street, read = step.street, 0
            ranges = _deal(ranges, view, street)
        read += 1
        if step.seat in ranges and read <= _ACTIONS_READ_MAX:
            ranges[step.seat] = _narrow(ranges[step.seat], step, view)
    return _deal(ranges, view, view.street)


def _deal(ranges: dict[int, Weights], view: BotView, street: Street) -> dict[int, Weights]:
    board = view.board[: BOARD_SIZES[street]]
    return {seat: without_cards(weights, board) for seat, weights in ranges.items()}


def _narrow(weights: Weights, step: Step, view: BotView) -> Weights:
    if step.street is Street.PREFLOP:
        by_type = preflop_likelihood(step, view.rules.big_blind_chips)
        return [weight * by_type[kind] for weight, kind in zip(weights, TYPE_OF_COMBO, strict=True)]
    places = quantiles(table_at(view, step.street), weights)
    return [
        weight and weight * postflop_likelihood(step, place)
        for weight, place in zip(weights, places, strict=True)
    ]


def table_at(view: BotView, street: Street) -> BoardTable:
    """Return the board's table as it was on a street after the flop was dealt."""
    return board_table(tuple(map(int, view.board[: BOARD_SIZES[street]])))
