"""pokers: a Rust core whose states never change; its heads-up blinds are the other way round."""

import random

from pokers import Action, ActionEnum, State

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, amount, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    decisions = 0
    for number in range(hands):
        state = State.from_seed(
            players, number % players, SMALL_BLIND, BIG_BLIND, STACK, rng.getrandbits(32)
        )
        while not state.final_state:
            state = state.apply_action(_action(state, rng))
            decisions += 1
    return decisions


def _action(state: State, rng: random.Random) -> Action:
    legal = state.legal_actions
    must_pay = ActionEnum.Check not in legal
    move = choose(rng, can_raise=ActionEnum.Raise in legal, must_pay=must_pay)
    if move is Move.RAISE:
        player = state.players_state[state.current_player]
        # A raise is by chips on top of the call, at least a big blind.
        most = player.stake - (state.min_bet - player.bet_chips)
        return Action(ActionEnum.Raise, amount(rng, min(BIG_BLIND, int(most)), int(most)))
    if move is Move.FOLD:
        return Action(ActionEnum.Fold)
    return Action(ActionEnum.Call if must_pay else ActionEnum.Check)
