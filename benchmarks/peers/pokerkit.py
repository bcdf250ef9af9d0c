"""PokerKit (MIT): pure Python, many variants."""

import random

from pokerkit import Automation, NoLimitTexasHoldem

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, amount, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    decisions = 0
    for _ in range(hands):
        state = NoLimitTexasHoldem.create_state(
            tuple(Automation), True, 0, (SMALL_BLIND, BIG_BLIND), BIG_BLIND, STACK, players
        )
        while state.status:
            can_raise = state.can_complete_bet_or_raise_to()
            move = choose(rng, can_raise=can_raise, must_pay=state.can_fold())
            if move is Move.RAISE:
                least = state.min_completion_betting_or_raising_to_amount
                most = state.max_completion_betting_or_raising_to_amount
                assert least is not None
                assert most is not None
                state.complete_bet_or_raise_to(amount(rng, least, most))
            elif move is Move.FOLD:
                state.fold()
            else:
                state.check_or_call()
            decisions += 1
    return decisions
