"""What holds for every stored match, worked out again from the rules of the game.

Nothing here asks the gateway's own logic: hands are played again by the rules, and what
leaving does is read from the table of the specification.
"""

import itertools

from poker.hand import replay
from poker.setup import HandSetup
from services.gateway.model import (
    PLAYER_SEAT,
    RIVER_SEAT,
    Actor,
    EndReason,
    Hand,
    HandState,
    MatchState,
)
from tests.simulation.stored import Stored

FREE_MOVES = 3


def check_hand(hand: Hand) -> None:
    """The stored actions are legal, complete when the hand is over, and sum to zero."""
    played = replay(hand.setup, hand.played)
    result = played.snapshot().result
    if hand.state is HandState.FINISHED:
        assert result is not None, f"{hand.hand_id} is finished, but not played out"
        nets = {seat.seat: seat.net_chips for seat in result.seats}
        assert sum(nets.values()) == 0, nets
        assert hand.net_chips == nets[PLAYER_SEAT], (hand.net_chips, nets)
    else:
        assert result is None, f"{hand.hand_id} is over, but not finished"
        assert hand.net_chips is None
    programs = {Actor.RIVER, Actor.FALLBACK}
    assert all(item.actor in programs for item in hand.actions if item.action.seat == RIVER_SEAT)
    assert all(
        item.actor is not Actor.RIVER for item in hand.actions if item.action.seat == PLAYER_SEAT
    )


def check_match(stored: Stored) -> None:
    """The log has no gap, counters count, and every chip is where it should be."""
    table, match, hands = stored.table, stored.match, stored.hands
    assert [event.seq for event in stored.events] == list(range(1, table.last_seq + 1))
    assert [hand.hand_no for hand in hands] == list(range(1, len(hands) + 1))
    counted = [hand for hand in hands if hand.state is HandState.FINISHED]
    assert match.hands == len(counted)
    assert match.moves == len(stored.moves) == sum(map(_moves, hands))
    assert match.hand_moves == _moves(hands[-1])
    assert match.result_chips == sum(hand.net_chips or 0 for hand in counted)
    assert match.stack_chips == match.total_buy_in_chips + match.result_chips
    assert match.river_stack_chips == _river_bought(stored) - match.result_chips
    assert all(hand.state is not HandState.OPEN for hand in hands[:-1])
    _check_state(stored)
    for before, after in itertools.pairwise(hands):
        assert before.setup.button != after.setup.button, "the button did not move"


def _moves(hand: Hand) -> int:
    return sum(item.actor is Actor.PLAYER for item in hand.actions)


def _river_bought(stored: Stored) -> int:
    added = [
        int(event.content.extras["added"])
        for event in stored.events
        if event.content.name in {"opponent.topped_up", "opponent.rebought"}
    ]
    return _stack(stored.hands[0].setup, RIVER_SEAT) + sum(added)


def _stack(setup: HandSetup, seat: int) -> int:
    return next(stack.stack_chips for stack in setup.seats if stack.seat == seat)


def _check_state(stored: Stored) -> None:
    match, last = stored.match, stored.hands[-1]
    if match.state is MatchState.IN_HAND:
        legal = replay(last.setup, last.played).legal
        assert last.state is HandState.OPEN
        assert legal is not None
        assert stored.table.turn_seat == legal.seat
        return
    assert last.state is not HandState.OPEN
    assert stored.table.turn_seat is None
    assert match.closing is None
    if match.state is MatchState.BUSTED:
        assert match.stack_chips == 0
    if not match.is_open:
        _check_leaving(stored)


def _check_leaving(stored: Stored) -> None:
    """The rows of the table of leaving: a to g, by moves and finished hands."""
    match, last = stored.match, stored.hands[-1]
    assert match.settled_at is not None
    decided = any(item.actor is Actor.STAND_IN for item in last.actions)
    early = _moves(last) == 0 or match.moves <= FREE_MOVES
    match match.state, match.end_reason:
        case MatchState.VOID, EndReason.VOID:
            assert early, "a match that counts was made void"
            assert match.hands == 0
            assert last.state is HandState.VOID
        case MatchState.SETTLED, EndReason.SETTLED:
            assert all(hand.state is HandState.FINISHED for hand in stored.hands)
        case MatchState.SETTLED, EndReason.EXPIRED | EndReason.SUPERSEDED:
            if last.state is HandState.VOID:
                assert early, "a hand that counts was made void"
                assert match.hands > 0
            elif last.ai_decided:
                assert not early, "a hand was played on that does not count"
            assert decided <= last.ai_decided
        case ended:
            raise AssertionError(f"no match ends like this: {ended}")
