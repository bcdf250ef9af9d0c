"""Solving on turn and river, the blueprints before them and behind them."""

from dataclasses import replace

import numpy as np
import pytest

from poker.actions import ActionKind
from poker.hand import Hand
from services.bot.beliefs import believe, doubted, live, plainly, settle
from services.bot.budget import PLAIN_SIZES, Budget
from services.bot.line import Line, read_line
from services.bot.policy import RangePolicy, blind, is_legal
from services.bot.resolving import Resolver, Standing
from services.bot.solver import SolverError
from services.bot.stages import BlueprintStage, SolveStage
from services.bot.strategy import river
from services.common.codec import BotView
from tests.support.blueprints import made_up_library
from tests.support.river import view_of, with_cards
from tests.support.scripted_hands import play, table

FOLD, CHECK, CALL, BET, RAISE = ActionKind
LIBRARY = made_up_library()
QUICK = Budget(iterations=6, sizes=PLAIN_SIZES)
TURN = ("1 raise 250", "2 call", "2 check", "1 bet 300", "2 call")
RIVER = (*TURN, "2 check", "1 check")
WAR = (*TURN, "2 bet 777", "1 raise 2000", "2 raise 3300", "1 raise 5000")


def hand_after(*moves: str, stacks: tuple[int, int] = (10_000, 10_000)) -> Hand:
    hand = table({1: stacks[0], 2: stacks[1]}, button=1, board="Ks9s4d2c3h")
    return play(hand, *moves)


def view_after(*moves: str) -> BotView:
    return view_of(hand_after(*moves))


def solved(view: BotView, budget: Budget = QUICK) -> RangePolicy:
    policy = SolveStage(Resolver(LIBRARY, budget)).range_policy(blind(view))
    assert policy is not None
    return policy


@pytest.mark.parametrize(
    ("moves", "stage"),
    [
        ((), "blueprint"),
        (TURN[:2], "blueprint"),
        (TURN, "turn_solve"),
        ((*TURN, "2 check"), "turn_solve"),
        ((*TURN, "2 bet 777"), "turn_solve"),
        (WAR, "turn_solve"),
        (RIVER, "river_solve"),
        ((*RIVER, "2 bet 123"), "river_solve"),
        ((*RIVER, "2 bet 123", "1 raise 456", "2 raise 1789"), "river_solve"),
        ((*RIVER, "2 bet 9450"), "river_solve"),
    ],
)
def test_a_reply_names_what_answered_and_everything_in_it_is_legal(
    moves: tuple[str, ...], stage: str
) -> None:
    view = view_after(*moves)
    policy = river(QUICK, LIBRARY).range_policy(view)
    assert policy is not None
    assert policy.stage == stage
    assert len(set(policy.actions)) == len(policy.actions)
    assert all(is_legal(view.legal, action) for action in policy.actions)
    assert policy.probabilities.sum(axis=0) == pytest.approx(1.0, abs=1e-4)
    assert policy.probabilities.min() >= 0.0


def test_folding_is_worth_nothing_and_the_nuts_at_least_the_pot() -> None:
    view = with_cards(view_after(*RIVER, "2 bet 500"), "6s5s")
    policy = solved(view, replace(QUICK, iterations=100)).policy(view.hole_cards)
    values = {option.action.kind: option.value_chips for option in policy.options}
    assert FOLD not in values
    # A call of 500 wins 1,600, or half of it from the same straight.
    assert 1_550 < min(value or 0.0 for value in values.values()) <= 1_600
    rags = with_cards(view, "7h6d")
    folds = {o.action.kind: o for o in solved(rags).policy(rags.hole_cards).options}[FOLD]
    assert folds.value_chips == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("moves", [TURN, (*TURN, "2 bet 777"), WAR, (*RIVER, "2 bet 123")])
def test_another_process_solves_the_same_bit_for_bit(moves: tuple[str, ...]) -> None:
    warm = SolveStage(Resolver(LIBRARY, QUICK))
    hand = hand_after()
    for move in moves:
        if hand.legal is not None:
            warm.range_policy(blind(view_of(hand)))
        play(hand, move)
    view = blind(view_of(hand))
    first, again = warm.range_policy(view), solved(view)
    assert first is not None
    assert first.actions == again.actions
    assert np.array_equal(first.probabilities, again.probabilities)
    assert first.values is not None
    assert again.values is not None
    assert np.array_equal(first.values, again.values)


def test_a_bet_before_the_first_decision_is_in_the_tree_as_it_was_made() -> None:
    line = read_line(view_after(*TURN, "2 bet 777"))
    assert line is not None
    standing = Resolver(LIBRARY, QUICK).stand(line)
    assert standing.solution.subgame.history == ()
    assert 777 in standing.solution.moves(standing.solution.root)
    assert standing.node != standing.solution.root


def test_an_unknown_raise_is_solved_from_the_decision_to_make_it() -> None:
    line = read_line(view_after(*TURN, "2 check", "1 bet 111"))
    assert line is not None
    standing = Resolver(LIBRARY, QUICK).stand(line)
    game = standing.solution.subgame
    assert (game.history, dict(game.inserted)) == ((0,), {(0,): (111,)})
    # What the button could have done instead is in the tree.
    assert {0, 111} < set(standing.solution.moves(standing.solution.root))
    assert standing.node == standing.solution.child(standing.solution.root, 111)
    assert standing.solution.player(standing.node) == 0


def test_an_odd_raise_that_a_person_made_before_river_took_over_is_a_fact() -> None:
    line = read_line(view_after(*TURN, "2 bet 777", "1 raise 2000", "2 raise 3300"))
    assert line is not None
    known = Resolver(LIBRARY, QUICK).stand(line)
    assert known.solution.subgame.history == (777, 2000)
    other = read_line(view_after(*TURN, "2 bet 111", "1 raise 300"))
    assert other is not None
    game = Resolver(LIBRARY, QUICK).stand(other).solution.subgame
    # The big blind's own bet stands; the button's raise was a choice.
    assert game.history == (111,)
    assert dict(game.inserted) == {(111,): (300,)}


def test_a_raise_within_two_hundredths_of_the_pot_is_a_known_one() -> None:
    known = read_line(view_after(*TURN, "2 check", "1 bet 825"))
    near = read_line(view_after(*TURN, "2 check", "1 bet 840"))
    assert known is not None
    assert near is not None
    resolver = Resolver(LIBRARY, QUICK)
    assert resolver.stand(near).solution is resolver.stand(known).solution


def standing_after(resolver: Resolver, *moves: str) -> Standing:
    line = read_line(view_after(*moves))
    assert line is not None
    return resolver.stand(line)


def test_solving_anew_keeps_how_likely_the_other_player_came_here() -> None:
    resolver = Resolver(LIBRARY, QUICK)
    first = standing_after(resolver, *TURN)
    anew = standing_after(resolver, *TURN, "2 check", "1 bet 111")
    assert anew.solution is not first.solution
    # The check was River's own, and what the raise tells is in the new solution.
    alive = live(first.solution.subgame.board)
    assert np.array_equal(anew.before[alive], first.before[alive])
    more = standing_after(resolver, *TURN, "2 check", "1 bet 111", "2 raise 666", "1 raise 1555")
    bet = anew.solution.likely(anew.node, 1)
    assert more.before[alive] == pytest.approx((bet * anew.before)[alive])
    assert 0 < more.before[alive].min() < more.before[alive].max() < 1


def test_what_plain_styles_hold_goes_on_to_be_played_by_habit() -> None:
    resolver = Resolver(LIBRARY, QUICK)
    first = standing_after(resolver, *TURN)
    habits = first.solution.subgame.habits
    line = read_line(view_after(*TURN))
    assert line is not None
    assert habits is not None
    believed = believe(line, 0, LIBRARY).others
    alive = live(line.board)
    assert habits.player == 1
    # Three quarters of it; the rest plays as well as it can.
    shares = 0.75 * believed[1:, alive] / believed[:, alive].sum(axis=0)
    assert habits.shares[:, alive] == pytest.approx(shares, abs=1e-6)
    # After an odd raise each style holds what it had when it made up its mind.
    node = first.solution.child(first.node, 0)
    anew = standing_after(resolver, *TURN, "2 check", "1 bet 111").solution
    assert anew is not first.solution
    kept = first.solution.by_habit(node) / first.solution.reach(node)[1].sum()
    assert anew.by_habit(0)[:, alive] == pytest.approx(kept[:, alive], abs=1e-5)


def test_the_river_begins_with_what_every_way_to_play_leaves() -> None:
    resolver = Resolver(LIBRARY, QUICK)
    bet = (*TURN, "2 check", "1 bet 825", "2 call")
    line = read_line(view_after(*bet))
    assert line is not None
    assert line.player == 0
    before = believe(line.at(2), 0, LIBRARY)
    turn = resolver.stand(line.at(2, 2))
    node = turn.solution.child(turn.node, 0)
    own, there = turn.solution.river_ranges(node, line.board[-1])
    begun = resolver.stand(line).solution.reach(0)
    alive = live(line.board)
    assert begun[0][alive] / begun[0].max() == pytest.approx(own[alive] / own.max(), abs=2e-5)
    plain = plainly(before, line, 2, 0, LIBRARY).sum(axis=0)
    soundly = turn.solution.likely(node, 1).astype(np.float64)
    mixed = np.where(alive, before.others[0] * doubted(soundly) + plain, 0.0)
    assert begun[1] / begun[1].max() == pytest.approx(mixed / mixed.max(), abs=2e-5)
    assert not np.allclose(begun[1] / begun[1].max(), there / there.max(), atol=0.05)


def test_the_button_solves_a_street_from_after_a_check_that_is_read_for_what_it_tells() -> None:
    resolver = Resolver(LIBRARY, QUICK)
    for street, moves in ((2, TURN), (3, RIVER)):
        line = read_line(view_after(*moves, "2 check"))
        assert line is not None
        standing = resolver.stand(line)
        assert standing.solution.subgame.history == (0,)
        assert standing.node == standing.solution.root
        if street == 2:
            checked = settle(believe(line, 1, LIBRARY).ranges[0], line.board)
            reach = standing.solution.reach(standing.node)[0]
            assert reach / reach.max() == pytest.approx(checked, abs=2e-5)
            unread = settle(believe(line.at(2), 1, LIBRARY).ranges[0], line.board)
            assert not np.allclose(checked, unread, atol=0.05)


class Failing(Resolver):
    """Solves nothing."""

    def stand(self, line: Line) -> Standing:
        raise SolverError("As5s cannot be solved")


def test_what_cannot_be_solved_is_left_to_the_blueprints_without_a_word_of_cards(
    capsys: pytest.CaptureFixture[str],
) -> None:
    view = view_after(*RIVER)
    assert SolveStage(Failing(LIBRARY, QUICK)).range_policy(view) is None
    fallback = BlueprintStage(LIBRARY).range_policy(view)
    assert fallback is not None
    assert fallback.stage == "blueprint_fallback"
    captured = capsys.readouterr()
    assert "As5s" not in captured.out + captured.err


def test_a_decision_out_of_time_is_left_to_the_blueprints() -> None:
    hurried = river(replace(QUICK, iterations=400, seconds=0.0), LIBRARY)
    decision = hurried.decide(view_after(*RIVER), seed=1)
    assert (decision.stage, decision.bot_version) == ("blueprint_fallback", "river-1.0")


def test_other_games_are_played_as_before() -> None:
    today = river(QUICK, LIBRARY)
    three = view_of(play(table(dict.fromkeys((1, 2, 3), 10_000), button=1), "1 call"))
    assert today.decide(three, seed=0).stage == "preflop"
    short = view_of(table({1: 60, 2: 10_000}, button=1))
    assert today.decide(short, seed=0).stage == "preflop"
    assert today.decide(view_of(table({1: 800, 2: 900}, button=1)), seed=0).stage == "push_fold"
