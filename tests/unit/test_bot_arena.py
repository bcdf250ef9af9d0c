"""Matches: duplicate deals, all-ins at their expectation, times, the command."""

import json
import random
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from poker.actions import Action, ActionKind
from poker.cards import DECK, parse_cards
from poker.ranking import rank
from services.bot.arena.chance import range_share, showdown_share
from services.bot.arena.cli import main
from services.bot.arena.clock import Took, latency, per_street
from services.bot.arena.deals import play_hand
from services.bot.arena.match import DealResult, Match, mean_and_interval, play_deal, report, seated
from services.bot.arena.players import StrategyPlayer
from services.bot.arena.progress import EXIT_INTERRUPTED
from services.bot.arena.ranges import Weights
from services.bot.arena.workers import spread
from services.bot.baselines import Caller, Folder, Player
from services.bot.combos import COMBOS, combo_index
from services.bot.policy import RangePolicy, mix_range, nearest_legal
from services.bot.strategy import Strategy, first_river
from services.common.codec import BotView
from tests.support.scripted_hands import table


class Shover:
    """Puts everything in on the first street where it may, from ``street`` on."""

    def __init__(self, cards: int = 0) -> None:
        self._cards = cards

    def act(self, view: BotView, seed: int) -> Action:
        wish = ActionKind.RAISE if len(view.board) >= self._cards else ActionKind.CALL
        return nearest_legal(view.legal, wish, None)


def play(match: Match) -> list[DealResult]:
    return list(map(seated(match), range(match.deals)))


@pytest.mark.parametrize("player", [Caller(), Folder(), Shover(), Shover(4)])
def test_two_equals_win_nothing_from_each_other_over_a_duplicate_deal(player: Player) -> None:
    match = Match("caller", "caller", 1, 7, 100)
    result = play_deal(match, player, player, 0)
    assert result.raw_bb == 0
    assert result.bb == pytest.approx(0.0)


def test_the_same_match_twice_has_the_same_result() -> None:
    match = Match("random", "tag", 5, 5, 40)
    first, second = ([(r.bb, r.raw_bb) for r in play(match)] for _ in range(2))
    assert first == second


def test_processes_change_nothing_but_the_time() -> None:
    match = Match("random", "caller", 6, 3, 40)
    alone, shared = (list(spread(partial(seated, match), 6, processes)) for processes in (1, 2))
    assert [deal.bb for deal in alone] == [deal.bb for deal in shared]


def test_an_all_in_before_the_river_is_booked_at_its_expectation() -> None:
    # Two kings of 44 cards beat the aces, one of which comes.
    holes = {1: "AsAd", 2: "KsKd"}
    hand = table({1: 10_000, 2: 10_000}, button=1, holes=holes, board="2c7h9dTcKh")
    played = play_hand(hand, Shover(4), Caller(), random.Random(1))
    assert played.net_chips == -10_000
    assert played.expected_chips == pytest.approx(10_000 * (42 - 2) / 44)


def test_all_ins_on_the_river_and_folds_are_booked_as_they_fell() -> None:
    holes = {1: "AsAd", 2: "KsKd"}
    for villain, net in ((Caller(), -10_000), (Folder(), 100)):
        hand = table({1: 10_000, 2: 10_000}, button=1, holes=holes, board="2c7h9dTcKh")
        played = play_hand(hand, Shover(5), villain, random.Random(1))
        assert (played.net_chips, played.expected_chips) == (net, net)


@pytest.mark.parametrize(
    ("board", "share"),
    [
        # Aces against kings: exact over all boards, averaged over suits.
        ("", 0.8195),
        # Two kings of 44, and no other card, save the kings.
        ("2c7h9dTc", 42 / 44),
        # A set of kings is ahead: the two aces are all that helps.
        ("2c7h9dKc", 2 / 44),
        ("2c7h9dTc3s", 1.0),
        # Everybody plays the board.
        ("QcJcTc9c8c", 0.5),
    ],
)
def test_shares_of_the_pot_are_exact(board: str, share: float) -> None:
    aces, kings = parse_cards("AsAd"), parse_cards("KsKd")
    found = showdown_share(aces, kings, parse_cards(board))
    assert found == pytest.approx(share, abs=6e-4)
    assert showdown_share(kings, aces, parse_cards(board)) == pytest.approx(1.0 - found)


def test_after_the_flop_every_run_out_is_counted() -> None:
    own, other, flop = map(parse_cards, ("JhTh", "9s9d", "9h4h2c"))
    seen = {*own, *other, *flop}
    won = 0.0
    for rest in combinations((card for card in DECK if card not in seen), 2):
        mine, theirs = rank(own + flop + rest), rank(other + flop + rest)
        won += 1.0 if mine > theirs else 0.5 * (mine == theirs)
    assert showdown_share(own, other, flop) == pytest.approx(won / 990)


class Cautious:
    """A stage that shoves half of its aces on the river, and else checks or calls."""

    name = "cautious"

    def range_policy(self, view: BotView) -> RangePolicy:
        """Take one of two actions."""
        aces = np.array([float(first >> 2 == 12 or second >> 2 == 12) for first, second in COMBOS])
        shoving = (0.5 * aces if len(view.board) == 5 else 0 * aces).astype(np.float32)
        wishes = [(ActionKind.RAISE, None, shoving), (ActionKind.CALL, None, 1 - shoving)]
        return mix_range(self.name, view, wishes)


def test_showdowns_count_as_the_mean_over_the_hands_that_the_hero_may_hold() -> None:
    match = Match("cautious", "caller", 150, 4, 50)
    hero = StrategyPlayer(Strategy((Cautious(),), "cautious"))
    deals = [play_deal(match, hero, Caller(), number) for number in range(match.deals)]
    found = report(match, deals)
    names = ("bb100", "ci95", "allin_bb100", "allin_ci95")
    bb100, ci95, allin_bb100, allin_ci95 = (float(str(found[name])) for name in names)
    assert ci95 < 0.95 * allin_ci95
    assert abs(bb100 - allin_bb100) < 1.5 * allin_ci95


def weights_of(*hands: str) -> Weights:
    weights = np.zeros(len(COMBOS))
    for hand in hands:
        weights[combo_index(*parse_cards(hand))] = 1.0
    return weights


@pytest.mark.parametrize(
    ("board", "share"), [("", 0.1805), ("2c7h9dTc", 2 / 44), ("2c7h9dTc3s", 0)]
)
def test_a_hand_has_its_share_against_a_range(board: str, share: float) -> None:
    # The second hand of the range cannot be beside the first player's.
    own, other = weights_of("KsKd"), weights_of("AsAd", "KsKc", "KhKc")
    found = range_share(own, other, parse_cards(board))
    if board:
        assert found == pytest.approx((share + 0.5) / 2, abs=6e-4)
    else:
        # Before the flop only types count: of six aces all can be beside it, of kings one.
        assert found == pytest.approx((1 / 6 * 36 * share + 2 / 6 * 6 * 0.5) / (6 + 2), abs=6e-4)
    assert range_share(other, own, parse_cards(board)) == pytest.approx(1.0 - found)


def test_ranges_that_cannot_be_held_together_stop_the_match() -> None:
    with pytest.raises(RuntimeError, match="excludes"):
        range_share(weights_of("AsAd"), weights_of("AsKd"), parse_cards("2c7h9dTc"))


def test_river_takes_the_blinds_of_one_who_always_folds() -> None:
    match = Match("river:0.1", "fold", 20, 1, 100)
    found = report(match, play(match))
    bb100, ci95 = found["bb100"], found["ci95"]
    assert isinstance(bb100, float)
    assert isinstance(ci95, float)
    assert bb100 - ci95 > 0


def test_only_the_first_hand_of_a_deal_is_timed_and_all_stages_are_counted() -> None:
    match = Match("river:0.1", "caller", 1, 1, 5)
    result = play_deal(match, StrategyPlayer(first_river()), Caller(), 1)
    assert sum(result.stages.values()) > len(result.took) >= 1


def test_latencies_are_told_in_total_and_per_street() -> None:
    took = [Took("flop", second / 100, 0.001) for second in range(1, 101)]
    took.append(Took("river", 2.0, 0.002))
    found = latency(took[:100])
    assert (found["p50_ms"], found["p99_ms"], found["max_ms"]) == (500.0, 990.0, 1000.0)
    assert set(per_street(took)) == {"flop", "river"}
    assert latency([])["p50_ms"] is None


def test_one_deal_has_no_interval() -> None:
    assert mean_and_interval([3.0]) == (3.0, None)
    mean, interval = mean_and_interval([0.0, 2.0, 4.0, 6.0])
    assert mean == 3.0
    assert interval == pytest.approx(1.96 * (20 / 3 / 4) ** 0.5)


def test_the_command_prints_one_object_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    options = "--hero tag --villain caller --hands 4 --seed 2 --stack-bb 20 --json"
    assert main(options.split()) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (found["hero"], found["villain"], found["hands"]) == ("tag", "caller", 4)
    assert (found["seed"], found["stack_bb"]) == (2, 20)
    assert {"bb100", "ci95", "p50_ms", "p99_ms", "per_street"} <= set(found)


def test_the_command_prints_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--hero", "tag", "--villain", "caller", "--hands", "4", "--stack-bb", "1.5"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("tag against caller: 4 hands at 1.5 bb, seed 1\n")
    assert "bb/100" in out


def test_an_interrupted_match_tells_what_it_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = iter(range(100))

    def act(_player: Caller, view: BotView, _seed: int) -> Action:
        if next(calls) > 60:
            raise KeyboardInterrupt
        return nearest_legal(view.legal, ActionKind.CALL, None)

    monkeypatch.setattr(Caller, "act", act)
    options = ["--hero", "caller", "--villain", "caller", "--hands", "400", "--json"]
    assert main(options) == EXIT_INTERRUPTED
    found = json.loads(capsys.readouterr().out)
    assert found["interrupted"]
    assert 2 <= found["hands"] < 400


@pytest.mark.parametrize(
    "options",
    [
        "--hands 1",
        "--stack-bb 0",
        "--stack-bb nan",
        "--stack-bb deep",
        "--processes 0",
        "--hero nobody",
        "--villain river:9.9",
        "--villain donksolver:no-such-file.json",
    ],
)
def test_impossible_matches_are_refused(options: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(options.split())
    assert refused.value.code == 2
    assert "error: " in capsys.readouterr().err
