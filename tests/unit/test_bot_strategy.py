"""What River's first strategy does in spots where a player knows what is right."""

from dataclasses import dataclass

import pytest

from poker.actions import Action, ActionKind
from poker.errors import InvariantError
from services.bot.policy import Option, Policy
from services.bot.strategy import FIRST_VERSION, Strategy, first_river
from services.common.codec import BotView
from tests.support.river import chances, heads_up, view_of, with_cards
from tests.support.scripted_hands import play, table

FOLD, CHECK, CALL, BET, RAISE = ActionKind


@dataclass(frozen=True, slots=True)
class Fixed:
    """A stage that always says the same, or leaves everything to the next."""

    action: Action | None
    name: str = "fixed"

    def policy(self, view: BotView) -> Policy | None:
        return None if self.action is None else Policy(self.name, (Option(self.action, 1.0),))


def test_the_first_stage_with_an_answer_gives_it() -> None:
    view = heads_up(10_000)
    strategy = Strategy((Fixed(None), Fixed(Action(1, CALL), "first"), Fixed(Action(1, FOLD))), "v")
    decision = strategy.decide(view, seed=3)
    assert (decision.action, decision.stage, decision.bot_version) == (
        Action(1, CALL),
        "first",
        "v",
    )


@pytest.mark.parametrize(
    "stages",
    [
        (),
        (Fixed(None),),
        (Fixed(Action(1, CHECK)),),
        (Fixed(Action(1, RAISE, 199)),),
        (Fixed(Action(2, CALL)),),
    ],
    ids=["no stage", "no answer", "illegal check", "raise too small", "another seat"],
)
def test_an_illegal_answer_stops_instead_of_being_played(stages: tuple[Fixed, ...]) -> None:
    with pytest.raises(InvariantError):
        Strategy(stages, "v").decide(heads_up(10_000), seed=0)


def test_every_answer_names_its_stage_and_version() -> None:
    spots = {
        "push_fold": heads_up(1_000),
        "preflop": heads_up(10_000),
        "equity": heads_up(10_000, "1 call", "2 check"),
    }
    for stage, view in spots.items():
        decision = first_river().decide(view, seed=0)
        assert (decision.stage, decision.bot_version) == (stage, FIRST_VERSION)


@pytest.mark.parametrize("stack", [60, 160, 700, 1_500, 4_000, 10_000])
@pytest.mark.parametrize("moves", [(), ("1 call", "2 raise 300")], ids=["open", "raised"])
def test_aces_are_never_folded_before_the_flop(stack: int, moves: tuple[str, ...]) -> None:
    if stack < 400 and moves:
        moves = ()
    assert chances(with_cards(heads_up(stack, *moves), "AsAd"))[FOLD] == 0.0


def test_the_button_opens_wide_and_to_two_and_a_half_blinds() -> None:
    view = heads_up(10_000)
    assert chances(with_cards(view, "KsTd"))[RAISE] == 1.0
    assert chances(with_cards(view, "7s2d"))[FOLD] == 1.0
    (option,) = first_river().policy(with_cards(view, "AsAd")).options
    assert option.action == Action(1, RAISE, 250)


def test_the_worst_hand_folds_to_a_big_three_bet_and_kings_do_not() -> None:
    view = heads_up(10_000, "1 raise 250", "2 raise 1000")
    assert chances(with_cards(view, "7s2d"))[FOLD] > 0.95
    assert chances(with_cards(view, "KsKd"))[FOLD] == 0.0
    assert chances(with_cards(view, "KsKd"))[RAISE] > 0.5


def test_early_seats_open_tighter_than_late_ones() -> None:
    stacks = dict.fromkeys(range(1, 10), 10_000)
    first = view_of(table(stacks, button=9))
    last = view_of(play(table(stacks, button=9), *(f"{seat} fold" for seat in range(3, 9))))
    marginal = "Ks9s"
    assert chances(with_cards(first, marginal))[RAISE] == 0.0
    assert chances(with_cards(last, marginal))[RAISE] == 1.0


def test_the_nuts_bet_and_raise_and_never_fold() -> None:
    board = "2s7s9sKdJh"
    hand = table({1: 10_000, 2: 10_000}, button=1, board=board)
    play(hand, "1 call", "2 check", "2 check", "1 check", "2 check", "1 check")
    free = with_cards(view_of(hand), "AsTs")
    assert chances(free)[BET] > 0.85
    facing = with_cards(view_of(play(hand, "2 bet 150")), "AsTs")
    assert chances(facing)[FOLD] == 0.0
    assert chances(facing)[RAISE] > 0.8


def test_nothing_at_all_folds_to_a_big_river_bet() -> None:
    hand = table({1: 10_000, 2: 10_000}, button=1, board="AsKsQd9d8c")
    play(hand, "1 raise 250", "2 call", "2 check", "1 check", "2 check", "1 check", "2 bet 500")
    assert chances(with_cards(view_of(hand), "3h2h"))[FOLD] > 0.9


def test_a_hopeless_hand_bluffs_sometimes_but_not_always() -> None:
    hand = table({1: 10_000, 2: 10_000}, button=1, board="AsKsQd9d8c")
    play(hand, "1 raise 250", "2 call", "2 check", "1 check", "2 check", "1 check", "2 check")
    assert 0.05 < chances(with_cards(view_of(hand), "3h2h"))[BET] < 0.8


def test_a_flush_draw_continues_for_a_small_bet() -> None:
    hand = table({1: 10_000, 2: 10_000}, button=1, board="Ks9s4d2c3h")
    view = view_of(play(hand, "1 raise 250", "2 call", "2 bet 170"))
    assert chances(with_cards(view, "QsJs"))[FOLD] == 0.0


def test_a_price_too_good_to_fold_is_paid() -> None:
    # All-in for 10 more into a pot of more than 5,000.
    hand = table({1: 2_510, 2: 10_000}, button=1, board="AsKsQd9d8c")
    play(hand, "1 raise 2500", "2 raise 10000")
    assert chances(with_cards(view_of(hand), "7h2c"))[CALL] == 1.0


def test_seats_that_cannot_lose_more_do_not_count_as_deep() -> None:
    hand = table({1: 10_000, 2: 10_000, 3: 500}, button=3)
    policy = first_river().policy(with_cards(view_of(hand), "AsAd"))
    assert policy.probability(RAISE) > 0.9
