"""The measurements of River that are not matches: they find faults where there are some."""

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from benchmarks import bench_bot, bot_subject, verify_push_fold, verify_subgames
from benchmarks.bot_spots import spots
from poker.actions import ActionKind, Street
from services.bot.arena.players import StrategyPlayer
from services.bot.policy import RangePolicy, mix_range
from services.bot.strategy import Strategy, first_river
from services.common.codec import BotView


class Tight:
    """A stage that puts in all its chips with pairs only, or every hand a minimum raise."""

    name = "tight"

    def __init__(self, *, small: bool = False) -> None:
        self._small = small

    def range_policy(self, view: BotView) -> RangePolicy | None:
        shares = np.array(
            [float(a >> 2 == b >> 2) for b in range(52) for a in range(b)], np.float32
        )
        wish = (ActionKind.RAISE, 1 if self._small else None, shares)
        return mix_range(self.name, view, [wish, (ActionKind.FOLD, None, 1 - shares)])


@pytest.mark.parametrize("street", list(Street))
def test_spots_are_the_same_for_a_seed_and_of_one_street(street: Street) -> None:
    first, again, other = (list(islice(spots(street, seed), 5)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert {view.street for view in first} == {street}


def test_a_strategy_that_shoves_only_pairs_is_found_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify_push_fold, "strategy_named", lambda _: Strategy((Tight(),), "t"))
    assert verify_push_fold.main([]) == 1
    *depths, end = map(json.loads, capsys.readouterr().out.splitlines())
    assert len(depths) == len(verify_push_fold.DEPTHS_BB)
    assert all(line["small_blind_loss_bb"] > 0.05 for line in depths)
    assert not end["passed"]


def test_small_raises_are_not_taken_for_shoves(monkeypatch: pytest.MonkeyPatch) -> None:
    raiser = Strategy((Tight(small=True),), "t")
    monkeypatch.setattr(verify_push_fold, "strategy_named", lambda _: raiser)
    with pytest.raises(SystemExit, match="does not only shove"):
        verify_push_fold.main([])


def test_the_stored_equilibria_give_nothing_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(verify_push_fold, "DEPTHS_BB", (2.0, 8.0))
    monkeypatch.setattr(verify_push_fold, "strategy_named", lambda _: first_river())
    known = {"solutions": [{"stack_bb": 8, "sb_value": -0.004138}]}
    (tmp_path / "known.json").write_text(json.dumps(known))
    assert verify_push_fold.main(["--equilibria", str(tmp_path / "known.json")]) == 0
    two, eight, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert "apart_bb" not in two
    assert abs(eight["apart_bb"]) < 1e-5


def test_solved_subgames_are_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify_subgames.main(["--streets", "river", "--spots", "2"]) == 0
    *found, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [line["spot"] for line in found] == [0, 1]
    assert summary["spots"] == summary["within_limit"] == 2
    assert summary["worst_percent_of_pot"] <= 0.3


@pytest.mark.parametrize("options", ["--spots 0", "--stack-to-pot 0", "--streets flop"])
def test_impossible_subgames_are_refused(options: str) -> None:
    with pytest.raises(SystemExit) as refused:
        verify_subgames.main(options.split())
    assert refused.value.code == 2


def test_no_spots_are_refused() -> None:
    with pytest.raises(SystemExit) as refused:
        bench_bot.main(["--spots", "0"])
    assert refused.value.code == 2


def test_the_benchmark_of_speed_times_every_decision() -> None:
    player = StrategyPlayer(Strategy((Tight(),), "tight"))
    found = bot_subject.decide(player, {"street": "flop", "seed": 1, "spots": 3})
    assert (found["decisions"], found["stages"]) == (3, {"tight": 3})
    assert found["decisions_per_second_per_core"] > 0
