"""What holds for River in every spot: legal, repeatable, blind to others' cards."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from poker.actions import ActionKind
from poker.hand import Hand
from poker.setup import HandSetup
from poker.view import view_for
from services.bot.policy import is_legal
from services.bot.reading import read_ranges
from services.bot.strategy import river
from services.common.codec import encode_bot_view
from tests.support.river import reshuffled_unseen, view_of
from tests.support.strategies import hand_setups, hands_in_play, random_action

SEEDS = st.integers(0, 2**64 - 1)


@given(hands_in_play())
@settings(max_examples=200)
def test_every_option_is_legal_and_their_probabilities_sum_to_one(hand: Hand) -> None:
    view = view_of(hand)
    policy = river().policy(view)
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
        assert river().policy(view).probability(ActionKind.FOLD) == 0.0


@given(hands_in_play(), SEEDS)
@settings(max_examples=40)
def test_the_same_view_and_seed_have_the_same_answer(hand: Hand, seed: int) -> None:
    assert river().decide(view_of(hand), seed) == river().decide(view_of(hand), seed)


@given(hands_in_play(), SEEDS, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_cards_it_cannot_see_change_nothing(hand: Hand, seed: int, rng: Random) -> None:
    other = reshuffled_unseen(hand, rng)
    assert hand.legal is not None
    seat = hand.legal.seat
    here, there = (encode_bot_view(view_for(it.snapshot(), seat)) for it in (hand, other))
    assert here.SerializeToString(deterministic=True) == there.SerializeToString(deterministic=True)
    assert river().policy(view_of(hand)) == river().policy(view_of(other))
    assert river().decide(view_of(hand), seed) == river().decide(view_of(other), seed)


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
            hand.act(river().decide(view_of(hand), rng.randrange(2**64)).action)
        turns += 1
        assert turns < 500
    assert hand.result is not None
