"""pokerfast: pure Python, small and large blind always in the first two seats."""

import random

from pokerfast import FastHand

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, amount, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    decisions = 0
    for _ in range(hands):
        hand = FastHand(
            player_count=players,
            small_blind=SMALL_BLIND,
            big_blind=BIG_BLIND,
            min_stack=STACK,
            max_stack=STACK,
            rng=rng,
        )
        while options := hand.get_action_space():
            least = options.get("min_bet")
            move = choose(rng, can_raise=least is not None, must_pay="call" in options)
            if move is Move.RAISE:
                hand.bet_or_raise(amount(rng, least, options["max_bet"]))
            elif move is Move.FOLD:
                hand.fold()
            elif "call" in options:
                hand.call()
            else:
                hand.check()
            decisions += 1
    return decisions
