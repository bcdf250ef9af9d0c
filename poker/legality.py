"""What the seat whose turn it is may do, and what it costs (SPEC ENG-040..063)."""

from typing import Final

from poker.betting import Betting
from poker.errors import IllegalActionError, Reason
from poker.kinds import ActionKind
from poker.legal import Legal, RaiseRange
from poker.setup import ReopenRule

# Members of an enum are slow to reach through their class.
_FOLD: Final = ActionKind.FOLD
_CHECK: Final = ActionKind.CHECK
_CALL: Final = ActionKind.CALL
_BET: Final = ActionKind.BET
_RAISE: Final = ActionKind.RAISE


def legal_actions(betting: Betting) -> Legal:
    """Return everything that the actor may do; there must be one."""
    actor = betting.actor
    to_call = _to_call(betting)
    reason = _why_no_raise(betting)
    return Legal(
        seat=betting.seats[actor],
        can_fold=to_call > 0 or betting.rules.allow_fold_when_check_available,
        can_check=to_call == 0,
        to_call_chips=to_call,
        call_all_in=to_call == betting.stacks[actor],
        raises=_raise_range(betting) if reason is None else None,
        no_raise_reason=reason,
    )


def price(betting: Betting, kind: ActionKind, to_chips: int) -> int:
    """Return the chips that an action would take from the actor's stack.

    ``to_chips`` matters for bets and raises only. Raises IllegalActionError with the legal
    bounds when the rules forbid the action now.
    """
    if kind is _BET or kind is _RAISE:
        reason = _why_not_to(betting, kind, to_chips)
        if reason is not None:
            raise _refusal(betting, reason)
        return to_chips - betting.bets[betting.actor]
    to_call = _to_call(betting)
    if kind is _CALL:
        if to_call:
            return to_call
        raise _refusal(betting, Reason.NOTHING_TO_CALL)
    if kind is _CHECK:
        if to_call:
            raise _refusal(betting, Reason.MUST_CALL_OR_FOLD)
        return 0
    if to_call or betting.rules.allow_fold_when_check_available:
        return 0
    raise _refusal(betting, Reason.NOTHING_TO_CALL)


def _to_call(betting: Betting) -> int:
    to_match = betting.high - betting.bets[betting.actor]
    if not to_match:
        return 0
    return min(to_match, betting.stacks[betting.actor])


def _why_not_to(betting: Betting, kind: ActionKind, to_chips: int) -> Reason | None:
    """Return what forbids this bet or raise, or None."""
    if kind is _BET and betting.high:
        return Reason.BET_ALREADY_MADE
    if kind is _RAISE and not betting.high:
        return Reason.NO_BET_TO_RAISE
    reason = _why_no_raise(betting)
    if reason is not None:
        return reason
    most = betting.bets[betting.actor] + betting.stacks[betting.actor]
    if to_chips > most:
        return Reason.ABOVE_STACK
    # Going all-in is the one exception and may be smaller (SPEC ENG-052).
    if to_chips < min(betting.high + betting.full_raise, most):
        return Reason.BELOW_MINIMUM
    return None


def _why_no_raise(betting: Betting) -> Reason | None:
    """Return what forbids the actor any bet or raise, or None."""
    actor = betting.actor
    to_match = betting.high - betting.bets[actor]
    if betting.stacks[actor] <= to_match:
        return Reason.STACK_TOO_SHORT
    if not _can_be_called(betting) and not betting.rules.allow_raise_when_none_can_call:
        return Reason.NO_OPPONENT_CAN_CALL
    if betting.closed[actor] and not _reopened(betting, to_match):
        return Reason.NOT_REOPENED
    return None


def _can_be_called(betting: Betting) -> bool:
    """Say whether an opponent has chips to put in beyond the highest bet (SPEC ENG-054)."""
    high, bets = betting.high, betting.bets
    for player, stack in enumerate(betting.stacks):
        beyond = bets[player] + stack > high
        if beyond and not betting.folded[player] and player != betting.actor:
            return True
    return False


def _reopened(betting: Betting, growth: int) -> bool:
    """Say whether short raises since the actor's last action reopen the betting to them.

    The actor had matched the bet then, so ``growth`` is what they are short of it now.
    """
    cumulative = betting.rules.reopen_rule is ReopenRule.CUMULATIVE
    return cumulative and growth >= betting.full_raise


def _raise_range(betting: Betting) -> RaiseRange:
    actor = betting.actor
    most = betting.bets[actor] + betting.stacks[actor]
    full = betting.high + betting.full_raise
    kind = _RAISE if betting.high else _BET
    return RaiseRange(
        kind=kind,
        min_to_chips=min(full, most),
        full_min_to_chips=full,
        max_to_chips=most,
    )


def _refusal(betting: Betting, reason: Reason) -> IllegalActionError:
    legal = legal_actions(betting)
    facts = {"to_call_chips": legal.to_call_chips}
    if legal.raises is not None:
        facts["min_to_chips"] = legal.raises.min_to_chips
        facts["max_to_chips"] = legal.raises.max_to_chips
    return IllegalActionError(reason, **facts)
