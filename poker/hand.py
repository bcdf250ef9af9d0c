"""A hand of no-limit hold'em: a setup, the actions so far, and what follows from them."""

from collections.abc import Iterable, Sequence

from poker.actions import Action, Legal, Street
from poker.betting import NOBODY, Betting
from poker.dealing import BOARD_SIZES, NEXT_STREET, deal_board, deal_holes
from poker.errors import IllegalActionError, MalformedError, Reason
from poker.events import (
    ActionTaken,
    AllInReveal,
    BetReturned,
    BlindPost,
    BlindsPosted,
    CardsDealt,
    Event,
    HandEnded,
    HandStarted,
    HoleCards,
    Pot,
    PotAwarded,
    PotsUpdated,
    Showdown,
    ShownHand,
    StreetDealt,
    TurnStarted,
)
from poker.legality import legal_actions, price
from poker.positions import blind_seats, left_of
from poker.pots import pot_layers
from poker.ranking import rank
from poker.records import public_actions, seat_results, seat_snapshots
from poker.setup import HandSetup
from poker.showdown import award, show_hand
from poker.snapshot import HandResult, HandSnapshot
from poker.validation import validate_action, validate_setup


class Hand:
    """A hand in progress or over; it changes only through `act`.

    Every state is exactly one of two: a seat must act (``legal`` is set) or the hand is over
    (``result`` is set). The constructor posts the blinds and deals; when that leaves nobody
    a decision, the hand is over at once. It raises MalformedError for a setup that makes no
    sense.
    """

    __slots__ = (
        "_actions",
        "_betting",
        "_board",
        "_dealt",
        "_events",
        "_first",
        "_holes",
        "_legal",
        "_pots",
        "_result",
        "_seats",
        "_setup",
        "_shown",
        "_street",
        "_total",
    )

    def __init__(self, setup: HandSetup) -> None:
        validate_setup(setup)
        seats = tuple(seat.seat for seat in setup.seats)
        stacks = [seat.stack_chips for seat in setup.seats]
        self._setup = setup
        self._seats = seats
        # Players are indices into the seats; this one is the first left of the button.
        self._first = left_of(seats, setup.button)
        self._total = sum(stacks)
        self._betting = Betting(setup.rules, seats, stacks)
        self._holes = deal_holes(setup.deck, len(seats), self._first)
        self._board = deal_board(setup.deck, len(seats), burn=setup.rules.burn_cards)
        self._dealt = 0
        self._street = Street.PREFLOP
        self._pots: tuple[Pot, ...] = ()
        self._shown = False
        self._actions: list[Action] = []
        self._events: list[Event] = []
        self._legal: Legal | None = None
        self._result: HandResult | None = None
        self._start()
        self._proceed()

    @property
    def setup(self) -> HandSetup:
        """What the hand started from."""
        return self._setup

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions so far; with ``setup`` they are the whole hand."""
        return tuple(self._actions)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened so far, in full: not for players' eyes."""
        return tuple(self._events)

    @property
    def legal(self) -> Legal | None:
        """What the seat whose turn it is may do; None once the hand is over."""
        if self._legal is None and self._betting.actor != NOBODY:
            self._legal = legal_actions(self._betting)
        return self._legal

    @property
    def result(self) -> HandResult | None:
        """How the hand ended; None until then."""
        return self._result

    def act(self, action: Action) -> tuple[Event, ...]:
        """Carry out one action and everything that follows from it; return the new events.

        A refused action changes nothing: MalformedError when it makes no sense in any state
        of this hand, IllegalActionError, with the legal bounds, when the rules forbid it now.
        """
        added = self._price(action)
        betting = self._betting
        player = betting.actor
        known = len(self._events)
        betting.apply(action.kind, added)
        self._legal = None
        self._actions.append(action)
        to_chips, all_in = betting.bets[player], not betting.stacks[player]
        self._events.append(ActionTaken(action.seat, action.kind, to_chips, added, all_in))
        self._proceed()
        return tuple(self._events[known:])

    def copy(self) -> "Hand":
        """Return an independent copy of the hand as it stands."""
        twin = Hand.__new__(Hand)
        twin._setup = self._setup
        twin._seats = self._seats
        twin._first = self._first
        twin._total = self._total
        twin._betting = self._betting.copy()
        twin._holes = self._holes
        twin._board = self._board
        twin._dealt = self._dealt
        twin._street = self._street
        twin._pots = self._pots
        twin._shown = self._shown
        twin._actions = self._actions.copy()
        twin._events = self._events.copy()
        twin._legal = self._legal
        twin._result = self._result
        return twin

    def snapshot(self) -> HandSnapshot:
        """Return the hand as it stands, in full: not for players' eyes."""
        setup, betting = self._setup, self._betting
        over = self._result is not None
        closed = [paid - bet for paid, bet in zip(betting.put_in, betting.bets, strict=True)]
        return HandSnapshot(
            hand_id=setup.hand_id,
            rules=setup.rules,
            button=setup.button,
            street=self._street,
            board=self._board[: self._dealt],
            pots=() if over or not any(closed) else self._layers(closed),
            pot_total_chips=0 if over else sum(betting.put_in),
            seats=seat_snapshots(setup, betting, self._holes, shown=self._shown),
            actions=public_actions(self._events),
            legal=self.legal,
            result=self._result,
        )

    def _price(self, action: Action) -> int:
        validate_action(action)
        if action.seat not in self._seats:
            raise MalformedError(Reason.UNKNOWN_SEAT, seat=action.seat)
        actor = self._betting.actor
        if actor == NOBODY:
            raise IllegalActionError(Reason.HAND_OVER)
        if action.seat != self._seats[actor]:
            raise IllegalActionError(Reason.NOT_YOUR_TURN, turn_seat=self._seats[actor])
        return price(self._betting, action.kind, action.to_chips or 0)

    def _start(self) -> None:
        setup, seats, betting = self._setup, self._seats, self._betting
        small, big = blind_seats(seats, setup.button)
        stacks = tuple(zip(seats, betting.stacks, strict=True))
        betting.post_blinds(seats.index(small), seats.index(big))
        self._events += (
            HandStarted(setup.hand_id, setup.button, small, big, stacks),
            BlindsPosted((self._blind_post(small), self._blind_post(big))),
            CardsDealt(tuple(zip(seats, self._holes, strict=True))),
        )

    def _blind_post(self, seat: int) -> BlindPost:
        player = self._seats.index(seat)
        return BlindPost(seat, self._betting.bets[player], not self._betting.stacks[player])

    def _proceed(self) -> None:
        """Go on to the next decision or, if there is none, to the end of the hand."""
        betting = self._betting
        betting.check_conserved(self._total)
        if betting.actor == NOBODY:
            self._close_round()
            if betting.live == 1:
                self._finish(())
                return
            if self._street is Street.RIVER or not betting.contested:
                self._show_down()
                return
            self._deal_street()
            betting.start_round(self._first)
        self._events.append(TurnStarted(self._seats[betting.actor]))

    def _close_round(self) -> None:
        back = self._betting.close_round()
        if back:
            self._events.append(BetReturned(self._seats[back[0]], back[1]))
        self._pots = self._layers(self._betting.put_in)
        self._events.append(PotsUpdated(self._pots))

    def _layers(self, put_in: Sequence[int]) -> tuple[Pot, ...]:
        return tuple(
            Pot(chips, tuple(self._seats[player] for player in players))
            for chips, players in pot_layers(put_in, self._betting.folded)
        )

    def _deal_street(self) -> None:
        self._street = NEXT_STREET[self._street]
        size = BOARD_SIZES[self._street]
        self._events.append(StreetDealt(self._street, self._board[self._dealt : size]))
        self._dealt = size

    def _show_down(self) -> None:
        """Turn all hands up, *then* run out the streets that are left (SPEC ENG-035)."""
        self._shown = True
        live = self._live_clockwise()
        if self._street is not Street.RIVER:
            self._events.append(AllInReveal(tuple((seat, self._hole(seat)) for seat in live)))
        while self._street is not Street.RIVER:
            self._deal_street()
        shown = tuple(show_hand(seat, self._hole(seat), self._board) for seat in live)
        self._events.append(Showdown(shown))
        self._finish(shown)

    def _finish(self, shown: tuple[ShownHand, ...]) -> None:
        betting = self._betting
        strengths = {
            seat: rank((*self._hole(seat), *self._board)) if shown else 0
            for seat in self._live_clockwise()
        }
        pots = award(self._pots, strengths)
        for number, pot in enumerate(pots):
            self._events.append(PotAwarded(number, pot.chips, pot.winners))
        won = betting.pay_out(
            (self._seats.index(seat), chips) for pot in pots for seat, chips in pot.winners
        )
        betting.check_paid_out(self._total)
        seats = seat_results(betting, won)
        returned = tuple((e.seat, e.chips) for e in self._events if isinstance(e, BetReturned))
        self._events.append(HandEnded(seats))
        self._result = HandResult(seats, pots, returned, shown)

    def _live_clockwise(self) -> list[int]:
        """Return the seats that have not folded, from the left of the button."""
        order = (*range(self._first, len(self._seats)), *range(self._first))
        return [self._seats[player] for player in order if not self._betting.folded[player]]

    def _hole(self, seat: int) -> HoleCards:
        return self._holes[self._seats.index(seat)]


def replay(setup: HandSetup, actions: Iterable[Action]) -> Hand:
    """Fold a hand from its setup and actions; raises what `Hand` and `Hand.act` raise."""
    hand = Hand(setup)
    for action in actions:
        hand.act(action)
    return hand
