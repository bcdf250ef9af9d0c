"""What a player does on their turn, and what they may do.

Amounts are raise-to: the total a seat has put in *this betting round*. All-in is not an
action of its own: it is a call, bet or raise for the whole stack.
"""

from poker.kinds import ActionKind, Street
from poker.legal import Legal, RaiseRange
from poker.values import value

__all__ = ["Action", "ActionKind", "Legal", "RaiseRange", "Street"]


@value
class Action:
    """One decision of one seat.

    ``to_chips`` is the seat's total this betting round after a bet or raise, at least 1;
    it is None for every other kind.
    """

    seat: int
    kind: ActionKind
    to_chips: int | None = None
