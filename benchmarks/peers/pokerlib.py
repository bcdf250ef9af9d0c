"""pokerlib (for home use): pure Python, amounts on top of the call."""

import random

from pokerlib import Player, PlayerGroup, Round

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, amount, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    decisions = 0
    for number in range(hands):
        seated = PlayerGroup(Player(1, seat, str(seat), STACK) for seat in range(players))
        game = Round(number, seated, number % players, SMALL_BLIND, BIG_BLIND)
        while not game.finished:
            player = game.current_player
            to_call = game.to_call
            most = player.money - to_call
            move = choose(rng, can_raise=most > BIG_BLIND, must_pay=to_call > 0)
            if move is Move.RAISE:
                game.publicIn(player.id, game.PublicInId.RAISE, amount(rng, BIG_BLIND, most))
            elif move is Move.FOLD:
                game.publicIn(player.id, game.PublicInId.FOLD)
            elif to_call:
                game.publicIn(player.id, game.PublicInId.CALL)
            else:
                game.publicIn(player.id, game.PublicInId.CHECK)
            decisions += 1
    return decisions
