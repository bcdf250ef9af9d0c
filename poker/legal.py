"""What a seat may do on its turn, as values; `poker.legality` works them out."""

from dataclasses import dataclass
from typing import Final

from poker.errors import Reason
from poker.kinds import ActionKind

# What the rules answer at every turn is the most frequent value of all. So these two classes
# write out what `dataclass(frozen=True)` would generate: their attributes are final, which the
# type checker enforces, and once compiled the class itself.


@dataclass(slots=True, init=False, unsafe_hash=True)
class RaiseRange:
    """The bets or raises open to a seat, all bounds as raise-to chips, inclusive.

    ``kind`` is BET when nobody has bet this round, else RAISE. ``full_min_to_chips`` is
    the smallest full bet or raise; ``min_to_chips`` equals it, or is ``max_to_chips`` (an
    all-in) when the stack is shorter. Every whole chip between the bounds is legal.
    """

    kind: Final[ActionKind]
    min_to_chips: Final[int]
    full_min_to_chips: Final[int]
    max_to_chips: Final[int]

    def __init__(
        self, kind: ActionKind, min_to_chips: int, full_min_to_chips: int, max_to_chips: int
    ) -> None:
        self.kind = kind
        self.min_to_chips = min_to_chips
        self.full_min_to_chips = full_min_to_chips
        self.max_to_chips = max_to_chips

    def __reduce__(self) -> tuple[object, ...]:
        bounds = (self.min_to_chips, self.full_min_to_chips, self.max_to_chips)
        return RaiseRange, (self.kind, *bounds)


@dataclass(slots=True, init=False, unsafe_hash=True)
class Legal:
    """Everything a seat may do on its turn.

    Exactly one of ``can_check`` and ``to_call_chips > 0`` holds. ``to_call_chips`` is what
    a call adds, never more than the stack; ``call_all_in`` says that it takes all of it.
    ``raises`` is None when no bet or raise is allowed; ``no_raise_reason`` then says why.
    """

    seat: Final[int]
    can_fold: Final[bool]
    can_check: Final[bool]
    to_call_chips: Final[int]
    call_all_in: Final[bool]
    raises: Final[RaiseRange | None]
    no_raise_reason: Final[Reason | None]

    def __init__(  # noqa: PLR0917 - one for each field
        self,
        seat: int,
        can_fold: bool,
        can_check: bool,
        to_call_chips: int,
        call_all_in: bool,
        raises: RaiseRange | None,
        no_raise_reason: Reason | None = None,
    ) -> None:
        self.seat = seat
        self.can_fold = can_fold
        self.can_check = can_check
        self.to_call_chips = to_call_chips
        self.call_all_in = call_all_in
        self.raises = raises
        self.no_raise_reason = no_raise_reason

    def __reduce__(self) -> tuple[object, ...]:
        calls = (self.can_fold, self.can_check, self.to_call_chips, self.call_all_in)
        return Legal, (self.seat, *calls, self.raises, self.no_raise_reason)
