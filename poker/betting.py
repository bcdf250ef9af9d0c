"""One hand's chips and turns: who must act, what they may do, what it costs.

Players are indices 0..n-1 in clockwise order here. The state is a few flat lists that change
in place, since this is the part that simulations run millions of times.
"""

from collections.abc import Iterable, Sequence

from poker.actions import ActionKind, Legal, RaiseRange
from poker.errors import IllegalActionError, InvariantError, Reason
from poker.pots import uncalled
from poker.setup import HandRules, ReopenRule

NOBODY = -1


class Betting:
    """The chips of a hand and the betting round in progress.

    ``stacks`` are chips behind, ``bets`` chips put in this round, ``put_in`` chips put in
    this hand, all by player. ``high`` is the bet to match: the full big blind before the
    flop, even when a short stack posted less (SPEC ENG-064). ``actor`` is whose turn it is,
    or NOBODY.
    """

    __slots__ = (
        "_can_act",
        "_closed",
        "_full_raise",
        "_live",
        "_rules",
        "actor",
        "bets",
        "folded",
        "high",
        "put_in",
        "seats",
        "stacks",
    )

    def __init__(self, rules: HandRules, seats: Sequence[int], stacks: Sequence[int]) -> None:
        players = len(seats)
        self._rules = rules
        self.seats = seats
        self.stacks = list(stacks)
        self.bets = [0] * players
        self.put_in = [0] * players
        self.folded = [False] * players
        self.high = 0
        self.actor = NOBODY
        # Players who have not folded, and those of them who still have chips.
        self._live = players
        self._can_act = players
        # Whoever has acted since the last full bet or raise: for them betting is closed
        # until the bet grows by another full one (SPEC ENG-060, ENG-063).
        self._closed = [False] * players
        self._full_raise = rules.big_blind_chips

    def copy(self) -> "Betting":
        """Return an independent copy."""
        twin = Betting.__new__(Betting)
        twin._rules = self._rules
        twin.seats = self.seats
        twin.stacks = self.stacks.copy()
        twin.bets = self.bets.copy()
        twin.put_in = self.put_in.copy()
        twin.folded = self.folded.copy()
        twin.high = self.high
        twin.actor = self.actor
        twin._live = self._live
        twin._can_act = self._can_act
        twin._closed = self._closed.copy()
        twin._full_raise = self._full_raise
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
        self._pay(small, min(self._rules.small_blind_chips, self.stacks[small]))
        self._pay(big, min(self._rules.big_blind_chips, self.stacks[big]))
        self.high = self._rules.big_blind_chips
        self.actor = self._next_actor(big + 1)

    def start_round(self, first: int) -> None:
        """Give the turn to the first player from ``first`` on who can act."""
        self.actor = self._next_actor(first)

    def price(self, kind: ActionKind, to_chips: int) -> int:
        """Return the chips that an action would take from the actor's stack.

        ``to_chips`` matters for bets and raises only. Raises IllegalActionError with the
        legal bounds when the rules forbid the action now.
        """
        to_call = self._to_call()
        if kind is ActionKind.FOLD:
            if to_call or self._rules.allow_fold_when_check_available:
                return 0
            raise self._refusal(Reason.NOTHING_TO_CALL)
        if kind is ActionKind.CHECK:
            if to_call:
                raise self._refusal(Reason.MUST_CALL_OR_FOLD)
            return 0
        if kind is ActionKind.CALL:
            if to_call:
                return to_call
            raise self._refusal(Reason.NOTHING_TO_CALL)
        return self._price_of_raise(kind, to_chips)

    def apply(self, kind: ActionKind, chips: int) -> None:
        """Carry out the actor's action, with the chips that `price` returned for it."""
        actor = self.actor
        if kind is ActionKind.FOLD:
            self.folded[actor] = True
            self._live -= 1
            self._can_act -= 1
        elif chips:
            self._pay(actor, chips)
            grown = self.bets[actor] - self.high
            if grown > 0:
                self.high += grown
                if grown >= self._full_raise:
                    self._full_raise = grown
                    self._closed = [False] * len(self._closed)
        self._closed[actor] = True
        self.actor = self._next_actor(actor + 1)

    def close_round(self) -> tuple[int, int] | None:
        """End the round: the unmatched part of a bet goes back to its owner.

        Returns (player, chips) of what went back, or None.
        """
        back = uncalled(self.bets)
        if back:
            player, chips = back
            if not self.stacks[player]:
                self._can_act += 1
            self.stacks[player] += chips
            self.put_in[player] -= chips
        players = len(self.bets)
        self.bets = [0] * players
        self._closed = [False] * players
        self.high = 0
        self._full_raise = self._rules.big_blind_chips
        return back

    def legal(self) -> Legal:
        """Return everything that the actor may do."""
        to_call = self._to_call()
        reason = self._why_no_raise()
        return Legal(
            seat=self.seats[self.actor],
            can_fold=to_call > 0 or self._rules.allow_fold_when_check_available,
            can_check=to_call == 0,
            to_call_chips=to_call,
            call_all_in=to_call == self.stacks[self.actor],
            raises=None if reason else self._raise_range(),
            no_raise_reason=reason,
        )

    def pay_out(self, shares: Iterable[tuple[int, int]]) -> list[int]:
        """Put (player, chips) shares of the pots on the stacks; return what each player won."""
        won = [0] * len(self.stacks)
        for player, chips in shares:
            won[player] += chips
            self.stacks[player] += chips
        return won

    def check_conserved(self, total: int) -> None:
        """Raise InvariantError unless stacks and pot hold ``total`` chips, none negative."""
        if min(self.stacks) < 0 or sum(self.stacks) + sum(self.put_in) != total:
            raise InvariantError(Reason.CHIPS_NOT_CONSERVED, total_chips=total)

    def check_paid_out(self, total: int) -> None:
        """Raise InvariantError unless the pot is empty: the stacks hold ``total`` chips."""
        if min(self.stacks) < 0 or sum(self.stacks) != total:
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
        for step in range(players):
            player = (start + step) % players
            if self.folded[player] or not self.stacks[player]:
                continue
            if self._closed[player] and self.bets[player] == self.high:
                continue
            if self._can_act > 1 or not self._covers_all(player):
                return player
        return NOBODY

    def _covers_all(self, player: int) -> bool:
        """Say whether nobody who is still in has bet more.

        The only player with chips then has nothing to decide, not even whether to make up a
        nominal big blind that was posted short (SPEC ENG-036, ENG-065).
        """
        mine = self.bets[player]
        return all(bet <= mine or out for bet, out in zip(self.bets, self.folded, strict=True))

    def _to_call(self) -> int:
        return min(self.high - self.bets[self.actor], self.stacks[self.actor])

    def _why_no_raise(self) -> Reason | None:
        actor = self.actor
        to_match = self.high - self.bets[actor]
        if self.stacks[actor] <= to_match:
            return Reason.STACK_TOO_SHORT
        if not self._rules.allow_raise_when_none_can_call and not self._can_be_called():
            return Reason.NO_OPPONENT_CAN_CALL
        if self._closed[actor] and not self._reopened(to_match):
            return Reason.NOT_REOPENED
        return None

    def _can_be_called(self) -> bool:
        """Say whether an opponent has chips to put in beyond the highest bet (SPEC ENG-054)."""
        return any(
            bet + stack > self.high and not out and player != self.actor
            for player, (bet, stack, out) in enumerate(
                zip(self.bets, self.stacks, self.folded, strict=True)
            )
        )

    def _reopened(self, growth: int) -> bool:
        """Say whether short raises since the actor's last action reopen the betting to them.

        The actor had matched the bet then, so ``growth`` is what they are short of it now.
        """
        cumulative = self._rules.reopen_rule is ReopenRule.CUMULATIVE
        return cumulative and growth >= self._full_raise

    def _raise_range(self) -> RaiseRange:
        most = self.bets[self.actor] + self.stacks[self.actor]
        full = self.high + self._full_raise
        return RaiseRange(
            kind=ActionKind.RAISE if self.high else ActionKind.BET,
            min_to_chips=min(full, most),
            full_min_to_chips=full,
            max_to_chips=most,
        )

    def _price_of_raise(self, kind: ActionKind, to_chips: int) -> int:
        if kind is ActionKind.BET and self.high:
            raise self._refusal(Reason.BET_ALREADY_MADE)
        if kind is ActionKind.RAISE and not self.high:
            raise self._refusal(Reason.NO_BET_TO_RAISE)
        reason = self._why_no_raise()
        if reason:
            raise self._refusal(reason)
        mine = self.bets[self.actor]
        most = mine + self.stacks[self.actor]
        if to_chips > most:
            raise self._refusal(Reason.ABOVE_STACK)
        if to_chips < min(self.high + self._full_raise, most):
            raise self._refusal(Reason.BELOW_MINIMUM)
        return to_chips - mine

    def _refusal(self, reason: Reason) -> IllegalActionError:
        legal = self.legal()
        facts = {"to_call_chips": legal.to_call_chips}
        if legal.raises:
            facts["min_to_chips"] = legal.raises.min_to_chips
            facts["max_to_chips"] = legal.raises.max_to_chips
        return IllegalActionError(reason, **facts)
