"""Solving the turn and the river as they are played.

The first own decision of a street solves it from its start, with the bet that was made
before it in the tree, or from after the check. Later moves follow that solution. A raise of
the other player that it does not know is solved anew from the decision to raise, so that all
that player could have done instead is in the tree: no hand gains by choosing an odd size
(nested solving after Brown & Sandholm 2017). The river after a solved turn starts with the
ranges of the turn's solution, and with what plain styles leave. A part of what those hold goes on
to be played by habit in the tree (ADR 18). Why nothing is bounded by the values of the earlier
solution: see ADR 16.

A solution is a function of the public line and the seat that decides. The cache only saves
work: another process, or this one after forgetting, solves the same chain again.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poker.actions import ActionKind
from services.bot.beliefs import Beliefs, believe, doubted, heard, plainly, plays, settle
from services.bot.budget import PLAIN_SIZES, Budget, check_done
from services.bot.combos import COMBOS
from services.bot.line import BOARD_CARDS, RIVER, TURN, Line, Move
from services.bot.policy import Floats
from services.bot.solver import PASS, Habits, Solution, Subgame, solve
from services.bot.solver import Move as TreeMove
from services.bot.solver.subgame import Vector
from services.bot.translation import Library

_CACHED_MAX: Final = 12
_SAME_SHARE: Final = 0.02
"""Raises that differ by less than this share of the pot are one."""

_BY_HABIT: Final = 0.75
"""How much of what plain styles hold goes on to be played so in the tree.

The rest answers River as well as it can. All of it wins most from plain players, and leaves most
to who passes for one (ADR 18).
"""

_Key = tuple[Line, int]
"""A line up to where it is solved, and the player who decides."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """A node of a solution that stands for a moment of the hand.

    ``before`` is how likely the other player, with each combo and playing soundly, made the moves
    of the street up to the root of the solution.
    """

    solution: Solution
    node: int
    before: Vector


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """What to solve: ranges after the moves already made on the street, sizes to add there.

    ``shares`` has a row a typical style: how much of the weight of each combo of the other player
    plays so.
    """

    ranges: tuple[Floats, Floats]
    shares: Floats
    history: tuple[TreeMove, ...] = ()
    inserted: tuple[TreeMove, ...] = ()


class Resolver:
    """Solves for the decisions of one process, and remembers the last solutions."""

    def __init__(self, library: Library, budget: Budget) -> None:
        self.library = library
        self._budget = budget
        self._cache: OrderedDict[_Key, Solution] = OrderedDict()

    def stand(self, line: Line) -> Standing:
        """Return where a line stands at its decision on the turn or river.

        Raises SolverError where the line cannot be solved, OverBudgetError when the time a
        decision may take is up.
        """
        return _Chain(self, line, line.player, self._budget.deadline()).street(line.street)

    def cached(self, key: _Key) -> Solution | None:
        """Return a solution that is remembered."""
        if key in self._cache:
            self._cache.move_to_end(key)
        return self._cache.get(key)

    def solve(self, key: _Key, task: _Task, deadline: float | None) -> Solution:
        """Solve a task, and remember the solution unless time was short."""
        line, street = key[0], key[0].street
        game = Subgame(
            board=line.board,
            pot_chips=2 * line.before(street),
            behind_chips=line.behind(street),
            ranges=task.ranges,
            sizes=PLAIN_SIZES,
            history=task.history,
            inserted={task.history: task.inserted} if task.inserted else {},
            habits=Habits(1 - key[1], task.shares, plays),
            big_blind_chips=line.big_blind_chips,
        )
        game, iterations = self._budget.sizes_for(game)
        solution = solve(game, iterations, deadline)
        check_done(solution.iterations, iterations)
        solution.release()
        if solution.iterations == iterations:
            self._cache[key] = solution
            while len(self._cache) > _CACHED_MAX:
                self._cache.popitem(last=False)
        return solution


@dataclass(frozen=True, eq=False)
class _Chain:
    """The solves that lead to one decision of ``hero``."""

    resolver: Resolver
    line: Line
    hero: int
    deadline: float | None

    def street(self, street: int) -> Standing:
        """Follow all moves of a street, the turn or the river."""
        standing = self._first(street)
        for count in range(self._checked(street), len(self.line.moves[street])):
            standing = self._after(standing, street, count)
        return standing

    def _checked(self, street: int) -> int:
        """Return 1 where the button's street is solved after the other player's check, else 0.

        The check is read like the moves of earlier streets. A bet stays a choice in the tree: what
        a range says of it could be abused.
        """
        made = self.line.moves[street][: self.hero]
        return int(bool(made) and made[0].kind is not ActionKind.RAISE)

    def _first(self, street: int) -> Standing:
        # The button's first decision comes after one move, the big blind's before any.
        made = self.line.moves[street][: self.hero]
        key = (self.line.at(street, len(made)), self.hero)
        solution = self.resolver.cached(key)
        if solution is None:
            inserted = tuple(move.to_chips for move in made if move.kind is ActionKind.RAISE)
            beliefs = self._at_turn if street == TURN else self._at_river()
            board = self.line.board[: BOARD_CARDS[street]]
            history = _history(made[: self._checked(street)])
            shares = _BY_HABIT * _shares(beliefs.others[1:], beliefs.others.sum(axis=0))
            task = _Task(_settled(beliefs.ranges, board), shares, history, inserted)
            solution = self.resolver.solve(key, task, self.deadline)
        return Standing(solution, solution.root, np.ones(len(COMBOS), np.float32))

    @cached_property
    def _at_turn(self) -> Beliefs:
        """Return the beliefs that the turn is solved from."""
        line = self.line.at(TURN, self._checked(TURN))
        return believe(line, self.hero, self.resolver.library)

    def _at_river(self) -> Beliefs:
        """Return those of the river: the solved turn's ranges, and what plain styles leave.

        The turn was solved for the mixture of all ways to play, so its solution says what becomes
        of the part that plays soundly.
        """
        turn, before, library = self.street(TURN), self._at_turn, self.resolver.library
        reached = turn.solution.river_ranges(turn.node, self.line.board[-1])
        likely = turn.before * turn.solution.likely(turn.node, 1 - self.hero)
        soundly = before.others[0] * doubted(likely.astype(np.float64))
        plain = plainly(before, self.line, TURN, self._checked(TURN), library)
        begun = replace(
            believe(self.line.at(RIVER), self.hero, library),
            own=reached[self.hero].astype(np.float64),
            others=np.vstack([soundly, plain]),
        )
        checks = self.line.moves[RIVER][: self._checked(RIVER)]
        return heard(begun, self.line, RIVER, checks, library) if checks else begun

    def _after(self, standing: Standing, street: int, count: int) -> Standing:
        solution, node = standing.solution, standing.node
        known = self._known(standing, street, count)
        if known is not None:
            return Standing(solution, solution.child(node, known), standing.before)
        return self._below(standing, street, count)

    def _below(self, standing: Standing, street: int, count: int) -> Standing:
        """Solve what follows a raise that the solution so far does not know."""
        move = self.line.moves[street][count]
        theirs = move.player != self.hero
        key = (self.line.at(street, count + 1), self.hero)
        solution = self.resolver.cached(key)
        other = 1 - self.hero
        before = standing.before * standing.solution.likely(standing.node, other)
        if solution is None:
            board = self.line.board[: BOARD_CARDS[street]]
            reach = standing.solution.reach(standing.node)
            shares = _shares(standing.solution.by_habit(standing.node), reach[other])
            # What was the other player's choice stays one; a raise of one's own is a fact,
            # made by a person before River took over the seat.
            history = _history(self.line.moves[street][: count + (not theirs)])
            inserted = (move.to_chips,) if theirs else ()
            solution = self.resolver.solve(
                key, _Task(_settled(reach, board), shares, history, inserted), self.deadline
            )
        if not theirs:
            return Standing(solution, solution.root, before)
        raises = [to for to in solution.moves(solution.root) if to > 0]
        made = min(raises, key=lambda to: abs(to - move.to_chips))
        return Standing(solution, solution.child(solution.root, made), before)

    def _known(self, standing: Standing, street: int, count: int) -> TreeMove | None:
        """Return the move of the tree that the next real move is, None for an unknown raise."""
        move, betting = (
            self.line.moves[street][count],
            self.line.betting_after(street, self.line.moves[street][:count]),
        )
        if move.kind is not ActionKind.RAISE:
            return PASS
        near = _SAME_SHARE * betting.called_pot
        raises = [to for to in standing.solution.moves(standing.node) if to > 0]
        all_in = move.to_chips == betting.behind
        found = [
            to
            for to in raises
            if abs(to - move.to_chips) <= near and (to == betting.behind) == all_in
        ]
        return min(found, key=lambda to: abs(to - move.to_chips), default=None)


def _settled(
    ranges: Sequence[NDArray[np.floating]], board: tuple[int, ...]
) -> tuple[Floats, Floats]:
    first, second = ranges
    return settle(first, board), settle(second, board)


def _shares(parts: NDArray[np.floating], whole: NDArray[np.floating]) -> Floats:
    """Return how much of a range each part is, by combo; nothing where the range is empty."""
    found = np.divide(parts, whole, out=np.zeros(parts.shape), where=whole > 0)
    shares: Floats = found.astype(np.float32)
    return shares


def _history(moves: Sequence[Move]) -> tuple[TreeMove, ...]:
    return tuple(move.to_chips if move.kind is ActionKind.RAISE else PASS for move in moves)
