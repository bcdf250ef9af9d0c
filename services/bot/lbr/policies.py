"""What a strategy does with every hand it could hold, also where it can tell only hand by hand."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from poker.actions import Action
from poker.cards import DECK
from services.bot.combos import COMBOS, TYPE_OF_COMBO
from services.bot.policy import Policy, RangePolicy, blind
from services.bot.spot import is_preflop
from services.bot.strategy import Strategy
from services.common.codec import BotView


def range_policy(strategy: Strategy, view: BotView) -> RangePolicy:
    """Return the probabilities of every hand; the view's own cards play no part.

    Where a stage decides hand by hand it is asked for every type of hand before the flop,
    and after it for every combo, which takes long.
    """
    return strategy.range_policy(view) or hand_by_hand(strategy, blind(view))


def hand_by_hand(strategy: Strategy, view: BotView) -> RangePolicy:
    """Ask for each hand in turn; hands that the board blocks get the first action."""
    rows: dict[Action, int] = {}
    found: list[tuple[int, int, float]] = []
    stage = ""
    for combos, policy in _answers(strategy, view):
        stage = policy.stage
        for option in policy.options:
            row = rows.setdefault(option.action, len(rows))
            found += [(row, combo, option.probability) for combo in combos]
    table = np.zeros((len(rows), len(COMBOS)), np.float32)
    for row, combo, probability in found:
        table[row, combo] = probability
    table[0, table.sum(axis=0) == 0.0] = 1.0
    return RangePolicy(stage, tuple(rows), table)


def _answers(strategy: Strategy, view: BotView) -> Iterator[tuple[list[int], Policy]]:
    """Yield combos that play alike, and how: types before the flop, else single combos."""
    groups: dict[int, list[int]] = {}
    for combo, cards in enumerate(COMBOS):
        if not any(card in view.board for card in cards):
            group = TYPE_OF_COMBO[combo] if is_preflop(view) else combo
            groups.setdefault(group, []).append(combo)
    for combos in groups.values():
        first, second = COMBOS[combos[0]]
        own = replace(view, hole_cards=(DECK[first], DECK[second]))
        yield combos, strategy.policy(own)
