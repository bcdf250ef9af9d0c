"""A hand as donksolver's heads-up game has it, whose small blind acts first on every street.

The real one has the button and acts last after the flop. Before the flop a spot is put as it
is. After it the button becomes the seat that acts last, and the actions before the flop are
retold so that the same player raised last: the button's raise follows a limp.
"""

from typing import Final

from poker.actions import ActionKind, Street
from poker.snapshot import PublicAction
from services.bot.history import AGGRESSIVE
from services.bot.spot import is_preflop
from services.common.codec import BotView

Told = tuple[int, int, int]
"""One action as donksolver reads it: seat (0 is its small blind), 1 if a fold, chips added."""

_FIRST: Final = 0
_LAST: Final = 1


def told(view: BotView) -> list[Told]:
    """Retell a heads-up view's actions in donksolver's seats and order."""
    before = [action for action in view.actions if action.street is Street.PREFLOP]
    after = view.actions[len(before) :]
    blinds = {_FIRST: view.rules.small_blind_chips, _LAST: view.rules.big_blind_chips}
    if is_preflop(view):
        button = _FIRST
    else:
        button = _LAST
        if before[0].kind in AGGRESSIVE:
            before = [_limp(view), *before]
        elif before[1].kind in AGGRESSIVE:
            before = before[1:]
        else:
            # A limp and a check: whoever it was, the first completes and the last checks.
            before = [_limp(view), _check(view)]
    seats = {s.seat: button if s.seat == view.button else 1 - button for s in view.seats}
    return _priced(before, seats, blinds) + _priced(after, seats, {})


def _limp(view: BotView) -> PublicAction:
    other = next(seat.seat for seat in view.seats if seat.seat != view.button)
    to_chips = view.rules.big_blind_chips
    return PublicAction(Street.PREFLOP, other, ActionKind.CALL, to_chips, 0, all_in=False)


def _check(view: BotView) -> PublicAction:
    to_chips = view.rules.big_blind_chips
    return PublicAction(Street.PREFLOP, view.button, ActionKind.CHECK, to_chips, 0, all_in=False)


def _priced(
    actions: list[PublicAction] | tuple[PublicAction, ...],
    seats: dict[int, int],
    bets: dict[int, int],
) -> list[Told]:
    """Write actions with the chips they add to what a seat has bet on the street."""
    found: list[Told] = []
    street = None
    for action in actions:
        if street is not None and action.street is not street:
            bets = {}
        street = action.street
        seat = seats[action.seat]
        if action.kind is ActionKind.FOLD:
            found.append((seat, 1, 0))
            continue
        to_chips = max(action.to_chips, bets.get(seat, 0))
        found.append((seat, 0, to_chips - bets.get(seat, 0)))
        bets[seat] = to_chips
    return found
