"""What the rules refuse, and why.

::

    PokerError
    ├── MalformedError       the input makes no sense in any state
    ├── IllegalActionError   the input makes sense, but the rules forbid it now
    └── InvariantError       the library itself is wrong; stop, never continue
"""

from collections.abc import Mapping
from enum import Enum, StrEnum


class Reason(StrEnum):
    """Machine-readable cause of a refusal; callers branch on it, never on text."""

    __repr__ = Enum.__str__

    # malformed
    UNKNOWN_CARD = "unknown_card"
    DUPLICATE_CARD = "duplicate_card"
    INVALID_DECK = "invalid_deck"
    INVALID_HAND = "invalid_hand"
    INVALID_BLINDS = "invalid_blinds"
    INVALID_RULES = "invalid_rules"
    INVALID_SEATS = "invalid_seats"
    INVALID_STACK = "invalid_stack"
    INVALID_BUTTON = "invalid_button"
    INVALID_AMOUNT = "invalid_amount"
    INVALID_ACTION = "invalid_action"
    UNKNOWN_SEAT = "unknown_seat"
    INVALID_REQUEST = "invalid_request"
    # illegal now
    HAND_OVER = "hand_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOTHING_TO_CALL = "nothing_to_call"
    MUST_CALL_OR_FOLD = "must_call_or_fold"
    BET_ALREADY_MADE = "bet_already_made"
    NO_BET_TO_RAISE = "no_bet_to_raise"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_STACK = "above_stack"
    NOT_REOPENED = "not_reopened"
    NO_OPPONENT_CAN_CALL = "no_opponent_can_call"
    STACK_TOO_SHORT = "stack_too_short"
    # invariant
    CHIPS_NOT_CONSERVED = "chips_not_conserved"
    POT_WITHOUT_CLAIMANT = "pot_without_claimant"


class PokerError(Exception):
    """A refusal with its reason and the facts a caller may show or compare.

    Facts never hold a card that some seat may not see.
    """

    def __init__(self, reason: Reason, **facts: int | str) -> None:
        self.reason = reason
        self.facts: Mapping[str, int | str] = facts
        detail = ", ".join(f"{name}={value}" for name, value in facts.items())
        super().__init__(f"{reason.value} ({detail})" if detail else reason.value)

    def __repr__(self) -> str:
        facts = "".join(f", {name}={value!r}" for name, value in self.facts.items())
        return f"{type(self).__name__}({self.reason!r}{facts})"

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders whole: reason and facts, not only the text.
        return _rebuilt, (type(self), self.reason, dict(self.facts))


class MalformedError(PokerError):
    """The input is wrong whatever the state: an unknown card, a negative stack."""


class IllegalActionError(PokerError):
    """The action is not allowed now; the facts hold the legal bounds."""


class InvariantError(PokerError):
    """The rules library contradicts itself; the request must stop."""


def _rebuilt(kind: type[PokerError], reason: Reason, facts: dict[str, int | str]) -> PokerError:
    return kind(reason, **facts)
