"""PyPokerEngine (MIT): pure Python, through its emulator."""

import random

from pypokerengine.api.emulator import Emulator
from pypokerengine.engine.poker_constants import PokerConstants

from benchmarks.peers.policy import SMALL_BLIND, STACK, Move, amount, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    emulator = Emulator()
    # Its big blind is twice the small one.
    emulator.set_game_rule(players, 10**9, SMALL_BLIND, 0)
    seated = {str(seat): {"stack": STACK, "name": str(seat)} for seat in range(players)}
    decisions = 0
    for _ in range(hands):
        state = emulator.generate_initial_game_state(seated)
        state, _ = emulator.start_new_round(state)
        while state["street"] != PokerConstants.Street.FINISHED:
            _fold, call, bet = emulator.generate_possible_actions(state)
            least, most = bet["amount"]["min"], bet["amount"]["max"]
            move = choose(rng, can_raise=least != -1, must_pay=call["amount"] > 0)
            if move is Move.RAISE:
                state, _ = emulator.apply_action(state, "raise", amount(rng, least, most))
            elif move is Move.FOLD:
                state, _ = emulator.apply_action(state, "fold", 0)
            else:
                state, _ = emulator.apply_action(state, "call", call["amount"])
            decisions += 1
    return decisions
