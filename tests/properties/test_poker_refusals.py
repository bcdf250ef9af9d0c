"""Every action that is refused is refused for the right reason, with the right bounds."""

from random import Random

import pytest
from hypothesis import given, settings

from poker.actions import Action, ActionKind, Legal
from poker.errors import IllegalActionError, Reason
from poker.hand import Hand
from poker.setup import HandSetup
from tests.support.strategies import hand_setups, players_rng, random_action

MOST = 10**12


def reason_against(hand: Hand, action: Action) -> Reason | None:
    """Say from the offer alone why an action must be refused, or None."""
    legal = hand.legal
    if legal is None:
        return Reason.HAND_OVER
    if action.seat != legal.seat:
        return Reason.NOT_YOUR_TURN
    if action.to_chips is None:
        allowed, reason = {
            ActionKind.FOLD: (legal.can_fold, Reason.NOTHING_TO_CALL),
            ActionKind.CHECK: (legal.can_check, Reason.MUST_CALL_OR_FOLD),
            ActionKind.CALL: (legal.to_call_chips > 0, Reason.NOTHING_TO_CALL),
        }[action.kind]
        return None if allowed else reason
    return reason_against_raise(hand, legal, action.kind, action.to_chips)


def reason_against_raise(
    hand: Hand, legal: Legal, kind: ActionKind, to_chips: int
) -> Reason | None:
    bet_made = not legal.can_check or any(seat.bet_chips for seat in hand.snapshot().seats)
    if bet_made and kind is ActionKind.BET:
        return Reason.BET_ALREADY_MADE
    if not bet_made and kind is ActionKind.RAISE:
        return Reason.NO_BET_TO_RAISE
    return legal.no_raise_reason or reason_against_size(legal, to_chips)


def reason_against_size(legal: Legal, to_chips: int) -> Reason | None:
    assert legal.raises is not None
    if to_chips > legal.raises.max_to_chips:
        return Reason.ABOVE_STACK
    return Reason.BELOW_MINIMUM if to_chips < legal.raises.min_to_chips else None


def bounds_told(hand: Hand, reason: Reason) -> dict[str, int]:
    """Return the facts that must come with a refusal."""
    legal = hand.legal
    if legal is None:
        return {}
    if reason is Reason.NOT_YOUR_TURN:
        return {"turn_seat": legal.seat}
    facts = {"to_call_chips": legal.to_call_chips}
    if legal.raises:
        facts["min_to_chips"] = legal.raises.min_to_chips
        facts["max_to_chips"] = legal.raises.max_to_chips
    return facts


def everything(hand: Hand, rng: Random) -> list[Action]:
    """Every kind by every seat, with sizes at, around and far from the bounds."""
    sizes = {1, MOST, rng.randint(1, 10**6)}
    if hand.legal and hand.legal.raises:
        bounds = (hand.legal.raises.min_to_chips, hand.legal.raises.max_to_chips)
        sizes |= {bound + by for bound in bounds for by in (-1, 0, 1) if 0 < bound + by <= MOST}
    seats = [seat.seat for seat in hand.setup.seats]
    plain = (ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL)
    sized = (ActionKind.BET, ActionKind.RAISE)
    return [Action(seat, kind) for seat in seats for kind in plain] + [
        Action(seat, kind, size) for seat in seats for kind in sized for size in sizes
    ]


@settings(max_examples=60)
@given(hand_setups(), players_rng())
def test_refusals_name_the_reason_and_the_bounds_eng_046(setup: HandSetup, rng: Random) -> None:
    hand = Hand(setup)
    while True:
        for action in everything(hand, rng):
            reason = reason_against(hand, action)
            if reason is None:
                assert hand.copy().act(action)
                continue
            known = len(hand.events)
            with pytest.raises(IllegalActionError) as refused:
                hand.act(action)
            assert refused.value.reason is reason
            assert refused.value.facts == bounds_told(hand, reason)
            assert (len(hand.events), len(hand.actions)) == (known, len(hand.actions))
        if hand.legal is None:
            return
        hand.act(random_action(hand.legal, rng))
