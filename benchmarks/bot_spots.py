"""A seeded set of heads-up decisions to time River on, one a hand and street."""

import random
from collections.abc import Iterator

from poker.actions import Street
from poker.view import view_for
from services.bot.arena.deals import RULES, new_hand, shuffled
from services.bot.baselines import Caller, Player, RandomPlayer, TightAggressive
from services.bot.view import from_hand_view
from services.common.codec import BotView

DEPTHS_BB = (20, 50, 100, 200)


def spots(street: Street, seed: int) -> Iterator[BotView]:
    """Yield, without end, the first or second decision on a street of hand after hand.

    Callers, random and tight players meet at stacks of 20 to 200 big blinds.
    """
    number = 0
    while True:
        chance = random.Random(f"{seed}:{number}")
        found = list(_decisions(street, f"spot:{seed}:{number}", chance))
        if found:
            yield chance.choice(found[:2])
        number += 1


def _decisions(street: Street, deck: str, chance: random.Random) -> Iterator[BotView]:
    players: list[Player] = [Caller(), Caller(), RandomPlayer(), TightAggressive()]
    seats = {1: chance.choice(players), 2: chance.choice(players)}
    hand = new_hand(shuffled(deck), chance.choice(DEPTHS_BB) * RULES.big_blind_chips)
    while hand.legal is not None:
        view = from_hand_view(view_for(hand.snapshot(), hand.legal.seat))
        if view.street is street:
            yield view
        hand.apply(seats[view.seat].act(view, chance.randrange(2**32)))
