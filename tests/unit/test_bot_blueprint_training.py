"""Training: it goes on exactly where it stopped, and finds the known equilibrium."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from services.bot.blueprint import training
from services.bot.blueprint.layout import layout_of
from services.bot.blueprint.mccfr import Trainer
from services.bot.blueprint.sizes import Sizes, sizes_for
from services.bot.blueprint.training import CheckpointError, checkpoint, read_progress, resume, save
from services.bot.blueprint.tree import build_tree
from services.bot.combos import TYPE_SIZES
from services.bot.preflop_data import push_fold
from services.bot.train import main
from tests.support.bucket_tables import coarse_tables

DEALS = 2000


@pytest.fixture(autouse=True)
def _short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "DEALS_PER_ROUND", DEALS)


def fresh(sizes: Sizes, seed: int = 7) -> Trainer:
    return Trainer.fresh(build_tree(sizes), coarse_tables(), seed, DEALS)


def test_stopped_and_resumed_training_equals_uninterrupted_training(tmp_path: Path) -> None:
    through = fresh(sizes_for(8))
    for _ in range(4):
        through.play_round()
    broken = resume(tmp_path, 8, coarse_tables(), seed=7)
    for stop in range(2):
        broken.play_round()
        broken.play_round()
        save(tmp_path, 8, broken, seconds=float(stop))
        broken = resume(tmp_path, 8, coarse_tables(), seed=7)
    assert broken.rounds == through.rounds == 4
    np.testing.assert_array_equal(broken.regrets, through.regrets)
    np.testing.assert_array_equal(broken.sums, through.sums)


def test_another_seed_trains_otherwise() -> None:
    one, other = fresh(sizes_for(8), 1), fresh(sizes_for(8), 2)
    one.play_round()
    other.play_round()
    assert not np.array_equal(one.regrets, other.regrets)


def first_shares(sizes: Sizes) -> NDArray[np.float64]:
    """Train for a while; return how often the button takes each of its first actions."""
    trainer = fresh(sizes)
    for _ in range(12):
        trainer.play_round()
    layout = layout_of(trainer.tree, trainer.tables.abstraction.counts)
    sums = layout.block(trainer.sums, 0).sum(axis=0, dtype=np.float64)
    return np.asarray(sums / sums.sum())


def test_a_limp_that_costs_more_than_a_hand_is_worth_dies_out() -> None:
    assert first_shares(replace(sizes_for(8), limp_cost=0))[1] > 0.1
    assert first_shares(replace(sizes_for(8), limp_cost=1_000))[1] < 0.01


def test_who_meets_plain_players_folds_fewer_buttons() -> None:
    sound, plain = (first_shares(replace(sizes_for(8), plain_share=share)) for share in (0.0, 0.9))
    assert plain[0] < 0.7 * sound[0]


def test_walks_against_plain_styles_add_nothing_to_the_average() -> None:
    trainer = fresh(replace(sizes_for(8), plain_share=1.0))
    trainer.play_round()
    assert not trainer.sums.any()
    assert trainer.regrets.any()


def test_a_checkpoint_keeps_only_the_last_arrays(tmp_path: Path) -> None:
    trainer = resume(tmp_path, 8, coarse_tables())
    for _ in range(3):
        trainer.play_round()
        save(tmp_path, 8, trainer, seconds=1.5)
    assert [path.name for path in tmp_path.glob("*.npy")] == ["depth8-3.npy"]
    progress = read_progress(tmp_path, 8)
    assert progress is not None
    assert (progress.rounds, progress.deals, progress.seconds) == (3, 3 * DEALS, 1.5)


def test_a_checkpoint_of_another_seed_is_refused(tmp_path: Path) -> None:
    save(tmp_path, 8, resume(tmp_path, 8, coarse_tables(), seed=1), seconds=0.0)
    with pytest.raises(CheckpointError):
        resume(tmp_path, 8, coarse_tables(), seed=2)


@pytest.mark.parametrize("other", [{"opens": [250]}, {"plain_share": 0.5}, {"styles": 1}])
def test_a_checkpoint_of_another_game_is_refused(tmp_path: Path, other: dict[str, object]) -> None:
    save(tmp_path, 8, resume(tmp_path, 8, coarse_tables()), seconds=0.0)
    path = tmp_path / "depth8.json"
    data = json.loads(path.read_text())
    data["sizes"] |= other
    path.write_text(json.dumps(data))
    with pytest.raises(CheckpointError):
        resume(tmp_path, 8, coarse_tables())


def test_a_checkpoint_replaced_while_it_is_read_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = resume(tmp_path, 8, coarse_tables())
    old = save(tmp_path, 8, trainer, seconds=0.0)
    trainer.play_round()
    save(tmp_path, 8, trainer, seconds=1.0)
    answers = iter([old])
    monkeypatch.setattr(
        training, "read_progress", lambda *at: next(answers, None) or read_progress(*at)
    )
    read = checkpoint(tmp_path, 8)
    assert read is not None
    assert read.rounds == 1
    np.testing.assert_array_equal(read.regrets, trainer.regrets)


def test_a_checkpoint_without_its_arrays_is_refused(tmp_path: Path) -> None:
    save(tmp_path, 8, resume(tmp_path, 8, coarse_tables()), seconds=0.0)
    (tmp_path / "depth8-0.npy").unlink()
    with pytest.raises(CheckpointError, match="missing"):
        checkpoint(tmp_path, 8)


def test_depths_take_turns_by_their_share_of_the_time(tmp_path: Path) -> None:
    training.train(tmp_path, coarse_tables(), minutes=0.02, depths=(8,))
    first = read_progress(tmp_path, 8)
    assert first is not None
    assert first.rounds > 0
    training.train(tmp_path, coarse_tables(), minutes=0.01, depths=(8, 12))
    assert read_progress(tmp_path, 8) == first
    assert read_progress(tmp_path, 12) is not None


def test_push_or_fold_comes_near_the_solved_game() -> None:
    trainer = fresh(replace(sizes_for(8), push_or_fold=True, plain_share=0.0))
    trainer.deals_per_round = 100_000
    for _ in range(12):
        trainer.play_round()
    solved = push_fold(8.0)
    weights = np.array(TYPE_SIZES) / 1326
    layout = layout_of(trainer.tree, trainer.tables.abstraction.counts)
    shoved = int(np.flatnonzero(trainer.tree.player == 0)[0])
    for node, known in ((0, solved.push), (shoved, solved.call)):
        sums = layout.block(trainer.sums, node)
        often = sums[:, 1] / sums.sum(axis=1)
        assert weights @ np.abs(often - np.array(known)) < 0.1
        assert weights @ often == pytest.approx(weights @ np.array(known), abs=0.03)


def test_the_command_line_refuses_an_unknown_depth(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["run", "--depths", "100,99"])
    assert stopped.value.code == 2
    assert "--depths" in capsys.readouterr().err


def test_status_tells_how_far_each_depth_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer = resume(tmp_path, 12, coarse_tables())
    trainer.play_round()
    save(tmp_path, 12, trainer, seconds=90.0)
    assert main(["--directory", str(tmp_path), "status"]) == 0
    assert " ".join(capsys.readouterr().out.split()) == "12 BB: 0.0 M deals, 1.5 minutes"
