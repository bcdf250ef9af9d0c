"""Where seats sit: who is left of whom, who posts the blinds, what each position is called.

Seats are numbers 1..10 and ascending is clockwise. ``seats`` is always the ascending tuple of
the seats dealt into the hand (or, for the next button, of those that will be).
"""

from collections.abc import Sequence
from typing import Final

_LATE: Final = ("LJ", "HJ", "CO")


def left_of(seats: Sequence[int], seat: int) -> int:
    """Return the index in ``seats`` of the first seat clockwise after ``seat``.

    ``seat`` need not be one of them: that is how a dead button is handled.
    """
    for index, other in enumerate(seats):
        if other > seat:
            return index
    return 0


def blind_players(seats: Sequence[int], button: int) -> tuple[int, int]:
    """Return the indices in ``seats`` of the small and the big blind (SPEC ENG-021, ENG-022).

    Heads-up the button is the small blind; otherwise, and with a button on an empty seat,
    the blinds are the first two seats left of the button.
    """
    heads_up = len(seats) == 2 and button in seats
    small = seats.index(button) if heads_up else left_of(seats, button)
    return small, (small + 1) % len(seats)


def blind_seats(seats: Sequence[int], button: int) -> tuple[int, int]:
    """Return the seats of the small and the big blind, as `blind_players` finds them."""
    small, big = blind_players(seats, button)
    return seats[small], seats[big]


def position_labels(seats: Sequence[int], button: int) -> dict[int, str]:
    """Return each seat's label, such as ``BTN``, ``SB`` or ``UTG+1`` (SPEC ENG-023).

    A button on an empty seat leaves the label ``BTN`` unused.
    """
    small, big = blind_seats(seats, button)
    labels = {small: "SB", big: "BB"}
    if button in seats:
        labels[button] = "BTN/SB" if button == small else "BTN"
    first = seats.index(big) + 1
    clockwise = [seats[(first + step) % len(seats)] for step in range(len(seats))]
    others = [seat for seat in clockwise if seat not in labels]
    return labels | dict(zip(others, _other_labels(len(others)), strict=True))


def _other_labels(count: int) -> list[str]:
    """Name the seats that are neither blind nor button, from early to late."""
    if not count:
        return []
    late = _LATE[max(0, len(_LATE) + 1 - count) :]
    early = [f"UTG+{step}" for step in range(1, count - len(late))]
    return ["UTG", *early, *late]


def next_button(seats: Sequence[int], button: int, big_blind: int) -> int:
    """Return the next hand's button, given the last hand's button and big blind seats.

    The button moves to the next seat that is dealt in (SPEC ENG-020, ENG-025). When only two
    are left nobody posts the big blind twice running: the last one then gets the button
    (SPEC ENG-026).
    """
    moved = seats[left_of(seats, button)]
    if len(seats) == 2 and blind_seats(seats, moved)[1] == big_blind:
        return big_blind
    return moved
