"""A hand at one moment, in full. Only servers see it; players get a `poker.view.HandView`."""

from dataclasses import dataclass, field

from poker.actions import ActionKind, Legal, Street
from poker.cards import Card
from poker.events import HoleCards, Pot, SeatResult, ShownHand
from poker.setup import HandRules


@dataclass(frozen=True, slots=True)
class PublicAction:
    """An action as everyone saw it; ``street`` is the round it belongs to."""

    street: Street
    seat: int
    kind: ActionKind
    to_chips: int
    added_chips: int
    all_in: bool


@dataclass(frozen=True, slots=True)
class SeatSnapshot:
    """A seat in full.

    ``position`` is a label such as ``BTN/SB`` or ``UTG+1`` (SPEC ENG-023). ``stack_chips``
    is what is left behind, ``bet_chips`` what it put in this betting round (0 once the hand
    is over), ``put_in_chips`` what it put in this hand. ``shown`` says that everyone has
    seen the cards (all-in reveal or showdown). The ``repr`` leaves the cards out.
    """

    seat: int
    position: str
    start_chips: int
    stack_chips: int
    bet_chips: int
    put_in_chips: int
    folded: bool
    all_in: bool
    hole_cards: HoleCards = field(repr=False)
    shown: bool


@dataclass(frozen=True, slots=True)
class PotResult:
    """A pot as awarded: winners are (seat, chips), left of the button first."""

    chips: int
    winners: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended.

    ``shown`` is empty when everyone but one folded. ``returned`` holds (seat, chips) of
    uncalled bets.
    """

    seats: tuple[SeatResult, ...]
    pots: tuple[PotResult, ...]
    returned: tuple[tuple[int, int], ...]
    shown: tuple[ShownHand, ...]


@dataclass(frozen=True, slots=True)
class HandSnapshot:
    """A hand in full: either a seat must act (``legal``) or it is over (``result``).

    ``pots`` are the closed pots of earlier rounds; ``pot_total_chips`` also counts the
    bets of this round and is 0 once the hand is over.
    """

    hand_id: str
    rules: HandRules
    button: int
    street: Street
    board: tuple[Card, ...]
    pots: tuple[Pot, ...]
    pot_total_chips: int
    seats: tuple[SeatSnapshot, ...]
    actions: tuple[PublicAction, ...]
    legal: Legal | None
    result: HandResult | None
