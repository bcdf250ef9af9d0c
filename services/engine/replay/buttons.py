"""The dead button of live tables, where the hand-made cases come from (TDA rules 32, 34).

Our tables move the button instead (SPEC ENG-020, `poker.positions.next_button`); heads-up
both rules agree, which `next_hand` makes sure of.
"""

from collections.abc import Sequence
from typing import NamedTuple

from poker.positions import blind_seats, left_of, next_button


class Buttons(NamedTuple):
    """Seats of the button and the blinds; ``small`` None when nobody posts it."""

    button: int
    small: int | None
    big: int


def next_hand(places: int, in_play: Sequence[int], before: Buttons) -> Buttons:
    """Return the buttons of the next hand at a table with seats 1..``places``.

    Nobody skips or repeats the big blind: it moves to the next seat that is ``in_play``
    (ascending), the small blind to where it was, the button to where the small blind was,
    whether or not somebody still sits there.
    """
    if len(in_play) == 2:
        button = next_button(in_play, before.button, before.big)
        return Buttons(button, *blind_seats(in_play, button))
    small_place = before.small if before.small is not None else before.button % places + 1
    small = before.big if before.big in in_play else None
    return Buttons(small_place, small, in_play[left_of(in_play, before.big)])
