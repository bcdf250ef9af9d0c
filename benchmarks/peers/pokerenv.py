"""pokerenv (MIT): pure Python and numpy, amounts in big blinds."""

import random

import treys
from pokerenv.common import Action, PlayerAction
from pokerenv.table import Table

from benchmarks.peers.policy import BIG_BLIND, STACK, Move, choose


def _draw_as_before(deck: treys.Deck, n: int = 1) -> object:
    """Draw as pokerenv expects: one card is a card, not a list of one."""
    drawn = _draw(deck, n)
    return drawn[0] if n == 1 else drawn


_draw = treys.Deck.draw


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    treys.Deck.draw = _draw_as_before
    depth = STACK // BIG_BLIND
    table = Table(players, stack_low=depth, stack_high=depth + 1)
    decisions = 0
    for _ in range(hands):
        table.n_players = players
        table.reset()
        done = False
        while not done:
            player = table.players[table.next_player_i]
            valid = table._get_valid_actions(player)
            kinds, (least, most) = valid["actions_list"], valid["bet_range"]
            must_pay = PlayerAction.CALL in kinds
            move = choose(rng, can_raise=PlayerAction.BET in kinds, must_pay=must_pay)
            if move is Move.RAISE:
                action = Action(PlayerAction.BET, rng.uniform(least, most))
            elif move is Move.FOLD:
                action = Action(PlayerAction.FOLD)
            else:
                action = Action(PlayerAction.CALL if must_pay else PlayerAction.CHECK)
            _, _, done, _ = table.step(action)
            decisions += 1
    return decisions
