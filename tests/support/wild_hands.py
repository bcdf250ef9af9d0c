"""Hands that nobody plays: any stack, any bet, wars of least raises, one chip left behind."""

from collections import Counter
from random import Random

from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from services.bot.policy import is_legal
from services.bot.strategy import Strategy
from tests.support.river import view_of

RIVERS_MOVE = 0.5
MULTIWAY = 0.03


class WildHandError(AssertionError):
    """River raised, or answered what the rules forbid."""


def wild_setup(number: int) -> HandSetup:
    """Mostly two seats; stacks from one chip to 10^12, many of a few blinds or just uneven."""
    rng = Random(f"wild:{number}")
    big = rng.choice([2, 2, 10, 100, 100, 1_000_000])
    small = big // 2 if rng.random() < 0.9 else rng.randint(1, big)
    seats = sorted(rng.sample(range(1, 11), 2 if rng.random() > MULTIWAY else rng.randint(3, 9)))
    stacks = [_stack(rng, big) for _ in seats]
    if rng.random() < 0.3:
        # All but equal: somebody covers somebody by a chip or two.
        stacks = [max(1, stacks[0] + rng.randint(-2, 2)) for _ in seats]
    return HandSetup(
        hand_id="h-wild",
        rules=HandRules(small, big, allow_raise_when_none_can_call=rng.random() < 0.3),
        seats=tuple(SeatStack(seat, chips) for seat, chips in zip(seats, stacks, strict=True)),
        button=rng.choice(seats),
        deck=tuple(rng.sample(DECK, 52)),
    )


def _stack(rng: Random, big: int) -> int:
    most = rng.choice([2, 12, 40, 200, 200, 1_000, 10**6])
    return min(10**12, rng.randint(1, most * big))


def wild_action(legal: Legal, rng: Random) -> Action:
    """Any legal action; raises are least, almost everything, everything, or odd."""
    whim = rng.random()
    if legal.raises is not None and whim < 0.5:
        bounds = legal.raises
        least, most = bounds.min_to_chips, bounds.max_to_chips
        odd = least + int((most - least) * rng.random() ** 4)
        to = rng.choice([least, least, min(least + 1, most), max(least, most - 1), most, odd, odd])
        return Action(legal.seat, bounds.kind, to)
    if legal.can_fold and whim > 0.93:
        return Action(legal.seat, ActionKind.FOLD)
    return Action(legal.seat, ActionKind.CHECK if legal.can_check else ActionKind.CALL)


def play_wild(strategy: Strategy, number: int) -> Counter[str]:
    """Ask River at every turn of a wild hand, do as it says half the time; count stages.

    Raises WildHandError at the first exception or illegal answer.
    """
    rng = Random(f"play:{number}")
    hand = Hand(wild_setup(number))
    stages: Counter[str] = Counter()
    while (legal := hand.legal) is not None:
        view = view_of(hand)
        try:
            decision = strategy.decide(view, rng.getrandbits(64))
        except Exception as error:
            raise WildHandError(f"hand {number}, {len(hand.actions)} actions") from error
        if not is_legal(legal, decision.action):
            raise WildHandError(f"hand {number}: {decision.action}")
        stages[decision.stage] += 1
        chosen = decision.action if rng.random() < RIVERS_MOVE else wild_action(legal, rng)
        hand.act(chosen)
    return stages
