"""From wishes to legal actions, and from a seed to one of them."""

from collections import Counter

import numpy as np
import pytest

from poker.actions import Action, ActionKind, Legal, RaiseRange
from poker.cards import parse_cards
from services.bot.combos import COMBOS, combo_index
from services.bot.policy import (
    Floats,
    Option,
    Policy,
    RangePolicy,
    blind,
    draw,
    is_legal,
    mix,
    mix_range,
    nearest_legal,
)
from tests.support.river import heads_up, with_cards

FOLD, CHECK, CALL, BET, RAISE = ActionKind

FREE = Legal(1, True, True, 0, False, RaiseRange(BET, 100, 100, 900))
FACING = Legal(1, True, False, 300, False, RaiseRange(RAISE, 600, 600, 900))
CLOSED = Legal(1, True, False, 300, True, None)
CLOSED_FREE = Legal(1, False, True, 0, False, None)


@pytest.mark.parametrize(
    ("legal", "kind", "to_chips", "expected"),
    [
        (FREE, FOLD, None, Action(1, CHECK)),
        (FREE, CALL, None, Action(1, CHECK)),
        (FREE, RAISE, 250, Action(1, BET, 250)),
        (FREE, BET, 1, Action(1, BET, 100)),
        (FREE, BET, 10**9, Action(1, BET, 900)),
        (FREE, RAISE, None, Action(1, BET, 900)),
        (FACING, FOLD, None, Action(1, FOLD)),
        (FACING, CHECK, None, Action(1, CALL)),
        (FACING, BET, 700, Action(1, RAISE, 700)),
        (CLOSED, RAISE, 700, Action(1, CALL)),
        (CLOSED_FREE, BET, 700, Action(1, CHECK)),
        (CLOSED_FREE, FOLD, None, Action(1, CHECK)),
    ],
)
def test_a_wish_becomes_the_nearest_legal_action(
    legal: Legal, kind: ActionKind, to_chips: int | None, expected: Action
) -> None:
    action = nearest_legal(legal, kind, to_chips)
    assert action == expected
    assert is_legal(legal, action)


@pytest.mark.parametrize(
    "action",
    [
        Action(2, FOLD),
        Action(1, CHECK),
        Action(1, FOLD, 5),
        Action(1, CALL, 300),
        Action(1, BET, 700),
        Action(1, RAISE, 599),
        Action(1, RAISE, 901),
        Action(1, RAISE),
    ],
)
def test_what_the_rules_forbid_is_recognised(action: Action) -> None:
    assert not is_legal(FACING, action)


def test_wishes_for_one_action_add_up() -> None:
    view = heads_up(10_000)
    policy = mix("test", view, [(RAISE, 1, 1.0), (RAISE, 200, 2.0), (FOLD, None, 1.0)])
    assert policy.options == (
        Option(Action(1, RAISE, 200), 0.75),
        Option(Action(1, FOLD), 0.25),
    )
    assert policy.probability(RAISE) == 0.75
    assert policy.probability(CALL) == 0.0


def test_no_wish_at_all_is_a_fold() -> None:
    assert mix("test", heads_up(10_000), []).options == (Option(Action(1, FOLD), 1.0),)


def test_seeds_draw_in_proportion_and_repeatably() -> None:
    view = heads_up(10_000)
    policy = Policy("test", (Option(Action(1, FOLD), 0.25), Option(Action(1, CALL), 0.75)))
    drawn = [draw(policy, view, seed).kind for seed in range(2_000)]
    assert drawn == [draw(policy, view, seed).kind for seed in range(2_000)]
    assert Counter(drawn)[CALL] / 2_000 == pytest.approx(0.75, abs=0.03)


def test_the_turn_enters_the_draw() -> None:
    policy = Policy("test", (Option(Action(1, FOLD), 0.5), Option(Action(1, CALL), 0.5)))
    first, later = heads_up(10_000), heads_up(10_000, "1 call", "2 raise 300")
    same = sum(draw(policy, first, s) == draw(policy, later, s) for s in range(1_000))
    assert 400 < same < 600


def test_rounding_never_leaves_a_seed_without_an_action() -> None:
    policy = Policy("test", tuple(Option(Action(1, CALL), 0.0) for _ in range(2)))
    assert draw(policy, heads_up(10_000), 1).kind is CALL


def weights(**by_cards: float) -> Floats:
    """A row of weights, 0 but for the named combos."""
    row = np.zeros(len(COMBOS), np.float32)
    for cards, weight in by_cards.items():
        row[combo_index(*parse_cards(cards))] = weight
    return row


def test_a_range_policy_gives_each_hand_its_own_column() -> None:
    view = heads_up(10_000)
    ranges = mix_range(
        "test", view, [(RAISE, 250, weights(AsAd=3.0)), (CALL, None, weights(AsAd=1.0, KsKd=2.0))]
    )
    aces, kings, rags = (
        ranges.policy((first, second))
        for first, second in map(parse_cards, ("AsAd", "KsKd", "7s2d"))
    )
    assert aces.options == (Option(Action(1, RAISE, 250), 0.75), Option(Action(1, CALL), 0.25))
    assert kings.options == (Option(Action(1, CALL), 1.0),)
    assert rags.options == (Option(Action(1, FOLD), 1.0),)
    assert ranges.probabilities.sum(axis=0) == pytest.approx(1.0)


def test_values_go_with_their_actions() -> None:
    actions = (Action(1, FOLD), Action(1, CALL))
    half = np.full((2, len(COMBOS)), 0.5, np.float32)
    values = np.stack([np.zeros(len(COMBOS)), np.full(len(COMBOS), 7.5)]).astype(np.float32)
    first, second = parse_cards("AsAd")
    options = RangePolicy("test", actions, half, values).policy((first, second)).options
    assert [option.value_chips for option in options] == [0.0, 7.5]


def test_a_blind_view_has_lost_the_cards_held() -> None:
    view = heads_up(10_000, "1 call", "2 check")
    assert blind(with_cards(view, "AsAd")) == blind(with_cards(view, "7s2d"))
    assert not set(blind(view).hole_cards) & set(view.board)
