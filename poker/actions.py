"""What a player does on their turn, and what they may do.

Amounts are raise-to: the total a seat has put in *this betting round*. All-in is not an
action of its own: it is a call, bet or raise for the whole stack.
"""

from dataclasses import dataclass
from enum import StrEnum

from poker.errors import Reason


class Street(StrEnum):
    """The four betting rounds, in order."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


class ActionKind(StrEnum):
    """The five things a player can do."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"


@dataclass(frozen=True, slots=True)
class Action:
    """One decision of one seat.

    ``to_chips`` is the seat's total this betting round after a bet or raise, at least 1;
    it is None for every other kind.
    """

    seat: int
    kind: ActionKind
    to_chips: int | None = None


@dataclass(frozen=True, slots=True)
class RaiseRange:
    """The bets or raises open to a seat, all bounds as raise-to chips, inclusive.

    ``kind`` is BET when nobody has bet this round, else RAISE. ``full_min_to_chips`` is
    the smallest full bet or raise; ``min_to_chips`` equals it, or is ``max_to_chips`` (an
    all-in) when the stack is shorter. Every whole chip between the bounds is legal.
    """

    kind: ActionKind
    min_to_chips: int
    full_min_to_chips: int
    max_to_chips: int


@dataclass(frozen=True, slots=True)
class Legal:
    """Everything a seat may do on its turn.

    Exactly one of ``can_check`` and ``to_call_chips > 0`` holds. ``to_call_chips`` is what
    a call adds, never more than the stack; ``call_all_in`` says that it takes all of it.
    ``raises`` is None when no bet or raise is allowed; ``no_raise_reason`` then says why.
    """

    seat: int
    can_fold: bool
    can_check: bool
    to_call_chips: int
    call_all_in: bool
    raises: RaiseRange | None
    no_raise_reason: Reason | None = None
