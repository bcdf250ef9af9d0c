"""What holds in every hand, however it is played (SPEC ENG-046, ENG-074, ENG-091..095)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings

from poker.actions import Action, ActionKind, Legal
from poker.errors import IllegalActionError
from poker.events import PotsUpdated, StreetDealt
from poker.hand import Hand, replay
from poker.setup import HandSetup, SeatStack
from poker.snapshot import HandSnapshot
from tests.support.strategies import (
    finished_hands,
    hand_setups,
    hands_in_play,
    play_out,
    players_rng,
    random_action,
)


def states(setup: HandSetup, rng: Random) -> Iterator[Hand]:
    """Play a hand out, giving it back after the deal and after every action."""
    hand = Hand(setup)
    yield hand
    while hand.legal is not None:
        hand.act(random_action(hand.legal, rng))
        yield hand


def chips_on_the_table(snapshot: HandSnapshot) -> int:
    return snapshot.pot_total_chips + sum(seat.stack_chips for seat in snapshot.seats)


@given(hand_setups(), players_rng())
def test_no_chip_appears_or_vanishes_eng_092(setup: HandSetup, rng: Random) -> None:
    total = sum(seat.stack_chips for seat in setup.seats)
    for hand in states(setup, rng):
        snapshot = hand.snapshot()
        assert chips_on_the_table(snapshot) == total
        assert min(seat.stack_chips for seat in snapshot.seats) >= 0
        assert (snapshot.legal is None) == (snapshot.result is not None)


@given(finished_hands())
def test_nets_sum_to_zero_eng_005(hand: Hand) -> None:
    assert hand.result is not None
    seats = hand.result.seats
    assert sum(seat.net_chips for seat in seats) == 0
    for seat, start in zip(seats, hand.setup.seats, strict=True):
        assert seat.net_chips == seat.won_chips - seat.put_in_chips
        assert seat.stack_chips == start.stack_chips + seat.net_chips >= 0


@given(finished_hands())
def test_nobody_wins_more_than_each_opponent_matched_eng_070(hand: Hand) -> None:
    assert hand.result is not None
    paid = {seat.seat: seat.put_in_chips for seat in hand.result.seats}
    folded = {seat.seat: seat.folded for seat in hand.snapshot().seats}
    for seat in hand.result.seats:
        most = sum(min(chips, seat.put_in_chips) for chips in paid.values())
        assert seat.won_chips <= (0 if folded[seat.seat] else most)


@given(finished_hands())
def test_pots_hold_what_was_put_in_and_are_paid_whole(hand: Hand) -> None:
    assert hand.result is not None
    pots = hand.result.pots
    assert sum(pot.chips for pot in pots) == sum(seat.put_in_chips for seat in hand.result.seats)
    for pot in pots:
        shares = [chips for _, chips in pot.winners]
        assert sum(shares) == pot.chips > 0
        assert max(shares) - min(shares) <= 1
        assert shares == sorted(shares, reverse=True)


@given(finished_hands(max_players=2))
def test_heads_up_pots_are_even_eng_074(hand: Hand) -> None:
    assert hand.result is not None
    assert all(pot.chips % 2 == 0 for pot in hand.result.pots)


@given(hand_setups(), players_rng())
def test_bets_are_matched_when_a_round_closes_eng_032(setup: HandSetup, rng: Random) -> None:
    for hand in states(setup, rng):
        last = hand.events[-2:]
        if hand.legal is None or not isinstance(last[0], StreetDealt):
            continue
        live = [seat for seat in hand.snapshot().seats if not seat.folded]
        highest = max(seat.put_in_chips for seat in live)
        assert all(seat.put_in_chips == highest or seat.all_in for seat in live)


@given(hand_setups(), players_rng())
def test_closed_pots_have_distinct_nested_claimants_eng_071(setup: HandSetup, rng: Random) -> None:
    hand = play_out(Hand(setup), rng)
    for event in hand.events:
        if isinstance(event, PotsUpdated):
            claimants = [set(pot.eligible) for pot in event.pots]
            assert all(inner < outer for outer, inner in pairwise(claimants))


@given(hand_setups(), players_rng())
@settings(max_examples=50)
def test_folding_setup_and_actions_gives_the_live_state_eng_095(
    setup: HandSetup, rng: Random
) -> None:
    for hand in states(setup, rng):
        again = replay(setup, hand.actions)
        assert again.snapshot() == hand.snapshot()
        assert again.events == hand.events


@given(hand_setups(), players_rng())
@settings(max_examples=50)
def test_copy_is_equal_and_independent(setup: HandSetup, rng: Random) -> None:
    for hand in states(setup, rng):
        before, twin = hand.snapshot(), hand.copy()
        assert twin.snapshot() == before
        play_out(twin, rng)
        assert hand.snapshot() == before


@given(hand_setups(), players_rng())
@settings(max_examples=50)
def test_apply_and_act_play_the_same_hand_eng_095(setup: HandSetup, rng: Random) -> None:
    acted, applied = Hand(setup), Hand(setup)
    told = list(acted.events)
    while acted.legal is not None:
        assert acted.legal == applied.legal
        action = random_action(acted.legal, rng)
        told += acted.act(action)
        applied.apply(action)
    assert acted.events == applied.events == tuple(told)
    assert acted.snapshot() == applied.snapshot()


def permits(legal: Legal, action: Action) -> bool:
    """Say whether an action is one of those that ``legal`` describes."""
    if action.seat != legal.seat:
        return False
    match action.kind:
        case ActionKind.FOLD:
            return legal.can_fold
        case ActionKind.CHECK:
            return legal.can_check
        case ActionKind.CALL:
            return legal.to_call_chips > 0
    raises, to_chips = legal.raises, action.to_chips
    if raises is None or to_chips is None or action.kind is not raises.kind:
        return False
    return raises.min_to_chips <= to_chips <= raises.max_to_chips


def attempts(hand: Hand, rng: Random) -> Iterator[Action]:
    """Every kind of action by every seat, with sizes on and around all bounds."""
    assert hand.legal is not None
    sizes = {1, rng.randint(1, 10_000)}
    if hand.legal.raises is not None:
        bounds = (hand.legal.raises.min_to_chips, hand.legal.raises.max_to_chips)
        sizes |= {bound + step for bound in bounds for step in (-1, 0, 1)}
    for seat in hand.setup.seats:
        for kind in (ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL):
            yield Action(seat.seat, kind)
        for kind in (ActionKind.BET, ActionKind.RAISE):
            yield from (Action(seat.seat, kind, size) for size in sizes if size > 0)


@given(hands_in_play(), players_rng())
def test_exactly_the_legal_actions_are_accepted_eng_046(hand: Hand, rng: Random) -> None:
    legal, before = hand.legal, hand.snapshot()
    assert legal is not None
    for action in attempts(hand, rng):
        if permits(legal, action):
            after = hand.copy()
            assert after.act(action)
            assert after.actions == (*hand.actions, action)
        else:
            with pytest.raises(IllegalActionError) as refused:
                hand.act(action)
            assert hand.snapshot() == before
            if action.seat == legal.seat:
                assert_names_bounds(refused.value, legal)


def assert_names_bounds(refusal: IllegalActionError, legal: Legal) -> None:
    expected = {"to_call_chips": legal.to_call_chips}
    if legal.raises:
        expected["min_to_chips"] = legal.raises.min_to_chips
        expected["max_to_chips"] = legal.raises.max_to_chips
    assert refusal.facts == expected


@given(hands_in_play())
def test_legal_actions_agree_with_the_chips(hand: Hand) -> None:
    legal = hand.legal
    assert legal is not None
    seat = next(seat for seat in hand.snapshot().seats if seat.seat == legal.seat)
    assert legal.can_check == (legal.to_call_chips == 0)
    assert 0 <= legal.to_call_chips <= seat.stack_chips
    assert legal.call_all_in == (legal.to_call_chips == seat.stack_chips)
    assert (legal.raises is None) == (legal.no_raise_reason is not None)
    if legal.raises:
        raises = legal.raises
        assert raises.max_to_chips == seat.bet_chips + seat.stack_chips
        assert raises.min_to_chips == min(raises.full_min_to_chips, raises.max_to_chips)
        assert raises.min_to_chips > seat.bet_chips + legal.to_call_chips


def turned(seat: int, by: int) -> int:
    return (seat - 1 + by) % 10 + 1


def turned_setup(setup: HandSetup, by: int) -> HandSetup:
    """Move everyone, and the button, ``by`` chairs clockwise round the table of ten."""
    seats = [SeatStack(turned(seat.seat, by), seat.stack_chips) for seat in setup.seats]
    seats.sort(key=lambda seat: seat.seat)
    return replace(setup, seats=tuple(seats), button=turned(setup.button, by))


@given(hand_setups(), players_rng())
@settings(max_examples=50)
def test_moving_everyone_round_the_table_changes_nothing(setup: HandSetup, rng: Random) -> None:
    hand = play_out(Hand(setup), rng)
    assert hand.result is not None
    nets = {seat.seat: seat.net_chips for seat in hand.result.seats}
    for by in (1, 4, 9):
        moved = replay(
            turned_setup(setup, by),
            (replace(action, seat=turned(action.seat, by)) for action in hand.actions),
        )
        assert moved.result is not None
        assert {seat.seat: seat.net_chips for seat in moved.result.seats} == {
            turned(seat, by): net for seat, net in nets.items()
        }
