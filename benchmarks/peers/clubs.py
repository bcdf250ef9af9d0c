"""clubs (GPL-3.0): pure Python."""

import random

from clubs import Dealer, configs

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, amount, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    base = configs.NO_LIMIT_HOLDEM_TWO_PLAYER
    blinds = [SMALL_BLIND, BIG_BLIND, *[0] * (players - 2)]
    dealer = Dealer(**{**base, "num_players": players, "blinds": blinds, "start_stack": STACK})
    decisions = 0
    for _ in range(hands):
        seen = dealer.reset(reset_stacks=True)
        done = [False]
        while not all(done):
            call, most = seen["call"], seen["max_raise"]
            move = choose(rng, can_raise=most > 0, must_pay=call > 0)
            if move is Move.RAISE:
                bet = amount(rng, seen["min_raise"], most)
            else:
                bet = -1 if move is Move.FOLD else call
            decisions += 1
            try:
                seen, _, done = dealer.step(bet)
            except IndexError:
                # Odd chips of some split pots crash its last step; the hand is over.
                break
    return decisions
