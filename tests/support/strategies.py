"""Hypothesis strategies for hands, and a player who makes random legal moves.

Use the strategies in properties and `random_action` or `play_out` wherever a test needs
plausible play without caring which.
"""

from random import Random

from hypothesis import strategies as st

from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK, Card
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, ReopenRule, SeatStack


def decks(size: int = len(DECK)) -> st.SearchStrategy[tuple[Card, ...]]:
    """Shuffled decks of ``size`` cards. Cards do not shrink: their order rarely matters."""
    return st.integers(0, 2**32 - 1).map(lambda seed: tuple(Random(seed).sample(DECK, size)))


def players_rng() -> st.SearchStrategy[Random]:
    """Sources of the players' whims, one seed each."""
    return st.integers(0, 2**32 - 1).map(Random)


@st.composite
def hand_rules(draw: st.DrawFn) -> HandRules:
    """Rules with mostly small blinds, odd ones too, and every option."""
    big = draw(st.one_of(st.sampled_from([1, 2, 5, 20, 100]), st.integers(1, 10**6)))
    return HandRules(
        small_blind_chips=draw(st.integers(1, big)),
        big_blind_chips=big,
        reopen_rule=draw(st.sampled_from(ReopenRule)),
        allow_fold_when_check_available=draw(st.booleans()),
        allow_raise_when_none_can_call=draw(st.booleans()),
        burn_cards=draw(st.booleans()),
    )


def stacks(big_blind_chips: int) -> st.SearchStrategy[int]:
    """Stacks from one chip to 10^9, most of them short: that is where the rules are."""
    return st.one_of(
        st.integers(1, 2 * big_blind_chips),
        st.integers(1, 12 * big_blind_chips),
        st.integers(1, 200 * big_blind_chips),
        st.integers(1, 10**9),
    )


@st.composite
def hand_setups(draw: st.DrawFn, min_players: int = 2, max_players: int = 9) -> HandSetup:
    """Setups with gaps between seats and, at times, a button on an empty seat."""
    rules = draw(hand_rules())
    count = draw(st.integers(min_players, max_players))
    seats = sorted(draw(st.permutations(range(1, 11)))[:count])
    button = draw(st.one_of(st.sampled_from(seats), st.integers(1, 10)))
    return HandSetup(
        hand_id="h-random",
        rules=rules,
        seats=tuple(SeatStack(seat, draw(stacks(rules.big_blind_chips))) for seat in seats),
        button=button,
        deck=draw(decks()),
    )


def random_action(legal: Legal, rng: Random) -> Action:
    """Choose a legal action: often a call, at times a raise of any size or a fold."""
    whim = rng.random()
    if legal.raises and whim < 0.4:
        return Action(legal.seat, legal.raises.kind, _random_size(legal, rng))
    if legal.can_fold and whim > 0.85:
        return Action(legal.seat, ActionKind.FOLD)
    return Action(legal.seat, ActionKind.CHECK if legal.can_check else ActionKind.CALL)


def _random_size(legal: Legal, rng: Random) -> int:
    assert legal.raises is not None
    least, most = legal.raises.min_to_chips, legal.raises.max_to_chips
    # Minimum raises and all-ins are the interesting ones; others lean towards the small.
    return rng.choice([least, most, least + int((most - least) * rng.random() ** 3)])


def play_out(hand: Hand, rng: Random) -> Hand:
    """Play a hand to its end with random legal actions; returns the same hand."""
    while hand.legal is not None:
        hand.act(random_action(hand.legal, rng))
    return hand


@st.composite
def hands_in_play(draw: st.DrawFn, min_players: int = 2, max_players: int = 9) -> Hand:
    """Hands in which someone must act, after any number of random actions."""
    hand = Hand(draw(hand_setups(min_players, max_players).filter(_has_decision)))
    rng = draw(players_rng())
    for _ in range(draw(st.integers(0, 30))):
        assert hand.legal is not None
        after = hand.copy()
        after.act(random_action(hand.legal, rng))
        if after.legal is None:
            break
        hand = after
    return hand


@st.composite
def finished_hands(draw: st.DrawFn, min_players: int = 2, max_players: int = 9) -> Hand:
    """Hands played to the end with random legal actions."""
    return play_out(Hand(draw(hand_setups(min_players, max_players))), draw(players_rng()))


def _has_decision(setup: HandSetup) -> bool:
    return Hand(setup).legal is not None
