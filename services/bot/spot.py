"""The facts of a decision that every stage needs, worked out once from the view."""

from dataclasses import dataclass

from poker.actions import Street
from services.bot.combos import Weights, combo_index, type_of, without_cards
from services.bot.history import AGGRESSIVE
from services.bot.reading import read_ranges
from services.bot.view import highest_bet_chips
from services.common.codec import BotView, PublicSeat


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision as its seat sees it; amounts in chips.

    ``pot_chips`` counts only what the seat can win: the part of a larger stack's bet that
    it cannot match is left out. ``cap_chips`` is the largest raise-to that risks more than
    a smaller one. ``raises`` counts the bets and raises of this round, ``behind`` the live
    opponents who have not acted in it and still can.
    """

    view: BotView
    own: PublicSeat
    opponents: tuple[PublicSeat, ...]
    pot_chips: int
    to_call_chips: int
    highest_chips: int
    cap_chips: int
    raises: int
    behind: int
    in_position: bool

    @property
    def combo(self) -> int:
        """Index in `COMBOS` of the seat's own cards."""
        return combo_index(*self.view.hole_cards)

    @property
    def kind(self) -> int:
        """Type (0..168) of the seat's own cards."""
        return type_of(*self.view.hole_cards)

    @property
    def big_blind_chips(self) -> int:
        """The nominal big blind."""
        return self.view.rules.big_blind_chips

    @property
    def depth_bb(self) -> float:
        """The most the seat can lose in the hand, in big blinds, before the blinds."""
        largest = max(seat.start_chips for seat in self.opponents)
        return min(self.own.start_chips, largest) / self.big_blind_chips

    @property
    def behind_chips(self) -> int:
        """What the seat and its largest opponent can still put in after a call."""
        return max(0, self.cap_chips - self.highest_chips)

    @property
    def betting_ends(self) -> bool:
        """Whether a call leaves nothing to decide: it is all-in, or everybody else is."""
        return self.view.legal.call_all_in or self.behind_chips == 0

    def opponent_ranges(self) -> list[Weights]:
        """Return what each live opponent may hold, own cards taken out."""
        ranges = read_ranges(self.view)
        return [without_cards(ranges[seat.seat], self.view.hole_cards) for seat in self.opponents]


def spot_of(view: BotView) -> Spot:
    """Work out the facts of a checked view."""
    own = next(seat for seat in view.seats if seat.seat == view.seat)
    others = tuple(s for s in view.seats if s.seat != view.seat and not s.folded)
    reach = own.put_in_chips + own.stack_chips
    highest = highest_bet_chips(view)
    round_actions = [action for action in view.actions if action.street is view.street]
    acted = {action.seat for action in round_actions}
    everyone = view.seats
    return Spot(
        view=view,
        own=own,
        opponents=others,
        pot_chips=sum(min(seat.put_in_chips, reach) for seat in everyone),
        to_call_chips=view.legal.to_call_chips,
        highest_chips=highest,
        cap_chips=min(
            own.bet_chips + own.stack_chips, max(s.bet_chips + s.stack_chips for s in others)
        ),
        raises=sum(action.kind in AGGRESSIVE for action in round_actions),
        behind=sum(s.seat not in acted and not s.all_in for s in others),
        in_position=_acts_last(view, own, others),
    )


def _acts_last(view: BotView, own: PublicSeat, others: tuple[PublicSeat, ...]) -> bool:
    """Say whether the seat closes the betting after the flop (SPEC ENG-031)."""

    def after_button(seat: PublicSeat) -> int:
        return (seat.seat - view.button - 1) % 10

    return all(after_button(seat) < after_button(own) for seat in others if not seat.all_in)


def is_preflop(view: BotView) -> bool:
    """Say whether no community card is dealt."""
    return view.street is Street.PREFLOP
