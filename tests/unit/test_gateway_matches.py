"""Pure decisions about matches: leaving, commands by state, turn tokens."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from services.gateway import matches
from services.gateway.matches import Consequence
from services.gateway.model import EndReason, Match, MatchState, Table
from services.gateway.problems import ProblemError
from services.gateway.rulesets import HU_RIVER
from tests.support.gateways import NOON

TABLE = Table("t_1", version=7, last_seq=20, turn_seat=1, secret=b"s" * 32)
MATCH = Match(
    match_id="m_1",
    table_id="t_1",
    user_id="u_1",
    ruleset=HU_RIVER,
    state=MatchState.IN_HAND,
    buy_in_chips=10_000,
    stack_chips=10_000,
    river_stack_chips=10_000,
    started_at=NOON,
    kept_until=NOON + timedelta(hours=24),
    button=1,
)
BETWEEN = replace(MATCH, state=MatchState.BETWEEN_HANDS, hands=1)


def problem_of(work: Callable[[], object]) -> str:
    with pytest.raises(ProblemError) as caught:
        work()
    return caught.value.problem_type.value


@pytest.mark.parametrize(
    ("row", "hands", "moves", "hand_moves", "expected"),
    [
        ("b", 0, 0, 0, Consequence.VOID_MATCH),
        ("c, one move", 0, 1, 1, Consequence.VOID_MATCH),
        ("c, three moves", 0, 3, 3, Consequence.VOID_MATCH),
        ("d, four moves", 0, 4, 4, Consequence.AI_DECIDES),
        ("e", 1, 9, 0, Consequence.VOID_HAND),
        ("e, few moves", 2, 2, 0, Consequence.VOID_HAND),
        ("f", 1, 3, 1, Consequence.VOID_HAND),
        ("g, fourth move", 1, 4, 1, Consequence.AI_DECIDES),
        ("g", 5, 30, 2, Consequence.AI_DECIDES),
    ],
)
def test_leaving_a_hand_follows_the_table(
    row: str, hands: int, moves: int, hand_moves: int, expected: Consequence
) -> None:
    match = replace(MATCH, hands=hands, moves=moves, hand_moves=hand_moves)
    assert matches.consequence(match) is expected, row


@pytest.mark.parametrize("state", [MatchState.BETWEEN_HANDS, MatchState.BUSTED])
def test_leaving_between_hands_settles(state: MatchState) -> None:
    match = replace(MATCH, state=state, hands=1, moves=2)
    assert matches.consequence(match) is Consequence.SETTLE


@pytest.mark.parametrize(
    ("state", "deal", "top_up", "settle"),
    [
        (MatchState.IN_HAND, "hand-in-progress", "hand-in-progress", "hand-in-progress"),
        (MatchState.BUSTED, "match-busted", "match-busted", None),
        (MatchState.SETTLED, "match-closed", "match-closed", "match-closed"),
        (MatchState.VOID, "match-closed", "match-closed", "match-closed"),
    ],
)
def test_commands_are_refused_by_state(
    state: MatchState, deal: str, top_up: str, settle: str | None
) -> None:
    match = replace(MATCH, state=state, stack_chips=2_000)
    assert problem_of(lambda: matches.check_can_deal(match)) == deal
    assert problem_of(lambda: matches.top_up_target_chips(match)) == top_up
    if settle is None:
        matches.check_can_settle(match)
    else:
        assert problem_of(lambda: matches.check_can_settle(match)) == settle


def test_between_hands_everything_is_allowed() -> None:
    match = replace(BETWEEN, stack_chips=2_000)
    matches.check_can_deal(match)
    matches.check_can_settle(match)
    assert matches.top_up_target_chips(match) == 10_000


def test_a_match_being_closed_takes_no_commands() -> None:
    match = replace(MATCH, closing=EndReason.SUPERSEDED)
    assert problem_of(lambda: matches.check_open(match)) == "match-closed"


@pytest.mark.parametrize("stack", [10_000, 10_050])
def test_no_top_up_at_the_maximum_or_above(stack: int) -> None:
    match = replace(BETWEEN, stack_chips=stack)
    assert problem_of(lambda: matches.top_up_target_chips(match)) == "not-eligible"


def test_a_match_expires_at_the_very_moment_it_was_kept_until_hu_069() -> None:
    moment = timedelta(microseconds=1)
    assert not matches.is_expired(TABLE, MATCH, MATCH.kept_until - moment)
    assert matches.is_expired(TABLE, MATCH, MATCH.kept_until)


def test_rivers_time_is_not_the_players_hu_061() -> None:
    river_owes = replace(TABLE, turn_seat=2)
    assert not matches.is_expired(river_owes, MATCH, MATCH.kept_until + timedelta(days=9))


def test_a_closed_match_does_not_expire() -> None:
    settled = replace(MATCH, state=MatchState.SETTLED)
    assert not matches.is_expired(TABLE, settled, MATCH.kept_until + timedelta(days=9))


def test_the_token_of_the_turn_is_accepted() -> None:
    matches.check_turn(TABLE, matches.turn_token(TABLE))


@pytest.mark.parametrize("version", [1, 6, 8])
def test_the_token_of_another_turn_is_stale_and_says_the_version(version: int) -> None:
    with pytest.raises(ProblemError) as caught:
        matches.check_turn(TABLE, matches.turn_token(TABLE, version))
    assert caught.value.problem_type.value == "stale-turn"
    assert caught.value.facts == {"version": 7}


@pytest.mark.parametrize("token", ["", "7", "7-", "-", "x", "7-00", "é", "9" * 40 + "-a"])
def test_a_forged_token_is_stale_on_ones_own_turn(token: str) -> None:
    assert problem_of(lambda: matches.check_turn(TABLE, token)) == "stale-turn"


def test_while_river_thinks_an_old_token_is_stale_and_a_forged_one_out_of_turn() -> None:
    thinking = replace(TABLE, turn_seat=2)
    old = matches.turn_token(thinking, 6)
    assert problem_of(lambda: matches.check_turn(thinking, old)) == "stale-turn"
    assert problem_of(lambda: matches.check_turn(thinking, "6-forged")) == "not-your-turn"


def test_tokens_differ_by_table_secret_and_version() -> None:
    tokens = {
        matches.turn_token(TABLE),
        matches.turn_token(replace(TABLE, version=8)),
        matches.turn_token(replace(TABLE, table_id="t_2")),
        matches.turn_token(replace(TABLE, secret=b"z" * 32)),
    }
    assert len(tokens) == 4
