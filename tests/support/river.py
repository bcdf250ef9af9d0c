"""Shortcuts for tests of River: views, exact probabilities, other players' cards changed."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from poker.actions import ActionKind
from poker.cards import Card, parse_cards
from poker.hand import Hand, replay
from poker.setup import HandSetup
from poker.view import view_for
from services.bot.budget import PLAIN_SIZES, Budget
from services.bot.policy import Policy
from services.bot.strategy import Strategy, first_river, river
from services.bot.view import from_hand_view
from services.common.codec import BotView
from tests.support.scripted_hands import play, table


def view_of(hand: Hand) -> BotView:
    """What the seat that must act may use to decide."""
    assert hand.legal is not None
    return from_hand_view(view_for(hand.snapshot(), hand.legal.seat))


def heads_up(stack_chips: int, *moves: str, holes: dict[int, str] | None = None) -> BotView:
    """A view of a 50/100 heads-up hand, seat 1 on the button, after some moves."""
    hand = table({1: stack_chips, 2: stack_chips}, button=1, holes=holes)
    return view_of(play(hand, *moves))


def with_cards(view: BotView, text: str) -> BotView:
    """The same spot with other hole cards of one's own."""
    first, second = parse_cards(text)
    return replace(view, hole_cards=(first, second))


QUICK: Final = Budget(iterations=2, sizes=PLAIN_SIZES)
"""Solves badly but at once: all that is around the solver is as in play."""


def quick_river() -> Strategy:
    """River as it plays today, with little solving and nothing remembered."""
    return river(QUICK)


def chances(view: BotView, strategy: Strategy | None = None) -> dict[ActionKind, float]:
    """Exact probabilities by kind of action; of River's first strategy, unless told."""
    policy: Policy = (strategy or first_river()).policy(view)
    return {kind: policy.probability(kind) for kind in ActionKind}


def reshuffled_unseen(hand: Hand, rng: Random) -> Hand:
    """The same hand with all cards dealt anew that the seat to act cannot see."""
    view = view_of(hand)
    seen = {*view.hole_cards, *view.board}
    places = [at for at, card in enumerate(hand.setup.deck) if card not in seen]
    moved = rng.sample(places, len(places))
    deck: list[Card] = list(hand.setup.deck)
    for target, source in zip(places, moved, strict=True):
        deck[target] = hand.setup.deck[source]
    return replay(_with_deck(hand.setup, deck), hand.actions)


def _with_deck(setup: HandSetup, deck: Sequence[Card]) -> HandSetup:
    return replace(setup, deck=tuple(deck))
