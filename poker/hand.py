"""A hand of no-limit hold'em: a setup, the actions so far, and what follows from them."""

from collections.abc import Iterable
from typing import Final

from poker.actions import Action, Legal, Street
from poker.betting import NOBODY, Betting
from poker.dealing import BOARD_SIZES, NEXT_STREET, deal_board, deal_holes
from poker.errors import IllegalActionError, MalformedError, Reason
from poker.events import ActionTaken, BetReturned, Event, PotAwarded, StreetDealt, TurnStarted
from poker.legality import legal_actions, price
from poker.positions import blind_players, left_of
from poker.pots import check_claimed, pot_layers
from poker.ranking import rank
from poker.records import hand_result, public_actions, seat_snapshots
from poker.setup import HandSetup
from poker.showdown import share_out
from poker.snapshot import HandResult, HandSnapshot
from poker.telling import (
    Entry,
    all_in_reveal,
    blinds_posted,
    cards_dealt,
    hand_ended,
    hand_started,
    pots_by_seat,
    pots_updated,
    showdown,
    tell,
)
from poker.validation import validate_action, validate_setup

_RIVER: Final = Street.RIVER


class Hand:
    """A hand in progress or over; it changes only through `act` and `apply`.

    Every state is exactly one of two: a seat must act (``legal`` is set) or the hand is over
    (``result`` is set). The constructor posts the blinds and deals; when that leaves nobody
    a decision, the hand is over at once. It raises MalformedError for a setup that makes no
    sense.

    Legal actions, events and the result are worked out when they are looked at.
    """

    __slots__ = (
        "_actions",
        "_betting",
        "_board",
        "_dealt",
        "_first",
        "_holes",
        "_legal",
        "_log",
        "_result",
        "_setup",
        "_shown",
        "_street",
        "_told",
        "_total",
    )

    def __init__(self, setup: HandSetup) -> None:
        validate_setup(setup)
        seats = tuple([seat.seat for seat in setup.seats])
        stacks = [seat.stack_chips for seat in setup.seats]
        players = len(seats)
        self._setup = setup
        # Players are indices into the seats; this one is the first left of the button.
        self._first = left_of(seats, setup.button)
        self._total = sum(stacks)
        self._betting = Betting(setup.rules, seats, stacks)
        self._holes = deal_holes(setup.deck, players, self._first)
        self._board = deal_board(setup.deck, players, burn=setup.rules.burn_cards)
        self._dealt = 0
        self._street = Street.PREFLOP
        self._shown = False
        self._actions: list[Action] = []
        self._log: list[Entry] = []
        self._told: tuple[Event, ...] = ()
        self._legal: Legal | None = None
        self._result: HandResult | None = None
        self._start()
        self._proceed()

    def __repr__(self) -> str:
        # Who, where and how much, but never a card.
        turn = "over" if self.legal is None else f"seat {self.legal.seat} to act"
        return f"<Hand {self._setup.hand_id!r}: {self._street}, {turn}>"

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
        known = len(self._told)
        if known < len(self._log):
            self._told += tell(self._log[known:])
        return self._told

    @property
    def legal(self) -> Legal | None:
        """What the seat whose turn it is may do; None once the hand is over."""
        if self._legal is None and self._betting.actor != NOBODY:
            self._legal = legal_actions(self._betting)
        return self._legal

    @property
    def stacks_chips(self) -> tuple[int, ...]:
        """The chips behind of each seat, in seat order: once over, what each goes on with."""
        return tuple(self._betting.stacks)

    @property
    def result(self) -> HandResult | None:
        """How the hand ended; None until then."""
        if self._result is None and self._betting.actor == NOBODY:
            self._result = hand_result(self.events)
        return self._result

    def act(self, action: Action) -> tuple[Event, ...]:
        """Carry out one action and everything that follows from it; return the new events.

        A refused action changes nothing: MalformedError when it makes no sense in any state
        of this hand, IllegalActionError, with the legal bounds, when the rules forbid it now.
        """
        known = len(self._log)
        self.apply(action)
        return tell(self._log[known:])

    def apply(self, action: Action) -> None:
        """Do what `act` does, without building the events: for those who play many hands.

        It checks and refuses the same, and ``events`` still tells everything afterwards.
        """
        added = self._price(action)
        betting = self._betting
        player = betting.actor
        to_chips = betting.bets[player] + added
        is_all_in = added == betting.stacks[player]
        betting.apply(action.kind, added)
        self._legal = None
        self._actions.append(action)
        self._log.append((ActionTaken, action.seat, action.kind, to_chips, added, is_all_in))
        self._proceed()

    def copy(self) -> "Hand":
        """Return an independent copy of the hand as it stands."""
        twin = Hand(self._setup)
        twin._setup = self._setup
        twin._first = self._first
        twin._total = self._total
        twin._betting = self._betting.copy()
        twin._holes = self._holes
        twin._board = self._board
        twin._dealt = self._dealt
        twin._street = self._street
        twin._shown = self._shown
        twin._actions = self._actions.copy()
        twin._log = self._log.copy()
        twin._told = self._told
        twin._legal = self._legal
        twin._result = self._result
        return twin

    def snapshot(self) -> HandSnapshot:
        """Return the hand as it stands, in full: not for players' eyes."""
        setup, betting = self._setup, self._betting
        over = betting.actor == NOBODY
        closed = [paid - bet for paid, bet in zip(betting.put_in, betting.bets, strict=True)]
        return HandSnapshot(
            hand_id=setup.hand_id,
            rules=setup.rules,
            button=setup.button,
            street=self._street,
            board=self._board[: self._dealt],
            pots=()
            if over or not any(closed)
            else pots_by_seat(betting.seats, closed, betting.folded),
            pot_total_chips=0 if over else sum(betting.put_in),
            seats=seat_snapshots(setup, betting, self._holes, shown=self._shown),
            actions=public_actions(self.events),
            legal=self.legal,
            result=self.result,
        )

    def _price(self, action: Action) -> int:
        validate_action(action)
        betting = self._betting
        actor = betting.actor
        if actor != NOBODY and action.seat == betting.seats[actor]:
            return price(betting, action.kind, action.to_chips or 0)
        if action.seat not in betting.seats:
            raise MalformedError(Reason.UNKNOWN_SEAT, seat=action.seat)
        if actor == NOBODY:
            raise IllegalActionError(Reason.HAND_OVER)
        raise IllegalActionError(Reason.NOT_YOUR_TURN, turn_seat=betting.seats[actor])

    def _start(self) -> None:
        betting, seats = self._betting, self._betting.seats
        small, big = blind_players(seats, self._setup.button)
        betting.post_blinds(small, big)
        self._log.append((hand_started, self._setup, seats[small], seats[big]))
        self._log.append((blinds_posted, self._blind_post(small), self._blind_post(big)))
        self._log.append((cards_dealt, seats, self._holes))

    def _blind_post(self, player: int) -> tuple[int, int, bool]:
        betting = self._betting
        return betting.seats[player], betting.bets[player], not betting.stacks[player]

    def _proceed(self) -> None:
        """Go on to the next decision or, if there is none, to the end of the hand."""
        betting = self._betting
        betting.check_conserved(self._total)
        if betting.actor == NOBODY:
            self._close_round()
            if betting.live == 1:
                self._finish({betting.folded.index(False): 0})
                return
            if self._street is _RIVER or not betting.contested:
                self._show_down()
                return
            self._deal_street()
            betting.start_round(self._first)
        self._log.append((TurnStarted, betting.seats[betting.actor]))

    def _close_round(self) -> None:
        betting = self._betting
        back = betting.close_round()
        if back is not None:
            self._log.append((BetReturned, betting.seats[back[0]], back[1]))
        check_claimed(betting.put_in, betting.folded)
        put_in, folded = betting.put_in.copy(), betting.folded.copy()
        self._log.append((pots_updated, betting.seats, put_in, folded))

    def _deal_street(self) -> None:
        self._street = NEXT_STREET[self._street]
        size = BOARD_SIZES[self._street]
        self._log.append((StreetDealt, self._street, self._board[self._dealt : size]))
        self._dealt = size

    def _show_down(self) -> None:
        """Turn all hands up, *then* run out the streets that are left (SPEC ENG-035)."""
        self._shown = True
        seats, holes = self._betting.seats, self._holes
        live = self._live_clockwise()
        hands = [(seats[player], holes[player]) for player in live]
        if self._street is not _RIVER:
            self._log.append((all_in_reveal, hands))
        while self._street is not _RIVER:
            self._deal_street()
        self._log.append((showdown, hands, self._board))
        self._finish({player: rank(holes[player] + self._board) for player in live})

    def _finish(self, strengths: dict[int, int]) -> None:
        """Award the pots, given the strength of each hand still in, left of the button first."""
        betting, seats = self._betting, self._betting.seats
        paid: list[tuple[int, int]] = []
        for number, (chips, claimants) in enumerate(pot_layers(betting.put_in, betting.folded)):
            shares = share_out(chips, claimants, strengths)
            winners = [(seats[player], share) for player, share in shares]
            self._log.append((PotAwarded, number, chips, tuple(winners)))
            paid += shares
        won = betting.pay_out(paid)
        betting.check_paid_out(self._total)
        self._log.append((hand_ended, seats, betting.put_in, won, betting.stacks))

    def _live_clockwise(self) -> list[int]:
        """Return the players who have not folded, from the left of the button."""
        folded, players = self._betting.folded, len(self._betting.folded)
        live = []
        for step in range(players):
            player = (self._first + step) % players
            if not folded[player]:
                live.append(player)
        return live


def replay(setup: HandSetup, actions: Iterable[Action]) -> Hand:
    """Fold a hand from its setup and actions; raises what `Hand` and `Hand.act` raise."""
    hand = Hand(setup)
    for action in actions:
        hand.apply(action)
    return hand
