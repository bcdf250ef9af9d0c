"""The public story of a heads-up hand as numbers."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker.actions import ActionKind
from poker.cards import Card
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from services.bot.line import STREETS, Line, Move, read_line
from services.common.codec import BotView
from tests.support.river import heads_up, view_of, with_cards
from tests.support.scripted_hands import play, table
from tests.support.strategies import decks, players_rng, random_action, stacks

CHECK, CALL, RAISE = ActionKind.CHECK, ActionKind.CALL, ActionKind.RAISE


def line_of(view: BotView) -> Line:
    line = read_line(view)
    assert line is not None
    return line


def test_the_button_is_player_one_and_bets_are_raises_of_nothing() -> None:
    line = line_of(heads_up(10_000, "1 raise 250", "2 call", "2 check", "1 bet 300"))
    assert line.moves == (
        (Move(1, RAISE, 250), Move(0, CALL, 250)),
        (Move(0, CHECK, 0), Move(1, RAISE, 300)),
    )
    assert (line.street, line.player, line.stack_chips, line.depth_bb) == (1, 0, 10_000, 100.0)
    assert (line.before(1), line.behind(1)) == (250, 9_750)
    assert (line.bets(0), line.bets(1), line.bets(1, 1)) == ((250, 250), (0, 300), (0, 0))


def test_a_larger_stack_plays_only_what_the_smaller_can_match() -> None:
    view = view_of(play(table({1: 10_000, 2: 1_000}, button=1), "1 raise 7000"))
    line = line_of(view)
    assert (line.stack_chips, line.moves) == (1_000, ((Move(1, RAISE, 1_000),),))


def test_an_earlier_moment_is_a_line_of_its_own() -> None:
    line = line_of(heads_up(10_000, "1 call", "2 check", "2 bet 100", "1 raise 400"))
    assert line.at(1) == line_of(heads_up(10_000, "1 call", "2 check"))
    assert line.at(1, 1) == line_of(heads_up(10_000, "1 call", "2 check", "2 bet 100"))
    assert line.at(0, 1) == line_of(heads_up(10_000, "1 call"))
    assert line.at(0) == line_of(heads_up(10_000))


def test_own_cards_and_the_order_of_the_flop_are_no_part_of_it() -> None:
    view = heads_up(10_000, "1 call", "2 check")
    turned = replace(view, board=view.board[::-1])
    assert line_of(with_cards(view, "AsAd")) == line_of(turned)


@pytest.mark.parametrize(
    ("stacks", "rules"),
    [
        ({1: 10_000, 2: 10_000, 3: 10_000}, HandRules(50, 100)),
        ({1: 10_000, 2: 10_000}, HandRules(100, 100)),
        ({1: 10_000, 2: 10_000}, HandRules(10, 100)),
        ({1: 10_000, 2: 99}, HandRules(50, 100)),
    ],
    ids=["three seats", "equal blinds", "tiny small blind", "less than a blind"],
)
def test_hands_that_are_not_ordinary_have_no_line(stacks: dict[int, int], rules: HandRules) -> None:
    assert read_line(view_of(table(stacks, button=1, rules=rules))) is None


def test_a_button_on_an_empty_seat_has_no_line() -> None:
    assert read_line(view_of(table({1: 5_000, 2: 5_000}, button=7))) is None


def test_actions_out_of_turn_have_no_line() -> None:
    view = heads_up(10_000, "1 call", "2 check", "2 check", "1 bet 100")
    for drop in range(len(view.actions)):
        spoilt = (*view.actions[:drop], *view.actions[drop + 1 :])
        assert read_line(replace(view, actions=spoilt)) is None


def test_a_raise_to_no_more_has_no_line() -> None:
    view = heads_up(10_000, "1 call", "2 check", "2 bet 100", "1 raise 400")
    last = replace(view.actions[-1], to_chips=100)
    assert read_line(replace(view, actions=(*view.actions[:-1], last))) is None


@given(st.integers(100, 20_000), stacks(100), decks(), players_rng())
@settings(max_examples=200)
def test_every_decision_of_an_ordinary_hand_has_a_line_that_agrees_with_the_view(
    first: int, second: int, deck: tuple[Card, ...], rng: Random
) -> None:
    seats = (SeatStack(1, first), SeatStack(2, max(100, second)))
    hand = Hand(HandSetup("h", HandRules(50, 100), seats, 2, deck))
    while hand.legal is not None:
        _agrees(view_of(hand))
        hand.act(random_action(hand.legal, rng))


def _agrees(view: BotView) -> None:
    line = line_of(view)
    assert STREETS[line.street] is view.street
    for seat in view.seats:
        player = 1 if seat.seat == view.button else 0
        left = line.behind(line.street)
        assert line.bets(line.street)[player] == min(seat.bet_chips, left)
    assert line.player == (1 if view.seat == view.button else 0)
    assert line.bets(line.street)[line.player] < line.behind(line.street)
