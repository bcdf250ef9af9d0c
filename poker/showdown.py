"""Who wins: hands turned up, compared, and pots awarded."""

from collections.abc import Mapping, Sequence

from poker.cards import Card
from poker.errors import InvariantError, Reason
from poker.events import HoleCards, Pot, ShownHand
from poker.naming import hand_name
from poker.pots import split
from poker.ranking import best_five, category_of, rank
from poker.snapshot import PotResult


def show_hand(seat: int, hole_cards: HoleCards, board: tuple[Card, ...]) -> ShownHand:
    """Describe a hand turned up on a full board."""
    cards = (*hole_cards, *board)
    strength = rank(cards)
    return ShownHand(
        seat=seat,
        hole_cards=hole_cards,
        category=category_of(strength).value,
        name=hand_name(strength),
        best_five=best_five(cards),
    )


def award(pots: Sequence[Pot], strengths: Mapping[int, int]) -> tuple[PotResult, ...]:
    """Give each pot to its best eligible hand or, tied, split it (SPEC ENG-072, ENG-073).

    ``strengths`` maps each seat that is still in to the strength of its hand, in order from
    the left of the button, which is the order of odd chips.
    """
    return tuple(
        PotResult(pot.chips, tuple(share_out(pot.chips, pot.eligible, strengths))) for pot in pots
    )


def share_out(
    chips: int, eligible: Sequence[int], strengths: Mapping[int, int]
) -> list[tuple[int, int]]:
    """Return (winner, chips) for one pot, in the order of ``strengths``, as for `award`."""
    best = -1
    winners: list[int] = []
    for seat, strength in strengths.items():
        if strength >= best and seat in eligible:
            if strength > best:
                best = strength
                winners = []
            winners.append(seat)
    if not winners:
        raise InvariantError(Reason.POT_WITHOUT_CLAIMANT, chips=chips)
    return split(chips, winners)
