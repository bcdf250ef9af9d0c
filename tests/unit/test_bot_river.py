"""Today's River with its own blueprints, where a player knows what is right."""

import pytest

from poker.actions import ActionKind
from services.bot.combos import COMBOS
from services.bot.policy import RangePolicy
from services.bot.strategy import BOT_VERSION, FIRST_VERSION, VERSIONS, river
from services.common.codec import BotView
from tests.support.river import QUICK, chances, heads_up, view_of, with_cards
from tests.support.scripted_hands import play, table

FOLD, CHECK, CALL, BET, RAISE = ActionKind
RIVER = river(QUICK)


def played(view: BotView) -> RangePolicy:
    policy = RIVER.range_policy(view)
    assert policy is not None
    return policy


def share(view: BotView, *kinds: ActionKind) -> float:
    """How often River takes actions of these kinds over all hands."""
    policy = played(view)
    rows = [row for row, action in enumerate(policy.actions) if action.kind in kinds]
    return float(policy.probabilities[rows].sum() / len(COMBOS))


def test_each_version_says_which_it_is() -> None:
    assert VERSIONS["0.1"]().version == FIRST_VERSION
    assert VERSIONS["1.0"]().version == BOT_VERSION == "river-1.0"


@pytest.mark.parametrize("stack_bb", [5, 9, 15, 30, 60, 100, 180, 400, 900])
@pytest.mark.parametrize("moves", [(), ("1 raise 200",), ("1 raise 300",)], ids=str)
def test_aces_play_and_rags_do_not_cost_more_than_a_call(
    stack_bb: int, moves: tuple[str, ...]
) -> None:
    view = heads_up(100 * stack_bb, *moves)
    assert chances(with_cards(view, "AsAd"), RIVER)[FOLD] < 0.05
    assert chances(with_cards(view, "7s2d"), RIVER)[RAISE] < 0.5


@pytest.mark.parametrize("stack_bb", [15, 40, 100, 250])
def test_the_button_plays_most_hands_and_the_big_blind_defends(stack_bb: int) -> None:
    assert share(heads_up(100 * stack_bb), FOLD) < 0.4
    assert 0.1 < share(heads_up(100 * stack_bb, "1 raise 250"), FOLD) < 0.65


def test_the_nuts_never_fold_and_air_folds_to_a_big_bet() -> None:
    hand = table({1: 10_000, 2: 10_000}, button=1, board="2s7s9sKdJh")
    play(hand, "1 call", "2 check", "2 check", "1 check", "2 check", "1 check", "2 bet 300")
    view = view_of(hand)
    assert chances(with_cards(view, "AsTs"), RIVER)[FOLD] < 0.05
    assert chances(with_cards(view, "4h3h"), RIVER)[FOLD] > 0.5


def test_a_price_too_good_to_fold_is_paid() -> None:
    hand = table({1: 10_000, 2: 10_000}, button=1, board="AsKsQd9d8c")
    play(hand, "1 raise 250", "2 call", "2 check", "1 check", "2 check", "1 check")
    play(hand, "2 bet 400", "1 raise 9700")
    facing = view_of(hand)
    values = {
        option.action.kind: option.value_chips
        for option in RIVER.policy(with_cards(facing, "JsTs")).options
    }
    # The nuts: calling 9,300 wins everything or half of it.
    assert values.keys() == {CALL}
    assert (values[CALL] or 0.0) > 400
