"""RLCard (MIT), its game without the environment: five abstract actions, pot-sized raises."""

import random

from rlcard.games.nolimitholdem.game import NolimitholdemGame
from rlcard.games.nolimitholdem.round import Action

from benchmarks.peers.policy import BIG_BLIND, STACK, Move, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    decisions = 0
    game = NolimitholdemGame(num_players=players)
    chips = STACK * game.big_blind // BIG_BLIND
    for number in range(hands):
        game.configure(
            {
                "game_num_players": players,
                "chips_for_each": chips,
                "dealer_id": number % players,
            }
        )
        game.init_game()
        while not game.is_over():
            legal = game.get_legal_actions()
            raises = [kind for kind in legal if kind not in {Action.FOLD, Action.CHECK_CALL}]
            must_pay = max(game.round.raised) > game.round.raised[game.game_pointer]
            move = choose(rng, can_raise=bool(raises), must_pay=must_pay)
            if move is Move.RAISE:
                game.step(rng.choice(raises))
            else:
                game.step(Action.FOLD if move is Move.FOLD else Action.CHECK_CALL)
            decisions += 1
    return decisions
