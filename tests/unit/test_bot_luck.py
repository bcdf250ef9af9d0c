"""Luck is told from play: what chance changes is nothing on the mean."""

import random

import numpy as np
import pytest

from poker.cards import DECK, Card, parse_cards
from services.bot.arena.chance import range_share
from services.bot.arena.luck import Moment, Reading
from services.bot.arena.match import Match, mean_and_interval, seated
from services.bot.arena.ranges import Weights, live, met
from services.bot.combos import COMBOS, TYPE_OF_COMBO

SEATS = (1, 2)
POT = 700
TURN: tuple[Card, ...] = parse_cards("2c7h9dTc")


def some_range(seed: int, *, by_type: bool = False) -> Weights:
    weights = np.random.default_rng(seed).random(len(COMBOS)) ** 3
    return weights[np.array(TYPE_OF_COMBO)] if by_type else weights


def luck_after(*moments: Moment) -> float:
    reading = Reading(SEATS)
    reading.follow(moments)
    return reading.luck_chips


def decision(seat: int, board: tuple[Card, ...], weights: Weights) -> Moment:
    return Moment(seat, board, POT, POT, weights)


def held(own: Weights, other: Weights, board: tuple[Card, ...]) -> float:
    """How likely ranges are, by the pairs of hands in them that a board leaves possible."""
    alive = live(board)
    return float(np.where(alive, own, 0.0) @ met(np.where(alive, other, 0.0)))


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("board", ["", "2c7h9d", "2c7h9dTc", "2c7h9dTcKs"])
def test_over_all_that_a_player_may_do_its_luck_is_none(seat: int, board: str) -> None:
    cards = parse_cards(board)
    # Before the flop only types are told apart, so play must not depend on suits there.
    own, other = (some_range(seed, by_type=not cards) for seed in (1, 2))
    acts = np.array([max(combo) >> 2 for combo in COMBOS]) / 12
    before = (decision(3 - seat, cards, other), decision(seat, cards, own))
    start, mean, biggest = luck_after(*before), 0.0, 0.0
    for share in (acts, 1.0 - acts):
        luck = luck_after(*before, decision(seat, cards, own * share)) - start
        mean += luck * held(own * share, other, cards) / held(own, other, cards)
        biggest = max(biggest, abs(luck))
    assert mean == pytest.approx(0.0, abs=1e-6)
    assert biggest > 0.01 * POT


def test_over_all_cards_that_may_come_the_luck_is_none() -> None:
    own, other = some_range(1), some_range(2)
    before = (decision(1, TURN, own), decision(2, TURN, other))
    start, mean, biggest = luck_after(*before), 0.0, 0.0
    for card in set(DECK) - set(TURN):
        river = (*TURN, card)
        luck = luck_after(*before, decision(1, river, own)) - start
        # Of the 48 cards 44 can come to two players who hold four of them.
        mean += luck * held(own, other, river) / held(own, other, TURN) / 44
        biggest = max(biggest, abs(luck))
    assert mean == pytest.approx(0.0, abs=1e-6)
    assert biggest > 0.01 * POT


def test_a_card_counts_with_the_pot_that_it_came_to() -> None:
    own, other = some_range(1), some_range(2)
    before = (decision(1, TURN, own), decision(2, TURN, other))
    river = (*TURN, *parse_cards("Ks"))
    small, large = (
        luck_after(*before, Moment(1, river, dealt, POT, own)) - luck_after(*before)
        for dealt in (POT, 2 * POT)
    )
    assert large == pytest.approx(2 * small)


def test_sampled_run_outs_come_near_to_all_of_them() -> None:
    own, other, flop = some_range(1), some_range(2) * (some_range(4) > 0.3), parse_cards("2c7h9d")
    exact, sampled = (range_share(own, other, flop, exact=exact) for exact in (True, False))
    assert sampled == pytest.approx(exact, abs=0.01)


def test_luck_is_told_from_the_first_seat() -> None:
    aces, kings = (np.zeros(len(COMBOS)) for _ in range(2))
    aces[COMBOS.index(tuple(sorted(parse_cards("AsAd"))))] = 1.0
    kings[COMBOS.index(tuple(sorted(parse_cards("KsKd"))))] = 1.0
    moments = [decision(1, TURN, aces), decision(2, TURN, kings)]
    lucky = luck_after(*moments)
    other = Reading((2, 1))
    other.follow(moments)
    assert lucky > 0.4 * POT
    assert other.luck_chips == pytest.approx(-lucky)


@pytest.mark.parametrize("villain", ["random", "caller", "pushfold"])
def test_without_luck_a_match_has_the_same_mean_more_surely(villain: str) -> None:
    match = Match("tag", villain, 100, random.Random(villain).randrange(100), 50)
    deals = list(map(seated(match), range(match.deals)))
    mean, interval = mean_and_interval([deal.bb for deal in deals])
    allin_mean, allin_interval = mean_and_interval([deal.allin_bb for deal in deals])
    assert interval is not None
    assert allin_interval is not None
    assert interval < 0.9 * allin_interval
    assert abs(mean - allin_mean) < 1.5 * allin_interval
