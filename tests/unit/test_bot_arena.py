"""Matches against simple opponents."""

import json
import sys

import pytest

from poker.actions import ActionKind
from services.bot.arena import OPPONENTS, StrategyPlayer, duplicate_deal, main, run
from services.bot.baselines import Caller, Folder, RandomPlayer, TightAggressive
from services.bot.policy import is_legal
from services.bot.strategy import river
from tests.support.river import heads_up, with_cards


def test_two_equals_win_nothing_from_each_other_over_a_duplicate_deal() -> None:
    assert duplicate_deal(Caller(), Caller(), 10_000, "any") == 0
    assert duplicate_deal(Folder(), Folder(), 10_000, "any") == 0


def test_the_same_match_twice_has_the_same_result() -> None:
    first, second = (run("random", hands=6, seed=5, stack_bb=40) for _ in range(2))
    assert first.bb_per_100 == second.bb_per_100
    assert first.decisions == second.decisions
    assert first.hands == 6


def test_river_takes_the_blinds_of_one_who_always_folds() -> None:
    report = run("fold", hands=40, seed=1, stack_bb=100)
    assert report.bb_per_100 - report.bb_per_100_interval > 0


def test_a_player_counts_the_time_of_each_decision() -> None:
    player = StrategyPlayer(river())
    player.act(heads_up(10_000), seed=1)
    assert len(player.seconds) == 1


@pytest.mark.parametrize("name", sorted(OPPONENTS))
def test_opponents_act_legally_with_and_without_a_bet(name: str) -> None:
    for seed in range(20):
        for view in (
            heads_up(10_000),
            heads_up(10_000, "1 raise 300", "2 call"),
            heads_up(10_000, "1 raise 10000"),
        ):
            assert is_legal(view.legal, OPPONENTS[name]().act(view, seed))


def test_the_tight_player_raises_aces_and_folds_rags() -> None:
    view = heads_up(10_000)
    assert TightAggressive().act(with_cards(view, "AsAd"), 0).kind is ActionKind.RAISE
    assert TightAggressive().act(with_cards(view, "7s2d"), 0).kind is ActionKind.FOLD


def test_the_random_player_does_everything() -> None:
    view = heads_up(10_000)
    kinds = {RandomPlayer().act(view, seed).kind for seed in range(50)}
    assert kinds == {ActionKind.FOLD, ActionKind.CALL, ActionKind.RAISE}


def test_the_command_prints_one_line_of_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["arena", "--hands", "4", "--opponent", "caller"])
    main()
    (line,) = capsys.readouterr().out.splitlines()
    report = json.loads(line)
    assert report["opponent"] == "caller"
    assert report["hands"] == 4
    assert {"bb_per_100", "bb_per_100_interval", "cpu_ms_p99"} <= set(report)


@pytest.mark.parametrize("options", [["--hands", "1"], ["--stack-bb", "0"]])
def test_impossible_matches_are_refused(
    options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["arena", *options])
    with pytest.raises(SystemExit) as refused:
        main()
    assert refused.value.code == 2
