"""The rules of betting and pots once more: slow, obvious, straight from the rule pages.

Written from the three pages and SPEC 1.1 alone, without the library's betting, legality or
pots before the eyes, to be compared with them on random hands. Nothing is kept but a log of
who did what; every question is answered by reading the log from the start.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from phevaluator import evaluate_cards

from poker.actions import Action, ActionKind
from poker.errors import Reason
from poker.setup import HandSetup, ReopenRule

PREFLOP, RIVER = 0, 3
BOARD_CARDS = (0, 3, 4, 5)


@dataclass(frozen=True)
class Entry:
    """One line of the log: on this street this player added so many chips."""

    street: int
    player: int
    what: str  # "blind", "return" (its chips are negative) or a kind of action
    chips: int


@dataclass(frozen=True)
class ReferenceLegal:
    """What the seat to act may do; ``raise_to`` is (kind, min, full min, max) or None."""

    seat: int
    can_fold: bool
    can_check: bool
    to_call: int
    raise_to: tuple[ActionKind, int, int, int] | None
    no_raise: frozenset[Reason]


@dataclass(frozen=True)
class ReferencePot:
    """A pot and the seats that may win it."""

    chips: int
    eligible: tuple[int, ...]


class ReferenceHand:
    """A hand by the pages' own words; players are numbered clockwise from the button's left."""

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        seats = [seat.seat for seat in setup.seats]
        self.seats = [s for s in seats if s > setup.button] + [
            s for s in seats if s <= setup.button
        ]
        self.count = len(seats)
        self.start = {seat.seat: seat.stack_chips for seat in setup.seats}
        self.log: list[Entry] = []
        self.street = PREFLOP
        self.over = False
        # "The player to their left posts the small blind and the next player the big blind";
        # "with two players, the button posts the small blind".
        self.small, self.big = 0, 1
        if self.count == 2 and self.seats[1] == setup.button:
            self.small, self.big = 1, 0
        self._post(self.small, setup.rules.small_blind_chips)
        self._post(self.big, setup.rules.big_blind_chips)
        # "Starting with the player to the left of the big blind."
        self.next = (self.big + 1) % self.count
        self._go_on()

    # What the log says ---------------------------------------------------------------------

    def paid(self, player: int) -> int:
        """Return what the player has put in this hand."""
        return sum(entry.chips for entry in self.log if entry.player == player)

    def bet(self, player: int) -> int:
        """Return what the player has put in this betting round."""
        return sum(e.chips for e in self.log if e.player == player and e.street == self.street)

    def stack(self, player: int) -> int:
        """Return what the player has left."""
        return self.start[self.seats[player]] - self.paid(player)

    def folded(self, player: int) -> bool:
        """Say whether the player gave up the hand."""
        return any(e.player == player and e.what == ActionKind.FOLD for e in self.log)

    def live(self) -> list[int]:
        """Return the players still in the hand."""
        return [player for player in range(self.count) if not self.folded(player)]

    def acted(self, player: int) -> bool:
        """Say whether the player has acted in this betting round (posting is not acting)."""
        return any(e.player == player for e in self._round() if e.what in set(ActionKind))

    def story(self) -> list[tuple[int, int, int]]:
        """Return (player, price, smallest full raise) after each action of this round.

        The first item, of no player, is the start of the round: "preflop, the big blind itself
        counts as a bet", in full though it may have been posted short.
        """
        big_blind = self.setup.rules.big_blind_chips
        price, full = (big_blind if self.street == PREFLOP else 0), big_blind
        told = [(-1, price, full)]
        totals = dict.fromkeys(range(self.count), 0)
        for entry in self._round():
            totals[entry.player] += entry.chips
            if entry.what in {ActionKind.BET, ActionKind.RAISE}:
                size = totals[entry.player] - price
                price = totals[entry.player]
                full = max(full, size)
            if entry.what != "blind":
                told.append((entry.player, price, full))
        return told

    def price(self) -> int:
        """Return the highest bet, which all others have to match."""
        return self.story()[-1][1]

    def full_raise(self) -> int:
        """Return the last full bet or raise of the round, at first one big blind."""
        return self.story()[-1][2]

    def _round(self) -> list[Entry]:
        return [entry for entry in self.log if entry.street == self.street]

    # Whose turn, and what then ----------------------------------------------------------------

    def must_act(self, player: int) -> bool:
        """Say whether the player owes the table a decision."""
        if self.folded(player) or self.stack(player) == 0:
            return False
        others = [other for other in self.live() if other != player]
        if not any(self.stack(other) for other in others):
            # Nobody else can act: only somebody who has put in more is left to answer.
            return any(self.paid(other) > self.paid(player) for other in others)
        return not self.acted(player) or self.bet(player) < self.price()

    def legal(self) -> ReferenceLegal | None:
        """Return what may be done by whose turn it is; None once the hand is over."""
        if self.over:
            return None
        player = self.next
        owed = self.price() - self.bet(player)
        reasons = self._no_raise(player)
        return ReferenceLegal(
            seat=self.seats[player],
            can_fold=owed > 0 or self.setup.rules.allow_fold_when_check_available,
            can_check=owed == 0,
            to_call=min(owed, self.stack(player)),
            raise_to=None if reasons else self._raise_to(player),
            no_raise=frozenset(reasons),
        )

    def _raise_to(self, player: int) -> tuple[ActionKind, int, int, int]:
        kind = ActionKind.RAISE if self.price() else ActionKind.BET
        least = self.price() + self.full_raise()
        most = self.bet(player) + self.stack(player)
        return kind, min(least, most), least, most

    def _no_raise(self, player: int) -> set[Reason]:
        """Return every reason for which the player may not bet or raise."""
        reasons = set()
        if self.bet(player) + self.stack(player) <= self.price():
            reasons.add(Reason.STACK_TOO_SHORT)
        if self.acted(player) and not self._reopened(player):
            reasons.add(Reason.NOT_REOPENED)
        others = [other for other in self.live() if other != player]
        if not self.setup.rules.allow_raise_when_none_can_call and not any(
            self.stack(other) > 0 and self.bet(other) + self.stack(other) > self.price()
            for other in others
        ):
            reasons.add(Reason.NO_OPPONENT_CAN_CALL)
        return reasons

    def _reopened(self, player: int) -> bool:
        """Say whether the player, who has acted, may raise again."""
        story = self.story()
        mine = max(at for at, (who, _, _) in enumerate(story) if who == player)
        if self.setup.rules.reopen_rule is ReopenRule.CUMULATIVE:
            # "The total raised by others since your last action is at least one full raise."
            return story[-1][1] - story[mine][1] >= story[-1][2]
        # "An all-in for less than a full raise doesn't reopen": one of them must be full.
        since = zip(story[mine:], story[mine + 1 :], strict=False)
        return any(after[1] - before[1] >= before[2] for before, after in since)

    # Going on -----------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        """Carry out an action, which must be legal."""
        player = self.next
        chips = 0
        if action.kind is ActionKind.CALL:
            chips = min(self.price() - self.bet(player), self.stack(player))
        elif action.to_chips is not None:
            chips = action.to_chips - self.bet(player)
        self.log.append(Entry(self.street, player, action.kind, chips))
        self.next = (player + 1) % self.count
        self._go_on()

    def _post(self, player: int, blind: int) -> None:
        self.log.append(Entry(PREFLOP, player, "blind", min(blind, self.stack(player))))

    def _go_on(self) -> None:
        while not self.over:
            clockwise = [(self.next + step) % self.count for step in range(self.count)]
            waiting = [player for player in clockwise if self.must_act(player)]
            if waiting and len(self.live()) > 1:
                self.next = waiting[0]
                return
            self._return_uncalled()
            self.over = len(self.live()) == 1 or self.street == RIVER
            self.street = min(self.street + 1, RIVER)
            self.next = 0

    def _return_uncalled(self) -> None:
        """Give back what exceeds "the highest amount anyone else put in"."""
        *_, second, first = sorted(range(self.count), key=self.paid)
        excess = self.paid(first) - self.paid(second)
        if excess:
            self.log.append(Entry(self.street, first, "return", -excess))

    # The end ------------------------------------------------------------------------------------

    def returned(self) -> dict[int, int]:
        """Return what went back to which seat."""
        back: dict[int, int] = {}
        for entry in self.log:
            if entry.what == "return":
                seat = self.seats[entry.player]
                back[seat] = back.get(seat, 0) - entry.chips
        return back

    def pots(self, *, closed_only: bool = False) -> list[ReferencePot]:
        """Return the pots, main pot first; ``closed_only`` leaves this round's bets out."""
        put_in = [self.paid(p) - (self.bet(p) if closed_only else 0) for p in range(self.count)]
        return layers(self.seats, put_in, set(self.live()))

    def awards(self) -> list[dict[int, int]]:
        """Return for each pot what each winning seat gets."""
        return [self._award(pot) for pot in self.pots()]

    def _award(self, pot: ReferencePot) -> dict[int, int]:
        winners = [seat for seat in self.seats if seat in pot.eligible]
        if len(self.live()) > 1:
            strength = {seat: self._strength(seat) for seat in winners}
            # The evaluator's best hand is number 1.
            winners = [seat for seat in winners if strength[seat] == min(strength.values())]
        shares = {seat: pot.chips // len(winners) for seat in winners}
        for seat in winners[: pot.chips % len(winners)]:
            shares[seat] += 1
        return shares

    def _strength(self, seat: int) -> int:
        at = self.seats.index(seat)
        deck, burn = self.setup.deck, int(self.setup.rules.burn_cards)
        flop = 2 * self.count + burn
        turn = flop + 3 + burn
        river = turn + 1 + burn
        cards = (deck[at], deck[self.count + at], *deck[flop : flop + 3], deck[turn], deck[river])
        return int(evaluate_cards(*cards))


def layers(seats: list[int], put_in: list[int], live: set[int]) -> list[ReferencePot]:
    """Split contributions into pots: one layer for each amount that somebody put in.

    "Each layer is contested by the players who contributed to that layer"; chips of folded
    players "stay in the pot", and a layer that only they reach belongs to the one below.
    """
    pots: list[ReferencePot] = []
    floor = 0
    for level in sorted(set(put_in) - {0}):
        chips = sum(min(paid, level) - min(paid, floor) for paid in put_in)
        floor = level
        contesting = (seats[p] for p in sorted(live) if put_in[p] >= level)
        eligible = tuple(sorted(contesting))
        if pots and eligible in {pots[-1].eligible, ()}:
            pots[-1] = ReferencePot(pots[-1].chips + chips, pots[-1].eligible)
        else:
            pots.append(ReferencePot(chips, eligible))
    return pots


def play(setup: HandSetup, actions: Iterable[Action]) -> ReferenceHand:
    """Fold a hand from its setup and actions."""
    hand = ReferenceHand(setup)
    for action in actions:
        hand.act(action)
    return hand
