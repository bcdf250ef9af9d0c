"""Illegal actions, one a turn, that the rules must refuse, and for which reason."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from poker.actions import Action, ActionKind, Legal
from poker.errors import Reason

OTHER_SEATS = range(1, 11)


@dataclass(frozen=True, slots=True)
class Probe:
    """An illegal action and the reasons that may be given for refusing it."""

    action: Action
    reasons: frozenset[Reason]


def illegal_probe(legal: Legal, seats: Sequence[int], random: Random) -> Probe:
    """Choose one illegal action for this turn; every turn has several."""
    probes = [probe for make in _KINDS for probe in make(legal, seats, random)]
    return random.choice(probes)


def _refused(action: Action, *reasons: Reason) -> Probe:
    return Probe(action, frozenset(reasons))


def _free(legal: Legal, _seats: Sequence[int], _random: Random) -> list[Probe]:
    """Fold, check and call where that is not allowed."""
    seat = legal.seat
    probes = []
    if not legal.can_fold:
        probes.append(_refused(Action(seat, ActionKind.FOLD), Reason.NOTHING_TO_CALL))
    if not legal.can_check:
        probes.append(_refused(Action(seat, ActionKind.CHECK), Reason.MUST_CALL_OR_FOLD))
    if not legal.to_call_chips:
        probes.append(_refused(Action(seat, ActionKind.CALL), Reason.NOTHING_TO_CALL))
    return probes


def _sizes(legal: Legal, _seats: Sequence[int], random: Random) -> list[Probe]:
    """Bet and raise below the minimum and above the stack, or name the wrong kind."""
    raises, seat = legal.raises, legal.seat
    if raises is None:
        return []
    above = raises.max_to_chips + random.choice((1, raises.max_to_chips))
    probes = [_refused(Action(seat, raises.kind, above), Reason.ABOVE_STACK)]
    if raises.min_to_chips > 1:
        below = random.choice((raises.min_to_chips - 1, random.randrange(1, raises.min_to_chips)))
        probes.append(_refused(Action(seat, raises.kind, below), Reason.BELOW_MINIMUM))
    if raises.kind is ActionKind.BET:
        wrong, reason = ActionKind.RAISE, Reason.NO_BET_TO_RAISE
    else:
        wrong, reason = ActionKind.BET, Reason.BET_ALREADY_MADE
    probes.append(_refused(Action(seat, wrong, raises.max_to_chips), reason))
    return probes


def _closed(legal: Legal, _seats: Sequence[int], random: Random) -> list[Probe]:
    """Bet or raise with a seat that may not."""
    reason = legal.no_raise_reason
    if legal.raises is not None or reason is None:
        return []
    to_chips = legal.to_call_chips + random.randrange(1, 10_000)
    wrong_kind = (Reason.BET_ALREADY_MADE, Reason.NO_BET_TO_RAISE)
    return [
        _refused(Action(legal.seat, kind, to_chips), reason, *wrong_kind)
        for kind in (ActionKind.RAISE, ActionKind.BET)
    ]


def _wrong_seat(legal: Legal, seats: Sequence[int], random: Random) -> list[Probe]:
    """Act with another seat, in the hand or not."""
    kind = random.choice((ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL))
    waiting = random.choice([seat for seat in seats if seat != legal.seat])
    absent = random.choice([seat for seat in OTHER_SEATS if seat not in seats])
    return [
        _refused(Action(waiting, kind), Reason.NOT_YOUR_TURN),
        _refused(Action(absent, kind), Reason.UNKNOWN_SEAT),
    ]


def _nonsense(legal: Legal, _seats: Sequence[int], _random: Random) -> list[Probe]:
    """Name an amount where none belongs."""
    kind = ActionKind.CHECK if legal.can_check else ActionKind.CALL
    return [_refused(Action(legal.seat, kind, 1), Reason.INVALID_AMOUNT)]


_KINDS: tuple[Callable[[Legal, Sequence[int], Random], list[Probe]], ...] = (
    _free,
    _sizes,
    _closed,
    _wrong_seat,
    _nonsense,
)
