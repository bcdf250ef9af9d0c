"""One hand's chips and turns: whose turn it is and what an action does to the table.

Players are indices 0..n-1 in clockwise order here. The state is a few flat lists that change
in place, since this is the part that simulations run millions of times: loops are written out,
which costs nothing at up to nine players and compiles to machine code.
"""

from collections.abc import Iterable
from typing import Final

from poker.errors import InvariantError, Reason
from poker.kinds import ActionKind
from poker.pots import uncalled
from poker.setup import HandRules

NOBODY: Final = -1

# Members of an enum are slow to reach through their class.
_FOLD: Final = ActionKind.FOLD


class Betting:
    """The chips of a hand and the betting round in progress.

    ``stacks`` are chips behind, ``bets`` chips put in this round, ``put_in`` chips put in
    this hand, all by player. ``high`` is the bet to match: the full big blind before the
    flop, even when a short stack posted less (SPEC ENG-064). ``full_raise`` is the size of
    the last full bet or raise (SPEC ENG-051). ``closed`` marks whoever has acted since then:
    for them betting is closed until the bet grows by another full one (SPEC ENG-060,
    ENG-063). ``actor`` is whose turn it is, or NOBODY.
    """

    __slots__ = (
        "_can_act",
        "_live",
        "actor",
        "bets",
        "closed",
        "folded",
        "full_raise",
        "high",
        "put_in",
        "rules",
        "seats",
        "stacks",
    )

    def __init__(self, rules: HandRules, seats: tuple[int, ...], stacks: list[int]) -> None:
        players = len(seats)
        self.rules = rules
        self.seats = seats
        self.stacks = stacks.copy()
        self.bets = [0] * players
        self.put_in = [0] * players
        self.folded = [False] * players
        self.high: int = 0
        self.actor: int = NOBODY
        # Players who have not folded, and those of them who still have chips.
        self._live = players
        self._can_act = players
        self.closed = [False] * players
        self.full_raise: int = rules.big_blind_chips

    def copy(self) -> "Betting":
        """Return an independent copy."""
        twin = Betting(self.rules, self.seats, self.stacks)
        twin.bets = self.bets.copy()
        twin.put_in = self.put_in.copy()
        twin.folded = self.folded.copy()
        twin.high = self.high
        twin.actor = self.actor
        twin._live = self._live
        twin._can_act = self._can_act
        twin.closed = self.closed.copy()
        twin.full_raise = self.full_raise
        return twin

    @property
    def live(self) -> int:
        """How many players have not folded."""
        return self._live

    @property
    def contested(self) -> bool:
        """Whether at least two players can still bet."""
        return self._can_act >= 2

    def post_blinds(self, small: int, big: int) -> None:
        """Post both blinds, as far as the stacks go, and give the turn to the player after."""
        self._pay(small, min(self.rules.small_blind_chips, self.stacks[small]))
        self._pay(big, min(self.rules.big_blind_chips, self.stacks[big]))
        self.high = self.rules.big_blind_chips
        self.actor = self._next_actor(big + 1)

    def start_round(self, first: int) -> None:
        """Give the turn to the first player from ``first`` on who can act."""
        self.actor = self._next_actor(first)

    def apply(self, kind: ActionKind, chips: int) -> None:
        """Carry out the actor's action, with the chips that `poker.legality.price` found."""
        actor = self.actor
        if kind is _FOLD:
            self.folded[actor] = True
            self._live -= 1
            self._can_act -= 1
        elif chips:
            self._pay(actor, chips)
            grown = self.bets[actor] - self.high
            if grown > 0:
                self.high += grown
                if grown >= self.full_raise:
                    self.full_raise = grown
                    self.closed = [False] * len(self.closed)
        self.closed[actor] = True
        self.actor = self._next_actor(actor + 1)

    def close_round(self) -> tuple[int, int] | None:
        """End the round: the unmatched part of a bet goes back to its owner.

        Returns (player, chips) of what went back, or None.
        """
        back = uncalled(self.bets)
        if back is not None:
            player, chips = back
            # Nobody else still in has chips, so that betting is over: whether the owner
            # can act again makes no difference.
            self.stacks[player] += chips
            self.put_in[player] -= chips
        players = len(self.bets)
        self.bets = [0] * players
        self.closed = [False] * players
        self.high = 0
        self.full_raise = self.rules.big_blind_chips
        return back

    def pay_out(self, shares: Iterable[tuple[int, int]]) -> list[int]:
        """Put (player, chips) shares of the pots on the stacks; return what each player won."""
        won = [0] * len(self.stacks)
        for player, chips in shares:
            won[player] += chips
            self.stacks[player] += chips
        return won

    def check_conserved(self, total: int) -> None:
        """Raise InvariantError unless stacks and pot hold ``total`` chips, none negative."""
        held = 0
        for chips in self.put_in:
            held += chips
        self._check_stacks(total, held)

    def check_paid_out(self, total: int) -> None:
        """Raise InvariantError unless the pot is empty: the stacks hold ``total`` chips."""
        self._check_stacks(total, 0)

    def _check_stacks(self, total: int, held: int) -> None:
        for chips in self.stacks:
            if chips < 0:
                raise InvariantError(Reason.CHIPS_NOT_CONSERVED, total_chips=total)
            held += chips
        if held != total:
            raise InvariantError(Reason.CHIPS_NOT_CONSERVED, total_chips=total)

    def _pay(self, player: int, chips: int) -> None:
        self.stacks[player] -= chips
        self.bets[player] += chips
        self.put_in[player] += chips
        if not self.stacks[player]:
            self._can_act -= 1

    def _next_actor(self, start: int) -> int:
        if self._live < 2:
            return NOBODY
        players = len(self.bets)
        player = start
        for _ in range(players):
            if player == players:
                player = 0
            if not self.folded[player] and self.stacks[player]:
                is_due = not self.closed[player] or self.bets[player] != self.high
                if is_due and (self._can_act > 1 or not self._covers_all(player)):
                    return player
            player += 1
        return NOBODY

    def _covers_all(self, player: int) -> bool:
        """Say whether nobody who is still in has bet more.

        The only player with chips then has nothing to decide, not even whether to make up a
        nominal big blind that was posted short (SPEC ENG-036, ENG-065).
        """
        mine = self.bets[player]
        for other, bet in enumerate(self.bets):
            if bet > mine and not self.folded[other]:
                return False
        return True
