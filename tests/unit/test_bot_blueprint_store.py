"""Artefacts: what is exported is what is loaded, and nothing else is accepted."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from services.bot.blueprint.abstraction import Abstraction
from services.bot.blueprint.layout import layout_of
from services.bot.blueprint.library import Blueprint
from services.bot.blueprint.mccfr import Trainer
from services.bot.blueprint.packing import PARTS, average_strategy
from services.bot.blueprint.sizes import sizes_for
from services.bot.blueprint.store import (
    MANIFEST,
    BlueprintError,
    Trained,
    abstraction_of,
    export_depth,
    load_depth,
    read_manifest,
    write_manifest,
)
from services.bot.blueprint.tree import build_tree
from tests.support.bucket_tables import coarse_tables

COUNTS = coarse_tables().abstraction.counts


@pytest.fixture(scope="module")
def trained() -> Trained:
    trainer = Trainer.fresh(build_tree(sizes_for(8)), coarse_tables(), 3, 5000)
    for _ in range(3):
        trainer.play_round()
    return Trained(trainer.tree, trainer.regrets, trainer.sums, 3, 3, 5000)


@pytest.fixture
def entry(trained: Trained, tmp_path: Path) -> dict[str, Any]:
    entry = export_depth(tmp_path, trained, coarse_tables().abstraction)
    write_manifest(tmp_path, coarse_tables().abstraction, [entry], "a command")
    return entry


def test_every_decision_is_loaded_as_it_was_trained_within_a_fifteenth(
    trained: Trained, entry: dict[str, Any], tmp_path: Path
) -> None:
    blueprint = Blueprint(load_depth(tmp_path, entry, coarse_tables().abstraction), COUNTS)
    layout = layout_of(trained.tree, COUNTS)
    for node in range(blueprint.nodes):
        if blueprint.is_terminal(node):
            assert blueprint.actions(node) == ()
            continue
        actions = len(blueprint.actions(node))
        regrets = layout.block(trained.regrets, node)
        spreads = 2 if blueprint.street(node) else len(regrets)
        expected = average_strategy(regrets, layout.block(trained.sums, node), spreads)
        stored = blueprint.strategy(node)
        assert stored.shape == (actions, COUNTS[blueprint.street(node)])
        np.testing.assert_allclose(stored.sum(axis=0), 1.0, atol=1e-6)
        np.testing.assert_allclose(stored.T, expected, atol=1.0 / PARTS + 1e-6)


def test_the_manifest_says_what_was_trained_and_how(entry: dict[str, Any], tmp_path: Path) -> None:
    manifest = read_manifest(tmp_path)
    assert manifest["command"] == "a command"
    assert manifest["depths"] == [json.loads(json.dumps(entry))]
    assert (entry["depth_bb"], entry["seed"], entry["deals"]) == (8, 3, 15_000)
    kept = abstraction_of(manifest)
    for limits, original in zip(kept.limits, coarse_tables().abstraction.limits, strict=True):
        np.testing.assert_array_equal(limits.equity, original.equity)
        np.testing.assert_array_equal(limits.spread, original.spread)


def test_an_export_keeps_the_depths_that_it_does_not_write(
    trained: Trained, entry: dict[str, Any], tmp_path: Path
) -> None:
    abstraction = coarse_tables().abstraction
    deeper = {**entry, "depth_bb": 12}
    write_manifest(tmp_path, abstraction, [deeper], "another command")
    assert [kept["depth_bb"] for kept in read_manifest(tmp_path)["depths"]] == [8, 12]
    fresh = export_depth(tmp_path, replace(trained, rounds=4), abstraction)
    write_manifest(tmp_path, abstraction, [fresh], "a command")
    assert [kept["rounds"] for kept in read_manifest(tmp_path)["depths"]] == [4, 3]


def test_an_export_with_other_cards_than_before_is_refused(
    entry: dict[str, Any], tmp_path: Path
) -> None:
    flop, turn, river = coarse_tables().abstraction.limits
    other = Abstraction((flop, turn, replace(river, equity=river.equity + 1)))
    with pytest.raises(BlueprintError, match="another card abstraction"):
        write_manifest(tmp_path, other, [entry], "a command")


def test_a_changed_file_is_refused(entry: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / entry["file"]
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(BlueprintError, match="not what was exported"):
        load_depth(tmp_path, entry, coarse_tables().abstraction)


def test_a_missing_file_is_refused(entry: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / entry["file"]).unlink()
    with pytest.raises(BlueprintError, match="missing"):
        load_depth(tmp_path, entry, coarse_tables().abstraction)


def test_another_games_sizes_are_refused(entry: dict[str, Any], tmp_path: Path) -> None:
    other = {**entry, "sizes": sizes_for(12).to_json()}
    with pytest.raises(BlueprintError, match="another game"):
        load_depth(tmp_path, other, coarse_tables().abstraction)


def test_a_missing_or_foreign_manifest_is_refused(entry: dict[str, Any], tmp_path: Path) -> None:
    manifest = read_manifest(tmp_path)
    (tmp_path / MANIFEST).write_text(json.dumps({**manifest, "version": "blueprint-0"}))
    with pytest.raises(BlueprintError, match="version"):
        read_manifest(tmp_path)
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(BlueprintError, match="no blueprint"):
        read_manifest(tmp_path)


def test_moves_of_the_blueprint_lead_through_the_game(
    entry: dict[str, Any], tmp_path: Path
) -> None:
    blueprint = Blueprint(load_depth(tmp_path, entry, coarse_tables().abstraction), COUNTS)
    assert (blueprint.depth_bb, blueprint.stack) == (8, 800)
    assert (blueprint.street(0), blueprint.player(0), blueprint.put(0)) == (0, 1, (100, 50))
    limp = blueprint.child(0, 1)
    assert (blueprint.player(limp), blueprint.put(limp)) == (0, (100, 100))
    flop = blueprint.child(limp, 0)
    assert (blueprint.street(flop), blueprint.player(flop)) == (1, 0)
    with pytest.raises(IndexError):
        blueprint.child(0, len(blueprint.actions(0)))
    with pytest.raises(ValueError, match="nobody acts"):
        blueprint.strategy(blueprint.child(0, 0))
