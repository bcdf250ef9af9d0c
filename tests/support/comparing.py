"""Compares a hand in the library with the same hand by the brute-force reference."""

from random import Random

from poker.actions import Legal
from poker.hand import Hand
from poker.setup import HandSetup
from tests.support.reference_rules import ReferenceHand, ReferenceLegal
from tests.support.strategies import random_action


def compare_with_reference(setup: HandSetup, rng: Random) -> int:
    """Play a random hand in both; fail at the first turn or pot that differs; count turns."""
    hand, reference, turns = Hand(setup), ReferenceHand(setup), 0
    while True:
        assert_same_offer(hand.legal, reference.legal())
        assert_same_pots(hand, reference)
        if hand.legal is None:
            return turns
        action = random_action(hand.legal, rng)
        hand.act(action)
        reference.act(action)
        turns += 1


def assert_same_offer(legal: Legal | None, reference: ReferenceLegal | None) -> None:
    """Compare all that a seat may do, down to the bounds."""
    assert (legal is None) == (reference is None)
    if legal is None or reference is None:
        return
    assert legal.seat == reference.seat
    assert (legal.can_fold, legal.can_check) == (reference.can_fold, reference.can_check)
    assert legal.to_call_chips == reference.to_call
    offered = legal.raises and (
        legal.raises.kind,
        legal.raises.min_to_chips,
        legal.raises.full_min_to_chips,
        legal.raises.max_to_chips,
    )
    assert offered == reference.raise_to
    assert (legal.no_raise_reason is None) == (not reference.no_raise)
    assert legal.no_raise_reason is None or legal.no_raise_reason in reference.no_raise


def assert_same_pots(hand: Hand, reference: ReferenceHand) -> None:
    snapshot = hand.snapshot()
    if hand.result is None:
        assert [(pot.chips, pot.eligible) for pot in snapshot.pots] == [
            (pot.chips, pot.eligible) for pot in reference.pots(closed_only=True)
        ]
        assert snapshot.pot_total_chips == sum(map(reference.paid, range(reference.count)))
        return
    awards = reference.awards()
    assert [dict(pot.winners) for pot in hand.result.pots] == awards
    back: dict[int, int] = {}
    for seat, chips in hand.result.returned:
        back[seat] = back.get(seat, 0) + chips
    assert back == reference.returned()
    for result in hand.result.seats:
        assert result.put_in_chips == reference.paid(reference.seats.index(result.seat))
        assert result.won_chips == sum(award.get(result.seat, 0) for award in awards)
