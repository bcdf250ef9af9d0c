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
    results = []
    for pot in pots:
        claims = {seat: strengths[seat] for seat in strengths if seat in pot.eligible}
        if not claims:
            raise InvariantError(Reason.POT_WITHOUT_CLAIMANT, chips=pot.chips)
        best = max(claims.values())
        winners = [seat for seat, strength in claims.items() if strength == best]
        results.append(PotResult(pot.chips, tuple(split(pot.chips, winners))))
    return tuple(results)
