"""The public actions with the situation each was taken in."""

from collections.abc import Iterator
from dataclasses import dataclass

from poker.actions import ActionKind, Street
from services.bot.view import blinds
from services.common.codec import BotView, PublicSeat

AGGRESSIVE = frozenset({ActionKind.BET, ActionKind.RAISE})


@dataclass(frozen=True, slots=True)
class Step:
    """One action and what its seat faced; amounts in chips.

    ``pot_chips`` is everything in the middle before the action, ``to_call_chips`` what
    matching the highest bet would have added, ``raises`` how many bets and raises were
    made before it in its round (blinds not counted), ``opponents`` how many others were
    live, ``behind`` how many of them had not acted yet in the round, and
    ``effective_chips`` the most the seat could lose to any of them from the start.
    ``leader_behind`` says that the last to bet or raise in the round before is another live
    seat that has not acted yet: players usually check to it.
    """

    street: Street
    seat: int
    kind: ActionKind
    pot_chips: int
    to_call_chips: int
    to_chips: int
    added_chips: int
    raises: int
    opponents: int
    behind: int
    effective_chips: int
    all_in: bool
    leader_behind: bool

    @property
    def pot_fraction(self) -> float:
        """Size of a bet or raise over the call, as a share of the pot after the call."""
        over = max(0, self.added_chips - self.to_call_chips)
        return over / max(1, self.pot_chips + self.to_call_chips)

    @property
    def price(self) -> float:
        """Size of the bet faced as a share of the pot before it (0 when none was)."""
        return self.to_call_chips / max(1, self.pot_chips - self.to_call_chips)


def steps(view: BotView) -> Iterator[Step]:
    """Replay the actions; yields one `Step` each, in order."""
    street = Street.PREFLOP
    bets = blinds(view)
    pot = sum(bets.values())
    highest = view.rules.big_blind_chips
    raises = 0
    folded: set[int] = set()
    acted: set[int] = set()
    leader = next_leader = 0
    for action in view.actions:
        if action.street is not street:
            street, bets, highest, raises, acted = action.street, {}, 0, 0, set()
            leader, next_leader = next_leader, 0
        others = [s for s in view.seats if s.seat != action.seat and s.seat not in folded]
        yield Step(
            street=street,
            seat=action.seat,
            kind=action.kind,
            pot_chips=pot,
            to_call_chips=max(0, highest - bets.get(action.seat, 0)),
            to_chips=action.to_chips,
            added_chips=action.added_chips,
            raises=raises,
            opponents=len(others),
            behind=sum(s.seat not in acted for s in others),
            effective_chips=_effective(view, action.seat, others),
            all_in=action.all_in,
            leader_behind=leader in {s.seat for s in others} - acted,
        )
        acted.add(action.seat)
        pot += action.added_chips
        bets[action.seat] = bets.get(action.seat, 0) + action.added_chips
        highest = max(highest, bets[action.seat])
        if action.kind in AGGRESSIVE:
            raises += 1
            next_leader = action.seat
        elif action.kind is ActionKind.FOLD:
            folded.add(action.seat)


def _effective(view: BotView, seat: int, others: list[PublicSeat]) -> int:
    own = next(s.start_chips for s in view.seats if s.seat == seat)
    return min(own, max((s.start_chips for s in others), default=own))


def leader_behind(view: BotView) -> bool:
    """Say whether the seat to act comes before the last bettor of the round before."""
    before = [a for a in view.actions if a.street is not view.street and a.kind in AGGRESSIVE]
    if not before or view.street is Street.PREFLOP:
        return False
    order = list(Street)
    acted = {action.seat for action in view.actions if action.street is view.street}
    last = before[-1]
    live = {seat.seat for seat in view.seats if not seat.folded and not seat.all_in}
    previous = order[order.index(view.street) - 1]
    return last.street is previous and last.seat in live - acted - {view.seat}
