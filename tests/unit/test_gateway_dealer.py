"""Chance at the table."""

import random
from collections import Counter

from poker.cards import DECK
from services.gateway.dealer import RandomDealer, bot_seed


def test_a_deck_is_the_52_cards_in_an_order_of_its_own() -> None:
    dealer = RandomDealer()
    decks = [dealer.shuffled_deck() for _ in range(200)]
    assert all(sorted(deck) == list(DECK) for deck in decks)
    assert len(set(decks)) == len(decks)


def test_every_card_comes_first_about_equally_often() -> None:
    dealer = RandomDealer(random.Random(20260501))
    rounds = 52 * 200
    firsts = Counter(dealer.shuffled_deck()[0] for _ in range(rounds))
    chi_square = sum((firsts[card] - 200) ** 2 / 200 for card in DECK)
    # 51 degrees of freedom: above 87.97 once in a thousand times.
    assert chi_square < 87.97


def test_the_first_button_is_fair() -> None:
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
