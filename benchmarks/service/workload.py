"""Act requests as a busy table sends them: every decision of hands of random legal play."""

import random
from collections.abc import Iterator
from itertools import islice

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK
from benchmarks.peers.riverboat import random_action
from poker.actions import Action, ActionKind
from poker.cards import DECK
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from proto.engine.v1 import engine_pb2
from services.common.codec import encode_action, encode_hand

HAND_ID = "01890a5d-ac96-774b-bcce-b302099a8057"


def requests(players: int, count: int) -> list[engine_pb2.ActRequest]:
    """Return so many requests, always the same ones."""
    return list(islice(_requests(players, random.Random(players)), count))


def growing(actions: int) -> engine_pb2.ActRequest:
    """Return a request on top of so many actions: two players who only ever raise the least."""
    hand = Hand(_setup(2, 10**9, random.Random(0)))
    for _ in range(actions):
        hand.act(_least_raise(hand))
    return request(hand, _least_raise(hand))


def request(hand: Hand, action: Action) -> engine_pb2.ActRequest:
    """Return the request that asks what an action leads to."""
    return engine_pb2.ActRequest(
        hand=encode_hand(hand.setup, hand.actions), action=encode_action(action)
    )


def _requests(players: int, rng: random.Random) -> Iterator[engine_pb2.ActRequest]:
    while True:
        hand = Hand(_setup(players, STACK, rng))
        while (legal := hand.legal) is not None:
            action = random_action(legal, rng)
            yield request(hand, action)
            hand.act(action)


def _setup(players: int, stack: int, rng: random.Random) -> HandSetup:
    deck = tuple(rng.sample(DECK, len(DECK)))
    seats = tuple(SeatStack(seat, stack) for seat in range(1, players + 1))
    return HandSetup(HAND_ID, HandRules(SMALL_BLIND, BIG_BLIND), seats, 1, deck)


def _least_raise(hand: Hand) -> Action:
    legal = hand.legal
    if legal is None or legal.raises is None:
        raise ValueError("nobody can raise")
    return Action(legal.seat, ActionKind.RAISE, legal.raises.min_to_chips)
