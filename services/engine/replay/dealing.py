"""A deck that deals the recorded cards, and others where none were recorded."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from poker.cards import DECK, Card
from poker.positions import left_of

BOARD_SIZE = 5


def deck_for(
    seats: Sequence[int],
    button: int,
    holes: Mapping[int, Sequence[Card]],
    board: Sequence[Card],
) -> tuple[Card, ...]:
    """Return a full deck, from the top, that deals these cards without burns.

    ``seats`` ascend. A seat missing from ``holes`` and missing board cards get cards that
    nobody else has. A card given twice stays twice: refusing it is for the rules.
    """
    known = {*chain.from_iterable(holes.values()), *board}
    unused = iter([card for card in DECK if card not in known])
    first = left_of(seats, button)
    clockwise = [*seats[first:], *seats[:first]]
    dealt = [tuple(holes.get(seat) or (next(unused), next(unused))) for seat in clockwise]
    full_board = [*board, *(next(unused) for _ in range(BOARD_SIZE - len(board)))]
    return (*_one_at_a_time(dealt), *full_board, *unused)


def _one_at_a_time(hands: Sequence[Sequence[Card]]) -> Iterable[Card]:
    """Order hole cards as they leave the deck: one to everybody, then a second."""
    return [hand[round_no] for round_no in range(2) for hand in hands]
