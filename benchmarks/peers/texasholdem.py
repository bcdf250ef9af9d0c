"""texasholdem (MIT): pure Python."""

import random

from texasholdem import ActionType, TexasHoldEm

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, amount, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    decisions = 0
    for _ in range(hands):
        game = TexasHoldEm(STACK, BIG_BLIND, SMALL_BLIND, max_players=players)
        game.start_hand()
        while game.is_hand_running():
            moves = game.get_available_moves()
            kinds = moves.action_types
            can_raise = ActionType.RAISE in kinds
            move = choose(rng, can_raise=can_raise, must_pay=ActionType.CALL in kinds)
            if move is Move.RAISE:
                amounts = moves.raise_range
                total = amount(rng, amounts.start, amounts.stop - 1)
                game.take_action(ActionType.RAISE, total=total)
            elif move is Move.FOLD:
                game.take_action(ActionType.FOLD)
            elif ActionType.CALL in kinds:
                game.take_action(ActionType.CALL)
            else:
                game.take_action(ActionType.CHECK)
            decisions += 1
    return decisions
