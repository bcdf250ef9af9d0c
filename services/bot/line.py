"""The public story of a heads-up hand as numbers: who put in how much, street by street.

Player 0 is the big blind, who acts first after the flop; player 1 is the button. Only what
both can lose counts: a stack larger than the other's, and the part of a bet that the other
cannot match, are left out. A line holds no hole cards, so what is worked out from it alone
is the same for every hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from poker.actions import ActionKind, Street
from poker.positions import blind_seats
from services.bot.history import AGGRESSIVE
from services.common.codec import BotView

STREETS: Final = tuple(Street)
PREFLOP, FLOP, TURN, RIVER = range(4)
BOARD_CARDS: Final = (0, 3, 4, 5)

_SMALL_BLIND_SHARES: Final = (0.3, 0.67)
"""Small blinds of this share of the big one play as half of it does."""


@dataclass(frozen=True, slots=True)
class Move:
    """One action; ``to_chips`` is what its player then has in this round.

    ``kind`` is CHECK, CALL or RAISE; a bet is a raise of nothing.
    """

    player: int
    kind: ActionKind
    to_chips: int


@dataclass(frozen=True, slots=True)
class Betting:
    """A moment of a round, in chips.

    ``before`` is what each player put in on earlier streets, ``behind`` what each could put
    in on this one, ``bets`` what they have, ``raised_by`` the least that a raise must add.
    """

    before: int
    behind: int
    bets: tuple[int, int]
    raised_by: int

    @property
    def highest(self) -> int:
        """The bet to match."""
        return max(self.bets)

    @property
    def called_pot(self) -> int:
        """The pot once the highest bet is called."""
        return 2 * (self.before + self.highest)

    @property
    def least_raise_to(self) -> int:
        """The smallest raise there may be; all-in where the stack is too short for it."""
        return min(self.highest + self.raised_by, self.behind)

    @property
    def price(self) -> float:
        """What the last bet asks as a share of the pot with it; 0 when nothing is to call."""
        return (self.highest - min(self.bets)) / (2 * self.before + sum(self.bets))


@dataclass(frozen=True, slots=True)
class Line:
    """What has happened, up to a decision of ``player``; amounts in chips.

    ``stack_chips`` is the smaller stack before the blinds, ``board`` the cards dealt (the
    flop in ascending order, which changes nothing), ``moves`` one tuple a street begun.
    """

    stack_chips: int
    big_blind_chips: int
    small_blind_chips: int
    board: tuple[int, ...]
    moves: tuple[tuple[Move, ...], ...]
    player: int

    @property
    def street(self) -> int:
        """The street of the decision, 0 (before the flop) to 3."""
        return len(self.moves) - 1

    @property
    def depth_bb(self) -> float:
        """The smaller stack in big blinds."""
        return self.stack_chips / self.big_blind_chips

    def before(self, street: int) -> int:
        """Return what each player had put in when a street began, in chips."""
        return sum(self._matched(earlier) for earlier in range(street))

    def behind(self, street: int) -> int:
        """Return what each player could still put in when a street began, in chips."""
        return self.stack_chips - self.before(street)

    def bets(self, street: int, count: int | None = None) -> tuple[int, int]:
        """Return what the players had in a round after its first ``count`` moves (or all)."""
        return self.betting_after(street, self.moves[street][:count]).bets

    def betting(self) -> "Betting":
        """Return the betting at the decision."""
        return self.betting_after(self.street, self.moves[-1])

    def betting_after(self, street: int, moves: Sequence[Move]) -> "Betting":
        """Return the betting on a street after some moves, its own or others."""
        bets = [self.big_blind_chips, self.small_blind_chips] if street == PREFLOP else [0, 0]
        raised_by = self.big_blind_chips
        for move in moves:
            if move.kind is ActionKind.RAISE:
                raised_by = max(raised_by, move.to_chips - max(bets))
            bets[move.player] = move.to_chips
        return Betting(self.before(street), self.behind(street), (bets[0], bets[1]), raised_by)

    def at(self, street: int, count: int = 0) -> "Line":
        """Return the line as it was on a street after its first ``count`` moves."""
        moves = (*self.moves[:street], self.moves[street][:count])
        return Line(
            self.stack_chips,
            self.big_blind_chips,
            self.small_blind_chips,
            self.board[: BOARD_CARDS[street]],
            moves,
            _to_act(street, count),
        )

    def _matched(self, street: int) -> int:
        if street == PREFLOP:
            return max(self.big_blind_chips, *(move.to_chips for move in self.moves[street]))
        return max(move.to_chips for move in self.moves[street])


def _to_act(street: int, count: int) -> int:
    return (count + (street == PREFLOP)) % 2


def read_line(view: BotView) -> Line | None:
    """Return the line of a checked view, or None when it is not an ordinary heads-up hand.

    Ordinary means: two seats, the button on the small blind, the small blind about half of
    the big one, both stacks at least the big blind, and actions in turn.
    """
    if not _ordinary(view):
        return None
    _, big = blind_seats([seat.seat for seat in view.seats], view.button)
    stack = min(seat.start_chips for seat in view.seats)
    replay = _Replay(stack, (view.rules.big_blind_chips, view.rules.small_blind_chips))
    for action in view.actions:
        player = 0 if action.seat == big else 1
        if not replay.act(STREETS.index(action.street), player, action.kind, action.to_chips):
            return None
    player = 0 if view.seat == big else 1
    if not replay.asks(STREETS.index(view.street), player):
        return None
    return Line(
        stack_chips=stack,
        big_blind_chips=view.rules.big_blind_chips,
        small_blind_chips=view.rules.small_blind_chips,
        board=(*sorted(map(int, view.board[:3])), *map(int, view.board[3:])),
        moves=tuple(map(tuple, replay.moves)),
        player=player,
    )


def _ordinary(view: BotView) -> bool:
    rules = view.rules
    least, most = _SMALL_BLIND_SHARES
    return (
        len(view.seats) == 2
        and view.button in {seat.seat for seat in view.seats}
        and least <= rules.small_blind_chips / rules.big_blind_chips <= most
        and all(seat.start_chips >= rules.big_blind_chips for seat in view.seats)
    )


class _Replay:
    """Follows the actions and notices the first that cannot have happened."""

    def __init__(self, stack_chips: int, blinds: Sequence[int]) -> None:
        self.moves: list[list[Move]] = [[]]
        self._left = stack_chips
        self._bets = list(blinds)
        self._closed = False

    def act(self, street: int, player: int, kind: ActionKind, to_chips: int) -> bool:
        if street != len(self.moves) - 1 and not self._deal(street):
            return False
        if self._closed or player != _to_act(street, len(self.moves[-1])):
            return False
        highest, own = max(self._bets), self._bets[player]
        if kind in AGGRESSIVE:
            kind, to_chips = ActionKind.RAISE, min(to_chips, self._left)
            possible = to_chips > highest
        else:
            to_chips = highest
            possible = kind is (ActionKind.CHECK if own == highest else ActionKind.CALL)
        if not possible:
            return False
        opening = not self.moves[-1] and highest < self._left
        self._closed = kind is not ActionKind.RAISE and not (
            opening and (kind is ActionKind.CHECK or street == PREFLOP)
        )
        self._bets[player] = to_chips
        self.moves[-1].append(Move(player, kind, to_chips))
        return True

    def asks(self, street: int, player: int) -> bool:
        """Say whether the player must now decide on a street."""
        if street != len(self.moves) - 1 and not self._deal(street):
            return False
        return (
            not self._closed
            and player == _to_act(street, len(self.moves[-1]))
            and self._bets[player] < self._left
        )

    def _deal(self, street: int) -> bool:
        self._left -= max(self._bets)
        if not self._closed or street != len(self.moves) or self._left <= 0:
            return False
        self._closed, self._bets = False, [0, 0]
        self.moves.append([])
        return True
