"""A solved subgame, to be walked move by move."""

import time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.bot.combos import COMBOS
from services.bot.jit import Matrix
from services.bot.solver.build import Built, build, masses
from services.bot.solver.ends import Street
from services.bot.solver.errors import SolverError
from services.bot.solver.kernels import AVERAGE, BEST, SOLVE, SUMS, Game, iterate
from services.bot.solver.sizes import History, Move, Sizes, StreetSizes
from services.bot.solver.subgame import Subgame, Vector
from services.bot.solver.tree import DEALT, DECISION, Node

_LEAST_MASS: Final = 1e-9
KINDS: Final = ("decision", "folded", "showdown", "dealt")

_BOTH: Final = np.array([0, 1], np.int32)
_NOTHING: Final = np.zeros((0, 0, 0), np.float32)


def solve(subgame: Subgame, iterations: int, stop_at: float | None = None) -> "Solution":
    """Solve a subgame by so many iterations, or fewer when `time.monotonic()` passes `stop_at`.

    Without `stop_at` the same subgame gives the same solution, bit for bit. Raises SolverError
    for a subgame that does not exist or less than one iteration.
    """
    if iterations < 1:
        raise SolverError("solving takes at least one iteration")
    built = build(subgame)
    step = 20 if subgame.is_river else 2
    done = 0
    while done < iterations:
        end = min(done + step, iterations)
        iterate(built.game, (done + 1, end + 1), SOLVE, _BOTH, _NOTHING)
        done = end
        if stop_at is not None and time.monotonic() >= stop_at:
            break
    return Solution(built, done)


def warm_up() -> None:
    """Compile everything, or load it: a few seconds the first time on a machine."""
    even = np.ones(len(COMBOS), np.float32)
    street = StreetSizes((1.0,), ())
    solve(Subgame((0, 13, 26, 39), 2, 2, (even, even), Sizes(street, street)), 1)


class Solution:
    """The average strategies of a solved subgame, and what they are worth.

    A node is an int. Vectors have one item a combo, in the order of `COMBOS`. Values are
    chips won from the node on: folding is 0, winning the pot at once is the whole pot as it
    is at the node, and what is still put in counts against. Where a combo can meet no hand of
    the opponent's range at a node, or is not in its own player's range, its value is 0 and its
    strategy even.
    """

    def __init__(self, built: Built, iterations: int) -> None:
        self.subgame = built.subgame
        self.iterations = iterations
        self.root = 0
        self._game: Game | None = built.game
        self._layout = built.layout
        self._leaves = built.game.leaves
        self._tree = built.visible
        self._nodes = built.visible.nodes
        self._values: list[Matrix] = []
        self._reach: list[Matrix] = []
        self._starts: list[NDArray[np.float32]] = []
        self._paths = built.paths
        for player in (0, 1):
            self._evaluate(player)
        self._sums = [self._visible_sums(player) for player in (0, 1)]

    def _learned(self) -> Game:
        if self._game is None:
            raise SolverError("what was learned is released")
        return self._game

    def _street(self) -> Street:
        game = self._learned()
        return game.river if self.subgame.is_river else game.street

    def release(self) -> None:
        """Give back the memory of learning, up to 40 MB on a turn; keep what a player needs.

        Afterwards `best_response` and `exploitability` raise SolverError.
        """
        self._game = None

    def _evaluate(self, player: int) -> None:
        """Value the average strategies for one player and keep what the kernels leave."""
        game = self._learned()
        rivers, leaves = game.river.counts.shape[1], len(game.leaves)
        shape = (rivers, leaves, game.river.values.shape[1])
        saved = _NOTHING if self.subgame.is_river else np.zeros(shape, np.float32)
        self._pass(player, AVERAGE, saved)
        street = self._street()
        self._values.append(street.values.copy())
        self._reach.append(street.reach.copy())  # the other player's
        self._starts.append(saved)

    def _pass(self, player: int, mode: int, saved: NDArray[np.float32]) -> None:
        iterate(self._learned(), (1, 2), mode, np.array([player], np.int32), saved)

    def _visible_sums(self, player: int) -> Matrix:
        street = self._street()
        return np.array(street.learned[SUMS + player])

    def _combos(self, player: int) -> NDArray[np.int64]:
        """Return the combos in the order of the vectors of the visible tree."""
        layout = self._layout
        combos = layout.combos[player]
        if not self.subgame.is_river:
            return combos
        return np.asarray(combos[layout.river.places(player, 0)])

    def _spread(self, vector: Vector, player: int) -> Vector:
        found = np.zeros(len(COMBOS), np.float32)
        combos = self._combos(player)
        found[combos] = vector[: len(combos)]
        return found

    def child(self, node: int, move: Move) -> int:
        """Return the node after a move; raise SolverError when it is not offered."""
        return self._tree.child(node, move)

    def node(self, moves: History) -> int:
        """Return the node after moves from the root on; raise SolverError as `child` does."""
        at = self.root
        for move in moves:
            at = self.child(at, move)
        return at

    def kind(self, node: int) -> str:
        """Return ``decision``, ``folded``, ``showdown`` or, before a river, ``dealt``."""
        return KINDS[self._nodes[node].kind]

    def player(self, node: int) -> int:
        """Return who acts at a decision, or who folded."""
        return self._nodes[node].player

    def moves(self, node: int) -> tuple[Move, ...]:
        """Return the moves on offer: `FOLD`, `PASS` or chips to raise to on this street."""
        return self._nodes[node].moves

    def put_chips(self, node: int) -> tuple[int, int]:
        """Return what each player has added since the street began."""
        return self._nodes[node].put

    def pot_chips(self, node: int) -> int:
        """Return the pot at a node, the bets on this street included."""
        return self.subgame.pot_chips + sum(self._nodes[node].put)

    def reach(self, node: int) -> tuple[Vector, Vector]:
        """Return both ranges at a node, habits included; at the root each sums to 1."""
        return self._played(node, 0), self._played(node, 1)

    def _played(self, node: int, player: int) -> Vector:
        well, habits = self._played_well(node, player), self.subgame.habits
        if habits is None or habits.player != player:
            return well
        whole: Vector = well + self.by_habit(node).sum(axis=0, dtype=np.float32)
        return whole

    def _played_well(self, node: int, player: int) -> Vector:
        slot = self._nodes[node].slots[player]
        return self._spread(self._reach[1 - player][slot], player)

    def likely(self, node: int, player: int) -> Vector:
        """Return how likely each combo makes a player's moves to a node when it is played well.

        0 for what is not in the range, or altogether played by habit.
        """
        begun = self._played_well(self.root, player)
        there = self._played_well(node, player)
        found: Vector = np.divide(there, begun, out=np.zeros_like(there), where=begun > 0)
        return found

    def by_habit(self, node: int) -> NDArray[np.float32]:
        """Return what each way of the habits brings to a node, (ways, 1326) as in `reach`."""
        habits = self.subgame.habits
        if habits is None or self._paths is None:
            raise SolverError("nobody plays by habit here")
        slot = self._nodes[node].slots[habits.player]
        return np.stack([self._spread(path[slot], habits.player) for path in self._paths])

    def strategy(self, node: int) -> NDArray[np.float32]:
        """Return how the player plays every combo, shape (moves, 1326); columns sum to 1."""
        at = self._decision(node)
        combos = self._combos(at.player)
        weights = self._sums[at.player][at.row : at.row + len(at.moves), : len(combos)]
        total = weights.sum(axis=0)
        even = np.float32(1 / len(at.moves))
        played = np.divide(weights, total, out=np.full_like(weights, even), where=total > 0)
        found = np.full((len(at.moves), len(COMBOS)), even, np.float32)
        found[:, combos] = played
        return found

    def values(self, node: int, player: int) -> Vector:
        """Return what every combo of a player is worth at a node."""
        return self._chips(self._values[player][node], node, player, node)

    def move_values(self, node: int) -> NDArray[np.float32]:
        """Return what every move is worth to the player who acts, shape (moves, 1326)."""
        at = self._decision(node)
        rows = range(at.first, at.first + len(at.moves))
        matrix = self._values[at.player]
        return np.stack([self._chips(matrix[row], node, at.player, node) for row in rows])

    def _decision(self, node: int) -> Node:
        found = self._nodes[node]
        if found.kind != DECISION:
            raise SolverError(f"nobody acts at node {node}")
        return found

    def _chips(self, row: Vector, node: int, player: int, base: int) -> Vector:
        """Turn counterfactual shares of the first pot into chips from a node on."""
        theirs = self.reach(node)[1 - player]
        owned = self.subgame.pot_chips / 2 + self._nodes[base].put[player]
        return self._per_combo(self._spread(row, player), theirs, owned, self._combos(player))

    def _per_combo(
        self, values: Vector, theirs: Vector, owned: float, combos: NDArray[np.int64]
    ) -> Vector:
        met = masses(theirs)
        sure = met > _LEAST_MASS
        chips = np.divide(values, met, out=np.zeros(len(COMBOS)), where=sure)
        found = np.zeros(len(COMBOS), np.float32)
        found[combos] = np.where(sure, chips * self.subgame.pot_chips + owned, 0.0)[combos]
        return found

    def river_values(self, node: int, card: int, player: int) -> Vector:
        """Return the values at the start of the river that `card` makes, for a dealt node."""
        leaf, river = self._dealt(node, card)
        layout = self._layout
        combos = layout.combos[player][layout.river.places(player, river)]
        values = np.zeros(len(COMBOS), np.float32)
        values[combos] = self._starts[player][river, leaf, : len(combos)]
        theirs = self.river_ranges(node, card)[1 - player]
        owned = self.subgame.pot_chips / 2 + self._nodes[node].put[player]
        return self._per_combo(values, theirs, owned, combos)

    def river_ranges(self, node: int, card: int) -> tuple[Vector, Vector]:
        """Return both ranges at the start of the river that `card` makes."""
        self._dealt(node, card)
        holds = np.array([card in combo for combo in COMBOS])
        one, two = self.reach(node)
        return np.where(holds, 0, one), np.where(holds, 0, two)

    def _dealt(self, node: int, card: int) -> tuple[int, int]:
        if self._nodes[node].kind != DEALT or card not in self._layout.rivers:
            raise SolverError(f"no river follows node {node} with card {card}")
        leaf = int(np.searchsorted(self._leaves, node))
        return leaf, self._layout.rivers.index(card)

    def best_response(self, player: int) -> Vector:
        """Return the root values of a player who knows the other's average strategy."""
        self._pass(player, BEST, _NOTHING)
        street = self._street()
        return self._chips(street.values[0].copy(), 0, player, 0)

    def exploitability(self) -> float:
        """Return what a best response gains on the average, as a share of the root's pot.

        It is (gain of player 0's best response + gain of player 1's) / 2, each a mean over all
        deals of the two ranges, against the average strategies, without the gadget. Raises
        SolverError where there are habits: what they give away is nothing to be fixed.
        """
        if self.subgame.habits is not None:
            raise SolverError("habits are exploitable by their nature")
        weights = self.reach(0)
        whole = self.subgame.pot_chips
        total = float(np.dot(weights[0].astype(np.float64), masses(weights[1])))
        gain = 0.0
        for player in (0, 1):
            met = weights[player] * masses(weights[1 - player])
            best = self.best_response(player).astype(np.float64)
            gain += float(np.dot(met, best - self.values(0, player))) / total
        return gain / 2 / whole
