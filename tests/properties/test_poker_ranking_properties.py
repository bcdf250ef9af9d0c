from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from phevaluator.evaluator import evaluate_cards

from poker.cards import Card
from poker.ranking import best_five, category, category_of, rank, ranks_of
from tests.support.strategies import decks

hands = st.integers(5, 7).flatmap(decks)


@given(hands)
def test_strength_is_that_of_the_best_five_cards_eng_081(cards: tuple[Card, ...]) -> None:
    assert rank(cards) == max(map(rank, combinations(cards, 5)))


@given(hands)
def test_winning_five_are_of_the_hand_and_as_strong_eng_085(cards: tuple[Card, ...]) -> None:
    five = best_five(cards)
    assert len(set(five)) == 5
    assert set(five) <= set(cards)
    assert rank(five) == rank(cards)
    assert tuple(card.rank for card in five) == ranks_of(rank(cards))


@given(hands, st.randoms(use_true_random=False))
def test_order_of_cards_does_not_matter(cards: tuple[Card, ...], rng: Random) -> None:
    shuffled = list(cards)
    rng.shuffle(shuffled)
    assert rank(shuffled) == rank(cards)


@given(hands, st.permutations(range(4)))
def test_suits_are_interchangeable_eng_082(cards: tuple[Card, ...], suits: list[int]) -> None:
    renamed = [Card(4 * card.rank + suits[card.suit]) for card in cards]
    assert rank(renamed) == rank(cards)


@given(hands, hands)
def test_class_decides_before_anything_else_eng_084(
    left: tuple[Card, ...], right: tuple[Card, ...]
) -> None:
    classes = [category_of(rank(left)), category_of(rank(right))]
    assert classes == [category(left), category(right)]
    if rank(left) >> 20 != rank(right) >> 20:
        assert classes[0] is not classes[1]
    if classes[0] is classes[1]:
        order = ranks_of(rank(left)) > ranks_of(rank(right))
        assert order == (rank(left) > rank(right))


@given(hands, hands)
def test_an_independent_evaluator_puts_hands_in_the_same_order(
    left: tuple[Card, ...], right: tuple[Card, ...]
) -> None:
    # There the best hand has the lowest number.
    ahead = evaluate_cards(*right) - evaluate_cards(*left)
    assert (rank(left) > rank(right)) == (ahead > 0)
    assert (rank(left) == rank(right)) == (ahead == 0)
