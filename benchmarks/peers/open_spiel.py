"""OpenSpiel (Apache-2.0), universal_poker with every bet size: C++ behind Python."""

import random

import pyspiel

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, choose

_FOLD, _CALL = 0, 1


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    game = pyspiel.load_game(_description(players))
    decisions = 0
    for _ in range(hands):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards = state.legal_actions()
                state.apply_action(cards[int(rng.random() * len(cards))])
                continue
            legal = state.legal_actions()
            # Fold is offered only where it is not free; calls come before bets.
            first_bet = legal.index(_CALL) + 1
            can_raise = first_bet < len(legal)
            move = choose(rng, can_raise=can_raise, must_pay=legal[0] == _FOLD)
            if move is Move.RAISE:
                state.apply_action(legal[rng.randrange(first_bet, len(legal))])
            else:
                state.apply_action(_FOLD if move is Move.FOLD else _CALL)
            decisions += 1
    return decisions


def _description(players: int) -> str:
    # Two players: the button is the small blind and acts first, then last.
    blinds = [BIG_BLIND, SMALL_BLIND] if players == 2 else [SMALL_BLIND, BIG_BLIND]
    blinds += [0] * (players - 2)
    first = "2 1 1 1" if players == 2 else "3 1 1 1"
    options = {
        "betting": "nolimit",
        "numPlayers": players,
        "numRounds": 4,
        "blind": " ".join(map(str, blinds)),
        "stack": " ".join([str(STACK)] * players),
        "firstPlayer": first,
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "bettingAbstraction": "fullgame",
    }
    return f"universal_poker({','.join(f'{name}={value}' for name, value in options.items())})"
