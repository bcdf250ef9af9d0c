"""What holds for River in every spot: legal, repeatable, blind to others' cards."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker.actions import ActionKind
from poker.cards import DECK, parse_cards
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from poker.view import view_for
from services.bot.policy import is_legal
from services.bot.reading import read_ranges
from services.common.codec import encode_bot_view
from tests.support.river import quick_river, reshuffled_unseen, view_of, with_cards
from tests.support.strategies import hand_setups, hands_in_play, random_action
from tests.support.wild_hands import play_wild

SEEDS = st.integers(0, 2**64 - 1)
RIVER = quick_river()


@given(hands_in_play())
@settings(max_examples=200)
def test_every_option_is_legal_and_their_probabilities_sum_to_one(hand: Hand) -> None:
    view = view_of(hand)
    policy = RIVER.policy(view)
    assert abs(sum(option.probability for option in policy.options) - 1.0) < 1e-9
    for option in policy.options:
        assert is_legal(view.legal, option.action)
        assert option.probability > 0.0
        # The rules library is the judge.
        hand.copy().act(option.action)


@given(hands_in_play())
@settings(max_examples=60)
def test_it_never_folds_when_checking_is_free(hand: Hand) -> None:
    view = view_of(hand)
    if view.legal.can_check:
        assert RIVER.policy(view).probability(ActionKind.FOLD) == 0.0


@given(st.one_of(hands_in_play(), hands_in_play(max_players=2)), SEEDS)
@settings(max_examples=40)
def test_the_same_view_and_seed_have_the_same_answer_of_any_process(hand: Hand, seed: int) -> None:
    view = view_of(hand)
    answer = RIVER.decide(view, seed)
    assert RIVER.decide(view, seed) == answer
    assert quick_river().decide(view, seed) == answer


@pytest.mark.parametrize("hundred", range(10))
def test_in_a_thousand_spots_cards_it_cannot_see_change_nothing(hundred: int) -> None:
    for number in range(100 * hundred, 100 * hundred + 100):
        rng = Random(f"hidden:{number}")
        hand = some_decision(rng)
        other = reshuffled_unseen(hand, rng)
        assert hand.legal is not None
        seat, seed = hand.legal.seat, rng.getrandbits(64)
        here, there = (encode_bot_view(view_for(it.snapshot(), seat)) for it in (hand, other))
        assert here.SerializeToString(deterministic=True) == there.SerializeToString(
            deterministic=True
        )
        # With nothing remembered, so that the second answer is not merely the first.
        first, second = (quick_river().decide(view_of(it), seed) for it in (hand, other))
        assert first == second
        assert first.options == second.options


def some_decision(rng: Random) -> Hand:
    """A heads-up hand at 1 to 300 big blinds, at one of its turns."""
    stacks = tuple(SeatStack(seat, rng.choice([300, 2_000, 30_000])) for seat in (1, 2))
    rules = HandRules(small_blind_chips=50, big_blind_chips=100)
    hand = Hand(HandSetup("h", rules, stacks, rng.choice((1, 2)), tuple(rng.sample(DECK, 52))))
    turns: list[Hand] = []
    while hand.legal is not None:
        turns.append(hand.copy())
        hand.act(random_action(hand.legal, rng))
    return rng.choice(turns)


@given(hands_in_play(max_players=2))
@settings(max_examples=60)
def test_what_it_would_do_with_other_cards_is_what_it_does_with_them(hand: Hand) -> None:
    view = view_of(hand)
    ranges = RIVER.range_policy(view)
    if ranges is None:
        return
    assert ranges.probabilities.sum(axis=0) == pytest.approx(1.0, abs=1e-4)
    for cards in ("AsAd", "7h2c", "Tc9c"):
        if not set(parse_cards(cards)) & set(view.board):
            own = with_cards(view, cards)
            assert RIVER.policy(own) == ranges.policy(own.hole_cards)


@given(hands_in_play())
@settings(max_examples=80)
def test_no_range_is_ever_empty(hand: Hand) -> None:
    view = view_of(hand)
    ranges = read_ranges(view)
    assert set(ranges) == {seat.seat for seat in view.seats if not seat.folded}
    for weights in ranges.values():
        assert sum(weights) > 0.0
        assert min(weights) >= 0.0


@given(hand_setups(), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_it_plays_every_hand_to_its_end(setup: HandSetup, seed: int) -> None:
    """River in all seats but one random player's: no hand gets stuck."""
    hand = Hand(setup)
    rng = Random(seed)
    whims = rng.choice(hand.setup.seats).seat
    turns = 0
    while hand.legal is not None:
        if hand.legal.seat == whims:
            hand.act(random_action(hand.legal, rng))
        else:
            hand.act(RIVER.decide(view_of(hand), rng.randrange(2**64)).action)
        turns += 1
        assert turns < 500
    assert hand.result is not None


@pytest.mark.parametrize("ten", range(12))
def test_wild_hands_get_legal_answers_at_every_turn(ten: int) -> None:
    stages = sum((play_wild(RIVER, n) for n in range(10 * ten, 10 * ten + 10)), Counter[str]())
    assert stages.total() > 10
