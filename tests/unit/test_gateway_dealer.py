"""Chance at the table."""

import random
from collections import Counter

from poker.cards import DECK
from services.gateway.dealer import RandomDealer, bot_seed
from tests.support.shuffles import FAIR, chi_square


def test_a_deck_is_the_52_cards_in_an_order_of_its_own_eng_001() -> None:
    dealer = RandomDealer()
    decks = [dealer.shuffled_deck() for _ in range(10_000)]
    assert all(sorted(deck) == list(DECK) for deck in decks)
    assert len(set(decks)) == len(decks)


def test_every_card_comes_everywhere_about_equally_often_eng_008() -> None:
    dealer = RandomDealer(random.Random(20260501))
    assert FAIR[0] < chi_square(dealer.shuffled_deck() for _ in range(20_000)) < FAIR[1]


def test_a_shuffle_that_favours_a_card_is_found_eng_008() -> None:
    dealer = RandomDealer(random.Random(20260501))
    decks = [dealer.shuffled_deck() for _ in range(20_000)]
    ace = DECK[-1]
    for number in range(0, len(decks), 50):
        rest = tuple(card for card in decks[number] if card != ace)
        decks[number] = (ace, *rest)
    assert chi_square(decks) > FAIR[1]


def test_chance_is_the_systems_unless_a_test_injects_its_own_eng_008() -> None:
    assert isinstance(RandomDealer()._rng, random.SystemRandom)


def test_the_first_button_is_fair_eng_024() -> None:
    dealer = RandomDealer(random.Random(20260502))
    count = Counter(dealer.pick_button((1, 2)) for _ in range(10_000))
    assert abs(count[1] - 5_000) < 150


def test_secrets_are_long_and_new() -> None:
    dealer = RandomDealer()
    secrets = {dealer.new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert {len(secret) for secret in secrets} == {32}


def test_a_bot_seed_is_repeatable_and_differs_by_seat_action_and_hand() -> None:
    assert bot_seed(b"a", 2, 5) == bot_seed(b"a", 2, 5)
    seeds = {
        bot_seed(secret, seat, no) for secret in (b"a", b"b") for seat in (1, 2) for no in range(50)
    }
    assert len(seeds) == 200
    assert all(0 <= seed < 2**64 for seed in seeds)
