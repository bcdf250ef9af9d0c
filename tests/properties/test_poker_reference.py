"""The library against the brute-force reference: every turn, every amount, every pot."""

from random import Random

import pytest
from hypothesis import given, settings

from poker.actions import Action, ActionKind
from poker.errors import PokerError
from poker.hand import Hand
from poker.setup import HandSetup
from tests.support.comparing import compare_with_reference
from tests.support.reference_rules import ReferenceHand, ReferenceLegal
from tests.support.strategies import hand_setups, players_rng, random_action


@settings(max_examples=700)
@given(hand_setups(), players_rng())
def test_library_and_reference_agree_at_every_turn(setup: HandSetup, rng: Random) -> None:
    compare_with_reference(setup, rng)


def attempts(reference: ReferenceLegal, rng: Random) -> list[Action]:
    """Everything a seat might try, with amounts at and around each bound."""
    amounts = {1, rng.randint(1, 300), 10**12}
    if reference.raise_to:
        _, least, full, most = reference.raise_to
        amounts |= {at + by for at in (least, full, most) for by in (-1, 0, 1) if at + by > 0}
    plain = [Action(reference.seat, kind) for kind in ActionKind if kind not in {"bet", "raise"}]
    return plain + [
        Action(reference.seat, kind, to)
        for kind in (ActionKind.BET, ActionKind.RAISE)
        for to in amounts
    ]


def allowed(reference: ReferenceLegal, action: Action) -> bool:
    if action.kind is ActionKind.FOLD:
        return reference.can_fold
    if action.kind is ActionKind.CHECK:
        return reference.can_check
    if action.kind is ActionKind.CALL:
        return not reference.can_check
    if reference.raise_to is None or action.to_chips is None:
        return False
    kind, least, _, most = reference.raise_to
    return action.kind is kind and least <= action.to_chips <= most


@settings(max_examples=100)
@given(hand_setups(), players_rng())
def test_exactly_what_the_reference_allows_is_accepted_eng_046(
    setup: HandSetup, rng: Random
) -> None:
    hand, reference = Hand(setup), ReferenceHand(setup)
    while (offer := reference.legal()) is not None:
        assert hand.legal is not None
        for action in attempts(offer, rng):
            twin = hand.copy()
            if allowed(offer, action):
                twin.act(action)
            else:
                with pytest.raises(PokerError):
                    twin.act(action)
                assert (twin.legal, twin.events) == (hand.legal, hand.events)
        action = random_action(hand.legal, rng)
        hand.act(action)
        reference.act(action)
