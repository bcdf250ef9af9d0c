"""Short stacks, blind against blind: River plays the equilibrium, by exact probabilities."""

import pytest

from poker.actions import ActionKind
from poker.cards import DECK, cards_text
from services.bot.combos import COMBOS, TYPE_COUNT, TYPE_NAMES, TYPE_OF_COMBO
from services.bot.preflop_data import push_fold
from services.bot.push_fold import PushFoldStage
from services.bot.strategy import first_river
from services.common.codec import BotView
from tests.support.river import chances, heads_up, view_of, with_cards
from tests.support.scripted_hands import play, table

COMBO_OF_TYPE = dict(zip(TYPE_OF_COMBO, COMBOS, strict=True))


def with_type(view: BotView, kind: int) -> BotView:
    return with_cards(view, cards_text(DECK[card] for card in COMBO_OF_TYPE[kind]))


@pytest.mark.parametrize("stack_bb", [1.5, 2, 5, 7.5, 10, 12])
def test_the_small_blind_shoves_as_often_as_the_equilibrium(stack_bb: float) -> None:
    view = heads_up(round(100 * stack_bb))
    expected = push_fold(stack_bb).push
    for kind in range(TYPE_COUNT):
        policy = first_river().policy(with_type(view, kind))
        assert policy.stage == "push_fold"
        assert policy.probability(ActionKind.RAISE) == pytest.approx(expected[kind])
        assert policy.probability(ActionKind.CALL) == 0.0
        for option in policy.options:
            if option.action.kind is ActionKind.RAISE:
                assert option.action.to_chips == round(100 * stack_bb)


@pytest.mark.parametrize("stack_bb", [3, 8, 10, 16.5, 25])
def test_the_big_blind_calls_a_shove_as_often_as_the_equilibrium(stack_bb: float) -> None:
    chips = round(100 * stack_bb)
    view = heads_up(chips, f"1 raise {chips}")
    expected = push_fold(stack_bb).call
    for kind in range(TYPE_COUNT):
        assert chances(with_type(view, kind))[ActionKind.CALL] == pytest.approx(expected[kind])


def test_the_smaller_stack_counts() -> None:
    view = view_of(table({1: 10_000, 2: 800}, button=1))
    weak = TYPE_NAMES.index("J2o")
    assert chances(with_type(view, weak))[ActionKind.RAISE] == pytest.approx(
        push_fold(8).push[weak]
    )
    shove = [
        option.action.to_chips
        for option in first_river().policy(with_cards(view, "AsAd")).options
        if option.action.kind is ActionKind.RAISE
    ]
    assert shove == [800]


def test_folded_players_leave_the_same_game_to_the_blinds() -> None:
    hand = table({1: 5_000, 2: 1_000, 3: 1_000}, button=1)
    view = view_of(play(hand, "1 fold"))
    policy = first_river().policy(with_cards(view, "AsAd"))
    assert policy.stage == "push_fold"
    assert policy.probability(ActionKind.RAISE) == 1.0


@pytest.mark.parametrize(
    "view",
    [
        heads_up(1_300),
        heads_up(10_000),
        heads_up(1_000, "1 call"),
        heads_up(1_000, "1 raise 200"),
        heads_up(3_000, "1 raise 3000"),
        heads_up(120, "1 call"),
        view_of(table({1: 1_000, 2: 1_000, 3: 1_000}, button=1)),
        heads_up(1_000, "1 call", "2 check"),
    ],
    ids=["13 bb", "deep", "limped", "small raise", "deep shove", "option", "three", "flop"],
)
def test_other_spots_are_left_to_other_stages(view: BotView) -> None:
    assert PushFoldStage().range_policy(view) is None


def test_a_small_blind_with_less_than_the_big_blind_calls_by_its_price() -> None:
    # 60 chips in all: 10 more to win 110, worth it with any two cards.
    view = view_of(table({1: 60, 2: 10_000}, button=1))
    assert chances(with_cards(view, "7s2d"))[ActionKind.CALL] == 1.0
