"""Those whom River is measured against."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from poker.actions import Action, ActionKind
from services.bot.arena.donk import DonkPlayer
from services.bot.arena.donk_told import told
from services.bot.arena.errors import UnknownPlayerError
from services.bot.arena.players import NAMES, SIMPLE, player_named, strategy_named
from services.bot.arena.shove import PushFoldPlayer
from services.bot.arena.shove_game import best_values, deals, solve
from services.bot.baselines import RandomPlayer, TightAggressive
from services.bot.combos import TYPE_NAMES
from services.bot.policy import is_legal
from services.bot.preflop_data import push_fold
from services.common.codec import BotView
from tests.support.river import heads_up, with_cards

FOLD, CHECK, CALL, BET, RAISE = ActionKind


@pytest.mark.parametrize("name", sorted(SIMPLE))
def test_players_act_legally_with_and_without_a_bet(name: str) -> None:
    for seed in range(20):
        for view in (
            heads_up(10_000),
            heads_up(10_000, "1 raise 300", "2 call"),
            heads_up(10_000, "1 raise 10000"),
        ):
            assert is_legal(view.legal, player_named(name).act(view, seed))


def test_the_tight_player_raises_aces_and_folds_rags() -> None:
    view = heads_up(10_000)
    assert TightAggressive().act(with_cards(view, "AsAd"), 0).kind is RAISE
    assert TightAggressive().act(with_cards(view, "7s2d"), 0).kind is FOLD


def test_the_random_player_does_everything() -> None:
    view = heads_up(10_000)
    kinds = {RandomPlayer().act(view, seed).kind for seed in range(50)}
    assert kinds == {FOLD, CALL, RAISE}


def test_a_river_of_a_version_can_be_named() -> None:
    assert strategy_named("river:0.1").version == "river-0.1"
    today = strategy_named("river").version
    assert strategy_named(today.replace("-", ":")).version == today


@pytest.mark.parametrize("name", ["", "nobody", "river:", "river:0", "donksolver", "donksolver:"])
def test_unknown_players_are_refused(name: str) -> None:
    with pytest.raises(UnknownPlayerError):
        player_named(name)
    assert name not in NAMES


# --- shove or fold -------------------------------------------------------------------------


def test_the_deals_of_types_count_pairs_of_hands_that_share_no_card() -> None:
    aces, kings, suited = map(TYPE_NAMES.index, ("AA", "KK", "AKs"))
    pairs = deals() * 1326 * 1225
    assert deals().sum() == pytest.approx(1.0)
    assert pairs[aces, aces] == pytest.approx(6 * 1)
    assert pairs[aces, kings] == pytest.approx(6 * 6)
    assert pairs[suited, aces] == pytest.approx(4 * 3)
    assert pairs[suited, suited] == pytest.approx(4 * 3)


@pytest.mark.parametrize("depth", [0.75, 1.5, 3.0, 8.0, 20.0, 100.0])
def test_the_solution_leaves_best_answers_nothing(depth: float) -> None:
    solution = solve(depth)
    value, best, worst = best_values(depth, solution.push, solution.call)
    assert worst - 1e-12 <= value <= best + 1e-12
    assert -1e-12 < solution.gap_bb < 1e-4
    assert best - worst == pytest.approx(solution.gap_bb)


@pytest.mark.parametrize("depth", [2.0, 8.0, 25.0])
def test_the_solution_is_worth_what_the_stored_one_is(depth: float) -> None:
    stored = push_fold(depth)
    value, *_ = best_values(depth, np.array(stored.push), np.array(stored.call))
    assert solve(depth).value_bb == pytest.approx(value, abs=1e-5)


def test_calling_too_little_and_too_much_both_cost() -> None:
    solution = solve(10.0)
    for calls in (np.zeros(169), np.ones(169)):
        _, best, _ = best_values(10.0, solution.push, calls)
        assert best > solution.value_bb + 0.05


def test_the_shoving_player_shoves_folds_and_checks() -> None:
    player = PushFoldPlayer()
    deep = heads_up(10_000)
    assert player.act(with_cards(deep, "AsAd"), 0) == Action(1, RAISE, 10_000)
    assert player.act(with_cards(deep, "7s2d"), 0).kind is FOLD
    assert player.act(with_cards(heads_up(10_000, "1 call"), "7s2d"), 0).kind is CHECK
    shoved = heads_up(10_000, "1 raise 10000")
    assert player.act(with_cards(shoved, "AsAd"), 0).kind is CALL
    assert player.act(with_cards(shoved, "7s2d"), 0).kind is FOLD


# --- donksolver ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ((), []),
        (("1 raise 250",), [(0, 0, 200)]),
        (("1 call",), [(0, 0, 50)]),
        (("1 raise 250", "2 raise 800"), [(0, 0, 200), (1, 0, 700)]),
        # After the flop its first seat is our big blind, which then seems to have limped.
        (("1 raise 250", "2 call"), [(0, 0, 50), (1, 0, 150), (0, 0, 150)]),
        (("1 call", "2 check"), [(0, 0, 50), (1, 0, 0)]),
        (("1 call", "2 raise 400", "1 call"), [(0, 0, 350), (1, 0, 300)]),
        (
            ("1 raise 250", "2 raise 800", "1 call"),
            [(0, 0, 50), (1, 0, 150), (0, 0, 700), (1, 0, 550)],
        ),
        (
            ("1 call", "2 check", "2 bet 100", "1 raise 300", "2 call", "2 check"),
            [(0, 0, 50), (1, 0, 0), (0, 0, 100), (1, 0, 300), (0, 0, 200), (0, 0, 0)],
        ),
    ],
)
def test_actions_are_retold_for_a_game_whose_small_blind_acts_first(
    moves: tuple[str, ...], expected: list[tuple[int, int, int]]
) -> None:
    assert told(heads_up(10_000, *moves)) == expected


class FakePolicy(SimpleNamespace):
    """Stands for the module donksolver.policy: one bucket, whose strategy is ``shares``.

    ``answers`` has the kind and the added chips of each action, of kinds and sizes of its own.
    """

    STATUS = ("ok", "offtree", "no_node", "desync", "bad_input")

    def __init__(
        self,
        *answers: tuple[int, int],
        shares: tuple[float, ...] = (1.0,),
        status: int = 0,
        players: int = 2,
    ) -> None:
        super().__init__()
        self.answers, self.shares, self.status = answers, shares, status
        self.players = players

    def Bundle(self, manifest: str) -> "FakePolicy":  # noqa: N802 - the library's name
        return self

    def strategy(self, _cls: int, _node: int, _bucket: int) -> tuple[list[float], None, None]:
        return list(self.shares), None, None

    def act(self, *rows: Sequence[float]) -> dict[str, NDArray[np.float64]]:
        numbers = np.array(rows[-1])
        drawn = np.minimum(np.searchsorted(np.cumsum(self.shares), numbers), len(self.answers) - 1)
        same = np.zeros(len(numbers), np.int64)
        return {
            "kind": np.array([self.answers[index][0] for index in drawn]),
            "chips": np.array([self.answers[index][1] for index in drawn]),
            "prob": np.array([self.shares[index] for index in drawn]),
            "status": same + self.status,
            "cls": same,
            "node": same,
            "bucket": same,
        }


def donk(policy: FakePolicy, monkeypatch: pytest.MonkeyPatch) -> DonkPlayer:
    monkeypatch.setitem(sys.modules, "donksolver.policy", policy)
    return DonkPlayer(Path("any.json"))


@pytest.mark.parametrize(
    ("kind", "chips", "expected"),
    [
        (0, 0, Action(2, FOLD)),
        (2, 150, Action(2, CALL)),
        (3, 700, Action(2, RAISE, 800)),
        (3, 10, Action(2, RAISE, 400)),
        (4, 9_900, Action(2, RAISE, 10_000)),
    ],
)
def test_answers_become_legal_actions(
    kind: int, chips: int, expected: Action, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = donk(FakePolicy((kind, chips)), monkeypatch)
    assert player.act(heads_up(10_000, "1 raise 250"), 0) == expected
    assert player.stage == "ok"


def test_a_policy_tells_what_it_does_with_every_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = FakePolicy((0, 0), (2, 150), (3, 700), shares=(0.5, 0.3, 0.2))
    player = donk(mixed, monkeypatch)
    view = heads_up(10_000, "1 raise 250")
    told_shares = player.range_policy(view).policy(view.hole_cards)
    assert {option.action: round(option.probability, 6) for option in told_shares.options} == {
        Action(2, FOLD): 0.5,
        Action(2, CALL): 0.3,
        Action(2, RAISE, 800): 0.2,
    }
    drawn = Counter(player.act(view, seed).kind for seed in range(300))
    assert 120 < drawn[FOLD] < 180
    assert 60 < drawn[CALL] < 120


def test_a_library_that_draws_otherwise_than_it_tells_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    odd = FakePolicy((0, 0), (2, 150), shares=(0.7, 0.3))
    monkeypatch.setattr(odd, "strategy", lambda *_: ([0.3, 0.7], None, None), raising=False)
    with pytest.raises(RuntimeError, match="another order"):
        donk(odd, monkeypatch).act(heads_up(10_000, "1 raise 250"), 0)


def test_where_the_tree_ends_another_player_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    player = donk(FakePolicy((0, 0), status=2), monkeypatch)
    view: BotView = with_cards(heads_up(10_000), "AsAd")
    assert player.act(view, 0).kind is RAISE
    assert player.stage == "no_node"


def test_a_policy_for_more_players_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownPlayerError, match="6 players"):
        donk(FakePolicy((0, 0), players=6), monkeypatch)


def test_without_the_library_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "donksolver.policy", None)
    with pytest.raises(UnknownPlayerError, match="not installed"):
        player_named("donksolver:any.json")


def test_a_file_that_is_no_policy_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("donksolver")
    for text in ("", "[]", "{}", '{"format": "donksolver-bundle/1"}'):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(UnknownPlayerError, match="no donksolver bundle"):
            player_named(f"donksolver:{tmp_path / 'bad.json'}")
