"""The tables used in training hold what is computed at the table, and exports use both."""

from math import comb
from pathlib import Path

import numpy as np
import pytest

import services.bot.train as command_line
from services.bot.blueprint import tables, training
from services.bot.blueprint.boards import BoardClasses
from services.bot.blueprint.library import Blueprint
from services.bot.blueprint.store import abstraction_of, load_depth, read_manifest
from tests.support.bucket_tables import coarse_tables

BOARDS = [[3, 17, 30, 31, 8], [0, 4, 8, 12, 16], [1, 14, 27, 40, 50]]


def few_boards(cards: int) -> BoardClasses:
    """Pretend that three boards, of different weight, are all there are."""
    classes = np.zeros(comb(52, cards), dtype=np.int32)
    boards = np.array([sorted(board[:cards]) for board in BOARDS])
    return BoardClasses(classes, classes.astype(np.int8), boards, np.array([4, 12, 24]))


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "board_classes", few_boards)


@pytest.mark.usefixtures("_few")
def test_a_tables_row_is_what_its_board_gets_at_the_table(tmp_path: Path) -> None:
    loaded = tables.load(tmp_path)
    for cards, table in zip((3, 4, 5), loaded.buckets, strict=True):
        for row, board in enumerate(few_boards(cards).boards):
            found = loaded.abstraction.buckets(board)
            np.testing.assert_array_equal(table[row], np.where(found < 0, tables.DEAD_BYTE, found))


@pytest.mark.usefixtures("_few")
def test_tables_are_built_once_and_then_read(tmp_path: Path) -> None:
    built = tables.load(tmp_path)
    for path in tmp_path.glob("*.npy"):
        np.save(path, np.zeros_like(np.load(path)))
    read = tables.load(tmp_path)
    assert read.abstraction.counts == built.abstraction.counts
    assert not read.buckets[0].any()


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory in which 8 BB has had one short round."""
    monkeypatch.setattr(training, "DEALS_PER_ROUND", 1000)
    monkeypatch.setattr(command_line, "load", lambda _: coarse_tables())
    trainer = training.resume(tmp_path, 8, coarse_tables())
    trainer.play_round()
    training.save(tmp_path, 8, trainer, seconds=1.0)
    return tmp_path


def test_the_export_command_writes_every_trained_depth(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = trained / "artefacts"
    to.mkdir()
    assert command_line.main(["--directory", str(trained), "export", "--to", str(to)]) == 0
    assert capsys.readouterr().out.startswith("   8 BB:")
    manifest = read_manifest(to)
    (entry,) = manifest["depths"]
    assert entry["deals"] == 1000
    abstraction = abstraction_of(manifest)
    loaded = Blueprint(load_depth(to, entry, abstraction), abstraction.counts)
    assert loaded.strategy(0).shape == (len(loaded.actions(0)), 169)


def test_exporting_before_any_training_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line, "load", lambda _: coarse_tables())
    to = tmp_path / "artefacts"
    to.mkdir()
    assert command_line.main(["--directory", str(tmp_path), "export", "--to", str(to)]) == 1
    assert "nothing is trained" in capsys.readouterr().err
    assert list(to.iterdir()) == []


def test_the_run_command_trains_for_the_time_given(trained: Path) -> None:
    arguments = ["--directory", str(trained), "run", "--minutes", "0.01", "--depths", "8"]
    assert command_line.main(arguments) == 0
    progress = training.read_progress(trained, 8)
    assert progress is not None
    assert progress.rounds > 1
